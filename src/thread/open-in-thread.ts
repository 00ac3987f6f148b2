// Opens a home in a thread of its own, which imports, folds and writes. This thread only reads: it answers `search` and
// `context` from snapshots of the views that the other one writes, so they do not wait for its work.
import { AnnalsError } from '../../log/index.ts';
import { HeldViews, type SnapshotFiles } from '../../projections/index.ts';
import type { Annals, ImportOptions, OpenOptions } from '../api.ts';
import { contextOf } from '../brief/context-of.ts';
import { settingsAt } from '../config/read-settings.ts';
import { embeddingOf } from '../embed/embedders/choose-embedding.ts';
import { exclusionOf } from '../home/exclusion.ts';
import type { ReadHome } from '../home/home.ts';
import { type HomeState, mayReadNow } from '../home/home-state.ts';
import { indexViews, PROJECTORS, readViews } from '../home/view-parts.ts';
import { now } from '../platform/clock.ts';
import { makeFolder } from '../platform/disk-files.ts';
import { openHome } from '../platform/home-folder.ts';
import { homePath, homePaths } from '../platform/home-paths.ts';
import type { Thread } from '../platform/threads.ts';
import { recallOf } from '../recall/recall.ts';
import { portChannel } from '../remote/port-channel.ts';
import { remoteAnnals } from '../remote/remote-annals.ts';
import { searchMemory } from '../search/search-home.ts';
import { callsOver } from './calls.ts';
import { CHANNELS, type ReaderCalls, type WriterCalls } from './messages.ts';
import { splitChannel } from './split-channel.ts';

/** @param thread runs src/home-thread.ts; it ends with the library, or with a failure. @throws AnnalsError as `openAnnals` */
export async function openInThread(options: OpenOptions, thread: Thread): Promise<Annals> {
  try {
    return await openWith(thread, options);
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

async function openWith(thread: Thread, options: OpenOptions): Promise<Annals> {
  const paths = homePaths(await openHome(options.home ?? homePath()));
  const { settings, pausedBecause } = await settingsAt(paths.config, process.env);
  let state: HomeState = NOTHING;
  const embedding = (await embeddingOf(settings, paths.home))({
    cursor: async () => (state.embedder === null ? undefined : { ...state.embedder }),
    append: () => Promise.reject(new TypeError('This thread does not write.')),
  });
  const indexes = indexViews({ paths, settings, embedding, views: () => home.views }, readOnly);
  const held = new HeldViews({
    projectors: PROJECTORS,
    indexes: [indexes.text, indexes.vectors],
    makeFolder,
  });
  const { readers } = held;
  /** An import makes vectors last, in the other thread: then they are loaded instead of made here again. */
  const follow = async (): Promise<void> => {
    if (!state.isImporting)
      await readers.query(async (upstream) => {
        const { vectors } = indexes;
        const { generation, seq } = upstream(vectors.follows).feedPosition;
        const position = vectors.feedPosition();
        if (position?.generation === generation && seq - position.seq > RELOADED_MIN) vectors.drop();
      });
    await readers.follow((index) => state.isImporting && index === indexes.vectors);
  };
  const handlers: ReaderCalls = {
    hold: (location, mustExist, isRead) => held.hold(location, mustExist, isRead),
    release: (location) => held.release(location),
    read: (location) => held.read(location),
    changed(changed) {
      const hasMoved = changed.projected !== state.projected;
      const hasImported = state.isImporting && !changed.isImporting;
      state = changed;
      // A failure shows at the next query.
      if (hasMoved || hasImported) follow().catch(() => undefined);
      return [indexes.text, indexes.vectors].flatMap((index) => index.feedPosition() ?? []);
    },
    waitsForLock: () => options.onWait?.(),
  };
  const channels = splitChannel(portChannel(thread), CHANNELS);
  const call = callsOver<WriterCalls>(channels.home, handlers);
  const home: ReadHome = {
    ...{ readers, ...indexes, embedding, pausedBecause, now },
    excluded: exclusionOf(settings.exclude, paths, now),
    views: readViews((name) => readers.view(name)),
    state: () => state,
    async prepare(projects) {
      for (const name of ['text', 'vectors'] as const) {
        const unbuilt = await readers.query((upstream) =>
          indexes[name].unbuilt(upstream(indexes[name].follows), projects),
        );
        if (unbuilt.length > 0) await call('store', name, unbuilt);
      }
    },
  };
  try {
    const { thread: _, onWait: __, ...others } = options;
    state = await call('open', { ...others, home: paths.home });
  } catch (error) {
    await held.close();
    throw error;
  }
  let closing: Promise<void> | null = null;
  // Nothing can be written any more. An error in the thread is uncaught too, and ends the process.
  thread.once('exit', (code) => {
    if (closing !== null) return;
    throw new AnnalsError('INTERNAL', `The thread that writes the log has ended, with code ${code}.`);
  });
  const remote = await remoteAnnals(channels.annals, { version: '' });
  const throwIfClosed = (): void => {
    if (closing !== null) throw new AnnalsError('LOG_CLOSED', 'The library was used after it was closed.');
  };
  const close = async (): Promise<void> => {
    try {
      await call('close');
    } finally {
      // Also when the disk was full: the thread would keep the process.
      await remote.close();
      await embedding.close();
      await held.close();
      await thread.terminate();
    }
  };
  /** Runs a query on the current views. */
  const reading = async <T>(
    query: () => Promise<T>,
    { isSearch = false, soFar = false } = {},
  ): Promise<T> => {
    throwIfClosed();
    const mayBeBehind = isSearch && (mayReadNow(state) || (soFar && state.isBuilding));
    if (state.projected < state.head && !mayBeBehind) await call('catchUp');
    await embedding.refresh(home.views.memory);
    return query();
  };
  return {
    ...remote,
    search: (query, given = {}) =>
      given.asOf === undefined
        ? reading(() => searchMemory(query, given, home), { isSearch: true, soFar: given.soFar === true })
        : remote.search(query, given),
    context: (given = {}) =>
      given.asOf === undefined ? reading(() => contextOf(given, home)) : remote.context(given),
    async recall(given) {
      throwIfClosed();
      return recallOf(given, home);
    },
    async import(files, given = {}) {
      const { onSearchable } = given;
      // What can be found in the views must be found by these indexes too.
      const found: ImportOptions['onSearchable'] = async (report) => {
        await follow();
        await onSearchable?.(report);
      };
      const report = await remote.import(files, { ...given, onSearchable: found });
      await follow();
      return report;
    },
    close: () => (closing ??= close()),
  };
}

/** Vectors that are so many changes behind are loaded again. */
const RELOADED_MIN = 1_000;

/** The other thread writes the files. */
function readOnly(files: SnapshotFiles): SnapshotFiles {
  const nothing = async (): Promise<void> => undefined;
  return { ...files, isReadOnly: true, write: nothing, remove: nothing };
}

const NOTHING: HomeState = {
  ...{
    head: 0,
    projected: 0,
    required: 0,
    isBuilding: false,
    isImporting: false,
    reading: null,
    problems: [],
  },
  ...{ notice: null, embedder: null },
};
