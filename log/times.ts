// Which numbers are times. Beyond these a Date is none, and whoever shows one would throw.

/** Unix ms: what a Date can be made of, 100 million days around 1970. */
const TIME_MS_MAX = 8.64e15;

/** Whether it is a whole number of Unix ms that a Date can be made of. */
export function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= TIME_MS_MAX;
}
