// Where a secret stands and what it is.

/** Half-open range of a secret in the text it was found in, UTF-16 units. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** A range that holds no secret although it looks like one: a certificate. The search goes on behind it. */
export interface NonSecret {
  readonly end: number;
  readonly kind: null;
}
