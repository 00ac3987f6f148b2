// The location and kind of a secret.

/** Half-open range of a secret in the text it was found in, UTF-16 units. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** A range that looks like a secret but is none: a certificate. The search continues after it. */
export interface NonSecret {
  readonly end: number;
  readonly kind: null;
}
