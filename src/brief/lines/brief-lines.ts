// From rows to lines of a brief.
import type { ContextRow } from '../../../projections/index.ts';
import { type BriefLine, clipSentence, type Voice } from './brief.ts';
import { normalize } from './near-duplicate-lines.ts';

export { clipSentence } from './brief.ts';

export function briefLine(
  { id, at, agent, session, turn }: ContextRow,
  said: {
    readonly label?: string;
    readonly text: string;
    readonly voice: Voice;
    readonly nearDuplicates?: number;
  },
): BriefLine {
  return {
    label: said.label ?? '',
    text: said.text,
    voice: said.voice,
    id,
    at,
    nearDuplicates: said.nearDuplicates ?? 0,
    turn: session === null || turn === null ? null : { agent, session, turn },
  };
}

/** A line that stands on counts alone. */
export function countsLine(label: string, text: string): BriefLine {
  return { label, text, voice: 'record', id: null, at: null, nearDuplicates: 0, turn: null };
}

/** Joins what is there, each part once. */
export function joinParts(parts: readonly (string | null)[], between: string): string {
  const said = parts.filter((part) => part !== null).filter((part) => part.trim() !== '');
  return said.filter((part, index) => !said.slice(0, index).some((other) => other === part)).join(between);
}

/** A heading and what follows, without saying the same twice. */
export function headed(title: string, text: string): string {
  const [heading, rest] = [normalize(title.replace(/…$/, '')), normalize(text)];
  if (rest === '' || heading.startsWith(rest)) return title;
  return rest.startsWith(heading) ? text : `${title} — ${text}`;
}

const SAVED_CHARS_MAX = 420;

export function savedText(row: ContextRow): string {
  const text = row.kind === 'saved' ? row.text : '';
  return clipSentence(headed(row.title, text), SAVED_CHARS_MAX);
}

/** Enough of a session's id to open it. */
const SESSION_ID_CHARS = 8;

export function shortSession(id: string): string {
  return id.slice(0, SESSION_ID_CHARS);
}

/** A summary's lesson without its errors, which stand at its end and have lines of their own. */
export function withoutErrors(learned: string): string {
  return learned.replace(/(?:^|\s+)“[^”]{1,160}”: .*$/s, '');
}
