// Formats numbers for people: 12,693 · 1.4 MB · 1 file, 2 files.
export { counted, grouped as count } from '../../terminal-text/grouped-number.ts';

/** Uses powers of 1,000. */
export function bytes(value: number): string {
  for (const [unit, name] of [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const)
    if (value >= unit) return `${(value / unit).toFixed(1)} ${name}`;
  return `${value} bytes`;
}
