// Forgets, from the selection to the proof: select, show the plan, confirm, append the `memory.forgotten` event while nothing
// else is written, remove the data from every view, and rewrite every file that held it. What was recorded since the plan was
// made is planned again before that append. Its batch also sets a cursor that marks the remaining work, so that the next
// opening finishes it after a kill.
import { join } from 'node:path';
import {
  AnnalsError,
  type BodyOf,
  type CursorWrite,
  type Log,
  type LogEvent,
  type LogWriter,
  type NewEvent,
} from '../../log/index.ts';
import type {
  ForgetOptions,
  ForgetPlan,
  ForgetProof,
  ForgetReport,
  ForgetSelection,
  ForgetStep,
} from '../api.ts';
import { hookCursor, isHookCursor } from '../capture/spool/session-privacy.ts';
import { isFileCursor } from '../capture/transcripts/file-cursor.ts';
import type { Home } from '../home/home.ts';
import { noteCompacted } from '../home/home-size.ts';
import { removeReadyFiles } from '../session-start/ready-file.ts';
import { syncKeys } from '../share/rows/sync-rows.ts';
import {
  type ForgetTarget,
  finishForgetting,
  finishForgettingIn,
  forgettingDone,
  runExclusive,
  scrubViews,
} from './finish-forgetting.ts';
import { type ForgetWork, forgetPlanOf } from './forget-plan.ts';
import { prove } from './forget-proof.ts';
import { type Finder, finderOf } from './pattern-finder.ts';
import {
  eventsKept,
  projectWorkdirs,
  type Selected,
  selectEvents,
  selectedAgain,
  withoutKept,
} from './select-events.ts';
import { asJson, sharedRowsWithout } from './shared-rows.ts';
import { removeSpoolFiles, spoolFilesOf } from './spool-files-of.ts';
import { UNFINISHED } from './unfinished-forgetting.ts';

export { projectWorkdirs, runExclusive, sharedRowsWithout };

/** @throws AnnalsError USAGE, NOT_FOUND, AMBIGUOUS_ID, FORGOTTEN, LOG_DAMAGED, DISK_FULL */
export function forget(
  selection: ForgetSelection,
  options: ForgetOptions,
  home: Home,
  randomBytes: (size: number) => Uint8Array,
): Promise<ForgetReport> {
  return forgetSelected(() => selectEvents(selection, home), options, home, randomBytes);
}

/** `select` is called once the views are up to date. @throws AnnalsError LOG_DAMAGED, DISK_FULL */
export async function forgetSelected(
  select: () => Promise<Selected>,
  options: ForgetOptions,
  home: Home,
  randomBytes: (size: number) => Uint8Array,
): Promise<ForgetReport> {
  const { paths, log, runner, now } = home;
  const began = now();
  const step = async (name: ForgetStep) => options.onStep?.(name);
  const planOf = async (selected: Selected, kept: ReadonlyMap<string, LogEvent>): Promise<Planned> => {
    const { withCopies = false } = options;
    return withSpool(await forgetPlanOf(withoutKept(selected, kept), { withCopies, kept }, home));
  };
  const withSpool = async (work: ForgetWork): Promise<Planned> => {
    const spool = await spoolFilesOf(paths.home, work);
    return { work, spool, plan: { ...work.shown, spoolFiles: spool.length } };
  };
  const { position } = log.head();
  await runner.mustCatchUp();
  const kept = await eventsKept(options.keep ?? [], home);
  const selected = await select();
  const asked = await planOf(selected, kept);
  const answer = (outcome: ForgetReport['outcome'], plan: ForgetPlan): ForgetReport => ({
    outcome,
    id: null,
    at: null,
    plan,
    proof: null,
    ms: now() - began,
  });
  await step('found');
  if (asked.plan.events + asked.plan.spoolFiles === 0) return answer('nothing', asked.plan);
  if (options.dryRun === true) return answer('shown', asked.plan);
  if (options.confirm !== undefined && !(await options.confirm(asked.plan)))
    return answer('declined', asked.plan);
  return runExclusive(log, async () => {
    await refuseIfDamaged(log);
    const at = now();
    const dedupeKey = Buffer.from(randomBytes(16)).toString('hex');
    // Planned again if more was recorded or forgotten since. What comes after it meets the tombstones.
    const { work, plan, id } = await appendForgetting(home, position, async (writer, isSame) => {
      const { work, spool, plan } = isSame
        ? await withSpool(asked.work)
        : await planOf(await selectedAgain(selected, home), kept);
      removeReadyFiles(paths.home);
      await removeSpoolFiles(spool);
      await step('spool');
      if (work.events.length === 0) return { work, plan, id: null };
      const cursors = [UNFINISHED_MARK, ...(await cursorsOf(work, log))];
      if (work.recordedAgain.length > 0) await writer.append(work.recordedAgain);
      const [outcome] = await writer.append([forgottenEvent(work, dedupeKey, at)], { cursors });
      return { work, plan, id: outcome!.id };
    });
    if (id !== null) {
      await step('forgotten');
      await finishForgettingIn(targetOf(home), step);
    }
    const proof = await prove(paths.home, work.needles, id === null ? log.logId : dedupeKey);
    if (id !== null && proof.ok !== false) {
      await forgettingDone(targetOf(home));
      home.unfinished.length = 0;
    } else if (id !== null)
      home.unfinished.push((await isKeptBySharing(proof, home)) ? KEPT_BY_SHARING : FOUND_AGAIN);
    return { ...answer('forgotten', plan), id, at: new Date(at).toISOString(), proof, ms: now() - began };
  });
}

