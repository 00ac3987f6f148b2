// Formats titles: one line, no markup, no long paths, cut where a clause ends.
import { baseName } from '../shell/file-paths.ts';
import { capital, cutAtWord, wordCount } from './sentences.ts';

export const TITLE_CHARS_MAX = 90;
/** How a title begins that says what was asked, not what came of it. */
export const ASKED = 'Asked: ';
const SENTENCE_CHARS_READ = 300;

/** One line without markup and long paths, at most `charsMax` characters, cut at the end of a clause where possible. */
export function formatTitle(text: string, charsMax = TITLE_CHARS_MAX): string {
  const line = text
    .slice(0, SENTENCE_CHARS_READ)
    .replace(/\s*\((?:lines? |[\w./-]+:)\d+(?:[-–,] ?\d+)*\)/g, '')
    .replace(PATHS, (path) => (FILE_AT_END.test(path) && !path.startsWith('http') ? baseName(path) : path))
    .replace(/(\.\w{1,5}):\d+(?:[-:]\d+)*/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/[\s.:;,，。：–—-]+$/, '')
    .trim();
  if (line.length <= charsMax) return line;
  const clause = lastClause(line, charsMax);
  if (clause >= Math.min(CLAUSE_CHARS_MIN, charsMax / 2)) return line.slice(0, clause).trim();
  return cutAtWord(line, charsMax);
}

const PATHS = /https?:\/\/\S+|(?:[A-Z]:)?(?:[\w.@~<>-]*[\\/]){2,}[\w.@<>-]+(?::\d+(?:[-:]\d+)*)?/g;
/** A file is named by its last part; branches, references, routes and folders keep all parts. */
const FILE_AT_END = /\.[A-Za-z]\w{0,5}(?::\d+(?:[-:]\d+)*)?\.?$/;
const CLAUSE_CHARS_MIN = 32;
/** With fewer words before a colon they are a label, not a clause. */
const LABEL_WORDS_MAX = 5;
const CLAUSE_ENDS =
  /\s[—–]\s|;\s|\s\(|,\s(?:which|so|but|because|where|while|using|matching|instead|rather|making|keeping|(?:and (?:it|they|the|now|this|is|are|does|then|\p{L}+ed)))\b|\.\s|:\s|\s(?:which|because|since|so that|although|whereas|while|when|instead of|rather than|in order to|such as|via)\s/gu;

/** `push_sessions: false`: the colon is none of a sentence. */
const SETTING =
  /^(?:\w+[_.-]\w[\w.-]*|[a-z]+[A-Z]\w*|\w+): (?:true|false|null|none|on|off|\d|["'[{])|^\w+[_.]\w[\w.]*: /i;

/** What follows takes back or limits what is before it. */
const LIMITS = /^[\s,;.—–]*(?:but|except|unless|until|though|although|only|if)\b/i;

/**
 * The end of the last complete clause that fits; -1 for none, also when a clause that follows limits what was said. Never
 * leaves a parenthesis or a list open.
 */
function lastClause(line: string, charsMax: number): number {
  const head = line.slice(0, charsMax);
  const ends = [...head.matchAll(CLAUSE_ENDS)].map(({ index }) => index);
  if (ends.some((end) => LIMITS.test(line.slice(end)))) return -1;
  return (
    ends.findLast((end) => {
      const before = head.slice(0, end);
      if (head[end] === ':' && wordCount(before.replace(/\([^)]*\)/g, '')) < LABEL_WORDS_MAX) return false;
      if (SETTING.test(line.slice(before.search(/\S*$/)))) return false;
      return before.split('(').length === before.split(')').length;
    }) ?? -1
  );
}

/** "refactor(segments): migrate 19 languages" → "Migrate 19 languages"; also of "@ refactor: …", Bash's reading of `-m @'…'@`. */
export function subjectOf(message: string): string {
  const [subject = ''] = message.split('\n');
  return capital(
    subject
      .replace(/^(?:@ )?\w+(?:\([^)]*\))?!?:\s+/, '')
      .replace(/\s*\((?:#\d+|[\w-]+-\w+(?:\.\d+)?)\)\s*$/, '')
      .trim(),
  );
}
