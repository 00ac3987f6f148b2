// Cleans text from a transcript or hook before it reaches the log: tags, secrets and length, in one call. It is passed
// to the reader as a value, so that benchmarks can measure the reader without it.
import type { Json } from '../../../log/index.ts';
import { sanitizeValue } from '../../capture/redact/index.ts';
import { type Author, isPrivatePrompt } from '../../capture/text/tags.ts';

export type { Author };

export interface Sanitizer {
  value(value: Json, author: Author): Json;
  /** Whether nothing remains of a person's text once private tags are removed. */
  isPrivate(text: string): boolean;
}

/** A sanitizer that clips strings to `clipBytes` of UTF-8: TRANSCRIPT_CLIP_BYTES or HOOK_CLIP_BYTES. */
export function sanitizerOf(clipBytes: number): Sanitizer {
  return {
    value: (value, author) => sanitizeValue(value, { author, clipBytes }),
    isPrivate: isPrivatePrompt,
  };
}

/** Sanitizes a text. The result is always a text. */
export function sanitizeTranscriptText(sanitizer: Sanitizer, text: string, author: Author): string {
  const clean = sanitizer.value(text, author);
  return typeof clean === 'string' ? clean : '';
}
