// Long patterns in parts that can be read one by one.

export interface Around {
  readonly flags: string;
  /** Precedes each of the patterns. */
  readonly before?: RegExp;
  /** Follows each of them. */
  readonly after?: RegExp;
}

/** Matches what any of the patterns matches. Their own flags do not count. */
export function anyOf({ flags, before, after }: Around, ...patterns: readonly RegExp[]): RegExp {
  const any = patterns.map(({ source }) => source).join('|');
  const isWhole = before === undefined && after === undefined;
  return new RegExp(isWhole ? any : `${before?.source ?? ''}(?:${any})${after?.source ?? ''}`, flags);
}
