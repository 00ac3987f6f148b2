// Times in keys, written backwards, so that a range of rows begins with the newest.

/** The largest time that is told apart, Unix ms: the year 2286. */
const TIME_MAX = 9_999_999_999_999;

/**
 * Newest first as text. What has no time is the oldest.
 * @param order the place of what has no time, written with digits of a fixed width: the last place comes first
 */
export function newestFirst(at: number | null, order = ''): string {
  const time = Math.min(Math.max(Math.trunc(at ?? 0), -1), TIME_MAX);
  const text = String(TIME_MAX - time).padStart(14, '0');
  return at === null ? text + order.replace(/\d/g, (digit) => String(9 - Number(digit))) : text;
}

/** Below a prefix of rows: the key before everything that is not later than `at`, Unix ms. */
export function newestFirstFrom(prefix: string, at: number): string {
  return `${prefix}${newestFirst(at)}`;
}
