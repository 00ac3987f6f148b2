// Generations: each build of a view is a folder of its own, `views/<name>/<version>-<n>/`, and the file
// CURRENT beside them names the one that is read. A rebuild fills a new folder and swaps CURRENT, which is
// written whole and atomically; whatever CURRENT does not name was left by a crash and is removed at open.
// Rebuilds aside use such a folder too, on disk: memory then does not grow with the view, and the product
// needs no second kind of store.
import type { RunnerProblem } from './contract/checkpoint.ts';
import type { Projector } from './contract/projector.ts';
import { KvView } from './store/kv-view.ts';
import { openLevelStore, storeFailure, type ViewStore } from './store/view-store.ts';

/** Where generations stand: a folder (`directoryGenerations`), or memory in tests. */
export interface GenerationStore {
  /** Names of all generations of a view, finished or not. */
  list(view: string): Promise<readonly string[]>;
  /** What CURRENT says; null when there is none. */
  current(view: string): Promise<string | null>;
  /** Atomic: after a crash CURRENT names the old one or the new one. */
  setCurrent(view: string, folder: string): Promise<void>;
  /** One that must exist is not made where it is missing: that fails, as damage does. */
  open(view: string, folder: string, mustExist?: boolean): Promise<ViewStore>;
  remove(view: string, folder: string): Promise<void>;
  /**
   * The name of a file of a generation that is not as it was written; null when none is, or where there are no
   * files. Without `whole` only what a reader would take for missing: little is read, and the generation is closed.
   */
  damagedFile?(view: string, folder: string, whole: boolean): Promise<string | null>;
}

