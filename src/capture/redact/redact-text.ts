// Removes secrets from a text before it is written anywhere. One pass from left to right: text-scan.ts says where
// something may begin, and only there the slower finders run (finders.ts). Each secret is replaced by
// `[redacted:<kind>]`. A text without secrets is returned unchanged.
//
// There are two kinds of error: a missed secret is stored for ever, and redacted code makes the memory useless.
// Vendors' tokens are redacted everywhere. Values are redacted by the name of their key only when they look like a
// chosen value and not like code (see key-value.ts).
import { scanOf, secretAt } from './finders.ts';
import { Source } from './text-source.ts';

/**
 * Gets the kind of each replacement (for counts), never the secret; its place in the text, if it was found in the first pass.
 */
export type OnRedacted = (
  kind: string,
  place: { readonly start: number; readonly end: number } | null,
) => void;

/** Returns the text with every secret replaced. Redacting twice gives the same text as once. */
export function redactText(text: string, onRedacted?: OnRedacted, work?: StepCounter): string {
  let result = redactOnce(text, onRedacted, work);
  if (result === text) return text;
  // A secret that ran into the next key's name hid that key, so repeat until nothing changes.
  for (let pass = 1; pass < PASSES_MAX; pass++) {
    const again = redactOnce(result, (kind) => onRedacted?.(kind, null));
    if (again === result) break;
    result = again;
  }
  return result;
}

/**
 * Counts the characters read in one pass over a text (there are at most eight passes, each shorter). Tests and the
 * benchmark compare it with the text's length.
 */
export interface StepCounter {
  steps: number;
}

const PASSES_MAX = 8;

function redactOnce(text: string, onRedacted?: OnRedacted, work?: StepCounter): string {
  const scan = scanOf(text);
  let index = scan.next(0);
  if (work !== undefined) work.steps += text.length;
  if (index === text.length) return text;
  const source = new Source(text);
  let result = '';
  let kept = 0;
  while (index < text.length) {
    const secret = secretAt(source, index);
    if (secret === null) index = scan.next(index + 1);
    else if (secret.kind === null) index = scan.next(secret.end);
    else if (secret.start < kept) index = scan.next(index + 1);
    else {
      result += `${text.slice(kept, secret.start)}[redacted:${secret.kind}]`;
      onRedacted?.(secret.kind, secret);
      kept = secret.end;
      index = scan.next(secret.end);
    }
  }
  if (work !== undefined) work.steps += source.steps;
  return kept === 0 ? text : result + text.slice(kept);
}
