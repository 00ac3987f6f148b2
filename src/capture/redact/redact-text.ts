// Takes secrets out of a text before it is written anywhere. One pass from left to right: text-scan.ts
// says where something may begin, and only there the slower questions are asked (finders.ts). What is
// found is replaced by `[redacted:<kind>]`; a text without secrets is returned as it is.
//
// Two ways to go wrong: to miss a secret, which is for ever, and to eat ordinary code, which makes the memory
// useless. Tokens of vendors are taken wherever they stand; values by the name of their key only when they look
// like a value somebody chose, not like code (see key-value.ts).
import { begins, secretAt } from './finders.ts';
import { Scan } from './text-scan.ts';
import { Source } from './text-source.ts';

/**
 * The text with every secret replaced. Redacting twice is the same as once.
 * `onRedacted` is told the kind of each replacement (for counts; never the secret).
 */
export function redactText(text: string, onRedacted?: (kind: string) => void, work?: StepCounter): string {
  let result = redactOnce(text, onRedacted, work);
  if (result === text) return text;
  // A secret that ran into the next key's name hid that key: what is left is looked at again until nothing goes.
  for (let pass = 1; pass < PASSES_MAX; pass++) {
    const again = redactOnce(result, onRedacted);
    if (again === result) break;
    result = again;
  }
  return result;
}

/** Told how many characters were read in going over a text once (eight times at most, ever shorter): what
 * tests and the bench hold against its length.
 */
export interface StepCounter {
  steps: number;
}

const PASSES_MAX = 8;

function redactOnce(text: string, onRedacted?: (kind: string) => void, work?: StepCounter): string {
  const scan = new Scan(text, begins);
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
      onRedacted?.(secret.kind);
      kept = secret.end;
      index = scan.next(secret.end);
    }
  }
  if (work !== undefined) work.steps += source.steps;
  return kept === 0 ? text : result + text.slice(kept);
}
