// Decisions that stand: the person's rules and corrections first, for they decide; then the agent's choices.
import type { ObservationLine } from '../../projections/index.ts';
import { bare, folded } from './alike.ts';
import type { BriefLine } from './brief.ts';
import { longWordsOf } from './letters.ts';
import { lineOf, savedText } from './lines.ts';
import type { Material } from './material.ts';

const PERSONS_MAX = 8;
const AGENTS_MAX = 4;
const OF_ONE_MAX = 2;
const OF_ONE_SESSION_MAX = 4;
/** A shorter title says nothing of what came of a rule. */
const TITLE_WORDS_MIN = 5;

export function decisionLines({ decisions: rows }: Material): BriefLine[] {
  const stated = rows.flatMap((row) =>
    row.kind === 'observation'
      ? row.decisions.slice(0, OF_ONE_MAX).map((text) => decisionLine(row, text))
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

/** A person's words say little without what came of them. */
function decisionLine(row: ObservationLine, text: string): BriefLine {
  const persons = /^The person: /.exec(text);
  if (persons === null) return lineOf(row, { text, voice: 'agent' });
  const rule = text.slice(persons[0].length);
  const same = bare(row.title).startsWith(bare(rule).slice(0, 24)) || bare(rule).includes(bare(row.title));
  const says =
    !/^Changes to |…$/.test(row.title) &&
    row.title.split(' ').length >= TITLE_WORDS_MIN &&
    sharesWord(rule, row.title);
  return lineOf(row, { text: same || !says ? rule : `${rule} → ${row.title}`, voice: 'person' });
}

/** A turn's outcome is that of the rule where it speaks of the same thing. */
function sharesWord(rule: string, title: string): boolean {
  const words = new Set(wordsOf(rule));
  return wordsOf(title).some((word) => words.has(word));
}

function wordsOf(text: string): string[] {
  return longWordsOf(text).map((word) => word.slice(0, 6));
}
