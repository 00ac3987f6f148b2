// The recipe: everything that a reading depends on besides its turn.
import { createHash } from 'node:crypto';
import type { Mode } from '../mode/mode.ts';
import type { Provider } from '../providers/provider.ts';
import { INSTRUCTIONS_VERSION } from '../request/instructions.ts';

const DIGEST_CHARS = 8;

/** `anthropic/claude-haiku-5-5/code-1f3a9c2b/1`: service, model, mode with a digest of it, version of the wording. */
export function recipeOf({ name, model }: Pick<Provider, 'name' | 'model'>, mode: Mode): string {
  return `${name}/${model}/${mode.name}-${digest(JSON.stringify(mode))}/${INSTRUCTIONS_VERSION}`;
}

/** Names a request: the same recipe about the same events. */
export function coversDigest(recipe: string, covers: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([recipe, [...covers].sort()]))
    .digest('hex')
    .slice(0, 32);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARS);
}
