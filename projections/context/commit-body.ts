// What a commit's message says below its subject, as one line of sentences: what was built and why, in the words that
// were chosen to last. Lines that were wrapped are joined, items of a list end like sentences, trailers are left out.
import { capital } from '../memory/rules/sentences.ts';

const ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+/;
/** "Closes #7", "Reviewed-by: someone": for machines. */
const TRAILER =
  /^(?:[A-Z][\w-]*(?:-[\w-]+)+: \S|(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see)[: ]+#?\d+\b)/i;

/** The subject of a commit that was melted into this one. */
const SUBJECT = /^(?:feat|fix|docs|chore|refactor|test|perf|build|ci|style)(?:\([^)]*\))?!?: \S/;

/** Empty where the message is only a subject. */
export function commitBody(message: string): string {
  const parts: string[] = [];
  let open = false;
  for (const line of message.split('\n').slice(1)) {
    const text = line.trim();
    if (text === '' || TRAILER.test(text) || SUBJECT.test(text)) {
      open = false;
      continue;
    }
    const item = ITEM.test(line);
    if (open && !item) parts[parts.length - 1] += ` ${text}`;
    else parts.push(text.replace(ITEM, ''));
    open = true;
  }
  return parts
    .filter((part) => !/[:：]$/.test(part))
    .map((part) => capital(/[.!?…]$/.test(part) ? part : `${part}.`))
    .join(' ');
}
