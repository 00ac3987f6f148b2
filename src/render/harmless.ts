// Text on its way into an agent's context: one line, no control or invisible characters, no characters outside the
// basic plane (hosts count and cut in UTF-16), and nothing that could close our tag or pass for the host's own.
import { isOrdinary, oneLine } from './plain.ts';

/** `</x`, and opening tags whose names have a dash, colon or underscore: `<system-reminder>`. `Array<string>` stays. */
const TAG = /<(?=\s*\/|\s*[a-z][a-z0-9]*[-_:])/gi;

export function harmless(text: string): string {
  if (isOrdinary(text) && !text.includes('<')) return oneLine(text);
  return oneLine(text)
    .replace(/[\u{10000}-\u{10ffff}]|\p{Surrogate}|\p{Cf}/gu, '')
    .replace(TAG, '‹')
    .replace(/ {2,}/g, ' ')
    .trim();
}
