// Titles of observations: the outcome, with its subject when the sentence lacks it; else the request. Never a step, a
// question alone, or a number of files when there is text.
import type { FinalAnswer } from './answer/final-answer.ts';
import { baseName } from './shell/file-paths.ts';
import { capital, cutAtWord, isDense, wordCount } from './text/sentences.ts';
import { formatTitle, subjectOf, TITLE_CHARS_MAX } from './text/title-form.ts';
import { bestSentence, isDone, namesThing } from './title-sentence.ts';
import type { Request } from './turn-request.ts';

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
const OUTCOME_CHARS_MIN = 20;
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

export function observationTitle(sources: TitleSources): string {
  const { finalAnswer, request, commits, amended, changed, files, part } = sources;
  const commit = bestCommit(commits);
  if (commit !== null && !amended && commits.length < COMMITS_MANY) return formatTitle(commit);
  const best = bestSentence(finalAnswer, changed);
  // An instruction that was not carried out is no outcome.
  const undone = !changed && best !== null;
  const raw = request.vague || request.question || part !== null || undone || !isOrder(request.topic);
  if (best !== null && best.score >= (raw ? SCORE_MIN_RAW : SCORE_MIN))
    return outcomeTitle(best.text, sources);
  if (commit !== null) return formatTitle(commit);
  if (raw && best !== null && best.score >= (changed ? SCORE_MIN_CHANGED : SCORE_MIN_LEFT))
    return outcomeTitle(best.text, sources);
  const [refused] = sources.refused;
  if (!changed && refused !== undefined)
    return `${refused} was not written: its writing was refused or failed`;
  const doing = raw ? doingTitle(sources) : null;
  if (doing !== null) {
    const topic = request.topic === '' ? request.words : request.topic;
    const names = !request.question && !TALK.test(topic) && (!request.vague || /\w[-_.]\w/.test(topic));
    return formatTitle(names && topic.length <= 30 ? `${topic}: ${doing}` : doing);
  }
  if (raw && files.length > 0) return announcedTitle(sources) ?? touchedTitle(sources);
  if (!request.vague)
    return formatTitle(part === null ? request.topic : `${cutAtWord(request.topic, 72)} (${part})`);
  const heading = finalAnswer?.headings[0];
  if (heading !== undefined) return formatTitle(capital(heading));
  return (
    formatTitle(best?.text ?? '') || formatTitle(request.topic || request.words) || touchedTitle(sources)
  );
}

/** The outcome, with its file or its subject when it does not name one. */
function outcomeTitle(text: string, { changed, files, request }: TitleSources): string {
  const result = RESULT.exec(text);
  if (result !== null && !request.vague) {
    const rest = text.slice(result[0].length);
    return `${formatTitle(request.topic, SUBJECT_CHARS_MAX)} — ${formatTitle(rest, TITLE_CHARS_MAX - SUBJECT_CHARS_MAX)}`;
  }
  const title = formatTitle(text);
  if (changed) {
    const [file] = files;
    const lacks =
      files.length === 1 && isDone(title) && title.length <= SUBJECTLESS_CHARS_MAX && !namesThing(title);
    return lacks && file !== undefined ? `${title} in ${baseName(file)}` : title;
  }
  const subject = subjectOfRequest(request);
  if (subject === null || namesSame(subject, title)) return title;
  const room = TITLE_CHARS_MAX - subject.length - 1;
  const outcome = formatTitle(text, room);
  return outcome.endsWith('…') || outcome.length < OUTCOME_CHARS_MIN ? title : `${subject} ${outcome}`;
}

/** "Verdict: keep them" says nothing without its subject. */
const RESULT =
  /^(?:verdict|conclusion|decision|answer|bottom line|recommend(?:ed|ation))\s*[:—–]\s*(?=\S+ \S)/i;

/** Whether the outcome names the subject of the request. */
function namesSame(subject: string, outcome: string): boolean {
  const words = subject.match(/[\p{L}\p{N}_.]{6,}/gu) ?? [];
  return (
    words.some((word) => namesThing(word) && outcome.includes(word)) ||
    words.filter((word) => outcome.includes(word)).length > 1
  );
}

