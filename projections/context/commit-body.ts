// What a commit's message says below its subject, as one line of sentences: what was built and why, in the words that
// were chosen to last. Lines that were wrapped are joined, items of a list end like sentences, trailers are left out.
import { capital, wordCount } from '../extract/text/sentences.ts';

const ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+/;
/** "Change-Id: I7", "Reviewed-by: someone", "Closes #7": for machines. "Follow-up: …" is not. */
const TRAILERS = [
  /^[A-Z]\w*(?:-[A-Z]\w*)+: \S/,
  /^[a-z]+(?:-[a-z]+)*-by: \S/i,
  /^(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see)[: ]+(?:#\d+\b|\d+$)/i,
];

/** The subject of a commit that was melted into this one. */
const SUBJECT = /^(?:feat|fix|docs|chore|refactor|test|perf|build|ci|style)(?:\([^)]*\))?!?: \S/;

const LEAD_WORDS_MIN = 4;

/** Empty where the message is only a subject. */
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
    // "Settings were read in three places:" changes what its items say; "Key changes:" does not.
    if (item && lead && !opens) {
      const before = sentences.pop()!;
      sentences.push(`${before}${/[:：]$/.test(before) ? '' : ';'} ${text.replace(/[.;]$/, '')}`);
      continue;
    }
    lead = opens && wordCount(text) >= LEAD_WORDS_MIN;
    if (!opens || lead) sentences.push(lead ? text : ended(text));
  }
  return sentences
    .filter((one) => !/[:：]$/.test(one))
    .map(ended)
    .join(' ');
}

/** A file's name keeps its first letter. */
function ended(text: string): string {
  const whole = /[.!?…]$/.test(text) ? text : `${text}.`;
  return /^\S+[./_]\S/.test(whole) ? whole : capital(whole);
}
