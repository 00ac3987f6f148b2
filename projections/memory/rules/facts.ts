// Facts: what the closing words list, each with what it stands under, then what tools prove. Each stands by itself
// in one line. Every heading gives one before any gives two, so that the end of a long answer is told too.
import type { Closing, Point } from './closing.ts';
import type { Gathered } from './evidence.ts';
import { cut, isDense, sentencesOf, wordCount } from './sentences.ts';

const FACT_CHARS_MAX = 260;
const SAID_MAX = 12;
const WORDS_MIN = 3;
/** A text that breaks off before what it announces, with fewer words than this, says nothing. */
const OPEN_WORDS_MIN = 7;
const PART_CHARS_MIN = 80;

export interface FactSources {
  readonly closing: Closing | null;
  readonly gathered: Gathered;
  readonly decisions: readonly string[];
  /** What was found out on the way. */
  readonly lessons: readonly string[];
  /** What sub-agents reported. */
  readonly reports: readonly string[];
  /** Names of files that were to be written and were not. */
  readonly refused: readonly string[];
}

export function factsOf({ closing, gathered, decisions, lessons, reports, ...more }: FactSources): string[] {
  const said = saidFacts(closing?.points ?? []);
  const refused = more.refused.map((file) => `${file} was not written: its writing was refused or failed`);
  const errors = gathered.errors.map(({ error, command, fixedBy }) =>
    fixedBy === null
      ? `Still failing: ${command}: ${error}`
      : `${command} failed with “${error}”; it passed after this: ${fixedBy}`,
  );
  const tests = gathered.tests.map(
    ({ command, before, after, said: words }) =>
      `${command}: ${before === null || before === after ? after : `${before}, then ${after}`}${words === null ? '' : ` (${words})`}`,
  );
  const commits = gathered.commits.map(
    ({ hash, message }) => `Commit${hash === null ? '' : ` ${hash}`}: ${message.split('\n')[0]}`,
  );
  const chosen = decisions.filter((decision) => !said.some((fact) => fact.includes(decision.slice(0, 60))));
  const cured = gathered.errors.map(({ fixedBy }) => fixedBy ?? '').join('\n');
  // A cause that stands beside its error is not told twice.
  const found = lessons.filter((lesson) => !cured.includes(lesson.slice(0, 60)));
  return [
    ...new Set([...refused, ...said, ...reports, ...found, ...chosen, ...errors, ...tests, ...commits]),
  ];
}

/** One of each heading first, then the others, told in the order in which they stand. */
export function saidFacts(points: readonly Point[], most = SAID_MAX, leadOnce = false): string[] {
  const worth = points.flatMap((point, index) => {
    const text = factText(point);
    return text === null ? [] : [{ text, lead: point.lead, group: point.group, index }];
  });
  const groups = new Set<number>();
  const firsts = worth.filter(({ group }) => !groups.has(group) && groups.add(group));
  const others = worth.filter((one) => !firsts.includes(one));
  const chosen = [...firsts, ...others].slice(0, most).sort((a, b) => a.index - b.index);
  const told = chosen.map(({ text, lead, group }, index) =>
    leadOnce && chosen[index - 1]?.group === group && lead !== '' ? text.replace(`${lead}: `, '') : text,
  );
  return [...new Set(told)];
}

/** null for what says nothing alone. */
function factText({ lead, text }: Point): string | null {
  if (/[:：]$/.test(text) && wordCount(text) < OPEN_WORDS_MIN && !isDense(text)) return null;
  const bare = text.replace(/[\s:：]+$/, '');
  if (wordCount(bare) < WORDS_MIN && !isDense(bare) && lead === '') return null;
  const whole = lead === '' || bare.startsWith(lead) ? bare : `${lead}: ${bare}`;
  return wholeParts(whole, FACT_CHARS_MAX);
}

/** As many sentences, or things below an item, as fit; cut between words only where the first is too long. */
export function wholeParts(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  let kept = '';
  for (const part of text.split(/(?<=;) |(?<=[.!?]) (?=\p{Lu}|`)/u)) {
    const longer = kept === '' ? part : `${kept} ${part}`;
    if (longer.length > charsMax) break;
    kept = longer;
  }
  if (kept.length >= PART_CHARS_MIN) return kept.replace(/;$/, '');
  const clause = sentencesOf(text)[0]!
    .slice(0, charsMax)
    .search(/(?: [—–] |, (?:which|so|but|because)\b)(?!.*(?: [—–] |, (?:which|so|but|because)\b))/);
  return clause >= PART_CHARS_MIN ? text.slice(0, clause) : cut(text, charsMax);
}