/** "Review of TASK.md:"; null when the request has no such subject. */
function subjectOfRequest({ topic, vague }: Request): string | null {
  const object = vague ? undefined : REVIEWS.exec(topic)?.[1];
  return object === undefined || object.length > SUBJECT_CHARS_MAX ? null : `Review of ${object}:`;
}

const REVIEWS =
  /^(?:review|check|validate|verify|audit|analy[sz]e)\s+((?!if\b|that\b|whether\b|it\b|this\b|out\b)(?:the |my |our )?\S+(?: \S+){0,3}?)(?= (?:for|and|in|that|to|if|on|so)\b|$)/i;
/** An announced change, preferably of a modified file; null when there is none. */
function announcedTitle({ announced, files }: TitleSources): string | null {
  const changes = announced().filter((one) => wordCount(one) >= ANNOUNCED_WORDS_MIN && !STEP.test(one));
  const names = files.map((file) => baseName(file));
  const chosen =
    changes.find((one) => names.some((name) => one.includes(name))) ?? changes.find(namesThing) ?? changes[0];
  return chosen === undefined ? null : formatTitle(capital(chosen));
}

const STEP =
  /^(?:make|update|use) (?:the|these|sure|this|that) ?(?:change|edit|sure)?s?\b.{0,12}$|^write the (?:complete|whole|full|entire|updated|new)\b|\b(?:it|this|that|them)$|\b(?:commit|re-?build|re-?test|re-?run|debug\w*|summary|binary|import|in parallel|compil\w*|verify)\b/i;

/** The title when there is no text: "Implement the retry: settings.go and 3 more files". */
function touchedTitle({ files, request }: TitleSources): string {
  const [first] = files;
  if (first === undefined) return 'Work without words';
  const more = files.length - 1;
  const names = `${baseName(first)}${more === 0 ? '' : ` and ${more} more file${more === 1 ? '' : 's'}`}`;
  const words = formatTitle(request.topic || request.words, SUBJECT_CHARS_MAX);
  const says = words !== '' && !TALK.test(words) && !ABOUT_THE_WORK.test(words) && !isDense(words);
  return says && !request.question ? `${words}: ${names}` : `Changes to ${names}`;
}

/** "Rename the button": a request that is a title by itself. Not an instruction about the work: "Commit everything". */
function isOrder(topic: string): boolean {
  if (TALK.test(topic) || ABOUT_THE_WORK.test(topic)) return false;
  return isDense(topic) || ORDERS.test(topic);
}

const ORDERS =
  /^(?:fix|add|change|update|remove|delete|create|write|implement|rename|move|refactor|rewrite|convert|make|build|drop|upgrade|bump|merge|replace|revert|clean|install|set ?up|migrate|adjust|hide|show|use|allow|support|extract|split|improve|document|enable|disable|open|close|switch|port|extend|keep|let|handle|introduce|simplify|unify|wire|test|translate|optimi[sz]e|reduce|increase|prepare|publish|release|generate|integrate|configure)\b/i;
const ABOUT_THE_WORK =
  /^(?:make (?:the|these) (?:edits|changes)|write (?:a|the)(?: short)? (?:plan|commit)|fix (?:everything|all|issue|them|these)|(?:create|make) a plan|update the plan)\b/i;

/** Launched work as a title, for a turn without final answer; null when there is none. */
function doingTitle({ launched }: TitleSources): string | null {
  const [first, ...more] = launched();
  if (first === undefined) return null;
  const second = more.find((one) => first.length + one.length < TITLE_CHARS_MAX - 4);
  return second === undefined ? first : `${first}; ${second}`;
}

/** Conversation rather than a subject. */
const TALK =
  /\b(?:I|you|we|me|my|your|our|us|let(?:'|’)?s)\b|\?$|^(?:or|and|but|so|ah|because|then|also|it|that|this|find it|fix (?:it|this|that)|take a look|have a look|look at|investigate what)\b|…$/i;

function bestCommit(commits: readonly string[]): string | null {
  const worth = commits.filter(
    (message) => wordCount(message) >= 3 && !/^(?:merge|wip|bd sync|sync)\b/i.test(message),
  );
  const chosen =
    worth.find((message) => /^feat\b/i.test(message)) ??
    worth.find((message) => /^fix\b/i.test(message)) ??
    worth[0];
  return chosen === undefined ? null : subjectOf(chosen);
}
