// From a turn's rows to what is worth remembering of it: one observation a part, one summary. Pure: the same rows
// give the same result, whatever else the log holds. A routine turn gives nothing.
import { observationId } from '../../item-id.ts';
import type { ItemRow, TurnRow } from '../../turns/rows.ts';
import type { ObservationRow, SummaryRow } from '../observation.ts';
import { answersIn, unanswered } from './answers.ts';
import { contradictedBy } from './claims.ts';
import { type Closing, closingOf, saidOnTheWay } from './closing.ts';
import { conceptsOf } from './concepts.ts';
import { decisionsOf, isRule } from './decisions.ts';
import { announcedIn, launchedBy, launchedToMake } from './doing.ts';
import { answerBefore, joinedTo, withoutClaims } from './earlier-words.ts';
import { type Gathered, gather } from './evidence.ts';
import { factsOf } from './facts.ts';
import { refusedOf } from './files.ts';
import { lessonsIn } from './lessons.ts';
import { partsOf } from './parts.ts';
import { planName } from './plans.ts';
import { type Reported, reported } from './reports.ts';
import { type Request, requestOf } from './request.ts';
import { isRoutine } from './routine.ts';
import { fitting, wordCount } from './sentences.ts';
import { isCutOff, type Said, type Story, storyOf, type Use } from './story.ts';
import { summaryOf } from './summary.ts';
import { titleOf } from './title.ts';
import { finish } from './title-form.ts';
import { typeOf } from './type.ts';
import { isUndone, undone } from './undone.ts';
import { impersonal, isHollow, withoutYesOrNo } from './wording.ts';

export interface Observed {
  readonly observations: readonly ObservationRow[];
  readonly summary: SummaryRow | null;
}

const NOTHING: Observed = { observations: [], summary: null };
const NO_REPORTS: Reported = { facts: [], events: [] };
const DECISIONS_MAX = 6;
const NARRATIVE_CHARS_MAX = 1_000;

export function observe(turn: TurnRow, items: readonly ItemRow[]): Observed {
  if (turn.private || turn.inherited) return NOTHING;
  const story = storyOf(turn, items);
  if (story.said.length === 0 && story.uses.length === 0 && !story.interrupted) return NOTHING;
  const request = askedOf(story);
  const ending = closingOf(story.said, story.uses);
  // What was said before a turn was cut off is no closing, however much it is.
  const cut = isCutOff(story);
  const closing = cut ? null : ending;
  const stretches = stretchesOf(story);
  const gathered = stretches.map((stretch) => gather(stretch, turn.place));
  const routine = isRoutine({
    request,
    closing: ending,
    changed: gathered.some(({ changed }) => changed),
    curedErrors: gathered.flatMap(({ errors }) => errors).filter(({ fixedBy }) => fixedBy !== null).length,
    uses: story.uses.length,
    decided: () => request.sentences.some(isRule),
    commandsOnly: story.asked.length > 0 && story.asked.every(({ command }) => command),
  });
  if (routine && unanswered(story.uses).length === 0) {
    if (!isUndone(story, request)) return NOTHING;
    const part = { part: 1, parts: 1, end: stretches[0]!, refused: [] };
    return {
      observations: [undone(observation(story, request, null, gathered[0]!, part), request)],
      summary: null,
    };
  }
  const refused = refusedOf(story.uses);
  const observations = stretches.map((stretch, index) => {
    const last = index === stretches.length - 1;
    const own = stretches.length === 1 || cut ? closing : closingOf(stretch.said, stretch.uses);
    const found = (last ? (own ?? closing) : own) ?? saidOnTheWay(stretch.said, stretch.uses);
    const words = withoutClaims(found, refused, contradictedBy(stretch.uses, gathered[index]!));
    // A long turn's earlier parts end in few words: what was said on the way tells more.
    const before = last
      ? answerBefore(story, closing, true)
      : own === null
        ? null
        : saidOnTheWay(stretch.said, stretch.uses);
    return observation(story, request, joinedTo(words, before), gathered[index]!, {
      part: index + 1,
      parts: stretches.length,
      end: stretch,
      refused: last ? refused : [],
    });
  });
  const proven = {
    tests: gathered.flatMap(({ tests }) => tests),
    commits: gathered.flatMap(({ commits }) => commits),
  };
  const words = withoutClaims(
    closing ?? saidOnTheWay(story.said, story.uses),
    refused,
    contradictedBy(story.uses, proven),
  );
  return { observations, summary: summaryOf(story, request, words, gathered, observations) };
}

/** A plan is called by its heading; only the person's own sentences are theirs. */
function askedOf({ asked }: Story): Request {
  const own = requestOf(asked.filter(({ plan }) => !plan).map(({ text }) => text));
  const plan = asked.find((one) => one.plan);
  if (plan === undefined) return own;
  const name = planName(plan.text);
  return { ...own, words: name, topic: name, vague: name === '', question: false };
}

/** One part's uses and what was said while they went on; the last one has the closing words. */
interface Stretch {
  readonly uses: readonly Use[];
  readonly said: readonly Said[];
  /** What sub-agents said. */
  readonly aside: readonly Said[];
}

function stretchesOf({ uses, said, aside }: Story): Stretch[] {
  const parts = partsOf(uses);
  let from = '';
  return parts.map((part, index) => {
    const to = index === parts.length - 1 ? null : part.at(-1)!.order;
    const after = from;
    from = to ?? from;
    const during = ({ order }: Said) => order > after && (to === null || order <= to);
    return { uses: part, said: said.filter(during), aside: aside.filter(during) };
  });
}

