// Standing notes: memories of type `note` that a person saved. Every brief of their project has all of them, so they are few
// and short. A note that was removed is superseded by nothing.
import { AnnalsError, isAnnalsError, isoTime, type NewEvent } from '../../log/index.ts';
import { lastingRows } from '../../projections/index.ts';
import type { ActInput, Note } from '../api/act.ts';
import { sanitizeText } from '../capture/redact/index.ts';
import { projectByName, projectOfFolder } from '../home/folder-project.ts';
import type { Home } from '../home/home.ts';
import { type ActWorld, dedupeKeyOf } from './act-event.ts';

export const NOTE = 'note';
const NOTES_MAX = 20;
const NOTE_CHARS_MAX = 300;
const TITLE_CHARS_MAX = 80;

/** @throws AnnalsError NOT_FOUND: no project has this name */
export async function notesOf(
  { project, cwd }: { readonly project?: string; readonly cwd?: string },
  home: Home,
): Promise<readonly Note[]> {
  const { workdirs } =
    project === undefined
      ? await projectOfFolder(cwd ?? process.cwd(), home)
      : await projectByName(project, home);
  const rows = await lastingRows(home.views.context, workdirs, 'note', NOTES_MAX);
  return rows.map((row) => ({
    id: row.id,
    text: row.kind === 'saved' ? row.text : row.title,
    at: isoTime(row.at),
  }));
}

/** @throws AnnalsError USAGE, AMBIGUOUS_ID */
export async function refuseFullNotes({ project, cwd }: ActInput, home: Home): Promise<void> {
  const named = { ...(project === undefined ? {} : { project }), ...(cwd === undefined ? {} : { cwd }) };
  // A project that nothing is recorded of has no notes.
  const notes = await notesOf(named, home).catch((error) => {
    if (isAnnalsError(error) && error.code === 'NOT_FOUND') return [];
    throw error;
  });
  if (notes.length >= NOTES_MAX)
    throw new AnnalsError('USAGE', `This project has ${notes.length} notes, and every session reads all.`, {
      hint: 'Remove one with `annals notes remove <id>`.',
    });
}

/** @throws AnnalsError INPUT_INVALID: empty or too long, or a project whose name is all private */
export function noteEvent(
  { text = '', title, project, cwd }: ActInput,
  at: number,
  world: ActWorld,
): NewEvent<'memory.saved'> & { readonly body: { readonly title: string } } {
  const clean = (given: string) => sanitizeText(given, { author: 'person', clipBytes: 4_096 }).trim();
  const note = inOneLine(clean(text));
  if (note === '') throw new AnnalsError('INPUT_INVALID', 'The note is empty, or all of it is private.');
  const named = project === undefined ? null : clean(project);
  if (named === '') throw new AnnalsError('INPUT_INVALID', 'Nothing is left of the project’s name.');
  if (note.length > NOTE_CHARS_MAX)
    throw new AnnalsError(
      'INPUT_INVALID',
      `The note has ${note.length} characters; the limit is ${NOTE_CHARS_MAX}.`,
      { hint: 'Save longer texts with `annals save`, and pin them.' },
    );
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    dedupeKey: dedupeKeyOf(world),
    channel: 'api',
    occurredAt: at,
    body: {
      title: clean(title ?? '') || beginningOf(note),
      text: note,
      type: NOTE,
      project: named,
      cwd: cwd ?? null,
      author: 'user',
    },
  };
}

/** The beginning of a text, as a title of one line. */
export function beginningOf(text: string): string {
  const line = inOneLine(text);
  if (line.length <= TITLE_CHARS_MAX) return line;
  const cut = line.slice(0, TITLE_CHARS_MAX - 1).toWellFormed();
  return `${cut.slice(0, cut.lastIndexOf(' ') > 0 ? cut.lastIndexOf(' ') : undefined)}…`;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
