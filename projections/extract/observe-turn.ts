// Derives from a turn's rows what is worth remembering: one observation per part and one summary. Pure: the same rows give
// the same result. A routine turn gives nothing.
import { observationId } from '../ids/item-id.ts';
import type { ItemRow, TurnRow } from '../sessions/session-rows.ts';
import { decisionsOf, isRule } from './answer/decisions.ts';
import { type FinalAnswer, finalAnswerOf, interimAnswerOf } from './answer/final-answer.ts';
import { lessonsIn } from './answer/lessons.ts';
import { contradictedBy } from './claims.ts';
import { conceptsOf } from './concepts.ts';
import { answerBefore, joinedTo, withoutClaims } from './earlier-words.ts';
import { answersIn, unanswered } from './evidence/chosen-answers.ts';
import { type GatheredEvidence, gatherEvidence } from './evidence/evidence.ts';
import { announcedIn, launchedBy, launchedToMake } from './evidence/launched-work.ts';
import { factsOf } from './observation-facts.ts';
import { observationTitle } from './observation-title.ts';
import { typeOf } from './observation-type.ts';
import { isRoutine } from './routine-turns.ts';
import { isStoppedRequest, stoppedRequest } from './stopped-requests.ts';
import { type SubagentReports, subagentReports } from './subagent-reports.ts';
import { summaryOf } from './summarize-turn.ts';
import { planName } from './text/plans.ts';
import { fittingSentences, wordCount } from './text/sentences.ts';
import { formatTitle } from './text/title-form.ts';
import { impersonal, isHollow, opensBlock } from './text/wording.ts';
import type { ObservationRow, SummaryRow } from './transcript/observation.ts';
import { isDocument, refusedFilesOf } from './transcript/touched-files.ts';
import {
  isCutOff,
  type Message,
  type ToolUse,
  type TurnTranscript,
  turnTranscriptOf,
} from './transcript/turn-transcript.ts';
import { partsOf } from './turn-parts.ts';
import { type Request, requestOf } from './turn-request.ts';

export interface Observed {
  readonly observations: readonly ObservationRow[];
  readonly summary: SummaryRow | null;
}

const NOTHING: Observed = { observations: [], summary: null };
const NO_REPORTS: SubagentReports = { facts: [], events: [] };
const DECISIONS_MAX = 6;
const NARRATIVE_CHARS_MAX = 1_000;

export function observe(turn: TurnRow, items: readonly ItemRow[]): Observed {
  if (turn.private || turn.inherited) return NOTHING;
  const transcript = turnTranscriptOf(turn, items);
  if (transcript.messages.length === 0 && transcript.toolUses.length === 0 && !transcript.interrupted)
    return NOTHING;
  const request = askedOf(transcript);
  const ending = finalAnswerOf(transcript.messages, transcript.toolUses);
  // A turn that was cut off has no final answer; its last reply is an interim one.
  const cut = isCutOff(transcript);
  const finalAnswer = cut ? null : ending;
  const turnParts = turnPartsOf(transcript);
  const gathered = turnParts.map((turnPart) => gatheredIn(turnPart, turn.workdir));
  const routine = isRoutine({
    request,
    finalAnswer: ending,
    changed: gathered.some(({ changed }) => changed),
    fixedErrors: gathered.flatMap(({ errors }) => errors).filter(({ fixedBy }) => fixedBy !== null).length,
    uses: transcript.toolUses.length,
    decided: () => request.sentences.some(isRule),
    commandsOnly: transcript.userPrompts.length > 0 && transcript.userPrompts.every(({ command }) => command),
  });
  if (routine && unanswered(transcript.toolUses).length === 0) {
    if (!isStoppedRequest(transcript, request)) return NOTHING;
    const part = { part: 1, parts: 1, end: turnParts[0]!, refused: [] };
    return {
      observations: [stoppedRequest(observation(transcript, request, null, gathered[0]!, part), request)],
      summary: null,
    };
  }
  const refused = refusedFilesOf(transcript.toolUses);
  const observations = turnParts.map((turnPart, index) => {
    const last = index === turnParts.length - 1;
    const { workdir } = turn;
    const of = [
      turn.id,
      workdir,
      turnParts.length,
      index,
      refused.join('\n'),
      ...transcript.userPrompts,
      ...elementsOf(turnPart),
    ];
    const known = last ? undefined : knownIn(cut ? partsCutOff : observedParts, turnPart, of);
    if (known !== undefined) return known;
    const own =
      turnParts.length === 1 || cut ? finalAnswer : finalAnswerOf(turnPart.messages, turnPart.toolUses);
    const found =
      (last ? (own ?? finalAnswer) : own) ?? interimAnswerOf(turnPart.messages, turnPart.toolUses);
    const words = withoutClaims(found, refused, contradictedBy(turnPart.toolUses, gathered[index]!));
    // The earlier parts of a long turn end with few words; interim replies say more.
    const before = last
      ? answerBefore(transcript, finalAnswer, true)
      : own === null
        ? null
        : interimAnswerOf(turnPart.messages, turnPart.toolUses);
    const row = observation(transcript, request, joinedTo(words, before), gathered[index]!, {
      part: index + 1,
      parts: turnParts.length,
      end: turnPart,
      refused: last ? refused : [],
    });
    if (!last) keep(cut ? partsCutOff : observedParts, turnPart, of, row);
    return row;
  });
  const proven = {
    tests: gathered.flatMap(({ tests }) => tests),
    commits: gathered.flatMap(({ commits }) => commits),
  };
  const words = withoutClaims(
    finalAnswer ?? interimAnswerOf(transcript.messages, transcript.toolUses),
    refused,
    contradictedBy(transcript.toolUses, proven),
  );
  return { observations, summary: summaryOf(transcript, request, words, gathered, observations) };
}

