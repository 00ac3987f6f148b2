// Lists current decisions: the person's rules and corrections first, then the agent's choices; of each the newest first.
import { leans, type ObservationLine } from '../../../projections/index.ts';
import { currentDecisions } from '../../overtaken/current-decisions.ts';
import { decisionOvertaken } from '../../overtaken/overtaken.ts';
import { longWordsOf, lowerCaseWords } from '../../terminal-text/letters-and-words.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence, savedText, savedVoice } from '../lines/brief-lines.ts';
import { fileNames } from '../lines/file-names.ts';
import type { BriefMaterial } from '../lines/material.ts';
import { foldNearDuplicates, normalize } from '../lines/near-duplicate-lines.ts';

import { workText } from './work-text.ts';

const PERSONS_MAX = 8;
const AGENTS_MAX = 3;
const OF_ONE_MAX = 2;
const OF_ONE_SESSION_MAX = 5;
/** So many of a session come before further ones of a newer session. */
const OF_ONE_SESSION_FIRST = 3;
/** With less room than this the outcome of a rule is left out. */
const OUTCOME_CHARS_MIN = 60;
const OUTCOME_CHARS_MAX = 400;
const RULE_CHARS_MAX = 700;
/** With fewer observations than this the outcome of a rule is among the work, and its title is enough. */
const MANY = 20;
/** How many letters at the beginning of two words are compared. */
const STEM_CHARS = 6;
/** Newer decisions are dropped last; those of the agent first. */
const SPARE_STEP = 0.06;
const AGENTS_SPARE = 0.25;

