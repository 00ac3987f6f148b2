// The library, wired from top to bottom: home, log, views, and what can be done with them. Every reading call
// first brings the views up to the log, so what was acknowledged is always found.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../log/index.ts';
import {
  contextProjector,
  directoryShelf,
  memoryProjector,
  openRunner,
  type Partition,
  projectsProjector,
  type Runner,
  resolveProject,
  type SnapshotFiles,
  TextView,
  turnsProjector,
  VectorView,
} from '../projections/index.ts';
import type { Annals, OpenOptions, SaveInput } from './api.ts';
import { readSettings } from './config/read-settings.ts';
import { defaultEmbedder } from './embed/default-embedder.ts';
import { whenFree } from './lock.ts';
import { drain, tellDrainedPlaces } from './operations/drain.ts';
import { readEvents } from './operations/events.ts';
import type { Opened } from './operations/opened.ts';
import { projectPartitions } from './operations/projects.ts';
import { replay } from './operations/replay.ts';
import { searchMemory } from './operations/search.ts';
import { verifyAll } from './operations/verify.ts';
import { readText, writeAtomically } from './platform/atomic-file.ts';
import { now } from './platform/clock.ts';
import { folderBytes, list, makeFolder, readInPlace, remove } from './platform/files.ts';
import { openHome } from './platform/home.ts';
import { homePath, homePaths } from './platform/paths.ts';
import { randomBytes } from './platform/random.ts';

const LOCK_TIMEOUT_MS = 5_000;

/**
 * Opens a home, making it where there is none. One process holds it at a time.
 * @throws AnnalsError HOME_INVALID, HOME_UNWRITABLE, HOME_LOCKED, LOG_DAMAGED, LOG_TOO_NEW, DISK_FULL
 */
export async function openAnnals(options: OpenOptions = {}): Promise<Annals> {
  const paths = homePaths(await openHome(options.home ?? homePath()));
  const { settings, degraded } = await readSettings((await readText(paths.config)) ?? null, process.env);
  const excluded = await exclusionOf(settings.exclude);
  const world = { now, randomBytes };
  const log = await whenFree(
    () =>
      openLog({
        directory: paths.log,
        headFile: paths.head,
        world,
        files: { readText, writeAtomically, folderBytes },
      }),
    { timeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS, now, onWait: options.onWait },
  );
  // Before anything else: what hooks left belongs to what the first answer is made from.
  const drained = await drain(log, paths, { now, excluded });
  const text: TextView = new TextView({
    files: snapshotFiles(paths.text),
    partitions: (): Promise<readonly Partition[]> => projectPartitions(views),
  });
  const vectors: VectorView = new VectorView({
    files: snapshotFiles(paths.vectors),
    embedder: defaultEmbedder,
    partitions: (): Promise<readonly Partition[]> => projectPartitions(views),
  });
  const runner: Runner = await openRunner({
    ...world,
    log,
    shelf: directoryShelf(paths.views, { readText, writeAtomically, list, makeFolder, remove }),
    projectors: [turnsProjector, projectsProjector, memoryProjector, contextProjector],
    indexes: [text, vectors],
  }).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  const views: Opened['views'] = {
    turns: runner.view('turns'),
    memory: runner.view('memory'),
    projects: runner.view('projects'),
    context: runner.view('context'),
  };
  const opened: Opened = {
    paths,
    log,
    runner,
    text,
    vectors,
    views,
    excluded,
    settingsDegraded: degraded,
    drained,
    now,
  };
  await tellDrainedPlaces(opened);
  const sources = { log, ...views };
  const projectName = async (place: string) => (await resolveProject(place, views.projects)).name;
  const loading = new Set<Promise<unknown>>();
  /** A part that is loaded at its first use: starting is most of what a short command does. */
  const part = <T>(load: Promise<T>): Promise<T> => {
    loading.add(load);
    const done = () => loading.delete(load);
    load.then(done, done);
    return load;
  };

  return {
    home: paths.home,
    async append(tellings, appendOptions) {
      const { cleanTelling } = await part(import('./operations/append.ts'));
      return log.append(tellings.map(cleanTelling), appendOptions);
    },
    save: (async (memories: SaveInput | readonly SaveInput[]) => {
      const { save } = await part(import('./operations/save.ts'));
      return save(memories, opened, randomBytes);
    }) as Annals['save'],
    async import(files, importOptions) {
      const { importPaths } = await part(import('./operations/import.ts'));
      return importPaths(files, importOptions ?? {}, opened);
    },
    async search(query, searchOptions) {
      await runner.catchUp();
      return searchMemory(query, searchOptions ?? {}, opened);
    },
    async get(id) {
      const { find } = await part(import('./operations/find.ts'));
      const { itemOf } = await part(import('./operations/item.ts'));
      await runner.catchUp();
      return itemOf(await find(id, sources), sources, projectName);
    },
    async why(id) {
      const { find } = await part(import('./operations/find.ts'));
      const { whyOf } = await part(import('./operations/why.ts'));
      await runner.catchUp();
      return whyOf(await find(id, sources), sources);
    },
    async context(contextOptions = {}) {
      const { contextOf } = await part(import('./operations/context.ts'));
      await runner.catchUp();
      return contextOf(contextOptions, opened);
    },
    async timeline(timelineOptions = {}) {
      const { timelineOf } = await part(import('./operations/timeline.ts'));
      await runner.catchUp();
      return timelineOf(timelineOptions, opened);
    },
    log: (logOptions = {}) => readEvents(logOptions, opened),
    replay: (replayOptions = {}) => replay(replayOptions, opened),
    async rebuild(names, { onProgress } = {}) {
      return { views: await runner.rebuild(names, onProgress === undefined ? {} : { onProgress }) };
    },
    verify: (verifyOptions) => verifyAll(verifyOptions ?? {}, opened),
    async status() {
      const { statusOf } = await part(import('./operations/status.ts'));
      return statusOf(opened);
    },
    async close() {
      // What was asked before is begun before: an append waits in the log's queue by then.
      await Promise.allSettled(loading);
      await runner.close();
      await log.close();
    },
  };
}

/** Whether nothing of a folder is to be kept. The patterns' library is loaded only where there are patterns. */
async function exclusionOf(patterns: readonly string[]): Promise<(cwd: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { isExcluded } = await import('./capture/exclude.ts');
  return (cwd) => isExcluded(cwd, patterns, homedir());
}

/** Snapshots of an index, each a file. */
function snapshotFiles(folder: string): SnapshotFiles {
  return {
    read: async (name) => readInPlace(join(folder, name)),
    write: (name, content) => writeAtomically(join(folder, name), content),
    names: () => list(folder),
    remove: (name) => remove(join(folder, name)),
  };
}
