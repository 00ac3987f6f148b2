// Times as people say them. Local time zone; the year is named only when it is not this one.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const STEPS: readonly (readonly [belowMs: number, unitMs: number, name: string])[] = [
  [3_600_000, 60_000, 'min'],
  [86_400_000, 3_600_000, 'h'],
  [14 * 86_400_000, 86_400_000, 'd'],
  [60 * 86_400_000, 7 * 86_400_000, 'wk'],
  [730 * 86_400_000, 30.44 * 86_400_000, 'mo'],
];

/** `just now`, `5 min ago`, `3 h ago`, `2 d ago`, … At most ten cells. Both in Unix ms. */
export function ago(at: number, now: number): string {
  const passed = now - at;
  if (passed < -60_000) return 'later';
  if (passed < 60_000) return 'just now';
  for (const [below, unit, name] of STEPS)
    if (passed < below) return `${Math.floor(passed / unit)} ${name} ago`;
  return `${Math.floor(passed / (365.25 * 86_400_000))} yr ago`;
}

/** `18 Nov`, or `18 Nov 2025` in another year. */
export function day(at: number, now: number): string {
  const date = new Date(at);
  const short = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return date.getFullYear() === new Date(now).getFullYear() ? short : `${short} ${date.getFullYear()}`;
}

/** `18 Nov 2026 09:04:31`. */
export function moment(at: number): string {
  const date = new Date(at);
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()} ${clock}`;
}

/** `840 ms`, `12.3 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
