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
} from '../projections/index.ts';
import type { Annals, AsOfOptions, AsOfReport, OpenOptions, SaveInput } from './api.ts';
import { isExcluded } from './capture/exclude.ts';
import { parseSettings } from './config/settings.ts';
import { whenFree } from './lock.ts';
import { cleanTelling } from './operations/append.ts';
import { PastViews } from './operations/as-of.ts';
import { contextOf } from './operations/context.ts';
import { drain, tellDrainedPlaces } from './operations/drain.ts';
import { readEvents } from './operations/events.ts';
import { exportLog } from './operations/export.ts';
import { find } from './operations/find.ts';
import { compact, finishForgetting, forget } from './operations/forget/index.ts';
import { importPaths } from './operations/import.ts';
import { itemOf } from './operations/item.ts';
import type { Opened } from './operations/opened.ts';
import { projectPartitions } from './operations/projects.ts';
import { replay } from './operations/replay.ts';
import { refuseIfRestoring } from './operations/restore.ts';
import { save } from './operations/save.ts';
import { searchMemory } from './operations/search.ts';
import { statusOf } from './operations/status.ts';
import { timelineOf } from './operations/timeline.ts';
import { verifyAll } from './operations/verify.ts';
import { whyOf } from './operations/why.ts';
import { readText, writeAtomically } from './platform/atomic-file.ts';
import { now } from './platform/clock.ts';
import { exists, folderBytes, list, makeFolder, move, remove } from './platform/files.ts';
import { openHome } from './platform/home.ts';
import { homePath, homePaths } from './platform/paths.ts';
import { randomBytes } from './platform/random.ts';

const LOCK_TIMEOUT_MS = 5_000;

/**
 * Opens a home, making it where there is none. One process holds it at a time.
 * @throws AnnalsError HOME_INVALID, HOME_UNWRITABLE, HOME_LOCKED, RESTORE_UNFINISHED, LOG_DAMAGED, LOG_TOO_NEW, DISK_FULL
 */
export async function openAnnals(options: OpenOptions = {}): Promise<Annals> {
  const paths = homePaths(await openHome(options.home ?? homePath()));
  await refuseIfRestoring(paths);
  const { settings, degraded } = parseSettings((await readText(paths.config)) ?? null, process.env);
  const excluded = (cwd: string) => isExcluded(cwd, settings.exclude, homedir());
  const world = { now, randomBytes };
  const log = await whenFree(
    () =>
      openLog({
        directory: paths.log,
        headFile: paths.head,
        world,
        files: { readText, writeAtomically, folderBytes },
        swap: { exists, rename: move, remove },
      }),
    { timeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS, now, onWait: options.onWait },
  );
  // Before anything else: what hooks left belongs to what the first answer is made from.
  const drained = await drain(log, paths, { now, excluded });
  const text: TextView = new TextView({
    files: snapshotFiles(paths.text),
    partitions: (): Promise<readonly Partition[]> => projectPartitions(views),
  });
  const runner: Runner = await openRunner({
    ...world,
    log,
    shelf: directoryShelf(paths.views, { readText, writeAtomically, list, makeFolder, remove }),
    projectors: [turnsProjector, projectsProjector, memoryProjector, contextProjector],
    indexes: [text],
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
    views,
    excluded,
    settingsDegraded: degraded,
    drained,
    now,
  };
  await finishForgetting(opened);
  await tellDrainedPlaces(opened);
  const sources = { log, ...views };
  const past = new PastViews(opened);
  /** Asks the views as they are, brought up to the log, or as they were. */
  const reading = async <T extends object>(
    { asOf, onProgress }: AsOfOptions,
    ask: (at: Opened) => Promise<T>,
  ): Promise<T & { asOf?: AsOfReport }> => {
    if (asOf === undefined) {
      await runner.catchUp();
      return ask(opened);
    }
    const then = await past.at({ asOf, onProgress });
    return { ...(await ask(then.opened)), asOf: then.report };
  };

  return {
    home: paths.home,
    append: async (tellings, appendOptions) => log.append(tellings.map(cleanTelling), appendOptions),
    save: ((memories: SaveInput | readonly SaveInput[]) =>
      save(memories, opened, randomBytes)) as Annals['save'],
    import: (files, importOptions) => importPaths(files, importOptions ?? {}, opened),
    export: (folder, exportOptions) => exportLog(folder, exportOptions ?? {}, opened),
    async search(query, { asOf, onProgress, ...searchOptions } = {}) {
      return reading({ asOf, onProgress }, (at) => searchMemory(query, searchOptions, at));
    },
    async get(id, getOptions = {}) {
      return reading(getOptions, async ({ log, views }) => {
        const sources = { log, ...views };
        const projectName = async (place: string) => (await resolveProject(place, views.projects)).name;
        return itemOf(await find(id, sources), sources, projectName);
      });
    },
    async why(id) {
      await runner.catchUp();
      return whyOf(await find(id, sources), sources);
    },
    async context(contextOptions = {}) {
      return reading(contextOptions, (at) => contextOf(contextOptions, at));
    },
    async timeline(timelineOptions = {}) {
      return reading(timelineOptions, (at) => timelineOf(timelineOptions, at));
    },
    log: (logOptions = {}) => readEvents(logOptions, opened),
    replay: (replayOptions = {}) => replay(replayOptions, opened),
    async rebuild(names, { onProgress } = {}) {
      return { views: await runner.rebuild(names, onProgress === undefined ? {} : { onProgress }) };
    },
    forget: (selection, forgetOptions) => forget(selection, forgetOptions ?? {}, opened, randomBytes),
    compact: () => compact(opened),
    verify: (verifyOptions) => verifyAll(verifyOptions ?? {}, opened),
    status: () => statusOf(opened),
    async close() {
      await past.close();
      await runner.close();
      await log.close();
    },
  };
}

/** Snapshots of the text index, each a file. */
function snapshotFiles(folder: string): SnapshotFiles {
  return {
    read: async (name) => (await readText(join(folder, name))) ?? null,
    write: (name, content) => writeAtomically(join(folder, name), content),
    names: () => list(folder),
    remove: (name) => remove(join(folder, name)),
  };
}
