// Drains the spool into the log, right after the log is opened. A failed drain must not keep anyone from reading:
// `status` shows the problem, and the files stay for the next drain.
import type { Log } from '../../log/index.ts';
import { markedSessions } from '../capture/private/private-marks.ts';
import { completePrivatePrompts } from '../capture/private/private-prompts.ts';
import { spoolFiles, spoolFolders } from '../capture/spool/spool-files.ts';
import type { Drained, Home } from '../home/home.ts';
import type { HomePaths } from '../platform/home-paths.ts';

export async function drainHome(
  log: Log,
  paths: HomePaths,
  { now, excluded }: { now(): number; excluded(cwd: string): boolean },
): Promise<Drained> {
  try {
    const folders = spoolFolders(paths.home);
    const waiting = await Promise.all([folders.new, folders.tmp].map(spoolFiles.list));
    if (waiting.every(({ files, problem }) => files.length === 0 && problem === null))
      return { problems: [], cwds: [] };
    // Load this only now: with nothing to drain, no hook code needs to be loaded.
    const { drainSpool } = await import('../capture/spool/drain-spool.ts');
    const report = await drainSpool({ log, files: spoolFiles, folders, now, excluded });
    return {
      problems: report.problems.map((problem) => `The spool: ${problem}.`),
      cwds: report.cwds,
    };
  } catch (error) {
    const problem = `The spool could not be moved into the log: ${messageOf(error)}`;
    return { problems: [problem], cwds: [] };
  }
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
export async function forgetWhatProvedPrivate(home: Home): Promise<void> {
  const { log, drained } = home;
  const { problems } = drained;
  try {
    if (log.head().position > 0) await completePrivatePrompts(log);
    if ((await markedSessions(log)).length === 0) return;
    const { forgetPrivateTurns } = await import('../forget/private-turns.ts');
    await forgetPrivateTurns(home);
  } catch (error) {
    problems.push(`Turns that proved to be private could not be forgotten: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