interface Part {
  readonly part: number;
  readonly parts: number;
  readonly end: Stretch;
  /** Names of files that were to be written and were not; of the last part. */
  readonly refused: readonly string[];
}

function observation(
  { turn, asked }: Story,
  request: Request,
  closing: Closing | null,
  gathered: Gathered,
  { part, parts, end, refused }: Part,
): ObservationRow {
  const { commands, tests, commits, pushes, pullRequests, amended, errors, files, changed, created } =
    gathered;
  const prompts = asked.filter(({ command, plan }) => !command && !plan).map(({ text }) => text);
  const messages = commits.map(({ message }) => message);
  const answers = answersIn(end.uses);
  const stated = decisionsOf({
    asked: part === 1 ? request.sentences : [],
    closing,
    commits: amended ? [] : messages,
    topic: request.vague ? '' : request.topic,
    changed,
  });
  const [first, ...others] = stated;
  // What the person said unasked comes before what they chose.
  const decisions = [...(first === undefined ? [] : [first]), ...answers.decisions, ...others].slice(
    0,
    DECISIONS_MAX,
  );
  const lessons = lessonsIn(end.said, closing?.onTheWay === true ? null : (closing?.said ?? null));
  // Where the agent itself says little in the end, its sub-agents' reports are the answer.
  const reports =
    closing === null || closing.onTheWay || launchedToMake(end.uses)
      ? reported(end.uses, turn.place, changed)
      : NO_REPORTS;
  const outcome = titleOf({
    closing,
    request,
    commits: messages,
    amended,
    changed,
    refused,
    files: files.modified,
    launched: () => launchedBy(end.uses),
    announced: () => announcedIn(end.said),
    part: parts > 1 ? `part ${part} of ${parts}` : null,
  });
  const isCut = turn.unfinished && part === parts;
  const title = isCut ? finish(`Unfinished: ${outcome}`) : outcome;
  const said = (closing?.sentences ?? []).slice(0, 6).join(' ');
  const prompt = prompts.join('\n');
  const fixedErrors = errors.filter(({ fixedBy }) => fixedBy !== null).length;
  const decided = decisions.length > 0;
  const type = typeOf({
    commits: messages,
    prompt,
    title,
    said,
    filesModified: files.modified,
    changed,
    created,
    decided,
    fixedErrors,
  });
  const last = [...end.uses, ...end.said].reduce(
    (a, b) => (a.order > b.order ? a : b),
    asked[0] ?? end.uses[0] ?? end.said[0]!,
  );
  const lessonTexts = lessons.map(({ text }) => text);
  const all = [...asked, ...lessons, reports, answers]
    .flatMap(({ events }) => events)
    .concat(closing?.events ?? []);
  return {
    id: observationId(turn, part),
    turn: turn.id,
    agent: turn.agent,
    session: turn.session,
    place: turn.place,
    at: last.at,
    order: `${last.order} o`,
    part,
    parts,
    type,
    unfinished: isCut,
    title,
    subtitle: subtitleOf(outcome, request, closing),
    narrative: narrativeOf(outcome, closing),
    facts: factsOf({ closing, gathered, decisions, refused, lessons: lessonTexts, reports: reports.facts }),
    concepts: conceptsOf({ type, prompt, said, decided, fixedErrors, changed }),
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

/** What was asked, where the title says what came of it; else the first thing that was said. */
function subtitleOf(title: string, request: Request, closing: Closing | null): string {
  if (!request.vague && !isSame(title, request.topic)) return finish(request.topic);
  const sentence = closing?.sentences.find((one) => !isSame(title, one));
  return sentence === undefined ? '' : fitting([impersonal(sentence)], 160);
}

function narrativeOf(title: string, closing: Closing | null): string {
  if (closing === null) return '';
  const sentences = closing.sentences
    .filter(
      (sentence) => !repeats(title, impersonal(sentence)) && !opensList(sentence) && !isHollow(sentence),
    )
    .map((sentence) => (/^(?:I|We)(?:(?:'|’)ve| have)\b/.test(sentence) ? impersonal(sentence) : sentence))
    .map(withoutYesOrNo)
    .map((sentence) => sentence.replace(/[:：]$/, '.'));
  const text = fitting([...new Set(sentences)], NARRATIVE_CHARS_MAX);
  return text === '' ? fitting(closing.items, NARRATIVE_CHARS_MAX) : text;
}

/** The title again, and not the longer sentence that it was cut from. */
function repeats(title: string, sentence: string): boolean {
  return sentence.length < title.length + 20 && isSame(title, sentence);
}

/** "It now does:" without what it does. */
function opensList(sentence: string): boolean {
  return (
    /[:：]$/.test(sentence) &&
    (wordCount(sentence) < 6 ||
      /\b(?:following|will|these|this|like|as|with|now)[^.]{0,12}:$/i.test(sentence))
  );
}

function isSame(one: string, other: string): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const [a, b] = [bare(one), bare(other)];
  const shorter = Math.min(a.length, b.length);
  return (
    a === b ||
    (shorter > 20 && (a.startsWith(b) || b.startsWith(a) || (b.length - a.length < 12 && b.endsWith(a))))
  );
}
