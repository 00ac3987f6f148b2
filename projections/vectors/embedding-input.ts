// The texts that a document's vector is made from, and the digest that shows whether a model vector matches them. The
// digest is salted: forgetting removes the salt with the event's body, and the rest reveals nothing about the text.
import { hash } from 'node:crypto';
import type { MemoryDocument } from '../documents/document.ts';
import { fieldText } from '../text/text-recipe.ts';

/** Below this many tokens a text says too little by itself: “Yes, do that.” */
export const SHORT_TOKENS = 60;
/** Maximum text length for a model: about 2,000 tokens, which all current models accept. */
export const MODEL_CHARS_MAX = 8_000;
const DIGEST_HEX_CHARS = 32;

/** The document's own text, and for a short document also the text with its neighbours. */
export function inputOf(document: MemoryDocument): readonly [own: string, window: string | null] {
  const own = `${document.title}\n${fieldText(document, 'body')}`;
  return [own, isShort(document) ? [own, ...document.neighbours].join('\n') : null];
}

/** The same, clipped for a model. */
export function modelInputOf(document: MemoryDocument): readonly [own: string, window: string | null] {
  const [own, window] = inputOf(document);
  return [clipped(own), window === null ? null : clipped(window)];
}

/** Whether the neighbours are part of its vector. */
export function isShort({ tokens, neighbours }: MemoryDocument): boolean {
  return tokens < SHORT_TOKENS && neighbours.length > 0;
}

export function inputDigest(salt: string, document: MemoryDocument): string {
  return hash('sha256', JSON.stringify([salt, ...modelInputOf(document)]), 'hex').slice(0, DIGEST_HEX_CHARS);
}

function clipped(text: string): string {
  return text.length <= MODEL_CHARS_MAX ? text : text.slice(0, MODEL_CHARS_MAX).toWellFormed();
}
