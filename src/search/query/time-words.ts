// Parses times in words into the span that they name. A time without a year is the most recent one that has begun: in
// March, “november” is last year's. Weeks begin on Monday.
//
//   now | today | yesterday
//   (N | a | an) (second | minute | hour | day | week | month | year)[s] ago       a moment
//   [this | last | past] (week | month | year)
//   [on | last] <weekday>                        last: before today
//   <month> [<day>] [<year>] | <day> <month> [<year>]
//   a day may be followed by [at] HH:MM          a moment
//
// Spaces, hyphens or underscores separate words; three letters are enough for the name of a day or month.

export interface TimeSpan {
  /** Unix ms, both included. */
  readonly first: number;
  readonly last: number;
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const UNIT_MS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
};

/** null if the text names no time. */
export function spanInWords(text: string, now: number): TimeSpan | null {
  const words = text
    .toLowerCase()
    .replace(/[-_,\s]+/g, ' ')
    .trim();
  const clock = /^(.+?) (?:at )?(\d{1,2}):(\d{2})$/.exec(words);
  if (clock !== null) {
    const day = dayOf(clock[1]!, new Date(now));
    return day === null ? null : atClock(day, Number(clock[2]), Number(clock[3]));
  }
  if (words === 'now') return moment(now);
  return ago(words, now) ?? period(words, new Date(now)) ?? wholeDay(dayOf(words, new Date(now)));
}

function ago(words: string, now: number): TimeSpan | null {
  const found = /^(\d{1,6}|an?|one) (second|minute|hour|day|week|month|year)s? ago$/.exec(words);
  if (found === null) return null;
  const count = /^\d/.test(found[1]!) ? Number(found[1]) : 1;
  const unit = found[2]!;
  if (UNIT_MS[unit] !== undefined) return moment(now - count * UNIT_MS[unit]);
  const date = new Date(now);
  const months = count * (unit === 'year' ? 12 : 1);
  const target = new Date(date.getFullYear(), date.getMonth() - months + 1, 0);
  // Clamp the day: a month before the last of March is the last of February.
  date.setFullYear(target.getFullYear(), target.getMonth(), Math.min(date.getDate(), target.getDate()));
  return moment(date.getTime());
}

/** A week, a month or a year. */
function period(words: string, today: Date): TimeSpan | null {
  const year = today.getFullYear();
  const month = today.getMonth();
  const named = /^(?:(this|last|past) )?(week|month|year)$/.exec(words);
  if (named !== null) {
    const back = named[1] === 'last' || named[1] === 'past' ? 1 : 0;
    if (named[2] === 'month') return between([year, month - back, 1], [year, month - back + 1, 1]);
    if (named[2] === 'year') return between([year - back, 0, 1], [year - back + 1, 0, 1]);
    const monday = today.getDate() - ((today.getDay() + 6) % 7) - 7 * back;
    return between([year, month, monday], [year, month, monday + 7]);
  }
  const [name = '', number, ...more] = words.split(' ');
  const index = indexOfName(name, MONTHS);
  if (index === -1 || more.length > 0 || (number !== undefined && !/^\d{4}$/.test(number))) return null;
  const of = number === undefined ? year - (index > month ? 1 : 0) : Number(number);
  return between([of, index, 1], [of, index + 1, 1]);
}

function dayOf(words: string, today: Date): Date | null {
  const [year, month, date] = [today.getFullYear(), today.getMonth(), today.getDate()];
  if (words === 'today') return new Date(year, month, date);
  if (words === 'yesterday') return new Date(year, month, date - 1);
  return weekday(words, today) ?? dayOfMonth(words, today);
}

function weekday(words: string, today: Date): Date | null {
  const found = /^(?:(on|last) )?([a-z]+)$/.exec(words);
  const index = found === null ? -1 : indexOfName(found[2]!, WEEKDAYS);
  if (index === -1) return null;
  const back = (today.getDay() - index + 7) % 7;
  const days = back === 0 && found![1] === 'last' ? 7 : back;
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - days);
}

function dayOfMonth(words: string, today: Date): Date | null {
  const found =
    /^(?:on )?(?<month>[a-z]+) (?<day>\d{1,2})(?:st|nd|rd|th)?(?: (?<year>\d{4}))?$/.exec(words) ??
    /^(?:on )?(?<day>\d{1,2})(?:st|nd|rd|th)? (?<month>[a-z]+)(?: (?<year>\d{4}))?$/.exec(words);
  const { month = '', day = '', year } = found?.groups ?? {};
  const index = indexOfName(month, MONTHS);
  if (index === -1) return null;
  const inYear = (of: number) => new Date(of, index, Number(day));
  const isLater = inYear(today.getFullYear()).getTime() > today.getTime();
  const date = inYear(year === undefined ? today.getFullYear() - (isLater ? 1 : 0) : Number(year));
  return date.getMonth() === index && date.getDate() === Number(day) ? date : null;
}

/** Finds a name by its whole word or a prefix of at least three letters; -1 otherwise. */
function indexOfName(word: string, names: readonly string[]): number {
  return word.length < 3 ? -1 : names.findIndex((name) => name.startsWith(word));
}

function atClock(day: Date, hour: number, minute: number): TimeSpan | null {
  if (hour > 23 || minute > 59) return null;
  return moment(new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute).getTime());
}

function wholeDay(day: Date | null): TimeSpan | null {
  if (day === null) return null;
  const [year, month, date] = [day.getFullYear(), day.getMonth(), day.getDate()];
  return between([year, month, date], [year, month, date + 1]);
}

/** From a day until the next one named: year, month from 0, day. */
export function between(first: [number, number, number], next: [number, number, number]): TimeSpan {
  return { first: new Date(...first).getTime(), last: new Date(...next).getTime() - 1 };
}

function moment(at: number): TimeSpan {
  return { first: at, last: at };
}
