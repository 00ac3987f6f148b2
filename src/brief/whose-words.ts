// Marks whose words a text for an agent quotes.
import { escapeForPrompt } from './escape-for-prompt.ts';
import type { Voice } from './lines/brief.ts';

export const MARKS: Readonly<Record<Voice, string>> = {
  person: '[user] ',
  agent: '[agent] ',
  mixed: '[mixed] ',
  record: '',
};

const MARK = /\[(user|agent|mixed)\]/gi;

/** Escaped, and without marks of its own: only we say whose words they are. */
export function escapeQuoted(text: string): string {
  return escapeForPrompt(text).replace(MARK, '($1)');
}
