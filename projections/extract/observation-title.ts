// Titles of observations: the outcome, with its subject when the sentence lacks it; else the request. Never a step, a
// question alone, or a number of files when there is text.
import { isRule, OF_PERSON } from './answer/decisions.ts';
import type { FinalAnswer } from './answer/final-answer.ts';
import { NOT_WRITTEN } from './observation-facts.ts';
import { baseName } from './shell/file-paths.ts';
import { capital, cutAtWord, isDense, wordCount } from './text/sentences.ts';
import { formatTitle, subjectOf, TITLE_CHARS_MAX } from './text/title-form.ts';
import { asksToChange, impersonal, isOrder, leans, namesThing, statesDone } from './text/wording.ts';
import { bestSentence } from './title-sentence.ts';
import { type Request, topicOf } from './turn-request.ts';

/** Minimum score of a sentence to be the title instead of the request. */
const SCORE_MIN = 3;
/** The same when the request is a question, a half sentence or chat, and so no title. */
const SCORE_MIN_RAW = 1;
/** The same when nothing changed, so that there are no files to name either. */
const SCORE_MIN_LEFT = -2.5;
/** The same when files changed: their names say little. */
const SCORE_MIN_CHANGED = -0.5;
/** With this many commits, no single one describes the turn. */
const COMMITS_MANY = 4;
/** A longer sentence names its subject. */
const SUBJECTLESS_CHARS_MAX = 50;
const SUBJECT_CHARS_MAX = 46;
const ANNOUNCED_WORDS_MIN = 4;

export interface TitleSources {
  readonly finalAnswer: FinalAnswer | null;
  readonly request: Request;
  /** Messages of the part's commits, in order. */
  readonly commits: readonly string[];
  /** The commits are amended: their subjects describe an earlier turn. */
  readonly amended: boolean;
  readonly changed: boolean;
  /** Names of files whose writing was refused or failed. */
  readonly refused: readonly string[];
  /** Files modified. */
  readonly files: readonly string[];
  /** Descriptions of launched sub-agents and tasks. */
  readonly launched: () => readonly string[];
  /** Changes that the agent announced, newest first. */
  readonly announced: () => readonly string[];
  /** "part 2 of 3" when the turn has several parts. */
  readonly part: string | null;
}

export interface ObservationTitle {
  readonly title: string;
  /** It is what was asked: no outcome is known. */
  readonly isRequest: boolean;
}

export function observationTitle(sources: TitleSources): ObservationTitle {
  const outcome = outcomeOf(sources);
  if (outcome !== null) return { title: outcome, isRequest: false };
  const { request, part } = sources;
  const { topic, words } = request;
  const title = request.vague
    ? repliedTitle(sources) || formatTitle(topic || words) || touchedTitle(sources)
    : formatTitle(part === null ? topic : `${cutAtWord(topic, 72)} (${part})`);
  return { title, isRequest: !request.vague };
}

/** "remove it" → "“remove it”: runs/ removed". */
function repliedTitle({ request, finalAnswer }: TitleSources): string {
  const [said] = finalAnswer === null || finalAnswer.interim ? [] : finalAnswer.sentences;
  if (said === undefined || request.words === '') return '';
  return formatTitle(`“${cutAtWord(request.words, REPLY_CHARS_MAX)}”: ${impersonal(said)}`);
}

const REPLY_CHARS_MAX = 36;

/** null when none is known. */
function outcomeOf(sources: TitleSources): string | null {
  const { finalAnswer, request, commits, amended, changed, files, part } = sources;
  const commit = bestCommit(commits);
  if (commit !== null && !amended && commits.length < COMMITS_MANY) return formatTitle(commit);
  const best = bestSentence(finalAnswer, changed);
  // An instruction that was not carried out is no outcome.
  const undone = !changed && best !== null;
  const raw = request.vague || request.question || part !== null || undone || !isTitle(request.topic);
  if (best !== null && best.score >= (raw ? SCORE_MIN_RAW : SCORE_MIN))
    return outcomeTitle(best.text, sources);
  if (commit !== null) return formatTitle(commit);
  if (raw && best !== null && best.score >= (changed ? SCORE_MIN_CHANGED : SCORE_MIN_LEFT))
    return outcomeTitle(best.text, sources);
  const [refused] = sources.refused;
  if (!changed && refused !== undefined) return `${refused}${NOT_WRITTEN}`;
  const doing = raw ? doingTitle(sources) : null;
  if (doing !== null) return formatTitle(doing);
  if (raw && files.length > 0) return announcedTitle(sources) ?? touchedTitle(sources);
  return request.vague && best !== null ? formatTitle(best.text) || null : null;
}

