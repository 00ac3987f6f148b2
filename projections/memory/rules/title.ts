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
/** What a sentence must score to stand for the turn, before anything that only repeats what was asked. */
const SCORE_MIN = 3;
/** The same where what was asked is a question, a half sentence or talk between two: no title. */
const SCORE_MIN_RAW = 1;
/** The same where nothing was changed, so that there are no files to name either. */
const SCORE_MIN_LEFT = -2.5;
/** The same where files were: their names say little. */
const SCORE_MIN_CHANGED = -0.5;

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

/** Names no subject, agrees with the person, concedes, announces, or asks: no title, whatever it goes on to say. */
const UNNAMED =
  /^(?:(?:this|that|it|they|them|these|those|he|she|here|there it)\b|both\s+(?:are|is|were|was|now|should|have|use|of|then)\b|(?:the )?(?:reason|key|catch|trick|idea|point|answer|result|outcome|difference|good news|bad news|short version|main (?:issue|thing|point)|user|latter|former)\s+(?:is|was|here|there|for|why|behind|being|wants?)\b|you(?:(?:'|’)re| are| were|r)?\b|your\b|I\b|I(?:'|’)\w+|we\b|my\b|let(?:'|’)?s?\b|now\b|next\b|first,|why\b|how\b|what\b|when you\b|if\b|since\b|given\b|while\b|although\b|though\b|conceptually\b|honestly\b|fair\b|agreed\b|as you\b|like you\b|something\b|one (?:more )?(?:thing|note|caveat|question|detail)\b|(?:two|three|four|some|a few|a couple(?: of)?|\d+) (?:things|notes|points|caveats|observations|questions|options|ways|choices|minor|approaches)\b|all (?:two|three|four|five|six|\d+) (?:are|is|were|of|done|fixed)\b|[-–—]\s|(?:option|approach|alternative|pros|cons|problem|bug scenario|example|scenario|(?:the )?(?:main )?trade-?offs?|caveat|limitation|downside|note)\b\s*\w{0,2}:|either\b|for (?:example|instance)\b|task #?\d+\b|expected\b|done\b|\.{3}|[,;)]|\d+[.)] )|\?\s*$/i;
/** A guess is no outcome. */
const GUESS =
  /\b(?:might|may be|maybe|perhaps|most likely|probably|could be|seems?|looks? like|I think|presumably)\b/i;
/** What an answer comes to. */
const VERDICT =
  /\brecommend\w*\b|^(?:verdict|conclusion|bottom line|root cause|so the|overall|in short|net (?:effect|result))\b|\b(?:is sound|is correct|is wrong|are wrong|is safe|was wrong|in summary)\b/i;

export interface TitleSources {
  readonly closing: Closing | null;
  readonly request: Request;
  /** Messages of the commits of the part, in order; of amended ones the subject tells an older turn. */
  readonly commits: readonly string[];
  readonly amended: boolean;
  readonly changed: boolean;
  /** Names of files that were to be written and were not. */
  readonly refused: readonly string[];
  /** Files modified. */
  readonly files: readonly string[];
  /** What sub-agents and tasks were set up for. */
  readonly launched: () => readonly string[];
  /** Set where the turn has several: "part 2 of 3". */
  readonly part: string | null;
}

export function titleOf(sources: TitleSources): string {
  const { closing, request, commits, amended, changed, files, part } = sources;
  const commit = bestCommit(commits);
  if (commit !== null && !amended) return finish(commit);
  const said = bestSentence(closing, changed);
  const raw = request.vague || request.question || part !== null || !isOrder(request.topic);
  if (said !== null && said.score >= (raw ? SCORE_MIN_RAW : SCORE_MIN)) return finish(said.text);
  if (commit !== null) return finish(commit);
  if (raw && said !== null && said.score >= (changed ? SCORE_MIN_CHANGED : SCORE_MIN_LEFT))
    return finish(said.text);
  const [refused] = sources.refused;
  if (!changed && refused !== undefined)
    return `${refused} was not written: its writing was refused or failed`;
  const doing = raw ? doingTitle(sources) : null;
  if (doing !== null) {
    const topic = request.topic === '' ? request.words : request.topic;
    const names = !request.question && !TALK.test(topic) && (!request.vague || /\w[-_.]\w/.test(topic));
    return finish(names && topic.length <= 30 ? `${topic}: ${doing}` : doing);
  }
  if (raw && files.length > 0) return touchedTitle(files);
  if (!request.vague) return finish(part === null ? request.topic : `${cut(request.topic, 72)} (${part})`);
  const heading = closing?.headings[0];
  if (heading !== undefined) return finish(capital(heading));
  return finish(said?.text ?? '') || finish(request.topic || request.words) || touchedTitle(files);
}

/** "Rename the button": a request that is a title by itself. Not an order about the work: "Commit everything". */
function isOrder(topic: string): boolean {
  if (TALK.test(topic) || ABOUT_THE_WORK.test(topic)) return false;
  return isDense(topic) || ORDERS.test(topic);
}

const ORDERS =
  /^(?:fix|add|change|update|remove|delete|create|write|implement|rename|move|refactor|rewrite|convert|make|build|drop|upgrade|bump|merge|replace|revert|clean|install|set ?up|migrate|adjust|hide|show|use|allow|support|extract|split|improve|document|enable|disable|open|close|switch|port|extend|keep|let|handle|introduce|simplify|unify|wire|test|translate|optimi[sz]e|reduce|increase|prepare|publish|release|generate|integrate|configure)\b/i;
const ABOUT_THE_WORK =
  /^(?:make (?:the|these) (?:edits|changes)|write (?:a|the)(?: short)? (?:plan|commit)|fix (?:everything|all|issue|them|these)|(?:create|make) a plan|update the plan)\b/i;

/** What was set up to be done, where nothing was said in the end; null where that is nothing either. */
function doingTitle({ launched }: TitleSources): string | null {
  const [first, ...more] = launched();
  if (first === undefined) return null;
  const second = more.find((one) => first.length + one.length < TITLE_CHARS_MAX - 4);
  return second === undefined ? first : `${first}; ${second}`;
}

/** One line without markup, without long paths, at most 90 characters, cut where a clause ends if one does. */
export function finish(text: string): string {
  const line = text
    .slice(0, SENTENCE_CHARS_READ)
    .replace(/\s*\((?:lines? |[\w./-]+:)\d+(?:[-–,] ?\d+)*\)/g, '')
    .replace(/https?:\/\/\S+?\/(?:pull|issues|pulls|merge_requests)\/(\d+)\S*/g, '#$1')
    .replace(/\s+(?:[-–—]|and) (?:it |they |which )?(?:now )?\w+:$/, '')
    .replace(PATHS, (path) =>
      FILE_AT_END.test(path) && !/^(?:https?:|refs\/)/.test(path) ? baseName(path) : path,
    )
    .replace(/(\.\w{1,5}):\d+(?:[-:]\d+)*/g, '$1')
    .replace(/\s+([,.;:])(?=\s|$)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/[\s.:;,，。：–—-]+$/, '')
    .replace(/\s+(?:because|that|which|and|or|to|with|now|by|of|the|a|an|in|for|so|but)$/i, '')
    .trim();
  if (line.length <= TITLE_CHARS_MAX) return line;
  const clause = lastClause(line.slice(0, TITLE_CHARS_MAX));
  if (clause >= CLAUSE_CHARS_MIN) return line.slice(0, clause).trim();
  return cut(line, TITLE_CHARS_MAX);
}

const PATHS = /https?:\/\/\S+|(?:[A-Z]:)?(?:[\w.@~<>-]*[\\/]){2,}[\w.@<>-]+(?::\d+(?:[-:]\d+)*)?/g;
/** A branch, a reference, a route and a folder are named by all of their parts; a file by its last. */
const FILE_AT_END = /\.[A-Za-z]\w{0,5}(?::\d+(?:[-:]\d+)*)?\.?$/;
const CLAUSE_CHARS_MIN = 32;
/** With fewer words before its colon it is a label. */
const LABEL_WORDS_MAX = 5;
const CLAUSE_ENDS =
  /\s[—–]\s|;\s|\s\(|,\s(?:which|so|but|because|where|while|using|matching|instead|rather|making|keeping|(?:and (?:it|they|the|now|this|is|are|does|then|\p{L}+ed)))\b|\.\s|:\s|\s(?:which|because|since|so that|although|whereas|while|when|instead of|rather than|in order to|such as|via)\s/gu;

/** Where the last clause that is whole ends; -1 for none. A parenthesis or a list is never left open. */
function lastClause(head: string): number {
  const ends = [...head.matchAll(CLAUSE_ENDS)].map(({ index }) => index);
  return (
    ends.findLast((end) => {
      const before = head.slice(0, end);
      if (head[end] === ':' && wordCount(before.replace(/\([^)]*\)/g, '')) < LABEL_WORDS_MAX) return false;
      return before.split('(').length === before.split(')').length;
    }) ?? -1
  );
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
  // The first sentence of an answer is the answer; of several things done the first sums up the others.
  const decay = changed ? 0.5 : 0.6;
  for (const [index, sentence] of [...sentences, ...items].entries()) {
    const isItem = index >= sentences.length;
    const whole = withItem(sentence, isItem ? undefined : closing.opens.get(sentence));
    const text = impersonal(isItem ? withoutLabel(whole) : withoutYesOrNo(whole));
    if (isItem && changed && !PAST.test(text)) continue;
    if (isThin(text) || isHollow(text) || UNNAMED.test(text)) continue;
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
  if (!changed && VERDICT.test(text)) score += 2;
  if (GUESS.test(text)) score -= 3;
  if (text.length > TITLE_CHARS_MAX && finish(text).endsWith('…')) score -= 1.5;
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
