// Generations on disk: each build of the views is a folder `views/rows-<n>`, and the file `views/CURRENT` names the one
// that is read. A rebuild fills a new folder and then replaces CURRENT atomically. Folders that CURRENT does not name were
// left by a crash and are removed at opening. Rebuilds that are only compared use such a folder too, so that memory does
// not grow with the views.
import type { RunnerProblem } from './contract/checkpoint.ts';
import { Generation, type GenerationViews } from './store/generation.ts';
import { openLevelStore, type StoreHolder, storeFailure, type ViewStore } from './store/view-store.ts';

/** Where generations are stored: a folder (`directoryGenerations`), or memory. */
export interface GenerationStore {
  /** Folders of all generations, finished or not. */
  list(): Promise<readonly string[]>;
  /** The folder that CURRENT names; null if there is no CURRENT. */
  current(): Promise<string | null>;
  /** Atomic: after a crash CURRENT names the old one or the new one. */
  setCurrent(folder: string): Promise<void>;
  /** Tells other threads which generation is read from now on. */
  read?(folder: string): Promise<void>;
  /** Opens a store; creates it unless it must exist. */
  open(folder: string, mustExist?: boolean): Promise<ViewStore>;
  remove(folder: string): Promise<void>;
  /**
   * A damaged file of a generation; null if none was found. Without `everyByte` it finds only damage that a reader would
   * take for missing rows: it reads little, and the generation must be closed.
   */
  damagedFile?(folder: string, everyByte: boolean): Promise<string | null>;
}

