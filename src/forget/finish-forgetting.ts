// What has to be done after the event that says what was forgotten is on disk: the views take it over, and then log
// and views are written anew. Until that is done a cursor of the log says so, and the next opening goes on.
import type { Log } from '../../log/index.ts';
import type { Runner, TextView, VectorView } from '../../projections/index.ts';
import type { ForgetStep } from '../api.ts';
import { UNFINISHED } from './unfinished-forgetting.ts';

/** What of a home takes part in it. */
export interface ForgetTarget {
  readonly log: Log;
  readonly runner: Runner;
  readonly indexes: readonly (TextView | VectorView)[];
  /** Called when log and views were written anew. */
  noteCompacted(): Promise<void>;
}

/** `rebuild`: which workdirs belong to which project changed, and cannot be derived from the rows alone. */
export async function finishForgettingIn(
  rebuild: boolean,
  home: ForgetTarget,
  step: (name: ForgetStep) => Promise<void> = async () => {},
): Promise<void> {
  const { log, runner } = home;
  await runner.catchUp();
  if (rebuild) await runner.rebuild(['projects']);
  await step('projected');
  // The views do not read the log meanwhile, so both are written at once.
  const written = [scrubViews(home).then(() => step('scrubbed')), log.rewrite({ onStep: step })];
  for (const one of await Promise.allSettled<unknown>(written))
    if (one.status === 'rejected') throw one.reason;
  await step('rewritten');
  await log.append([], { cursors: [{ key: UNFINISHED, value: null }] });
  await home.noteCompacted();
}

/** Writes every view anew, without what only its files still hold and without dead letters of forgotten events. */
export async function scrubViews({ log, runner, indexes }: ForgetTarget): Promise<void> {
  for (const index of indexes) await runner.whileSteady((upstream) => index.scrub(upstream(index.follows)));
  await runner.scrub(await forgottenIds(log));
}

/** All that were ever forgotten, not only now: a forgetting that a kill cut off is finished without its plan. */
async function forgottenIds(log: Log): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { body } of await log.forgettings())
    for (const group of body.events) for (const id of group.ids) ids.add(id);
  return ids;
}

/** What a forgetting that was cut off left to do; nothing, mostly. Called when a home is opened. */
export function finishForgetting(home: ForgetTarget): Promise<void> {
  return runExclusive(home.log, async () => {
    if ((await home.log.cursor(UNFINISHED)) === undefined) return;
    await finishForgettingIn(await mustRebuild(home.log), home);
  });
}

const turns = new WeakMap<Log, Promise<unknown>>();

/** What writes everything anew runs one behind the other: each notes in the same place that it is not finished. */
export function runExclusive<T>(log: Log, work: () => Promise<T>): Promise<T> {
  const before = turns.get(log) ?? Promise.resolve();
  const own = before.then(work, work);
  turns.set(log, own);
  return own;
}

/** Whether a forgetting that is not finished moved places. */
export async function mustRebuild(log: Log): Promise<boolean> {
  const left = (await log.cursor(UNFINISHED)) as { rebuild: boolean } | undefined;
  return left?.rebuild === true;
}
