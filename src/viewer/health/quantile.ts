/** @param values at least one */
export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))]!;
}
