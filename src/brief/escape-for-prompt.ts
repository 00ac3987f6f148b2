// Makes text safe for an agent's context: no control or invisible characters, and nothing that could close our tag or
// look like a tag of the host.
import { isOrdinary, plainLine, plainText } from '../terminal-text/plain-text.ts';

/** `</x`, and opening tags whose names have a dash, colon or underscore: `<system-reminder>`. `Array<string>` stays. */
const TAG = /<(?=\s*\/|\s*[a-z][a-z0-9]*[-_:])/gi;

/** Invisible characters: formatting, tags and variation selectors that can hide text, halves of a pair. */
const INVISIBLE = /\p{Cf}|\p{Surrogate}|[\u{e0000}-\u{e0fff}]/gu;

/** One line, without characters outside the basic plane: hosts count and cut in UTF-16. */
export function escapeForPrompt(text: string): string {
  if (isOrdinary(text) && !text.includes('<')) return plainLine(text);
  return plainLine(text)
    .replace(/[\u{10000}-\u{10ffff}]|\p{Surrogate}|\p{Cf}/gu, '')
    .replace(TAG, '‹')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Keeps line breaks, and characters outside the basic plane: the caller cuts it. */
export function escapeLinesForPrompt(text: string): string {
  return plainText(text).replace(INVISIBLE, '').replace(TAG, '‹').trim();
}
