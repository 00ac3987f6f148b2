// Numbers, sizes and times as people read them, in the browser's own language and time zone.

/** The first one takes the browser some 50 ms, and the page is painted before it needs any. */
const whole = lazily(() => new Intl.NumberFormat('en'));
const compact = lazily(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));
const clock = dates({ hour: '2-digit', minute: '2-digit' });
const day = dates({ weekday: 'short', day: 'numeric', month: 'short' });
const dayAndYear = dates({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const month = dates({ month: 'short' });
const wholeDay = dates({ dateStyle: 'full' });
const full = dates({ dateStyle: 'full', timeStyle: 'medium' });

export const count = (number: number): string => whole().format(number);

/** 1.2M */
export const short = (number: number): string => (number < 1_000 ? String(number) : compact().format(number));

export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** `2 tool uses`, `1 reply of a model`, `3 replies of a model` */
export function countedKind(number: number, kind: string): string {
  const [, noun = kind, rest = ''] = /^(.*?)( (?:of|to) .*)?$/.exec(kind) ?? [];
  return counted(number, kind, `${noun.endsWith('y') ? `${noun.slice(0, -1)}ie` : noun}s${rest}`);
}

export function bytes(number: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = number;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export const clockText = (at: string): string => clock().format(new Date(at));
export const fullTime = (at: string): string => full().format(new Date(at));

/** `Today`, `Yesterday`, `Tue, 3 Nov`, or with the year. */
export function dayText(at: string, now = new Date()): string {
  const date = new Date(at);
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return date.getFullYear() === now.getFullYear() ? day().format(date) : dayAndYear().format(date);
}

/** `Nov` */
export const monthText = (at: string): string => month().format(new Date(at));

/** `Friday, 1 May 2026`, of `2026-05-01`. */
export const dateText = (date: string): string => wholeDay().format(new Date(`${date}T12:00`));

/** The clock alone if it is the day of `near`; else as `timeText`. */
export function timeIn(at: string, near: string | null): string {
  const isSameDay = near !== null && midnight(new Date(at)) === midnight(new Date(near));
  return isSameDay ? clockText(at) : timeText(at);
}

/** With its day if that is not today. */
export function timeText(at: string, now = new Date()): string {
  const when = dayText(at, now);
  return when === 'Today' ? clockText(at) : `${when}, ${clockText(at)}`;
}

/** Of `2026-05-01`, in the browser's time zone; empty for an empty date. */
export function endOfDay(date: string): string {
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? '' : end.toISOString();
}

/** `2026-05-01`, in the browser's time zone. */
export function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `2 h 5 min` */
export function durationText(ms: number): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

function dates(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return lazily(() => new Intl.DateTimeFormat(undefined, options));
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
