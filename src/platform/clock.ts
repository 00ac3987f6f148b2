// The only clock. Handed to whoever needs the time, so that tests can hold it.

/** Unix ms. */
export function now(): number {
  return Date.now();
}
