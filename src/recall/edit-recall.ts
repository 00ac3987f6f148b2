// What earlier sessions know of a file that is about to be read or changed: memories saved about it, and what the work that
// changed it last said of it, if that decides something or gives a reason. What was recorded before the file last changed
// is left out, because the change may have made it untrue.
import { resolve } from 'node:path';
import {
  type ContextRow,
  givesReason,
  identityOf,
  isLinked,
  keysInRepository,
  type MemoryDocument,
  memoryKeys,
  NAMED_PROJECT,
  newestFirst,
  newestRows,
  newestSeen,
  type ObservationLine,
  pathBelow,
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

/** A checkout of a repository, or a folder outside of one. */
interface Tree {
  readonly repository: string;
  readonly root: string;
  /** A person says that it is of the project: it may be where the repository was before. */
  readonly isNamed: boolean;
}

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
  const around = workdirs.filter((workdir) => pathBelow(workdir, resolve(file)));
  if (around.length === 0) return [];
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
  const trees = await treesOf([...around, ...known.map(({ workdir }) => workdir)], views.projects);
  const places = around.map((workdir) => placeIn(trees.get(workdir)!, resolve(file)));
  const shown = normalize(given);
  const stated = known
    .flatMap((row) => statementsOf(row, pathsFrom(row.workdir, trees, places)).slice(0, 1))
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

async function treesOf(
  workdirs: readonly string[],
  projects: ReadHome['views']['projects'],
): Promise<ReadonlyMap<string, Tree>> {
  const trees = [...new Set(workdirs)].map(async (workdir): Promise<[string, Tree]> => {
    const seen = (await newestSeen(workdir, projects))?.body ?? null;
    const repository = keysInRepository(identityOf(workdir, seen, () => null)).at(-1)!;
    // An event may write the root in another way.
    const root = seen?.root != null && pathBelow(seen.root, workdir) !== null ? seen.root : workdir;
    const isNamed = workdir.startsWith(NAMED_PROJECT) || (await isLinked(workdir, projects));
    return [workdir, { repository, root, isNamed }];
  });
  return new Map(await Promise.all(trees));
}

/** The place of a file, which is the same in every checkout: another package may have a file of the same name. */
function placeIn(tree: Tree, file: string) {
  return { tree, path: pathBelow(tree.root, file)! };
}

/** As the rows of a workdir name the file: relative to the root or to the workdir. */
function pathsFrom(
  workdir: string,
  trees: ReadonlyMap<string, Tree>,
  places: readonly ReturnType<typeof placeIn>[],
): string[] {
  const own = trees.get(workdir)!;
  const folder = pathBelow(own.root, workdir);
  return places
    .filter(({ tree }) => own.isNamed || tree.isNamed || tree.repository === own.repository)
    .flatMap(({ path }) => [path, (folder && pathBelow(folder, path)) || path]);
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