/** The title of a decision of a person: their words; null for one of the agent. */
export function decisionTitle(decision: string | undefined): string | null {
  if (decision?.startsWith(OF_PERSON) !== true) return null;
  const whole = decision.slice(OF_PERSON.length);
  const marked = whole.replace(/\([^)]*\)/g, '(…)');
  // What they put in parentheses may be the point, so it must be seen that something is missing.
  const [sentence = whole.replace(/\s*\([^)]*\)/g, '')] = [whole, marked].filter(
    (one) => one.length <= TITLE_CHARS_MAX,
  );
  // "I'd like to change this: we keep one branch"
  const colon = sentence.indexOf(': ');
  const after = sentence.slice(colon + 2);
  return formatTitle(topicOf(colon > 0 && isRule(after) ? after : sentence));
}

/** The outcome, with its file when it does not name one. */
function outcomeTitle(text: string, { changed, files: [file, ...others] }: TitleSources): string {
  const title = formatTitle(text);
  const lacks =
    changed &&
    others.length === 0 &&
    statesDone(title) &&
    title.length <= SUBJECTLESS_CHARS_MAX &&
    !namesThing(title);
  return lacks && file !== undefined ? `${title} in ${baseName(file)}` : title;
}

/** An announced change that names a modified file; null when there is none. Any other may be a step on the way, or not have happened. */
function announcedTitle({ announced, files }: TitleSources): string | null {
  const names = files.map((file) => baseName(file));
  const chosen = announced().find(
    (one) =>
      wordCount(one) >= ANNOUNCED_WORDS_MIN &&
      !TALK.test(one) &&
      !STEP.test(one) &&
      names.some((name) => one.includes(name)),
  );
  return chosen === undefined ? null : formatTitle(capital(chosen));
}

/** A step of working, no change. */
const STEP = /\b(?:commit|re-?build|re-?test|tests?|verify|debugging)\b/i;

/** The title when there is no text: "Implement the retry: settings.go and 3 more files". */
function touchedTitle({ files, request, part }: TitleSources): string {
  const [first] = files;
  if (first === undefined) return 'Work without words';
  const more = files.length - 1;
  const others = more === 0 ? '' : ` and ${more} more file${more === 1 ? '' : 's'}`;
  const names = `${baseName(first)}${others}${part === null ? '' : ` (${part})`}`;
  const words = formatTitle(request.topic || request.words, SUBJECT_CHARS_MAX);
  // Anything else may be a line of output that the person pasted.
  const orders = (isOrder(words) || asksToChange(words)) && !TALK.test(words);
  return orders && !request.question ? `${words}: ${names}` : `Changes to ${names}`;
}

/** Launched work as a title, for a turn without final answer; null when there is none. */
function doingTitle({ launched }: TitleSources): string | null {
  const [first, ...more] = launched();
  if (first === undefined) return null;
  const second = more.find((one) => first.length + one.length < TITLE_CHARS_MAX - MORE_CHARS);
  const left = more.length - (second === undefined ? 0 : 1);
  const shown = second === undefined ? first : `${first}; ${second}`;
  return left === 0 ? shown : `${formatTitle(shown, TITLE_CHARS_MAX - MORE_CHARS)} and ${left} more`;
}

/** Room for "; " and " and 12 more". */
const MORE_CHARS = 14;

/** Conversation rather than a subject. */
const TALK =
  /\b(?:I|you|we|me|my|your|our|us|let['’]?s)\b|\?$|\b(?:it|this|that|them)$|^(?:fix|take|have|look at|create|make) (?:it|this|that|a look|a plan)\b|…$/i;

/** "Rename the button": a request that is a title by itself. */
function isTitle(topic: string): boolean {
  return !TALK.test(topic) && !leans(topic) && (isDense(topic) || isOrder(topic));
}

function bestCommit(commits: readonly string[]): string | null {
  const worth = commits.filter((message) => wordCount(message) >= 3);
  const chosen = worth.find((message) => /^(?:feat|fix)\b/i.test(message)) ?? worth[0];
  return chosen === undefined ? null : subjectOf(chosen);
}
