// Opens a home and wires its parts: the settings, the log, and the views with their indexes.
import { openLog } from '../log/index.ts';
import { directoryGenerations, openRunner, type StoreHolder } from '../projections/index.ts';
import type { OpenOptions } from './api.ts';
import { settingsAt } from './config/read-settings.ts';
import { embeddingOf } from './embed/embedders/choose-embedding.ts';
import { UNFINISHED } from './forget/unfinished-forgetting.ts';
import { damagedFile } from './home/damaged-file.ts';
import { exclusionOf } from './home/exclusion.ts';
import type { Home } from './home/home.ts';
import { HomeNotice } from './home/home-notice.ts';
import { RunningImports, type StateSources, stateOf } from './home/home-state.ts';
import { PrivateWork } from './home/private-work.ts';
import { type IndexParts, indexViews, PROJECTORS, readViews } from './home/view-parts.ts';
import { LOCK_TIMEOUT_MS, whenFree } from './home/wait-for-lock.ts';
import { drainHome, forgetWhatProvedPrivate, recordDrainedWorkdirs } from './import/drain-home.ts';
import { readText, writeAtomically, writeInFolder } from './platform/atomic-file.ts';
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
} from './platform/disk-files.ts';
import { openHome } from './platform/home-folder.ts';
import { homePath, homePaths } from './platform/home-paths.ts';
import { randomBytes } from './platform/random-bytes.ts';
import { startThread } from './platform/threads.ts';
import { refuseIfRestoring } from './transfer/unfinished-restore.ts';

/**
 * Opens the parts of a home, for code that needs more than the library offers.
 * @param holder if another thread reads the views too
 * @throws AnnalsError as `openAnnals`
 */
export async function openParts(options: OpenOptions = {}, holder?: StoreHolder): Promise<Home> {
  const paths = homePaths(await openHome(options.home ?? homePath()));
  await refuseIfRestoring(paths);
  const { settings, degraded, pausedBecause } = await settingsAt(paths.config, process.env);
  const excluded = exclusionOf(settings.exclude, paths, now);
  const openEmbedding = await embeddingOf(settings, paths.home);
  const world = { now, randomBytes };
  const log = await whenFree(
    () =>
      openLog({
        directory: paths.log,
        headFile: paths.head,
        world,
        files: { readText, writeAtomically: writeInFolder, folderBytes, wholeFiles, startThread },
        swap: { exists, list, rename: move, remove, identity },
      }),
    { timeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS, onWait: options.onWait },
  );
  const given = {
    paths,
    log,
    excluded,
    settingsDegraded: degraded,
    pausedBecause,
    embedding: openEmbedding(log),
    settings,
  };
  return openViews(given, options, holder).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
}

/** Drains the spool, opens the views and finishes what an interrupted run left. If it throws, the log is still open. */
async function openViews(
  given: Pick<Home, 'paths' | 'log' | 'excluded' | 'pausedBecause' | 'embedding'> &
    Pick<StateSources, 'settingsDegraded'> &
    Pick<IndexParts, 'settings'>,
  { drain = true }: Pick<OpenOptions, 'drain'>,
  holder: StoreHolder | undefined,
): Promise<Home> {
  const { paths, log, excluded, pausedBecause, settingsDegraded, embedding, settings } = given;
  // Drain the spool first, unless the caller does: the first answer must include what hooks left.
  const drained: Home['drained'] = { problems: [], cwds: [] };
  if (drain && pausedBecause === null) {
    const { problems, cwds } = await drainHome(log, paths, { now, excluded });
    drained.problems = [...problems];
    drained.cwds = cwds;
  }
  const { text, vectors } = indexViews({ paths, settings, embedding, views: () => views });
  const runner = await openRunner({
    now,
    randomBytes,
    log,
    generations: directoryGenerations(
      paths.views,
      { readText, writeAtomically, list, makeFolder, remove, damagedFile },
      holder,
    ),
    projectors: PROJECTORS,
    indexes: [text, vectors],
  });
  const views = readViews((name) => runner.view(name));
  const imports = new RunningImports();
  const unfinished: string[] = [];
  const { readers } = runner;
  const notice = new HomeNotice();
  const state = () => stateOf({ log, runner, imports, embedding, settingsDegraded, unfinished, notice });
  const home: Home = {
    ...{ paths, log, excluded, pausedBecause, embedding, runner, readers, text, vectors, imports, views },
    ...{ drained, unfinished, notice, state, now },
    privateWork: new PrivateWork(),
  };
  try {
    if ((await log.cursor(UNFINISHED)) !== undefined)
      await (await import('./forget/index.ts')).finishAtOpening(home);
    await recordDrainedWorkdirs(home);
    await forgetWhatProvedPrivate(home);
    await embedding.refresh(views.memory);
  } catch (error) {
    await runner.close();
    throw error;
  }
  return home;
}
