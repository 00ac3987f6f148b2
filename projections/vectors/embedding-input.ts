// The texts that a document's vector is made of, and the digest by which a vector that a model made is known to fit
// them. The digest is salted: the salt goes with the event's body, and what is left says nothing about the text.
import { hash } from 'node:crypto';
import type { MemoryDocument } from '../documents/document.ts';
import { fieldText } from '../text/text-recipe.ts';

/** Below so many tokens a text says too little by itself: “Yes, do that.” */
export const SHORT_TOKENS = 60;
/** What a model is given of a text at most: some 2,000 tokens, less than any of today's models refuses. */
export const MODEL_CHARS_MAX = 8_000;
const DIGEST_HEX_CHARS = 32;

/** The document's own text; for a short one also that text between its neighbours. */
export function inputOf(document: MemoryDocument): readonly [own: string, window: string | null] {
  const own = `${document.title}\n${fieldText(document, 'body')}`;
  return [own, isShort(document) ? [own, ...document.neighbours].join('\n') : null];
}

/** The same as a model is given it. */
export function modelInputOf(document: MemoryDocument): readonly [own: string, window: string | null] {
  const [own, window] = inputOf(document);
  return [clipped(own), window === null ? null : clipped(window)];
}

/** Whether what stands beside it is part of its vector. */
export function isShort({ tokens, neighbours }: MemoryDocument): boolean {
  return tokens < SHORT_TOKENS && neighbours.length > 0;
}

export function inputDigest(salt: string, document: MemoryDocument): string {
  return hash('sha256', JSON.stringify([salt, ...modelInputOf(document)]), 'hex').slice(0, DIGEST_HEX_CHARS);
}

function clipped(text: string): string {
  return text.length <= MODEL_CHARS_MAX ? text : text.slice(0, MODEL_CHARS_MAX).toWellFormed();
}