/** The request. A plan is named by its heading; only the person's own sentences count as theirs. */
function askedOf({ userPrompts }: TurnTranscript): Request {
  const own = requestOf(userPrompts.filter(({ plan }) => !plan).map(({ text }) => text));
  const plan = userPrompts.find((one) => one.plan);
  if (plan === undefined) return own;
  const name = planName(plan.text);
  return { ...own, words: name, topic: name, vague: name === '', question: false };
}

/** The tool uses of one part and the messages during them. The last part includes the final answer. */
interface TurnPart {
  readonly toolUses: readonly ToolUse[];
  readonly messages: readonly Message[];
  /** Messages of sub-agents. */
  readonly subagentMessages: readonly Message[];
}

type Inputs = readonly unknown[];
/** By the last tool use of a part: what it was made of, and what was made. */
type KnownParts<T> = WeakMap<ToolUse, { readonly of: Inputs; readonly made: T }>;

/** Parts of a long turn that get nothing new are reused. */
const gatheredParts: KnownParts<GatheredEvidence> = new WeakMap();
/** A live turn switches between open and answered: its parts are kept for both. */
const observedParts: KnownParts<ObservationRow> = new WeakMap();
const partsCutOff: KnownParts<ObservationRow> = new WeakMap();

function gatheredIn(turnPart: TurnPart, workdir: string): GatheredEvidence {
  const of = [workdir, ...elementsOf(turnPart)];
  const known = knownIn(gatheredParts, turnPart, of);
  if (known !== undefined) return known;
  const made = gatherEvidence(turnPart, workdir);
  keep(gatheredParts, turnPart, of, made);
  return made;
}

function elementsOf({ toolUses, messages, subagentMessages }: TurnPart): Inputs {
  return [toolUses.length, ...toolUses, messages.length, ...messages, ...subagentMessages];
}

function knownIn<T>(parts: KnownParts<T>, { toolUses }: TurnPart, of: Inputs): T | undefined {
  const known = toolUses.length === 0 ? undefined : parts.get(toolUses.at(-1)!);
  const isSame =
    known !== undefined && known.of.length === of.length && known.of.every((one, index) => one === of[index]);
  return isSame ? known.made : undefined;
}

function keep<T>(parts: KnownParts<T>, { toolUses }: TurnPart, of: Inputs, made: T): void {
  if (toolUses.length > 0) parts.set(toolUses.at(-1)!, { of, made });
}

function turnPartsOf({ toolUses, messages, subagentMessages }: TurnTranscript): TurnPart[] {
  const parts = partsOf(toolUses);
  let from = '';
  return parts.map((part, index) => {
    const to = index === parts.length - 1 ? null : part.at(-1)!.order;
    const after = from;
    from = to ?? from;
    const during = ({ order }: Message) => order > after && (to === null || order <= to);
    return {
      toolUses: part,
      messages: messages.filter(during),
      subagentMessages: subagentMessages.filter(during),
    };
  });
}

interface Part {
  readonly part: number;
  readonly parts: number;
  readonly end: TurnPart;
  /** Names of files whose writing was refused or failed; for the last part only. */
  readonly refused: readonly string[];
}

