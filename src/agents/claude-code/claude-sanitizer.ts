// What stands between a transcript or a hook and the log: tags, secrets and length, in one call. The reader
// takes it as a value, so that its own speed can be measured without it.
import type { Json } from '../../../log/index.ts';
import { sanitizeValue } from '../../capture/redact/index.ts';
import { type Author, isPrivatePrompt } from '../../capture/text/tags.ts';

export type { Author };

export interface Sanitizer {
  value(value: Json, author: Author): Json;
  /** Whether nothing is left of a person's words after tags. */
  isPrivate(text: string): boolean;
}

/** A sanitizer that clips strings to `clipBytes` of UTF-8: TRANSCRIPT_CLIP_BYTES or HOOK_CLIP_BYTES. */
export function sanitizerOf(clipBytes: number): Sanitizer {
  return {
    value: (value, author) => sanitizeValue(value, { author, clipBytes }),
    isPrivate: isPrivatePrompt,
  };
}

/** A text that stays a text. */
export function sanitizeTranscriptText(sanitizer: Sanitizer, text: string, author: Author): string {
  const clean = sanitizer.value(text, author);
  return typeof clean === 'string' ? clean : '';
}
