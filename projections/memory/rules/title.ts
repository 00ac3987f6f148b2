// A title a person would have written: what came of it, else what was asked. Each candidate gets points for
// saying a fact and loses them for leaning on what stands around it ("This …", "Both …").
import type { Closing } from './closing.ts';
import { baseName } from './paths.ts';
import type { Request } from './request.ts';
import { capital, cut, isDense, wordCount } from './sentences.ts';
import { impersonal, isHollow, isMeta, withoutYesOrNo } from './wording.ts';

const TITLE_CHARS_MAX = 90;
const SENTENCE_CHARS_READ = 300;
const CANDIDATES_MAX = 8;
const ITEM_CHARS_READ = 150;
/** A state is of the sentence's subject, not of something that it comes to at its end. */
const STATE_CHARS_READ = 90;
/** What a sentence must score to stand before a request that could be a title itself. */
const SCORE_MIN = 3;
/** The same before a request that could not: a question, a half sentence, talk between two. */
const SCORE_MIN_RAW = 1;

const PAST =
  /^(?:(?:both|all|\d+|two|three|four) )?(?:fixed|added|removed|updated|created|moved|renamed|replaced|implemented|refactored|extracted|changed|rewrote|rewritten|wrote|switched|converted|merged|committed|pushed|deleted|dropped|simplified|migrated|documented|reverted|bumped|upgraded|built|reduced|restored|cleaned|corrected|split|introduced|enabled|disabled|aligned|adjusted|rebased|released|published|made|set up|opened|closed|resolved|tightened|unified|consolidated|cut|squash|applied|improved|integrated|configured|installed|completed|wired|folded)\b/i;
/** Says how it was looked at: what was found says more. */
const METHOD =
  /^(?:(?:mutation-)?(?:verified|confirmed|reproduced|checked|tested|reviewed|bisected|measured|diffed|compared|looked|searched|traced|ran|explored|examined|proven?))\b/i;
const ALSO_DONE = /\b(?:fixed|added|removed|changed|declined|replaced|merged|closed)\b/i;
/** What is so since then: "The build now needs no network", "Both renderers are gone". */
const STATE_NOW =
  /\b(?:now \p{L}{3,}|(?:resolve|fixe|solve|eliminate)[sd]|(?:is|are|was|were) (?:now |all |fully |completely |already )*(?:gone|fixed|removed|done|complete|completed|in place|implemented|finished|replaced|restored|resolved|working|merged|deleted)|no longer|works? (?:now|again))\b/iu;
const LEANS =
  /^(?:this|that|it|these|those|all|verification|quality gates?|status|everything|nothing|they|then|also|and|but|so|which|here|based on|given|numerically|according to|looking at|the (?:same|latter|former|following|above|test|tests|build|plan|analysis|script|change|changes|approach|code)|all (?:tests|checks|done|good)|tests? pass|no\b|yes\b|not|if|when|since|because|for example|e\.g|note|however|you|i|we|your|my|option|approach|step|phase|batch|part \d|task \d)\b/i;
