// What earlier sessions know of a file that is about to be read or changed: memories saved about it, and what the work that
// changed it last said of it, if that decides something or gives a reason. What was recorded before the file last changed
// is left out, because the change may have made it untrue.
import { isAbsolute, relative, sep } from 'node:path';
import {
  type ContextRow,
  givesReason,
  type MemoryDocument,
  memoryKeys,
  newestFirst,
  newestRows,
  type ObservationLine,
} from '../../projections/index.ts';
import type { RecallForEdit } from '../api/recall.ts';
import { clipSentence, type Voice } from '../brief/lines/brief.ts';
import { savedText, savedVoice } from '../brief/lines/brief-lines.ts';
import { normalize } from '../brief/lines/near-duplicate-lines.ts';
import type { ReadHome } from '../home/home.ts';
import type { NamedProjectIndex } from '../home/home-projects.ts';
import { mentions, splitSentences } from '../terminal-text/letters-and-words.ts';
import type { Recalled } from './recalled.ts';

const ITEMS_MAX = 3;
const ROWS_READ = 100;
/** Longer sentences are lists whose line breaks are lost. */
const REASON_CHARS_MAX = 320;
const PERSONS = 'The person: ';
const BACKSLASH = /\\/g;
/** Files of these names are in many folders: only a path says which one is meant. */
const COMMON =
  /^(?:index|main|mod|lib|__init__|readme|package|config|types|utils|test|makefile|dockerfile)\b/i;

interface Statement {
  readonly row: ContextRow;
  readonly text: string;
  readonly voice: Voice;
}

export async function recallForEdit(
  { file, changedAt, session, given = '', without = [] }: RecallForEdit,
  projects: readonly NamedProjectIndex[],
  { views }: ReadHome,
): Promise<readonly Recalled[]> {
  const workdirs = projects.flatMap((project) => project.workdirs);
  const paths = pathsOf(file, workdirs);
  if (paths.length === 0) return [];
  const left = new Set(without);
  const read = await Promise.all([
    newestRows(views.context, workdirs, 'observation', ROWS_READ),
    newestRows(views.context, workdirs, 'saved', ROWS_READ),
  ]);
  const rows = new Map(read.flat().map((row) => [row.id, row]));
  const known = newestFirst([...rows.values()]).filter(
    ({ id, at, marks, ...row }) =>
      at !== null &&
      at >= changedAt &&
      (session === undefined || row.session !== session) &&
      marks?.superseded === undefined &&
      !left.has(id),
  );
  const shown = normalize(given);
  const stated = known
    .flatMap((row) => statementsOf(row, paths).slice(0, 1))
    .filter(({ text }) => !shown.includes(normalize(text)))
    .slice(0, ITEMS_MAX);
  const documents = await views.memory.getMany<MemoryDocument>(
    stated.map(({ row }) => memoryKeys.document(row.id)),
  );
  return stated.flatMap(({ text, voice }, index) => {
    const document = documents[index];
    const within = (charsMax: number) => clipSentence(text, charsMax);
    return document === undefined ? [] : [{ document, voice, within }];
  });
}

/** As rows name it: relative to a workdir that holds it, with slashes. */
function pathsOf(file: string, workdirs: readonly string[]): string[] {
  return workdirs.flatMap((workdir) => {
    const path = isAbsolute(workdir) ? relative(workdir, file) : '';
    return path === '' || path === '..' || path.startsWith(`..${sep}`) ? [] : [slashed(path)];
  });
}

/** What a row says of the file, the strongest first. */
function statementsOf(row: ContextRow, paths: readonly string[]): Statement[] {
  if (row.kind === 'saved') {
    const isAbout = names(`${row.title}\n${row.text}`, paths, false);
    return isAbout ? [{ row, text: savedText(row), voice: savedVoice(row) }] : [];
  }
  if (row.kind !== 'observation') return [];
  if (!row.files.map(slashed).some((path) => paths.includes(path))) return [];
  const about = (text: string) => names(text, paths, true);
  const decided = row.decisions.filter(about).map((text): Statement => {
    const isPersons = text.startsWith(PERSONS);
    return { row, text: isPersons ? text.slice(PERSONS.length) : text, voice: isPersons ? 'mixed' : 'agent' };
  });
  const said = [...splitSentences(row.narrative), ...row.facts, ...row.commits.flatMap(commitSentences)];
  const reasons = said
    .filter((text) => text.length <= REASON_CHARS_MAX && givesReason(text) && about(text))
    .map((text): Statement => ({ row, text, voice: 'agent' }));
  return [...decided, ...reasons];
}

function commitSentences({ subject, body }: ObservationLine['commits'][number]): string[] {
  return [subject, ...splitSentences(body)];
}

/**
 * Whether a text names the file: by its path, or by its name alone if that names no other.
 * @param isChanged whether the text is of work that changed the file
 */
function names(text: string, paths: readonly string[], isChanged: boolean): boolean {
  const said = slashed(text);
  return paths.some((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (path.includes('/') && mentions(said, path)) return true;
    return (isChanged || !COMMON.test(name)) && mentions(said, name);
  });
}

function slashed(path: string): string {
  return path.replace(BACKSLASH, '/');
}
