// What stands between a transcript or a hook and the log: tags, secrets and length, in one call. The reader
// takes it as a value, so that its own speed can be measured without it.
import type { Json } from '../../../log/index.ts';
import { isPrivatePrompt, isTaskNotification, sanitizeValue } from '../stand-in.ts';

export interface Sanitizer {
  value(value: Json, author: Author): Json;
  /** Whether nothing is left of a person's words after tags. */
  isPrivate(text: string): boolean;
  isTaskNotification(text: string): boolean;
}

export type Author = 'person' | 'agent' | 'tool';

/** Long strings keep head, tail and length: 32 KiB from a transcript, 8 KiB from a hook. */
export const TRANSCRIPT_CLIP_BYTES = 32 * 1024;
export const HOOK_CLIP_BYTES = 8 * 1024;

export function sanitizerOf(clipBytes: number): Sanitizer {
  return {
    value: (value, author) => sanitizeValue(value, { author, clipBytes }),
    isPrivate: isPrivatePrompt,
    isTaskNotification,
  };
}

/** A text that stays a text. */
export function sanitizeText(sanitizer: Sanitizer, text: string, author: Author): string {
  const clean = sanitizer.value(text, author);
  return typeof clean === 'string' ? clean : '';
}