/** The few things a shelf asks of the file system; `src/platform` has them. */
export interface GenerationFiles {
  /** undefined when there is no such file. */
  readText(path: string): Promise<string | undefined>;
  writeAtomically(path: string, text: string): Promise<void>;
  /** Names in a folder; empty when there is none. */
  list(path: string): Promise<readonly string[]>;
  makeFolder(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** As the shelf has it, of a LevelDB folder. */
  damagedFile?(path: string, whole: boolean): Promise<string | null>;
}

/** What a generation is made with. */
export interface GenerationContext {
  readonly generations: GenerationStore;
  randomBytes(size: number): Uint8Array;
}

export function directoryGenerations(directory: string, files: GenerationFiles): GenerationStore {
  const pathOf = (view: string, folder: string): string => `${directory}/${view}/${folder}`;
  return {
    list: async (view) => (await files.list(`${directory}/${view}`)).filter((name) => name !== 'CURRENT'),
    current: async (view) => (await files.readText(pathOf(view, 'CURRENT')))?.trim() ?? null,
    setCurrent: (view, folder) => files.writeAtomically(pathOf(view, 'CURRENT'), `${folder}\n`),
    open: async (view, folder, mustExist = false) => {
      if (!mustExist) await files.makeFolder(pathOf(view, folder));
      return openLevelStore(pathOf(view, folder), mustExist);
    },
    remove: (view, folder) => files.remove(pathOf(view, folder)),
    damagedFile: async (view, folder, whole) =>
      (await files.damagedFile?.(pathOf(view, folder), whole)) ?? null,
  };
}

/**
 * Opens the generation that CURRENT names, or makes an empty one where there is none of this version.
 * Damage is answered with an empty generation and said in `problem`; it comes back by replay.
 * @throws AnnalsError HOME_LOCKED, DISK_FULL
 */
export async function openCurrent(
  generationContext: GenerationContext,
  projector: Projector,
): Promise<{ readonly view: KvView; readonly problem: RunnerProblem | null }> {
  const { generations } = generationContext;
  const current = await generations.current(projector.name);
  let view: KvView | null = null;
  let problem: RunnerProblem | null = null;
  if (current !== null && versionOf(current) !== projector.version) {
    // Another version's rows are of no use; a name that is no name was damage.
    if (versionOf(current) === null) problem = damaged(projector, 'its CURRENT names no generation');
  } else if (current !== null) {
    if ((await generations.list(projector.name)).includes(current)) {
      const file = (await generations.damagedFile?.(projector.name, current, false)) ?? null;
      if (file === null) view = await openExisting(generations, projector, current);
      if (view === null)
        problem = damaged(
          projector,
          file === null ? 'its files cannot be read' : `${file} is not as it was written`,
        );
    } else problem = damaged(projector, 'its folder is missing');
  } else if (await wasFilled(generations, projector)) problem = damaged(projector, 'its CURRENT is missing');
  if (view === null) {
    view = await createGeneration(generationContext, projector);
    await activateGeneration(generations, view);
  }
  await removeOthers(generations, projector.name, view.folder);
  return { view, problem };
}

/** Makes an empty generation beside the current one. It is nobody's until `swapIn`. */
export async function createGeneration(
  generationContext: GenerationContext,
  projector: Projector,
): Promise<KvView> {
  const { generations } = generationContext;
  const folder = await nextFolder(generations, projector);
  let store: ViewStore | null = null;
  try {
    store = await generations.open(projector.name, folder);
    const generation = Buffer.from(generationContext.randomBytes(8)).toString('hex');
    return await KvView.open(projector, folder, store, generation);
  } catch (error) {
    // Else each try on a full disk would leave it fuller, and another store open.
    await store?.close();
    await named(projector.name, generations.remove(projector.name, folder));
    throw storeFailure(projector.name, error);
  }
}

/** Makes a generation whose store is filled from outside, the name of the generation with it. */
export async function createGenerationFrom(
  { generations }: GenerationContext,
  projector: Projector,
  fill: (store: ViewStore) => Promise<void>,
): Promise<KvView> {
  const folder = await nextFolder(generations, projector);
  let store: ViewStore | null = null;
  try {
    store = await generations.open(projector.name, folder);
    await fill(store);
    return await KvView.open(projector, folder, store);
  } catch (error) {
    await store?.close();
    await named(projector.name, generations.remove(projector.name, folder));
    throw storeFailure(projector.name, error);
  }
}

async function nextFolder(generations: GenerationStore, { name, version }: Projector): Promise<string> {
  const numbers = (await generations.list(name)).map((folder) => Number(folder.split('-')[1]));
  return `${version}-${Math.max(0, ...numbers.filter(Number.isSafeInteger)) + 1}`;
}

/** Makes a generation the current one. What it holds, if only its name, is on disk before CURRENT names it. */
export async function activateGeneration(generations: GenerationStore, view: KvView): Promise<void> {
  await view.moveTo({}, true);
  await named(view.name, generations.setCurrent(view.name, view.folder));
}

/** Closes a generation and removes its folder. */
export async function discard(generations: GenerationStore, view: KvView): Promise<void> {
  await view.close();
  await named(view.name, generations.remove(view.name, view.folder));
}

/** What the file system says of a view's files, as an error of ours. */
async function named(view: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw storeFailure(view, error);
  }
}

async function openExisting(
  generations: GenerationStore,
  projector: Projector,
  folder: string,
): Promise<KvView | null> {
  let store: ViewStore | null = null;
  try {
    store = await generations.open(projector.name, folder, true);
    return await KvView.open(projector, folder, store);
  } catch (error) {
    await store?.close();
    const failure = storeFailure(projector.name, error);
    if (failure.code === 'VIEW_DAMAGED') return null;
    throw failure;
  }
}

/** Whether a build holds anything: the first one that a kill left without CURRENT is empty, and no damage. */
async function wasFilled(generations: GenerationStore, projector: Projector): Promise<boolean> {
  for (const folder of await generations.list(projector.name)) {
    if (versionOf(folder) !== projector.version) continue;
    const view = await openExisting(generations, projector, folder);
    await view?.close();
    if (view !== null && view.position > 0) return true;
  }
  return false;
}

async function removeOthers(generations: GenerationStore, view: string, kept: string): Promise<void> {
  for (const folder of await generations.list(view))
    if (folder !== kept) await named(view, generations.remove(view, folder));
}

function versionOf(folder: string): number | null {
  const parts = /^(\d+)-(\d+)$/.exec(folder);
  return parts === null ? null : Number(parts[1]);
}

function damaged(projector: Projector, what: string): RunnerProblem {
  return {
    code: 'VIEW_DAMAGED',
    view: projector.name,
    message: `view ${projector.name} was damaged (${what}) and is made again from the log`,
  };
}
