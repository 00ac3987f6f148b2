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
  rowKeys,
  type SessionRow,
  type SnapshotFiles,
  TextView,
  turnsProjector,
} from '../projections/index.ts';
import type { Annals, OpenOptions, SaveInput } from './api.ts';
import { isExcluded } from './capture/exclude.ts';
import { parseSettings } from './config/settings.ts';
import { whenFree } from './lock.ts';
import { contextOf } from './operations/context.ts';
import { readEvents } from './operations/events.ts';
import { find } from './operations/find.ts';
import { importPaths } from './operations/import.ts';
import { itemOf } from './operations/item.ts';
import type { Opened } from './operations/opened.ts';
import { tellPlaces } from './operations/places.ts';
import { projectPartitions } from './operations/projects.ts';
import { saveTellings } from './operations/save.ts';
import { searchMemory } from './operations/search.ts';
import { statusOf } from './operations/status.ts';
import { timelineOf } from './operations/timeline.ts';
import { verifyAll } from './operations/verify.ts';
import { whyOf } from './operations/why.ts';
import { readText, writeAtomically } from './platform/atomic-file.ts';
import { now } from './platform/clock.ts';
import { folderBytes, list, makeFolder, remove } from './platform/files.ts';
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
  const { settings, degraded } = parseSettings((await readText(paths.config)) ?? null, process.env);
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
    excluded: (cwd) => isExcluded(cwd, settings.exclude, homedir()),
    settingsDegraded: degraded,
    now,
  };
  const sources = { log, ...views };
  const projectName = async (place: string) => (await resolveProject(place, views.projects)).name;

  async function save(memories: SaveInput | readonly SaveInput[]) {
    const all = Array.isArray(memories) ? (memories as readonly SaveInput[]) : [memories as SaveInput];
    const { tellings, ids } = saveTellings(all, world);
    await log.append(tellings);
    await tellPlaces(
      tellings.flatMap(({ body }) => body.cwd ?? []),
      opened,
    );
    const saved = ids.map((id) => ({ id }));
    return Array.isArray(memories) ? saved : saved[0]!;
  }

  return {
    home: paths.home,
    append: (tellings, appendOptions) => log.append(tellings, appendOptions),
    save: save as Annals['save'],
    import: (files, importOptions) => importPaths(files, importOptions ?? {}, opened),
    async search(query, searchOptions) {
      await runner.catchUp();
      return searchMemory(query, searchOptions ?? {}, opened);
    },
    async get(id) {
      await runner.catchUp();
      return itemOf(await find(id, sources), sources, projectName);
    },
    async why(id) {
      await runner.catchUp();
      return whyOf(await find(id, sources), sources);
    },
    async context(contextOptions = {}) {
      await runner.catchUp();
      return contextOf(contextOptions, opened);
    },
    async timeline(timelineOptions = {}) {
      await runner.catchUp();
      return timelineOf(timelineOptions, opened);
    },
    async *log(logOptions = {}) {
      yield* readEvents(log, logOptions, async (session) => {
        await runner.catchUp();
        const rows = await views.turns.range<SessionRow>(rowKeys.sessions());
        return [
          ...new Set([
            ...rows.filter(([, row]) => row.session === session).map(([, row]) => row.agent),
            'annals',
          ]),
        ];
      });
    },
    async replay({ from, onProgress } = {}) {
      const began = now();
      await runner.catchUp(onProgress === undefined ? {} : { onProgress });
      const rebuilt =
        from === 0 ? await runner.verifyRebuilt(onProgress === undefined ? {} : { onProgress }) : null;
      const ms = now() - began;
      const reports = runner.states().map(async ({ name, position }) => {
        const compared = rebuilt?.find((one) => one.name === name);
        const digest = compared?.live ?? (await runner.digest(name));
        return { name, events: position, ms, digest, changed: compared?.equal === false };
      });
      return { views: await Promise.all(reports) };
    },
    async rebuild(names, { onProgress } = {}) {
      return { views: await runner.rebuild(names, onProgress === undefined ? {} : { onProgress }) };
    },
    verify: (verifyOptions) => verifyAll(verifyOptions ?? {}, opened),
    status: () => statusOf(opened),
    async close() {
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
