// Turns the body of a commit message into one line of sentences: joins wrapped lines, ends list items like sentences
// and drops trailers.
import { capital, wordCount } from '../extract/text/sentences.ts';

const ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+/;
/** Machine-readable lines: "Change-Id: I7", "Reviewed-by: someone", "Closes #7". "Follow-up: …" is not one. */
const TRAILERS = [
  /^[A-Z]\w*(?:-[A-Z]\w*)+: \S/,
  /^[a-z]+(?:-[a-z]+)*-by: \S/i,
  /^(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see)[: ]+(?:#\d+\b|\d+$)/i,
];

/** The subject of a commit that was squashed into this one. */
const SUBJECT = /^(?:feat|fix|docs|chore|refactor|test|perf|build|ci|style)(?:\([^)]*\))?!?: \S/;

const LEAD_WORDS_MIN = 4;

/** The body of a commit message as sentences; empty when the message has only a subject. */
export function commitBody(message: string): string {
  const parts: { text: string; item: boolean }[] = [];
  let open = false;
  for (const line of message.split('\n').slice(1)) {
    const text = line.trim();
    if (text === '' || TRAILERS.some((one) => one.test(text)) || SUBJECT.test(text)) {
      open = false;
      continue;
    }
    const item = ITEM.test(line);
    if (open && !item) parts.at(-1)!.text += ` ${text}`;
    else parts.push({ text: text.replace(ITEM, ''), item });
    open = true;
  }
  const sentences: string[] = [];
  let lead = false;
  for (const { text, item } of parts) {
    const opens = /[:：]$/.test(text);
    // "Settings were read in three places:" changes the meaning of its items; "Key changes:" does not.
    if (item && lead && !opens) {
      const before = sentences.pop()!;
      sentences.push(`${before}${/[:：]$/.test(before) ? '' : ';'} ${text.replace(/[.;]$/, '')}`);
      continue;
    }
    lead = opens && (wordCount(text) >= LEAD_WORDS_MIN || NAMES_SUBJECT.test(text));
    if (!opens || lead) sentences.push(lead ? text : ended(text));
  }
  return sentences
    .filter((one) => !/[:：]$/.test(one))
    .map(ended)
    .join(' ');
}

/** "settings.go now contains" */
const NAMES_SUBJECT = /^[\w/-]+\.\w{1,5}\b/;

/** Ends with a full stop and starts with a capital, except for a file name. */
function ended(text: string): string {
  const sentence = /[.!?…。！？]$/.test(text) ? text : `${text}.`;
  return /^\S+[./_]\S/.test(sentence) ? sentence : capital(sentence);
}