const FOUND_AGAIN =
  'Forgotten text is in no answer, but the search after it was removed found it in a file, or could not read every file. The next opening removes it again.';

const KEPT_BY_SHARING =
  'Forgotten text is in no answer, but the search after it was removed found it, or could not read every file. It is in what sharing keeps, such as the name of a shared project: there it stays. The next opening removes whatever else holds it.';

/** Whether what was found is in what sharing does not learn again. */
async function isKeptBySharing({ found }: ForgetProof, { log, paths }: Home): Promise<boolean> {
  if (found.some(({ file }) => join(paths.home, file).startsWith(join(paths.share, '/')))) return true;
  const words = finderOf(found.map(({ needle }) => needle));
  return (await log.cursors(syncKeys.all)).some((row) => holds(words, row));
}

interface Planned {
  readonly work: ForgetWork;
  /** Paths of spool files. */
  readonly spool: readonly string[];
  readonly plan: ForgetPlan;
}

/** Marks a forgetting in the batch that appends it, so that the remaining work is done even after a kill. */
export const UNFINISHED_MARK = { key: UNFINISHED, value: true } as const;

/**
 * Appends a forgetting while nothing else is written: what is recorded later meets its tombstones. To be called within
 * `runExclusive`. @param position of the log that it was planned for; if that is not the head any more, `append` plans again
 */
export function appendForgetting<T>(
  { log, runner }: Pick<Home, 'log' | 'runner'>,
  position: number,
  append: (writer: LogWriter, isSame: boolean) => Promise<T>,
): Promise<T> {
  return log.exclusively(async (writer) => {
    await runner.mustCatchUp();
    return append(writer, log.head().position === position);
  });
}

/** Finishes an interrupted forgetting; usually there is none. */
export function finishForgettingOf(home: Home): Promise<void> {
  return finishForgetting(targetOf(home));
}

/** Like `finishForgettingOf`, when a home is opened. If it fails the home opens anyway and reports it, and the next opening tries again. */
export async function finishAtOpening(home: Home): Promise<void> {
  try {
    await finishForgettingOf(home);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    home.unfinished.push(
      `Forgotten text is in no answer, but may still be in files: removing it was interrupted and failed again (${why}) The next opening tries again.`,
    );
  }
}

/** Rewrites log and views without forgetting anything: overwritten and removed data leaves the disk. */
export async function compact(home: Home): Promise<{ bytesBefore: number; bytesAfter: number; ms: number }> {
  const { paths, log, runner, now } = home;
  const began = now();
  await runner.catchUp();
  const { bytesBefore, bytesAfter } = await runExclusive(log, () =>
    runner.withoutBuilds(async () => {
      await scrubViews(targetOf(home));
      const report = await log.rewrite();
      await noteCompacted(log, paths);
      return report;
    }),
  );
  return { bytesBefore, bytesAfter, ms: now() - began };
}

function targetOf({ paths, log, runner, text, vectors }: Home): ForgetTarget {
  return {
    ...{ log, runner },
    indexes: [text, vectors],
    removeReadyFiles: () => removeReadyFiles(paths.home),
    noteCompacted: () => noteCompacted(log, paths),
  };
}

async function refuseIfDamaged(log: Log): Promise<void> {
  if (log.damage.length === 0) return;
  throw new AnnalsError(
    'LOG_DAMAGED',
    `Nothing was forgotten, because the log is damaged: ${log.damage[0]!.message}.`,
    {
      hint: 'Run annals verify to see all of it.',
    },
  );
}

function forgottenEvent(
  { by, events, names, items, promptsLeft, shown }: ForgetWork,
  dedupeKey: string,
  at: number,
): NewEvent<'memory.forgotten'> {
  const sessions = new Map<string, BodyOf<'memory.forgotten'>['events'][number]>();
  for (const { id, agent, session } of events) {
    const name = JSON.stringify([agent, session]);
    const known = sessions.get(name) ?? { agent, session, ids: [] };
    sessions.set(name, known);
    known.ids.push(id);
  }
  for (const { agent, session, prompts } of promptsLeft)
    sessions.get(JSON.stringify([agent, session]))!.prompts = [...prompts];
  return {
    type: 'memory.forgotten',
    agent: 'annals',
    session: null,
    dedupeKey,
    channel: 'cli',
    occurredAt: at,
    body: {
      by,
      copies: shown.copies.included,
      events: [...sessions.values()],
      names: [...names],
      items: [...items],
    },
  };
}

/**
 * Cursors of files and hooks that hold a fragment of the text, or a forgotten session, are reset: the files are read from the
 * start again. So is what sharing learned, if it comes from what is forgotten or holds text. What other cursors say stays known.
 */
async function cursorsOf(
  { events, sessions, needles }: ForgetWork,
  log: Log,
): Promise<readonly CursorWrite[]> {
  const words = finderOf([...needles, ...sessions.map(({ session }) => session)]);
  // Exactly, because an id may be too short to be searched for.
  const hooks = new Set(sessions.map(({ agent, session }) => hookCursor(agent, session)));
  const reports = (await log.cursors()).filter(
    (one) => hooks.has(one.key) || ((isFileCursor(one.key) || isHookCursor(one.key)) && holds(words, one)),
  );
  return [
    ...reports.map(({ key }) => ({ key, value: null })),
    ...(await sharedRowsWithout(
      events.map(({ id }) => id),
      needles,
      log,
    )),
  ];
}

function holds(words: Finder, cursor: Cursor): boolean {
  return words.isIn(Buffer.from(cursor.key)) || words.isIn(asJson(cursor));
}

type Cursor = Awaited<ReturnType<Log['cursors']>>[number];