const EMPTY =
  /\b(?:all (?:\d+ )?(?:tests|checks|\w+ tests) (?:now )?(?:pass|are passing|passed)|both tasks|as (?:requested|follows)|the following|these (?:changes|conditions|files)|what (?:was|I)|here|I(?:'|’)ll|when it (?:lands|finishes|is done)|(?:question|issue) is (?:now )?(?:answered|clear|settled))\b|^fixed and verified\b|^(?:committed|pushed|done|folded)\b\s*(?:[,.;:]|$)/i;
const CAUSE =
  /\b(?:because|root cause|caused by|due to|turns out|instead of|so that|never|only when|always|missing|lacks?)\b/i;
const IDENTIFIER = /[a-z][A-Z]\w|\w_\w|\w\(\)|\w\.\w{1,4}\b|--\w/;
/** Words between two people, not about a thing. */
const TALK =
  /\b(?:I|you|we|me|my|your|our|us|let(?:'|’)?s)\b|\?$|^(?:or|and|but|so|ah|because|then|also|it|that|this|find it|fix (?:it|this|that)|take a look|have a look|look at|investigate what)\b|…$/i;

export interface TitleSources {
  readonly closing: Closing | null;
  readonly request: Request;
  /** Messages of the commits of the part, in order; of amended ones the subject tells an older turn. */
  readonly commits: readonly string[];
  readonly amended: boolean;
  readonly changed: boolean;
  /** Files modified. */
  readonly files: readonly string[];
  /** What sub-agents and tasks were set up for. */
  readonly launched: () => readonly string[];
  /** What the agent said that it was about to do, in order. */
  readonly announced: () => readonly string[];
  /** Set where the turn has several: "part 2 of 3". */
  readonly part: string | null;
}

export function titleOf(sources: TitleSources): string {
  const { closing, request, commits, amended, changed, files, part } = sources;
  const commit = bestCommit(commits);
  if (commit !== null && !amended) return finish(commit);
  const said = bestSentence(closing, changed);
  const raw = request.vague || request.question || part !== null || TALK.test(request.topic);
  const enough = raw ? SCORE_MIN_RAW : SCORE_MIN;
  if (said !== null && said.score >= enough) return finish(said.text);
  if (commit !== null) return finish(commit);
  const doing = request.vague || part !== null ? doingTitle(sources) : null;
  if (doing !== null) {
    const topic = request.topic === '' ? request.words : request.topic;
    const names = !request.vague || /\w[-_.]\w/.test(topic);
    const about = names && topic.length <= 40 ? `${topic}: ` : '';
    return finish(`${about}${doing}`);
  }
  if (!request.vague) return finish(part === null ? request.topic : `${cut(request.topic, 72)} (${part})`);
  const heading = closing?.headings[0];
  if (heading !== undefined) return finish(capital(heading));
  return (
    finish(said?.text ?? '') ||
    (files.length > 0 ? touchedTitle(files) : finish(request.topic || request.words)) ||
    touchedTitle(files)
  );
}

/** What was set up or announced, where nothing was said in the end; null where that is nothing either. */
function doingTitle({ launched, announced }: TitleSources): string | null {
  const tasks = launched();
  const [first, ...more] = tasks.length > 0 ? tasks : announced();
  if (first === undefined) return null;
  const second = more.find((one) => first.length + one.length < TITLE_CHARS_MAX - 4);
  return second === undefined ? first : `${first}; ${second}`;
}

/** One line without markup, without long paths, at most 90 characters, cut where a clause ends if one does. */
export function finish(text: string): string {
  const line = text
    .slice(0, SENTENCE_CHARS_READ)
    .replace(/\s*\((?:lines? )?[\w./-]*:?\d+(?:[-–,]\d+)*\)/g, '')
    .replace(/https?:\/\/\S+?\/(?:pull|issues|pulls|merge_requests)\/(\d+)\S*/g, '#$1')
    .replace(/\s+(?:[-–—]|and) (?:it |they |which )?(?:now )?\w+:$/, '')
    .replace(/https?:\/\/\S+|(?:[A-Z]:)?(?:[\w.@~-]*[\\/]){2,}[\w.@-]+(?::\d+(?:[-:]\d+)*)?/g, (path) =>
      /^https?:/.test(path) ? path : baseName(path),
    )
    .replace(/(\.\w{1,5}):\d+(?:[-:]\d+)*/g, '$1')
    .replace(/\s+([,.;:])/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/[\s.:;,，。：–—-]+$/, '')
    .replace(/\s+(?:because|that|which|and|or|to|with|now|by|of|the|a|an|in|for|so|but)$/i, '')
    .trim();
  if (line.length <= TITLE_CHARS_MAX) return line;
  const clause = line
    .slice(0, TITLE_CHARS_MAX)
    .search(
      /(?:\s[—–]\s|;\s|\s\(|,\s(?:which|so|and|but|because|where|while|using|matching)\b|\.\s|:\s)(?!.*(?:\s[—–]\s|;\s|\s\(|,\s(?:which|so|and|but|because|where|while|using|matching)\b|\.\s|:\s))/,
    );
  if (clause >= 40) return line.slice(0, clause).trim();
  return cut(line, TITLE_CHARS_MAX);
}

/** "refactor(segments): migrate 19 languages" → "Migrate 19 languages". */
export function subjectOf(message: string): string {
  const [subject = ''] = message.split('\n');
  return capital(
    subject
      .replace(/^\w+(?:\([^)]*\))?!?:\s+/, '')
      .replace(/\s*\((?:#\d+|[\w-]+-\w+(?:\.\d+)?)\)\s*$/, '')
      .trim(),
  );
}

/** When nobody said anything: "Changes to settings.go and 3 more files". */
function touchedTitle(files: readonly string[]): string {
  const [first] = files;
  if (first === undefined) return 'Work without words';
  const more = files.length - 1;
  return `Changes to ${baseName(first)}${more === 0 ? '' : ` and ${more} more file${more === 1 ? '' : 's'}`}`;
}

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

function bestSentence(closing: Closing | null, changed: boolean): { text: string; score: number } | null {
  if (closing === null || closing.onTheWay) return null;
  let best: { text: string; score: number } | null = null;
  const sentences = closing.sentences.slice(0, CANDIDATES_MAX);
  // A list says what was done; of an answer it holds the details.
  const items = changed || sentences.length === 0 ? closing.items.slice(0, 3).map(headOf) : [];
  // The first sentence of an answer is the answer.
  const decay = changed ? 0.35 : 0.6;
  for (const [index, sentence] of [...sentences, ...items].entries()) {
    const isItem = index >= sentences.length;
    const whole = withItem(sentence, isItem ? undefined : closing.opens.get(sentence));
    const text = impersonal(isItem ? withoutLabel(whole) : withoutYesOrNo(whole));
    if (isThin(text) || isHollow(text)) continue;
    const score = scoreOf(text, sentence, changed) - (isItem ? 2 : 0) - index * decay;
    if (best === null || score > best.score) best = { text, score };
  }
  return best;
}

function isThin(text: string): boolean {
  const words = wordCount(text);
  return words < 4 && !isDense(text) && !(words === 3 && PAST.test(text) && IDENTIFIER.test(text));
}

/** An item without those below it. */
function headOf(item: string): string {
  const end =
    item.length <= ITEM_CHARS_READ ? -1 : item.slice(0, ITEM_CHARS_READ).search(/[:：;] (?!.*[:：;] )/);
  return end > 30 ? item.slice(0, end) : item;
}

/** What makes a sentence stand for a whole turn, and what does not. */
function scoreOf(text: string, sentence: string, changed: boolean): number {
  let score = changed ? 0 : 2;
  if (METHOD.test(text) && !ALSO_DONE.test(text)) score -= 1;
  else if (PAST.test(text) || (METHOD.test(text) && changed)) score += 4;
  else if (/^\p{Ll}{3,}ed\b/iu.test(text)) score += 1.5;
  else if (changed && STATE_NOW.test(text.slice(0, STATE_CHARS_READ))) score += 3;
  if (CAUSE.test(text)) score += 1;
  if (IDENTIFIER.test(text)) score += 1;
  if (/^(?:the )?(?:issue|problem|bug|root cause|cause)(?: here)?(?: was| is|: )/i.test(sentence)) score += 2;
  if (text.length >= 30 && text.length <= 140) score += 1;
  if (text.length > 220) score -= 2;
  if (LEANS.test(text) || /^\S{1,40}\s[-–—]\s/.test(text)) score -= 3;
  if (EMPTY.test(text)) score -= 5;
  if (isMeta(sentence)) score -= 4;
  if (/[:：]$/.test(text)) score -= PAST.test(text) || wordCount(text) >= 7 ? 0.5 : 3;
  if (/\?$/.test(text)) score -= 4;
  return score;
}

/** "It now:" and the first thing that it now does are one sentence. */
function withItem(text: string, item: string | undefined): string {
  if (item === undefined || !/\b(?:now|will|to|that|by|because)[:：]$/.test(text)) return text;
  return `${text.slice(0, -1)} ${/^\p{Lu}\p{Ll}+\s/u.test(item) ? item.charAt(0).toLowerCase() + item.slice(1) : item}`;
}

/** "Code change (a.ts): changed from …" → "changed from …"; "a.ts - added …" → "added …". */
function withoutLabel(item: string): string {
  const rest = item.replace(/^[^:–—]{1,70}?(?::| - | – | — )\s*(?=\S)/, '');
  return PAST.test(rest) || /^\p{Ll}{3,}ed\b/iu.test(rest) ? rest : item;
}
