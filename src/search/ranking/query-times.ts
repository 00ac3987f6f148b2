// Finds the times that a query names among its words: “what did we change on 3 March”, “the outage of last week”. They
// do not filter, as `since:` and `until:` do: a date may be part of the topic, and people remember dates badly.
// Documents of that time move up. A month without a day or a year counts only after a word like `in`, because `may` and
// `march` are ordinary words.
import { isoSpan } from '../query/parse-time.ts';
import { spanInWords, type TimeSpan } from '../query/time-words.ts';
import { REACH_MS } from './weights.ts';

const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const YEAR = '(?:19|20)\\d\\d';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th)?';

/** Each form has one group, which is the time; longer forms come before their own prefixes. */
const FORMS: readonly string[] = [
  `(?<![\\w/.-])(${YEAR}-\\d\\d-\\d\\d)(?![\\w/-])`,
  `\\b(${MONTH} ${DAY}(?:,? ?${YEAR})?)\\b`,
  `\\b(${DAY} (?:of )?${MONTH}(?:,? ${YEAR})?)\\b`,
  `\\b(${MONTH},? (?:of )?${YEAR})\\b`,
  `\\b(?:in|during|since|until|by|of|last|this|early|mid|late)[ -](${MONTH})\\b(?! ${DAY}\\b|,? (?:of )?${YEAR}\\b)`,
  `\\b(?:in|during|since|until|by|of|from|spring|summer|autumn|fall|winter) (${YEAR})(?![\\w/-])`,
  `\\b((?:\\d{1,3}|an?|one) (?:day|week|month|year)s? ago)\\b`,
  '\\b((?:this|last|past) (?:week|month|year))\\b',
  `\\b((?:last )?${WEEKDAY})\\b`,
  '\\b(today|yesterday)\\b',
];
const TIME = new RegExp(FORMS.join('|'), 'gi');
/** What each form holds one of. `TIME` takes 5 ms to compile, as long as the search of 10,000 documents. */
const MAY_NAME_TIME = /\d|ago|day|week|month|year|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i;

/** The words that look like a time, in query order. */
export function timeWordsIn(query: string): readonly string[] {
  if (!MAY_NAME_TIME.test(query)) return [];
  return Array.from(query.matchAll(TIME), (match) =>
    match
      .slice(1)
      .find((group) => group !== undefined)!
      .toLowerCase(),
  );
}

/** The times named, in query order. Words that look like a time but are not valid are left out. */
export function timesInQuery(query: string, now: number): readonly TimeSpan[] {
  const spans = timeWordsIn(query).map((words) => {
    const span = isoSpan(words) ?? spanInWords(words.replace(' of ', ' '), now);
    return span !== null && words.endsWith('ago') ? around(span, words) : span;
  });
  return spans.filter((span) => span !== null && Number.isFinite(span.first)) as TimeSpan[];
}

/**
 * How near a time is to the nearest of these spans, 0…1: 1 within a span, falling with each day after it, because
 * people also report what happened in the days after.
 */
export function timeShare(spans: readonly TimeSpan[], at: number | null): number {
  if (at === null) return 0;
  const shares = spans.map(({ first, last }) => (at < first ? 0 : 1 - Math.max(0, at - last) / REACH_MS));
  return Math.max(0, ...shares);
}

const HALF_DAYS: Readonly<Record<string, number>> = { day: 0.5, week: 3.5, month: 15, year: 180 };

/** “Three weeks ago” is seldom exact, so the span covers half a week before and after. */
function around({ first, last }: TimeSpan, words: string): TimeSpan {
  const unit = /(day|week|month|year)s? ago$/.exec(words)![1]!;
  const half = HALF_DAYS[unit]! * 86_400_000;
  return { first: first - half, last: last + half };
}
