// Where a secret stands and what it is.

/** Half-open range of a secret in the text it was found in, UTF-16 units. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}
