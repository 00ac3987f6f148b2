// Lists current decisions: the person's rules and corrections first, then the agent's choices.
import type { ObservationLine, PromptLine, SummaryLine } from '../../../projections/index.ts';
import { longWordsOf } from '../../terminal-text/letters-and-words.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence, savedText } from '../lines/brief-lines.ts';
import type { BriefMaterial } from '../lines/material.ts';
import { foldNearDuplicates, normalize } from '../lines/near-duplicate-lines.ts';
import { repeatedRules } from './repeated-rules.ts';
import { type CurrentDecision, currentDecisions } from './superseded.ts';
import { stop, workText } from './work-text.ts';

const PERSONS_MAX = 8;
const AGENTS_MAX = 3;
const OF_ONE_MAX = 2;
const OF_ONE_SESSION_MAX = 5;
/** With less room than this the outcome of a rule is left out. */
const OUTCOME_CHARS_MIN = 60;
const OUTCOME_CHARS_MAX = 400;
/** With more observations than this, fewer decisions are shown in full. */
const MANY = 20;
const TITLE_WORDS_MIN = 5;

export function decisionLines({
  decisions: rows,
  summaries,
  observations,
  prompts,
}: BriefMaterial): BriefLine[] {
  const many = observations.length > MANY;
  const byTurn = new Map(summaries.map((summary) => [summary.turn, summary]));
  const repeated = repeatedRules(prompts);
  const shown = normalize(repeated.map(({ text }) => text).join(' '));
  const observed = rows.filter((row): row is ObservationLine => row.kind === 'observation');
  const currentByRow = new Map<ObservationLine, CurrentDecision[]>();
  const texts = observed.flatMap((row) => rulesOf(row, many).map((text) => ({ row, text })));
  const current = currentDecisions(
    texts,
    (row) => wordsSince(row, observations, prompts),
    (row) => observations.filter((one) => isAfter(one, row)),
  );
  for (const one of current) currentByRow.set(one.row, [...(currentByRow.get(one.row) ?? []), one]);
  const stated = rows.flatMap((row) =>
    row.kind === 'observation'
      ? (currentByRow.get(row) ?? [])
          .filter(({ text }) => !shown.includes(normalize(text.replace(PERSONS, ''))))
          .map(({ text, replaces }, at) =>
            replacing(decisionLine(row, text, at > 0 ? null : many ? byTurn.get(row.turn) : null), replaces),
          )
      : [briefLine(row, { text: savedText(row), voice: 'mixed' })],
  );
  const lines = foldNearDuplicates(stated, ({ text }) => [normalize(text)]).map(
    ({ one, nearDuplicates }) => ({ ...one, nearDuplicates }),
  );
  const own = weightiest(
    lines.filter(({ voice }) => voice !== 'agent'),
    PERSONS_MAX,
    0,
  );
  const agents = weightiest(
    lines.filter(({ voice, text }) => voice === 'agent' && (!many || SAYS_WHY.test(text))),
    AGENTS_MAX,
    AGENTS_SPARE,
  );
  return [...repeated, ...own, ...agents];
}

/** Notes that the decision replaces earlier ones. */
function replacing(line: BriefLine, replaces: number): BriefLine {
  if (replaces === 0) return line;
  const note =
    replaces === 1 ? ' (replaces an earlier decision)' : ` (replaces ${replaces} earlier decisions)`;
  const within = (charsMax: number) =>
    `${line.within?.(charsMax - note.length) ?? clipSentence(line.text, charsMax - note.length)}${note}`;
  return { ...line, text: `${line.text}${note}`, within };
}

/** Later prompts, titles and commit subjects: they may undo a decision of this row. */
function wordsSince(
  row: ObservationLine,
  observations: readonly ObservationLine[],
  prompts: readonly PromptLine[],
): string[] {
  return [
    ...prompts.filter((one) => !one.plan && isAfter(one, row)).map(({ text }) => text),
    ...observations
      .filter((one) => isAfter(one, row))
      .flatMap(({ title, commits }) => [title, ...commits.map(({ subject }) => subject)]),
  ];
}

/** In a later turn. */
function isAfter({ at, turn }: ObservationLine | PromptLine, row: ObservationLine): boolean {
  return turn !== row.turn && (at ?? 0) > (row.at ?? 0);
}

/** Keeps the order, newest first; decisions with a reason or an alternative are dropped last. */
function weightiest(lines: readonly BriefLine[], most: number, first: number): BriefLine[] {
  const weight = new Map(
    lines.map((line, index) => [line, ruleWeight(line.text) - Math.min(AGE_COSTS_MAX, index * AGE_COSTS)]),
  );
  const sorted = [...lines].sort((one, other) => weight.get(other)! - weight.get(one)!);
  const ofSession = new Map<string | null, number>();
  const kept = sorted.filter(({ turn }) => {
    const session = turn?.session ?? null;
    const count = ofSession.get(session) ?? 0;
    ofSession.set(session, count + 1);
    return session === null || count < OF_ONE_SESSION_MAX;
  });
  const ranks = new Map(kept.slice(0, most).map((line, rank) => [line, rank]));
  return lines.flatMap((line) => {
    const rank = ranks.get(line);
    if (rank === undefined) return [];
    const { within } = line;
    const wide =
      rank < WIDE_MAX && within !== undefined ? (chars: number) => within(Math.round(chars * WIDE)) : within;
    return [{ ...line, ...(wide === undefined ? {} : { within: wide }), spare: first + rank * SPARE_STEP }];
  });
}

