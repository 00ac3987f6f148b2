// Which numbers are valid times. Formatting a timestamp outside this range throws.

/** Unix ms: the range of a Date, 100 million days around 1970. */
const TIME_MS_MAX = 8.64e15;

/** Whether a value is a whole number of Unix ms within the range of a Date. */
export function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= TIME_MS_MAX;
}

export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
