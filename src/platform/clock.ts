// The only clock. It is injected, so that tests can control the time.

/** Unix ms. */
export function now(): number {
  return Date.now();
}