function observation(
  { turn, userPrompts }: TurnTranscript,
  request: Request,
  finalAnswer: FinalAnswer | null,
  gathered: GatheredEvidence,
  { part, parts, end, refused }: Part,
): ObservationRow {
  const { commands, tests, commits, pushes, pullRequests, amended, errors, files, changed, created } =
    gathered;
  const prompts = userPrompts.filter(({ command, plan }) => !command && !plan).map(({ text }) => text);
  const messages = commits.map(({ message }) => message);
  const answers = answersIn(end.toolUses);
  const stated = decisionsOf({
    asked: part === 1 ? request.sentences : [],
    finalAnswer,
    commits: amended ? [] : messages,
    changed,
  });
  const [first, ...others] = stated;
  // What the person stated unprompted comes before what they chose.
  const decisions = [...(first === undefined ? [] : [first]), ...answers.decisions, ...others].slice(
    0,
    DECISIONS_MAX,
  );
  const lessons = lessonsIn(
    end.messages,
    finalAnswer?.interim === true ? null : (finalAnswer?.message ?? null),
  );
  // When the agent's own final answer says little, the reports of its sub-agents are the answer.
  const reports =
    finalAnswer === null || finalAnswer.interim || launchedToMake(end.toolUses)
      ? subagentReports(end.toolUses, turn.workdir, changed)
      : NO_REPORTS;
  const outcome = observationTitle({
    finalAnswer,
    request,
    commits: messages,
    amended,
    changed,
    refused,
    files: files.modified,
    launched: () => launchedBy(end.toolUses),
    announced: () => announcedIn(end.messages),
    part: parts > 1 ? `part ${part} of ${parts}` : null,
  });
  const isCut = turn.unfinished && part === parts;
  const title = isCut ? formatTitle(`Unfinished: ${outcome}`) : outcome;
  const prompt = prompts.join('\n');
  const fixedErrors = errors.filter(({ fixedBy }) => fixedBy !== null).length;
  const decided = decisions.length > 0;
  const type = typeOf({
    commits: messages,
    prompt,
    title,
    documentsOnly: files.modified.length > 0 && files.modified.every(isDocument),
    changed,
    created,
    decided,
    fixedErrors,
  });
  const last = [...end.toolUses, ...end.messages].reduce(
    (a, b) => (a.order > b.order ? a : b),
    userPrompts[0] ?? end.toolUses[0] ?? end.messages[0]!,
  );
  const lessonTexts = lessons.map(({ text }) => text);
  const all = [...userPrompts, ...lessons, reports, answers]
    .flatMap(({ events }) => events)
    .concat(finalAnswer?.events ?? []);
  return {
    id: observationId(turn, part),
    turn: turn.id,
    agent: turn.agent,
    session: turn.session,
    workdir: turn.workdir,
    at: last.at,
    order: `${last.order} o`,
    part,
    parts,
    type,
    unfinished: isCut,
    title,
    subtitle: subtitleOf(outcome, request, finalAnswer),
    narrative: narrativeOf(outcome, finalAnswer),
    facts: factsOf({
      finalAnswer,
      gathered,
      decisions,
      refused,
      lessons: lessonTexts,
      reports: reports.facts,
    }),
    concepts: conceptsOf({ type, prompt, decided, learned: lessons.length > 0, fixedErrors, changed }),
    filesRead: files.read,
    filesModified: files.modified,
    evidence: {
      commands,
      tests,
      commits,
      pushes,
      pullRequests,
      rewroteHistory: gathered.rewroteHistory,
      errors: errors.map(({ error, command, fixedBy }) => ({ error, command, fixedBy })),
      decisions,
      lessons: lessonTexts,
      events: [...new Set([...all, ...gathered.events])].sort(),
    },
  };
}

/** The request when the title states the outcome; else the first sentence of the answer. */
function subtitleOf(title: string, request: Request, finalAnswer: FinalAnswer | null): string {
  if (!request.vague && !isSame(title, request.topic)) return formatTitle(request.topic);
  const sentence = finalAnswer?.sentences.find((one) => !isSame(title, one));
  return sentence === undefined ? '' : fittingSentences([impersonal(sentence)], 160);
}

function narrativeOf(title: string, finalAnswer: FinalAnswer | null): string {
  if (finalAnswer === null) return '';
  const sentences = finalAnswer.sentences
    .filter((one) => !repeats(title, impersonal(one)) && !isHollow(one) && !opensList(one))
    .map((sentence) => (opensBlock(sentence) ? `${sentence.slice(0, -1)}.` : sentence));
  const text = fittingSentences([...new Set(sentences)], NARRATIVE_CHARS_MAX);
  return text === '' ? fittingSentences(finalAnswer.items, NARRATIVE_CHARS_MAX) : text;
}

/** Whether a sentence repeats the title, unless it is the longer sentence that the title was cut from. */
function repeats(title: string, sentence: string): boolean {
  return sentence.length < title.length + 20 && isSame(title, sentence);
}

/** "It now does:" without its list. */
function opensList(sentence: string): boolean {
  return opensBlock(sentence) && wordCount(sentence) < OPENING_WORDS_MAX;
}

const OPENING_WORDS_MAX = 8;

function isSame(one: string, other: string): boolean {
  const normalize = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const [a, b] = [normalize(one), normalize(other)];
  const shorter = Math.min(a.length, b.length);
  return (
    a === b ||
    (shorter > 20 && (a.startsWith(b) || b.startsWith(a) || (b.length - a.length < 12 && b.endsWith(a))))
  );
}
