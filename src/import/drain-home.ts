// Drains the spool into the log: right after the log is opened, and again whenever hooks left files while it is open. A
// failed drain must not keep anyone from reading: `status` shows the problem, and the files stay for the next drain.
import type { Log } from '../../log/index.ts';
import type { DrainReport } from '../api.ts';
import { markedSessions } from '../capture/private/private-marks.ts';
import { completePrivatePrompts } from '../capture/private/private-prompts.ts';
import { spoolFiles, spoolFolders } from '../capture/spool/spool-files.ts';
import type { Home } from '../home/home.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import { readInjection } from '../session-start/ready-file.ts';

const NOTHING_DRAINED: DrainReport = {
  appended: 0,
  duplicates: 0,
  ignored: {},
  private: 0,
  waiting: 0,
  unfinished: 0,
  bad: 0,
  foreign: 0,
  problems: [],
  cwds: [],
};

export async function drainHome(
  log: Log,
  paths: HomePaths,
  { now, excluded }: { now(): number; excluded(folder: string | null): boolean },
): Promise<DrainReport> {
  try {
    const folders = spoolFolders(paths.home);
    const waiting = await spoolFiles.list(folders.new);
    if (waiting.files.length === 0 && waiting.problem === null) return NOTHING_DRAINED;
    // Load this only now: with nothing to drain, no hook code needs to be loaded.
    const { drainSpool } = await import('../capture/spool/drain-spool.ts');
    const injection = (id: string) => readInjection(paths.home, id);
    const report = await drainSpool({ log, files: spoolFiles, folders, now, excluded, injection });
    return { ...report, problems: report.problems.map((problem) => `The spool: ${problem}.`) };
  } catch (error) {
    const problem = `The spool could not be moved into the log: ${messageOf(error)}`;
    return { ...NOTHING_DRAINED, problems: [problem] };
  }
}

/** Drains the spool of an open home and brings the views up, so that what hooks left can be found. */
export function drainOpenHome(home: Home): Promise<DrainReport> {
  const { log, paths, runner, drained, pausedBecause } = home;
  return home.privateWork.inTurn(async (isUndisturbed) => {
    if (pausedBecause !== null)
      return { ...NOTHING_DRAINED, problems: [`Recording is paused: ${pausedBecause}.`] };
    const report = await drainHome(log, paths, home);
    drained.problems = [...report.problems];
    drained.cwds = report.cwds;
    await recordDrainedWorkdirs(home);
    await forgetWhatProvedPrivate(home, isUndisturbed);
    await runner.catchUp();
    return { ...report, problems: drained.problems };
  });
}

/**
 * Call once the views are open: records the workdirs that hooks named. A view that cannot be read must stay
 * rebuildable.
 */
export async function recordDrainedWorkdirs(home: Home): Promise<void> {
  const { cwds, problems } = home.drained;
  if (cwds.length === 0) return;
  try {
    const { recordWorkdirs } = await import('../home/record-workdirs.ts');
    await recordWorkdirs(cwds, home);
  } catch (error) {
    problems.push(`The folders named by hooks could not be examined: ${messageOf(error)}`);
  }
}

/** Call once the views are open: a late prompt may show that recorded events were private. */
export async function forgetWhatProvedPrivate(home: Home, isUndisturbed = () => true): Promise<void> {
  const { log, drained } = home;
  const { problems } = drained;
  try {
    if (log.head().position > 0) await completePrivatePrompts(log);
    if ((await markedSessions(log)).length === 0) return;
    const { forgetPrivateTurnsInTurn } = await import('../forget/private-turns.ts');
    await forgetPrivateTurnsInTurn(home, isUndisturbed);
  } catch (error) {
    problems.push(`Turns that proved to be private could not be forgotten: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
