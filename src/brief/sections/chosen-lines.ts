// What a person chose for every session: standing notes, and pinned items. Words of tools come last among them.
import type { ContextRow } from '../../../projections/index.ts';
import type { BriefLine, Voice } from '../lines/brief.ts';
import {
  briefLine,
  clipSentence,
  headed,
  SAVED_CHARS_MAX,
  savedText,
  savedVoice,
} from '../lines/brief-lines.ts';
import type { BriefMaterial } from '../lines/material.ts';

/** Trusted first. */
const ORDER: readonly Voice[] = ['person', 'mixed', 'agent', 'record'];

export function noteLines({ notes }: BriefMaterial): BriefLine[] {
  return notes.map((row) => briefLine(row, { text: noteText(row), voice: 'person' }));
}

/** Of an edited note the text alone: its title may be the beginning of the text from before. */
function noteText(row: ContextRow): string {
  const isEdited = row.kind === 'saved' && row.marks?.edited !== undefined;
  return isEdited ? clipSentence(row.text, SAVED_CHARS_MAX) : savedText(row);
}

export function pinnedLines({ pinned }: BriefMaterial): BriefLine[] {
  const lines = pinned.map((row) => briefLine(row, { text: textOf(row), voice: voiceOf(row) }));
  return lines.sort((one, other) => ORDER.indexOf(one.voice) - ORDER.indexOf(other.voice));
}

function textOf(row: ContextRow): string {
  switch (row.kind) {
    case 'saved':
      return savedText(row);
    case 'observation':
      return headed(row.title, [row.narrative, ...row.facts].filter((part) => part !== '').join(' '));
    case 'summary':
      return headed(row.title, row.completed ?? row.learned ?? row.notes ?? '');
    case 'prompt':
      return row.text;
    case 'pinned':
      return headed(row.title, row.text);
  }
}

function voiceOf(row: ContextRow): Voice {
  if (row.marks?.edited !== undefined) return 'person';
  if (row.kind === 'saved') return savedVoice(row);
  if (row.kind === 'prompt') return row.plan ? 'agent' : 'person';
  return row.kind === 'pinned' && row.of === 'tool' ? 'record' : 'agent';
}
