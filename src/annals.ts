// The library, wired from top to bottom: home, log, views, and what can be done with them. Every reading call
// first brings the views up to the log, so what was acknowledged is always found.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../log/index.ts';
import {
  contextProjector,
  directoryShelf,
  MemoryBudget,
  memoryProjector,
  openRunner,
  type Partition,
  projectsProjector,
  type Runner,
  resolveProject,
  TextView,
  turnsProjector,
  VectorView,
} from '../projections/index.ts';
import type { Annals, AsOfOptions, AsOfReport, OpenOptions, SaveInput } from './api.ts';
import { settingsAt } from './config/read-settings.ts';
import { embeddingOf } from './embed/choose.ts';
import { whenFree } from './lock.ts';
import type { PastViews } from './operations/as-of.ts';
import { drain, forgetWhatProvedPrivate, tellDrainedPlaces } from './operations/drain.ts';
import { readEvents } from './operations/events.ts';
import { UNFINISHED } from './operations/forget/unfinished.ts';
import type { Opened } from './operations/opened.ts';
import { refuseIfPaused } from './operations/paused.ts';
import { projectPartitions } from './operations/projects.ts';
import { replay } from './operations/replay.ts';
import { searchMemory } from './operations/search.ts';
import { snapshotFiles } from './operations/snapshot-files.ts';
import { damagedFile } from './operations/store-files.ts';
import { ImportsUnderWay } from './operations/under-way.ts';
import { refuseIfRestoring } from './operations/unfinished-restore.ts';
import { verifyAll } from './operations/verify.ts';
import { readText, writeAtomically } from './platform/atomic-file.ts';
import { now } from './platform/clock.ts';
import {
  exists,
  folderBytes,
  identity,
  list,
  makeFolder,
  move,
  remove,
  wholeFiles,
} from './platform/files.ts';
import { openHome } from './platform/home.ts';
import { homePath, homePaths } from './platform/paths.ts';
import { randomBytes } from './platform/random.ts';
import { scratchFiles } from './platform/scratch-file.ts';
import { startThread } from './platform/threads.ts';

const LOCK_TIMEOUT_MS = 5_000;

/**
 * Opens a home, making it where there is none. One process holds it at a time.
 * @throws AnnalsError HOME_INVALID, HOME_UNWRITABLE, HOME_LOCKED, RESTORE_UNFINISHED, LOG_DAMAGED, LOG_TOO_NEW, DISK_FULL
 */
export async function openAnnals(options: OpenOptions = {}): Promise<Annals> {
  const opened = await openParts(options);
  const { paths, log } = opened;
  const { runner, views, embedding, imports } = opened;
  const sources = { log, ...views };
  const loading = new Set<Promise<unknown>>();
  /** A part that is loaded at its first use: starting is most of what a short command does. */
  const part = <T>(load: Promise<T>): Promise<T> => {
    loading.add(load);
    const done = () => loading.delete(load);
    load.then(done, done);
    return load;
  };
  /** The caller's readers wait for what he told himself, also when the telling broke off behind it. */
  const told = async <T>(telling: Promise<T>): Promise<T> => {
    try {
      return await telling;
    } finally {
      imports.tell(log.head().position);
    }
  };
  let past: PastViews | null = null;
  /** Asks the views as they are, brought up to the log, or as they were. */
  const reading = async <T extends object>(
    { asOf, onProgress }: AsOfOptions,
    ask: (at: Opened) => Promise<T>,
    mayBeBehind = false,
  ): Promise<T & { asOf?: AsOfReport }> => {
    if (asOf === undefined) {
      if (!mayBeBehind || !imports.mayRead(runner)) await runner.catchUp();
      return runner.rightOfWay.first(async () => {
        await embedding.refresh(views.memory);
        return ask(opened);
      });
    }
    const { PastViews } = await part(import('./operations/as-of.ts'));
    past ??= new PastViews(opened);
    return past.ask({ asOf, onProgress }, async (then) => ({
      ...(await ask(then.opened)),
      asOf: then.report,
    }));
  };

  return {
    home: paths.home,
    async append(tellings, appendOptions) {
      refuseIfPaused(opened);
      const { cleanTellings } = await part(import('./operations/append.ts'));
      return told(log.append(cleanTellings(tellings), appendOptions));
    },
    save: (async (memories: SaveInput | readonly SaveInput[]) => {
      refuseIfPaused(opened);
      const { save } = await part(import('./operations/save.ts'));
      return told(save(memories, opened, randomBytes));
    }) as Annals['save'],
    async import(files, importOptions) {
      refuseIfPaused(opened);
      const { importPaths } = await part(import('./operations/import.ts'));
      return importPaths(files, importOptions ?? {}, opened);
    },
    async export(folder, exportOptions) {
      const { exportLog } = await part(import('./operations/export.ts'));
      return exportLog(folder, exportOptions ?? {}, opened);
    },
    async search(query, { asOf, onProgress, ...searchOptions } = {}) {
      return reading({ asOf, onProgress }, (at) => searchMemory(query, searchOptions, at), true);
    },
    async get(id, getOptions = {}) {
      const { find } = await part(import('./operations/find.ts'));
      const { itemOf } = await part(import('./operations/item.ts'));
      return reading(getOptions, async ({ log, views }) => {
        const sources = { log, ...views };
        const projectName = async (place: string) => (await resolveProject(place, views.projects)).name;
        return itemOf(await find(id, sources), sources, projectName);
      });
    },
    async why(id) {
      const { find } = await part(import('./operations/find.ts'));
      const { whyOf } = await part(import('./operations/why.ts'));
      await runner.catchUp();
      return whyOf(await find(id, sources), sources);
    },
    async context(contextOptions = {}) {
      const { contextOf } = await part(import('./operations/context.ts'));
      return reading(contextOptions, (at) => contextOf(contextOptions, at));
    },
    async timeline(timelineOptions = {}) {
      const { timelineOf } = await part(import('./operations/timeline.ts'));
      return reading(timelineOptions, (at) => timelineOf(timelineOptions, at));
    },
    log: (logOptions = {}) => readEvents(logOptions, opened),
    replay: (replayOptions = {}) => replay(replayOptions, opened),
    async rebuild(names, { onProgress } = {}) {
      return { views: await runner.rebuild(names, onProgress === undefined ? {} : { onProgress }) };
    },
    async embed(embedOptions) {
      const { embedWaiting } = await part(import('./embed/reactor.ts'));
      const report = await embedWaiting(embedOptions ?? {}, opened);
      if (embedding.usesModel)
        await runner.whileSteady((upstream) => opened.vectors.settle(upstream(opened.vectors.follows)));
      return report;
    },
    async forget(selection, forgetOptions) {
      const { forget } = await part(import('./operations/forget/index.ts'));
      return told(forget(selection, forgetOptions ?? {}, opened, randomBytes));
    },
    async compact() {
      const { compact } = await part(import('./operations/forget/index.ts'));
      return compact(opened);
    },
    verify: (verifyOptions) => verifyAll(verifyOptions ?? {}, opened),
    async status() {
      const { statusOf } = await part(import('./operations/status.ts'));
      return statusOf(opened);
    },
    async close() {
      // What was asked before is begun before: an append waits in the log's queue by then.
      await Promise.allSettled(loading);
      try {
        await past?.close();
        await embedding.close();
        await runner.close();
      } finally {
        await log.close();
      }
    },
  };
}

