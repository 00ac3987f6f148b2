// Makes text safe for an agent's context: one line, no control or invisible characters, no characters outside the basic
// plane (hosts count and cut in UTF-16), and nothing that could close our tag or look like a tag of the host.
import { isOrdinary, plainLine } from '../terminal-text/plain-text.ts';

/** `</x`, and opening tags whose names have a dash, colon or underscore: `<system-reminder>`. `Array<string>` stays. */
const TAG = /<(?=\s*\/|\s*[a-z][a-z0-9]*[-_:])/gi;

export function escapeForPrompt(text: string): string {
  if (isOrdinary(text) && !text.includes('<')) return plainLine(text);
  return plainLine(text)
    .replace(/[\u{10000}-\u{10ffff}]|\p{Surrogate}|\p{Cf}/gu, '')
    .replace(TAG, '‹')
    .replace(/ {2,}/g, ' ')
    .trim();
}