/** A longer rule says what it is about. */
const CLEAR_CHARS_MIN = 70;
const PLACES_MAX = 2;
/** An identifier, a path, a flag, or something quoted. */
const NAMED = /[a-z][A-Z]|[a-z]\.[a-z]|\w[_/]\w|--\w|[`“”"]/;

/** Between a title and its text, and between sentences. */
const PARTS = /(?<=[.!?…]) (?=\S)| — /;
/** An outcome is in the past tense: if even its first word is in the rule, it repeats the rule. */
const REPEATED_SHARE = 0.8;

const LIMIT =
  /^(?:(?:also|and|but|so|please|just|then)[, ]+)*(?:do(?: not|n['’]t)|only|leave|avoid|without|no (?:new|other|changes?))\b/i;
const OF_TASK =
  /\b(?:for now|this time|by the fix|(?:in|for|during|by|to|of) this (?:pass|task|pr|change|session|turn|commit|step|round|fix))\b/i;
const LASTING =
  /\b(?:never|always|from now on|in (?:the )?future|in general|any ?more|ever|every|each|going forward|as a rule|by default)\b/i;
const TASK_CHARS_MIN = 60;
const TASK_CHARS_MAX = 70;

const PERSONS = 'The person: ';
const none = () => '';
/** The choice among options that were weighed. */
const CHOSEN = ' Chosen: ';
const ARROW = ' → ';

export function decisionLines(material: BriefMaterial): BriefLine[] {
  const { decisions: rows, summaries, observations } = material;
  const many = observations.length > MANY;
  const byTurn = new Map(summaries.map((summary) => [summary.turn, summary]));
  const observed = rows.filter((row) => row.kind === 'observation');
  const texts = observed.flatMap((row) => row.decisions.slice(0, OF_ONE_MAX).map((text) => ({ row, text })));
  const current = currentDecisions(texts, (one) => decisionOvertaken(one, material) !== null);
  const stated = rows.flatMap((row) =>
    row.kind === 'observation'
      ? current
          .filter((one) => one.row === row)
          .map(({ text, replaces }, at, all) =>
            replacing(
              decisionLine(
                row,
                text,
                at > 0 ? none : many ? workText(row, byTurn.get(row.turn), '').outcome : () => row.title,
                byTurn.get(row.turn)?.request ?? '',
                all.slice(0, at).map((one) => ruleIn(one.text)),
              ),
              replaces,
            ),
          )
      : [briefLine(row, { text: savedText(row), voice: savedVoice(row) })],
  );
  const lines = foldNearDuplicates(stated, ({ text }) => [normalize(text)]).map(
    ({ one, nearDuplicates }) => ({
      ...one,
      nearDuplicates,
    }),
  );
  return [
    ...newest(
      lines.filter(({ voice }) => voice !== 'agent'),
      PERSONS_MAX,
      0,
    ),
    ...newest(
      lines.filter(({ voice }) => voice === 'agent'),
      AGENTS_MAX,
      AGENTS_SPARE,
    ),
  ];
}

/** The newest of each session first, then further ones, at most some of one session; shown newest first. */
function newest(lines: readonly BriefLine[], most: number, first: number): BriefLine[] {
  const rank = ranksInSessions(lines);
  const chosen = [
    ...lines.filter((line) => rank(line) < OF_ONE_SESSION_FIRST),
    ...lines.filter((line) => rank(line) >= OF_ONE_SESSION_FIRST && rank(line) < OF_ONE_SESSION_MAX),
  ].slice(0, most);
  // The first of an old session stays longer than a further one of a new session.
  const stays = [...chosen].sort((one, other) => rank(one) - rank(other));
  return lines
    .filter((line) => chosen.includes(line))
    .map((line) => ({ ...line, spare: first + stays.indexOf(line) * SPARE_STEP }));
}

/** The rank of a decision among those of its session: the newest first. */
function ranksInSessions(lines: readonly BriefLine[]): (line: BriefLine) => number {
  const ranks = new Map<BriefLine, number>();
  const sizes = new Map<string, number>();
  for (const line of lines) {
    const size = line.turn === null ? 0 : (sizes.get(line.turn.session) ?? 0);
    ranks.set(line, size);
    if (line.turn !== null) sizes.set(line.turn.session, size + 1);
  }
  return (line) => ranks.get(line)!;
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

/**
 * A person's words need their outcome to be understood.
 * @param outcome within a given room
 * @param before the rules before it in the same piece of work
 */
function decisionLine(
  row: ObservationLine,
  decision: string,
  outcome: (charsMax: number) => string,
  request: string,
  before: readonly string[],
): BriefLine {
  if (!decision.startsWith(PERSONS)) return briefLine(row, { text: decision, voice: 'agent' });
  const rule = ruleIn(decision);
  const task = taskOf(rule, request, before);
  const within = (charsMax: number) => {
    if (task !== '') return `${clipSentence(rule, charsMax - task.length)}${task}`;
    const room = Math.min(OUTCOME_CHARS_MAX, charsMax - rule.length - ARROW.length);
    const result = room < OUTCOME_CHARS_MIN ? '' : beyond(rule, outcome(room));
    if (result !== '' && !normalize(rule).includes(normalize(result)) && sharesWord(rule, result))
      return `${rule}${ARROW}${result}`;
    const where = placeOf(row, rule);
    return rule.length + where.length <= charsMax ? `${rule}${where}` : clipSentence(rule, charsMax);
  };
  const text = within(RULE_CHARS_MAX);
  // The question and its options, and the outcome, are the agent's words.
  const voiceOf = (shown: string): BriefLine['voice'] =>
    rule.includes(CHOSEN) || (shown.startsWith(`${rule}${ARROW}`) && shown !== `${rule}${placeOf(row, rule)}`)
      ? 'mixed'
      : 'person';
  return { ...briefLine(row, { text, voice: voiceOf(text) }), within, voiceOf };
}

/** Names the task if the rule is a limit that came with it: such a rule need not hold for others. */
function taskOf(rule: string, request: string, before: readonly string[]): string {
  const isLimit = (LIMIT.test(rule) || OF_TASK.test(rule)) && !LASTING.test(rule);
  const isApart = request.length >= rule.length + TASK_CHARS_MIN && !request.startsWith(rule);
  if (!isLimit || !isApart) return '';
  const isNamed = before.some((one) => taskOf(one, request, []) !== '');
  return isNamed ? ' (for the same task)' : ` (for the task “${clipSentence(request, TASK_CHARS_MAX)}”)`;
}

function ruleIn(text: string): string {
  return text.startsWith(PERSONS) ? text.slice(PERSONS.length) : text;
}

/** The outcome without what it repeats of the rule at its beginning. */
function beyond(rule: string, outcome: string): string {
  const known = new Set(lowerCaseWords(rule));
  const parts = outcome.split(PARTS);
  const from = parts.findIndex((part) => {
    const words = lowerCaseWords(part);
    return (
      !known.has(words[0] ?? '') ||
      words.filter((word) => known.has(word)).length < REPEATED_SHARE * words.length
    );
  });
  const rest = from < 0 ? '' : outcome.slice(outcome.indexOf(parts[from]!));
  // What it depends on is left out.
  return from > 0 && leans(rest) ? '' : rest;
}

/** A short rule without a name is understood by the one or two files that were changed for it. */
function placeOf({ files }: ObservationLine, rule: string): string {
  const isClear = rule.length > CLEAR_CHARS_MIN || NAMED.test(rule);
  return isClear || files.length === 0 || files.length > PLACES_MAX
    ? ''
    : `${ARROW}changed ${fileNames(files, PLACES_MAX)}`;
}

/** A turn's outcome belongs to the rule if both share a word. */
function sharesWord(rule: string, outcome: string): boolean {
  const stems = (text: string) => longWordsOf(text).map((word) => word.slice(0, STEM_CHARS));
  const words = new Set(stems(rule));
  return stems(outcome).some((word) => words.has(word));
}
