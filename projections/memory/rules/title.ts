// A title a person would have written: what came of it, else what was asked. Each candidate gets points for
// saying a fact and loses them for leaning on what stands around it ("This …", "Both …").
import type { Closing } from './closing.ts';
import { baseName } from './files.ts';
import type { Request } from './request.ts';
import { capital, cut, isDense, wordCount } from './sentences.ts';
import { impersonal, isMeta } from './wording.ts';

const TITLE_CHARS_MAX = 90;
const SENTENCE_CHARS_READ = 300;
const CANDIDATES_MAX = 8;
/** What a sentence must score to stand before the question that was asked. */
const SCORE_MIN = 3;

const PAST =
  /^(?:(?:both|all|\d+|two|three|four) )?(?:fixed|added|removed|updated|created|moved|renamed|replaced|implemented|refactored|extracted|changed|rewrote|rewritten|wrote|switched|converted|merged|committed|pushed|deleted|dropped|simplified|migrated|documented|reverted|bumped|upgraded|built|reduced|restored|cleaned|corrected|split|introduced|enabled|disabled|aligned|adjusted|rebased|released|published|made|set up|opened|closed|resolved|tightened|unified|consolidated|cut|squash|applied|improved|integrated|configured|installed)\b/i;
/** Says what was looked at: less than what was done, more than nothing. */
const LOOKED = /^(?:verified|confirmed|found|reproduced|checked|tested|reviewed)\b/i;
const LEANS =
  /^(?:this|that|it|these|those|all|verification|quality gates?|status|everything|nothing|they|there|then|also|and|but|so|which|the (?:same|latter|former|following|above|test|tests|build|plan|analysis|script|change|changes)|all (?:tests|checks|done|good)|tests? pass|no\b|yes\b|not|if|when|since|because|for example|e\.g|note|however|you|i|we)\b/i;
const EMPTY =
  /\b(?:all (?:\d+ )?(?:tests|checks|\w+ tests) (?:now )?(?:pass|are passing|passed)|both tasks|as (?:requested|follows)|the following|these (?:changes|conditions|files)|what (?:was|I)|here)\b|^fixed and verified\b/i;
const CAUSE =
  /\b(?:because|root cause|caused by|due to|turns out|instead of|so that|never|only when|always|missing|lacks?)\b/i;
const IDENTIFIER = /[a-z][A-Z]\w|\w_\w|\w\(\)|\w\.\w{1,4}\b|--\w/;

export interface TitleSources {
  readonly closing: Closing | null;
  readonly request: Request;
  /** Subjects of the commits of the part, in order. */
  readonly commits: readonly string[];
  readonly changed: boolean;
  /** Files modified. */
  readonly files: readonly string[];
  /** Set for a part that is not the last: "part 2 of 3". */
  readonly part: string | null;
}

export function titleOf({ closing, request, commits, changed, files, part }: TitleSources): string {
  const touched = touchedTitle(files);
  const commit = bestCommit(commits);
  if (commit !== null) return finish(commit);
  const said = bestSentence(closing, changed);
  if (said !== null && (said.score >= SCORE_MIN || request.vague)) return finish(said.text);
  const heading = closing?.headings[0];
  if (said !== null && changed && request.question && said.score >= 1.5) return finish(said.text);
  if (!request.vague) return finish(part === null ? request.topic : `${cut(request.topic, 72)} (${part})`);
  if (heading !== undefined) return finish(capital(heading));
  return (
    finish(said?.text ?? '') ||
    (files.length > 0 ? touched : finish(request.topic || request.words)) ||
    touched
  );
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
  if (closing === null) return null;
  let best: { text: string; score: number } | null = null;
  const candidates = [...closing.sentences.slice(0, CANDIDATES_MAX), ...closing.items.slice(0, 3)];
  candidates.forEach((sentence, index) => {
    const isItem = index >= Math.min(closing.sentences.length, CANDIDATES_MAX);
    const text = withItem(impersonal(isItem ? withoutLabel(sentence) : sentence), closing.items[0]);
    if (wordCount(text) < 4 && !isDense(text)) return;
    let score = changed ? 0 : 2;
    if (PAST.test(text)) score += 4;
    else if (LOOKED.test(text)) score += changed ? -1 : 1.5;
    else if (/^\p{Ll}{3,}ed\b/iu.test(text)) score += 1.5;
    if (CAUSE.test(text)) score += 1;
    if (IDENTIFIER.test(text)) score += 1;
    if (/^(?:the )?(?:issue|problem|bug|root cause|cause)(?: here)?(?: was| is|: )/i.test(sentence))
      score += 2;
    if (text.length >= 30 && text.length <= 140) score += 1;
    if (text.length > 220) score -= 2;
    if (LEANS.test(text) || /^\S{1,40}\s[-–—]\s/.test(text)) score -= 3;
    if (EMPTY.test(text)) score -= 3;
    if (isMeta(sentence)) score -= 4;
    if (/[:：]$/.test(sentence)) score -= PAST.test(text) ? 0 : wordCount(text) >= 7 ? 1 : 3;
    if (/\?$/.test(text)) score -= 3;
    if (isItem) score -= 2;
    score -= index * 0.35;
    if (best === null || score > best.score) best = { text, score };
  });
  return best;
}

/** "It now:" and the first thing that it now does are one sentence. */
function withItem(text: string, item: string | undefined): string {
  if (item === undefined || !/\b(?:now|will|to|that|by|with|because)[:：]$/.test(text)) return text;
  return `${text.slice(0, -1)} ${/^\p{Lu}\p{Ll}+\s/u.test(item) ? item.charAt(0).toLowerCase() + item.slice(1) : item}`;
}

/** "Code change (a.ts): changed from …" → "changed from …"; "a.ts - added …" → "added …". */
function withoutLabel(item: string): string {
  const rest = item.replace(/^[^:–—]{1,70}?(?::| - | – | — )\s*(?=\S)/, '');
  return PAST.test(rest) || /^\p{Ll}{3,}ed\b/iu.test(rest) ? rest : item;
}