/** The file operations that `directoryGenerations` needs; `src/platform` has them. */
export interface GenerationFiles {
  /** Undefined if there is no such file. */
  readText(path: string): Promise<string | undefined>;
  writeAtomically(path: string, text: string): Promise<void>;
  /** Names in a folder; empty if there is none. */
  list(path: string): Promise<readonly string[]>;
  makeFolder(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** As `GenerationStore` has it, for a LevelDB folder. */
  damagedFile?(path: string, everyByte: boolean): Promise<string | null>;
}

/** What it takes to create generations. */
export interface GenerationContext extends GenerationViews {
  readonly generations: GenerationStore;
  randomBytes(size: number): Uint8Array;
}

const FOLDER = /^rows-(\d+)$/;

/** @param holder if another thread reads the generations too */
export function directoryGenerations(
  directory: string,
  files: GenerationFiles,
  holder?: StoreHolder,
): GenerationStore {
  const pathOf = (name: string): string => `${directory}/${name}`;
  return {
    // A temporary file of CURRENT is removed like an unfinished generation.
    list: async () =>
      (await files.list(directory)).filter((name) => FOLDER.test(name) || name.startsWith('CURRENT.')),
    current: async () => (await files.readText(pathOf('CURRENT')))?.trim() ?? null,
    setCurrent: (folder) => files.writeAtomically(pathOf('CURRENT'), `${folder}\n`),
    read: async (folder) => holder?.read(pathOf(folder)),
    open: async (folder, mustExist = false) => {
      if (!mustExist) await files.makeFolder(pathOf(folder));
      return openLevelStore(pathOf(folder), { mustExist, holder });
    },
    remove: (folder) => files.remove(pathOf(folder)),
    damagedFile: async (folder, everyByte) => (await files.damagedFile?.(pathOf(folder), everyByte)) ?? null,
  };
}

export interface OpenedGeneration {
  readonly generation: Generation;
  readonly isNew: boolean;
  readonly problem: RunnerProblem | null;
}

/**
 * Opens the generation that CURRENT names. If there is none, or if its views have other versions, creates an empty one.
 * Damage gives an empty generation and a `problem`; a replay restores the rows.
 * @throws AnnalsError HOME_LOCKED, DISK_FULL
 */
export async function openCurrent(context: GenerationContext): Promise<OpenedGeneration> {
  const { generations } = context;
  const { generation: found, damage } = await findCurrent(context);
  const generation = found ?? (await createGeneration(context));
  try {
    if (found === null) await activate(context, generation);
    else await generations.read?.(generation.folder);
    for (const folder of await generations.list())
      if (folder !== generation.folder) await attempt(generations.remove(folder));
  } catch (error) {
    await generation.close();
    throw error;
  }
  return { generation, isNew: found === null, problem: damage === null ? null : damagedViews(damage) };
}

export function damagedViews(damage: string): RunnerProblem {
  return {
    code: 'VIEW_DAMAGED',
    message: `the views were damaged (${damage}) and are built again from the log`,
  };
}

async function findCurrent(
  context: GenerationContext,
): Promise<{ readonly generation: Generation | null; readonly damage: string | null }> {
  const { generations } = context;
  const none = (damage: string | null) => ({ generation: null, damage });
  const current = await generations.current();
  if (current === null) return none((await hasRows(context)) ? 'CURRENT is missing' : null);
  if (!FOLDER.test(current)) return none('CURRENT names no generation');
  if (!(await generations.list()).includes(current)) return none('their folder is missing');
  const file = (await generations.damagedFile?.(current, false)) ?? null;
  if (file !== null) return none(`the file ${file} is damaged`);
  try {
    return { generation: await openExisting(context, current), damage: null };
  } catch (error) {
    const failure = storeFailure('The views', error);
    if (failure.code !== 'VIEW_DAMAGED') throw failure;
    return none('their files cannot be read');
  }
}

/** Null when its views have other versions. */
async function openExisting(context: GenerationContext, folder: string): Promise<Generation | null> {
  return Generation.open(context, folder, await context.generations.open(folder, true));
}

/** Whether a generation holds anything. A crash during the first opening leaves an empty one without CURRENT. */
async function hasRows(context: GenerationContext): Promise<boolean> {
  for (const folder of await context.generations.list()) {
    if (!FOLDER.test(folder)) continue;
    try {
      const generation = await openExisting(context, folder);
      await generation?.close();
      if (generation !== null && generation.position > 0) return true;
    } catch (error) {
      const failure = storeFailure('The views', error);
      if (failure.code !== 'VIEW_DAMAGED') throw failure;
    }
  }
  return false;
}

/** Creates an empty generation next to the current one. Nothing reads it until `activate`. */
export async function createGeneration(context: GenerationContext): Promise<Generation> {
  const id = Buffer.from(context.randomBytes(8)).toString('hex');
  return fillNewFolder(context, (folder, store) => Generation.create(context, folder, store, id));
}

/**
 * Makes a generation the current one. Its contents are on disk before CURRENT names it. An error after CURRENT was
 * replaced does not matter: the next opening finds this generation, or none and builds one.
 */
export async function activate(
  { generations }: Pick<GenerationContext, 'generations'>,
  generation: Generation,
): Promise<void> {
  await generation.sync();
  await attempt(
    generations.setCurrent(generation.folder).catch(async (error: unknown) => {
      if ((await generations.current()) !== generation.folder) throw error;
    }),
  );
  await generations.read?.(generation.folder);
}

/** Closes a generation and removes its folder. */
export async function discard(
  { generations }: Pick<GenerationContext, 'generations'>,
  generation: Generation,
): Promise<void> {
  await generation.close();
  await attempt(generations.remove(generation.folder));
}

/** If it fails, removes the folder: otherwise each attempt on a full disk would leave less space. */
async function fillNewFolder(
  { generations }: GenerationContext,
  fill: (folder: string, store: ViewStore) => Promise<Generation>,
): Promise<Generation> {
  const numbers = (await generations.list()).map((name) => Number(FOLDER.exec(name)?.[1] ?? 0));
  const folder = `rows-${Math.max(0, ...numbers) + 1}`;
  try {
    return await fill(folder, await generations.open(folder));
  } catch (error) {
    await attempt(generations.remove(folder));
    throw storeFailure('The views', error);
  }
}

/** Turns a file error into an AnnalsError. */
async function attempt(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw storeFailure('The views', error);
  }
}
