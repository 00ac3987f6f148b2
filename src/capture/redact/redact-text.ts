// Takes secrets out of a text before it is written anywhere. One pass from left to right: an index of character
// pairs (finders.ts) says where something may begin, and only there the slower questions are asked. What is
// found is replaced by `[redacted:<kind>]`; a text without secrets is returned as it is.
//
// Two ways to go wrong: to miss a secret, which is for ever, and to eat ordinary code, which makes the memory
// useless. Tokens of vendors are taken wherever they stand; values by the name of their key only when they look
// like a value somebody chose, not like code (see key-value.ts).
import { mayBegin, secretAt } from './finders.ts';
import { keyLinesAt } from './key-lines.ts';
import { Source } from './source.ts';

/**
 * The text with every secret replaced. Redacting twice is the same as once.
 * `onRedacted` is told the kind of each replacement (for counts; never the secret).
 */
export function redactText(text: string, onRedacted?: (kind: string) => void): string {
  return redactCounted(text, onRedacted).text;
}

/** The same with the work that it took, in characters read: what tests and the bench hold against the length. */
export function redactCounted(
  text: string,
  onRedacted?: (kind: string) => void,
): { readonly text: string; readonly steps: number } {
  let result = text;
  let steps = 0;
  // A secret that ran into the next key's name hid that key: what is left is looked at again until nothing goes.
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const source = new Source(result);
    const again = redactOnce(source, onRedacted);
    steps += source.steps;
    if (again === result) break;
    result = again;
  }
  return { text: result, steps };
}

const PASSES_MAX = 8;

function redactOnce(source: Source, onRedacted?: (kind: string) => void): string {
  const { text } = source;
  let result = '';
  let kept = 0;
  let index = 0;
  const last = text.length - 2;
  let secret = keyLinesAt(source, 0);
  while (index <= last) {
    if (secret === null && !mayBegin(text, index)) {
      index++;
      continue;
    }
    const found = secret ?? secretAt(source, index);
    secret = null;
    if (found === null) {
      index++;
    } else if (found.kind === null) {
      index = found.end;
    } else if (found.start < kept) {
      index++;
    } else {
      result += `${text.slice(kept, found.start)}[redacted:${found.kind}]`;
      onRedacted?.(found.kind);
      kept = found.end;
      index = found.end;
    }
  }
  source.steps += text.length;
  return kept === 0 ? text : result + text.slice(kept);
}