/** About 0 to 3. */
function ruleWeight(text: string): number {
  const rule = text.split(ARROW)[0]!;
  return (
    (CHOSEN.test(text) ? 1.5 : 0) +
    (SAYS_WHY.test(rule) ? 1.2 : 0) +
    (AGAINST.test(rule) ? 0.8 : 0) +
    (CORRECTS.test(rule) ? 0.7 : 0) +
    (RULES.test(rule) ? 0.5 : 0) +
    Math.min(1, longWordsOf(rule).length / RULE_WORDS) -
    (ONCE.test(rule) ? 0.6 : 0)
  );
}

/** The choice among options that were weighed. */
const CHOSEN = /[?…] Chosen: /;
/** The decisions with the most weight get room for their reason. */
const WIDE_MAX = 3;
const WIDE = 1.25;
const AGE_COSTS = 0.08;
const AGE_COSTS_MAX = 1.2;
const SPARE_STEP = 0.06;
const AGENTS_SPARE = 0.25;
const RULE_WORDS = 12;
const SAYS_WHY =
  /\b(?:because|since|so that|otherwise|on purpose|deliberat\w*|intentional\w*|the (?:issue|problem|reason|point) (?:with|is|was)|adds? \w*\s?complexity|(?:is|are)n(?:'|’)t (?:trivial|worth|needed)|too (?:much|many|complex)|due to|as we|for now)\b/i;
const AGAINST =
  /\b(?:instead|rather|not|don(?:'|’)t|never|no longer|only|without|(?:should|is|are|must|can)n(?:'|’)t|but)\b/i;
/** A rule for one moment only. */
const ONCE = /\b(?:commit (?:the|it|this|them|all)|push|rebuild|run|gitignored|the file)\b/i;
/** Corrects what the agent was about to do. */
const CORRECTS = /^(?:no|nope|nah|wrong|stop|actually)\b/i;
/** States a rule in few words. */
const RULES = /\b(?:drop|keep|use|remove|allowed|prefer\w*|call|only|always|never)\b/i;

/** If there are many decisions, a person's two rules of one turn share a line. */
function rulesOf({ decisions }: ObservationLine, many: boolean): readonly string[] {
  const [first = '', second = ''] = decisions;
  const both = first.length + second.length <= BOTH_CHARS_MAX && PERSONS.test(first) && PERSONS.test(second);
  return many && both ? [`${stop(first)} ${second.replace(PERSONS, '')}`] : decisions.slice(0, OF_ONE_MAX);
}

const PERSONS = /^The person: /;
const BOTH_CHARS_MAX = 300;

/**
 * A person's words need their outcome to be understood.
 * @param summary the turn's; null if the outcome is shown elsewhere and the title is enough
 */
function decisionLine(
  row: ObservationLine,
  text: string,
  summary: SummaryLine | undefined | null,
): BriefLine {
  const persons = PERSONS.exec(text);
  if (persons === null) return briefLine(row, { text, voice: 'agent' });
  const rule = text.slice(persons[0].length);
  const outcome = summary === null ? () => titleFor(rule, row) : workText(row, summary, '').outcome;
  const within = (charsMax: number) => {
    const room = Math.min(OUTCOME_CHARS_MAX, charsMax - rule.length - ARROW.length);
    const result = room < OUTCOME_CHARS_MIN ? '' : outcome(room);
    return result === '' || normalize(rule).includes(normalize(result)) || !sharesWord(rule, result)
      ? clipSentence(rule.length > charsMax ? withoutLead(rule, charsMax) : rule, charsMax)
      : `${rule}${ARROW}${result}`;
  };
  // The question and its options are the agent's words; the person chose.
  const voice = CHOSEN.test(rule) ? 'mixed' : 'person';
  return { ...briefLine(row, { text: within(RULE_CHARS_MAX), voice }), within };
}

/** "Can you read the plan, I'd like another: we just use one" → "we just use one", if the full text is too long. */
function withoutLead(rule: string, charsMax: number): string {
  if (CHOSEN.test(rule)) return rule;
  const rest = rule.replace(/^[^:]*: (?=\S)/, '');
  return rest.length >= charsMax / 2 ? rest : rule;
}

/** Empty if the title says nothing about the rule. */
function titleFor(rule: string, { title }: ObservationLine): string {
  const same = normalize(title).startsWith(normalize(rule).slice(0, 24));
  const says = !/^Changes to |…$/.test(title) && title.split(' ').length >= TITLE_WORDS_MIN;
  return !same && says && sharesWord(rule, title) ? title : '';
}

const ARROW = ' → ';
const RULE_CHARS_MAX = 700;

/** A turn's outcome belongs to the rule if both share a word. */
function sharesWord(rule: string, title: string): boolean {
  const words = new Set(wordsOf(rule));
  return wordsOf(title).some((word) => words.has(word));
}

function wordsOf(text: string): string[] {
  return longWordsOf(text).map((word) => word.slice(0, 6));
}