/**
 * The parts of an open home, for whoever needs more than the library offers.
 * @throws AnnalsError as `openAnnals`
 */
export async function openParts(options: OpenOptions = {}): Promise<Opened> {
  const paths = homePaths(await openHome(options.home ?? homePath()));
  await refuseIfRestoring(paths);
  const { settings, degraded, pausedBecause } = await settingsAt(paths.config, process.env);
  const excluded = await exclusionOf(settings.exclude);
  const openEmbedding = await embeddingOf(settings, paths.home);
  const world = { now, randomBytes };
  const log = await whenFree(
    () =>
      openLog({
        directory: paths.log,
        headFile: paths.head,
        world,
        files: { readText, writeAtomically, folderBytes, wholeFiles, startThread },
        swap: { exists, list, rename: move, remove, identity },
      }),
    { timeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS, now, onWait: options.onWait },
  );
  const budget = new MemoryBudget(settings.indexMemory * 2 ** 20);
  const given = {
    paths,
    log,
    excluded,
    settingsDegraded: degraded,
    pausedBecause,
    embedding: openEmbedding(log),
  };
  return openViews(given, { budget, graphFrom: settings.indexGraphFrom }).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
}

/** The views over an open log, what hooks left, and what was cut off before. When it throws, the log is still open. */
async function openViews(
  given: Pick<Opened, 'paths' | 'log' | 'excluded' | 'settingsDegraded' | 'pausedBecause' | 'embedding'>,
  { budget, graphFrom }: { readonly budget: MemoryBudget; readonly graphFrom: number },
): Promise<Opened> {
  const { paths, log, excluded, pausedBecause, embedding } = given;
  // Before anything else: what hooks left belongs to what the first answer is made from.
  const drained =
    pausedBecause === null
      ? await drain(log, paths, { now, excluded })
      : { problems: [], cwds: [], hidden: [] };
  const text: TextView = new TextView({
    files: snapshotFiles(paths.text),
    budget,
    partitions: (): Promise<readonly Partition[]> => projectPartitions(views),
  });
  const vectors: VectorView = new VectorView({
    files: snapshotFiles(paths.vectors),
    budget,
    graphs: {
      rowsMin: graphFrom,
      load: async () => (await import('./embed/graph-library.ts')).graphLibrary(paths.home),
      scratch: scratchFiles(() =>
        join(paths.vectors, `${Buffer.from(randomBytes(8)).toString('hex')}.scratch`),
      ),
    },
    embedder: () => embedding.serving(),
    partitions: (): Promise<readonly Partition[]> => projectPartitions(views),
  });
  const runner: Runner = await openRunner({
    now,
    randomBytes,
    log,
    shelf: directoryShelf(paths.views, { readText, writeAtomically, list, makeFolder, remove, damagedFile }),
    projectors: [turnsProjector, projectsProjector, memoryProjector, contextProjector],
    indexes: [text, vectors],
  });
  const views: Opened['views'] = {
    turns: runner.view('turns'),
    memory: runner.view('memory'),
    projects: runner.view('projects'),
    context: runner.view('context'),
  };
  const imports = new ImportsUnderWay();
  const opened: Opened = { ...given, runner, text, vectors, imports, views, drained, unfinished: [], now };
  try {
    if ((await log.cursor(UNFINISHED)) !== undefined)
      await (await import('./operations/forget/index.ts')).finishAtOpening(opened);
    await tellDrainedPlaces(opened);
    await forgetWhatProvedPrivate(opened);
    await embedding.refresh(views.memory);
  } catch (error) {
    await runner.close();
    throw error;
  }
  return opened;
}

/** Whether nothing of a folder is to be kept. The patterns' library is loaded only where there are patterns. */
async function exclusionOf(patterns: readonly string[]): Promise<(cwd: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { isExcluded } = await import('./capture/exclude.ts');
  return (cwd) => isExcluded(cwd, patterns, homedir());
}
