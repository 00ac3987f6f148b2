// Paths to fields of a line: `message.content[].text`. `[]` means every value of a list. A path is followed from
// the line (in a document with entries: from the entry); one that begins with a dot from the item of `each`, and one
// that begins with `$.` from the whole document.
import type { Json } from '../../../log/index.ts';
import { objectOf } from '../common/json-fields.ts';

export interface FieldPath {
  readonly from: 'line' | 'item' | 'document';
  readonly steps: readonly { readonly name: string; readonly every: boolean }[];
}

/** What paths are followed from. */
export interface Scope {
  readonly line: Json;
  readonly item: Json;
  readonly document: Json;
}

const PATH = /^(?:\$\.|\.)?[^.[\]$\s][^.[\]$]*(?:\[\])?(?:\.[^.[\]$\s][^.[\]$]*(?:\[\])?)*$/;
const STEPS_MAX = 16;

/** Null for a text that is no path. */
export function parseFieldPath(text: string): FieldPath | null {
  if (text.length > 200 || !PATH.test(text)) return null;
  const from = text.startsWith('$.') ? 'document' : text.startsWith('.') ? 'item' : 'line';
  const steps = text
    .replace(/^\$?\./, '')
    .split('.')
    .map((step) => ({ name: step.replace(/\[\]$/, ''), every: step.endsWith('[]') }));
  return steps.length > STEPS_MAX ? null : { from, steps };
}

/** The values at a path, in order; none where the path leads nowhere. */
export function valuesAt({ from, steps }: FieldPath, scope: Scope): readonly Json[] {
  let values: readonly Json[] = [scope[from]];
  for (const { name, every } of steps)
    values = values.flatMap((value) => {
      const object = objectOf(value);
      if (object === null || !Object.hasOwn(object, name)) return [];
      const found = object[name]!;
      if (!every) return [found];
      return Array.isArray(found) ? found : [];
    });
  return values;
}
