// Makes lines of a brief from rows.
import type { ContextRow } from '../../../projections/index.ts';
import { type BriefLine, clipSentence, type Voice } from './brief.ts';
import { normalize } from './near-duplicate-lines.ts';

export { clipSentence } from './brief.ts';

export function briefLine(
  { id, at, agent, session, turn }: ContextRow,
  content: {
    readonly label?: string;
    readonly text: string;
    readonly voice: Voice;
    readonly nearDuplicates?: number;
  },
): BriefLine {
  return {
    label: content.label ?? '',
    text: content.text,
    voice: content.voice,
    id,
    at,
    nearDuplicates: content.nearDuplicates ?? 0,
    turn: session === null || turn === null ? null : { agent, session, turn },
  };
}

/** A line based on counts, without a row behind it. */
export function countsLine(label: string, text: string): BriefLine {
  return { label, text, voice: 'record', id: null, at: null, nearDuplicates: 0, turn: null };
}

/** Joins the non-empty parts, each only once. */
export function joinParts(parts: readonly (string | null)[], between: string): string {
  const present = parts.filter((part) => part !== null).filter((part) => part.trim() !== '');
  return present.filter((part, index) => !present.slice(0, index).includes(part)).join(between);
}

/** A heading with its text; only one of them if they say the same. */
export function headed(title: string, text: string): string {
  const [heading, rest] = [normalize(title.replace(/…$/, '')), normalize(text)];
  if (rest === '' || heading.startsWith(rest)) return title;
  return rest.startsWith(heading) ? text : `${title} — ${text}`;
}

export const SAVED_CHARS_MAX = 420;

export function savedText(row: ContextRow): string {
  const text = row.kind === 'saved' ? row.text : '';
  return clipSentence(headed(row.title, text), SAVED_CHARS_MAX);
}

/** Of a saved memory. A person may have saved what an agent wrote. */
export function savedVoice(row: ContextRow): Voice {
  if (row.marks?.edited !== undefined) return 'person';
  return row.kind === 'saved' && row.author === 'agent' ? 'agent' : 'mixed';
}

/** Enough of a session's id to open it. */
const SESSION_ID_CHARS = 8;

export function shortSession(id: string): string {
  return id.slice(0, SESSION_ID_CHARS);
}

/** A summary's lesson without its errors, which come last and have their own lines. */
export function withoutErrors(learned: string): string {
  return learned.replace(/(?:^|\s+)“[^”]{1,160}”: .*$/s, '');
}
