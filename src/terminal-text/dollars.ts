// Amounts of dollars for people.

/** `$0.05`, `$0.0012`: cents, and below one cent two digits that are not zero. */
export function dollars(usd: number): string {
  if (usd === 0) return '$0';
  const digits = usd >= 0.01 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(usd)));
  return `$${usd.toFixed(digits)}`;
}
