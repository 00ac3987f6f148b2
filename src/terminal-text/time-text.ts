// Formats times for people, in the local time zone. The year is shown only when it is not the current one.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** `just now`, `5 min ago`, `3 h ago`, `2 d ago`, … At most ten cells. Both in Unix ms; days are the calendar's. */
export function ago(at: number, now: number): string {
  const passed = now - at;
  if (passed < -60_000) return 'later';
  if (passed < 60_000) return 'just now';
  if (passed < HOUR_MS) return `${Math.floor(passed / 60_000)} min ago`;
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h ago`;
  // A day may have 25 hours.
  const days = Math.max(1, Math.round((midnight(now) - midnight(at)) / DAY_MS));
  if (days < 14) return `${days} d ago`;
  if (days < 60) return `${Math.floor(days / 7)} wk ago`;
  if (days < 730) return `${Math.floor(days / 30.44)} mo ago`;
  return `${Math.floor(days / 365.25)} yr ago`;
}

/** `18 Nov`, or `18 Nov 2025` in another year. */
export function dayText(at: number, now: number): string {
  const date = new Date(at);
  const short = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return date.getFullYear() === new Date(now).getFullYear() ? short : `${short} ${date.getFullYear()}`;
}

/** `18 Nov 2026 09:04:31`. */
export function timeText(at: number): string {
  const date = new Date(at);
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()} ${clockText(at)}`;
}

/** `2026-11-18 09:04`: stays true however long the text is kept. */
export function minuteText(at: number): string {
  const date = new Date(at);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence of ours for programs, for people: its times as `timeText` has them. */
export function withLocalTimes(sentence: string): string {
  return sentence.replace(ISO_TIME, (time) => timeText(Date.parse(time)));
}

/** `09:04:31`. */
export function clockText(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

/** `840 ms`, `12.3 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 1_200) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The start of the day in local time, Unix ms. */
function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
