// Decisions that stand: the person's rules and corrections first, for they decide; then the agent's choices.
import type { ObservationLine, SummaryLine } from '../../projections/index.ts';
import { bare, folded } from './alike.ts';
import type { BriefLine } from './brief.ts';
import { longWordsOf } from './letters.ts';
import { clipped, lineOf, savedText } from './lines.ts';
import type { Material } from './material.ts';
import { workTelling } from './work-text.ts';

const PERSONS_MAX = 8;
const AGENTS_MAX = 4;
const OF_ONE_MAX = 2;
const OF_ONE_SESSION_MAX = 5;
/** In less room nothing is said of what came of a rule. */
const OUTCOME_CHARS_MIN = 60;
const OUTCOME_CHARS_MAX = 400;
/** With fewer pieces of work each is told below. */
const MANY = 20;
const TITLE_WORDS_MIN = 5;

export function decisionLines({ decisions: rows, summaries, observations }: Material): BriefLine[] {
  const many = observations.length > MANY;
  const byTurn = new Map(summaries.map((summary) => [summary.turn, summary]));
  const stated = rows.flatMap((row) =>
    row.kind === 'observation'
      ? rulesOf(row, many).map((text, at) =>
          decisionLine(row, text, at > 0 ? null : many ? byTurn.get(row.turn) : null),
        )
      : [lineOf(row, { text: savedText(row), voice: 'mixed' })],
  );
  const lines = folded(stated, ({ text }) => [bare(text)]).map(({ one, alike }) => ({ ...one, alike }));
  const ofSession = new Map<string | null, number>();
  const spread = lines.filter(({ turn }) => {
    const session = turn?.session ?? null;
    const count = ofSession.get(session) ?? 0;
    ofSession.set(session, count + 1);
    return session === null || count < OF_ONE_SESSION_MAX;
  });
  const own = spread.filter(({ voice }) => voice !== 'agent').slice(0, PERSONS_MAX);
  const agents = spread.filter(({ voice }) => voice === 'agent').slice(0, AGENTS_MAX);
  return [...own, ...agents];
}

/** Where there are many, a person's rules of one turn stand in one line. */
function rulesOf({ decisions }: ObservationLine, many: boolean): readonly string[] {
  const [first = '', second = ''] = decisions;
  const both = first.length + second.length <= BOTH_CHARS_MAX && PERSONS.test(first) && PERSONS.test(second);
  return many && both ? [`${first} ${second.replace(PERSONS, '')}`] : decisions.slice(0, OF_ONE_MAX);
}

const PERSONS = /^The person: /;
const BOTH_CHARS_MAX = 300;

/**
 * A person's words say little without what came of them.
 * @param summary of its turn; null where what came of it is told elsewhere, and its title is enough
 */
function decisionLine(
  row: ObservationLine,
  text: string,
  summary: SummaryLine | undefined | null,
): BriefLine {
  const persons = PERSONS.exec(text);
  if (persons === null) return lineOf(row, { text, voice: 'agent' });
  const rule = text.slice(persons[0].length);
  const outcome = summary === null ? () => titleFor(rule, row) : workTelling(row, summary, '').outcome;
  const within = (charsMax: number) => {
    const room = Math.min(OUTCOME_CHARS_MAX, charsMax - rule.length - ARROW.length);
    const came = room < OUTCOME_CHARS_MIN ? '' : outcome(room);
    return came === '' || bare(rule).includes(bare(came))
      ? clipped(rule, charsMax)
      : `${rule}${ARROW}${came}`;
  };
  return { ...lineOf(row, { text: within(RULE_CHARS_MAX), voice: 'person' }), within };
}

/** Empty where the title says nothing of the rule. */
function titleFor(rule: string, { title }: ObservationLine): string {
  const same = bare(title).startsWith(bare(rule).slice(0, 24));
  const says = !/^Changes to |…$/.test(title) && title.split(' ').length >= TITLE_WORDS_MIN;
  return !same && says && sharesWord(rule, title) ? title : '';
}

const ARROW = ' → ';
const RULE_CHARS_MAX = 700;

/** A turn's outcome is that of the rule where it speaks of the same thing. */
function sharesWord(rule: string, title: string): boolean {
  const words = new Set(wordsOf(rule));
  return wordsOf(title).some((word) => words.has(word));
}

function wordsOf(text: string): string[] {
  return longWordsOf(text).map((word) => word.slice(0, 6));
}
