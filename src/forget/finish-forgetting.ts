// Does the work that remains after a `memory.forgotten` event is on disk: the views apply it, then the log and the views
// are rewritten. A cursor of the log marks this as unfinished until it is done, so that the next opening continues.
import { type Log, Mutex } from '../../log/index.ts';
import type { Runner, TextView, VectorView } from '../../projections/index.ts';
import type { ForgetStep } from '../api.ts';
import { UNFINISHED } from './unfinished-forgetting.ts';

/** The parts of a home that forgetting changes. */
export interface ForgetTarget {
  readonly log: Log;
  readonly runner: Runner;
  readonly indexes: readonly (TextView | VectorView)[];
  removeReadyFiles(): void;
  /** Called after log and views were rewritten. */
  noteCompacted(): Promise<void>;
}

/** @throws AnnalsError LOG_DAMAGED when the views do not match the log: they would keep the text */
export async function finishForgettingIn(
  home: ForgetTarget,
  step: (name: ForgetStep) => Promise<void> = async () => {},
): Promise<void> {
  const { log, runner } = home;
  home.removeReadyFiles();
  await runner.mustCatchUp();
  await step('projected');
  await runner.withoutBuilds(async () => {
    // The views do not read the log now, so both are rewritten at the same time.
    const written = [scrubViews(home).then(() => step('scrubbed')), log.rewrite({ onStep: step })];
    for (const one of await Promise.allSettled<unknown>(written))
      if (one.status === 'rejected') throw one.reason;
  });
  await step('rewritten');
}

/** Takes the mark back: call it when `finishForgettingIn` ended and no file was found to hold the text. */
export async function forgettingDone(home: ForgetTarget): Promise<void> {
  await home.log.append([], { cursors: [{ key: UNFINISHED, value: null }] });
  await home.noteCompacted();
}

/** Within `withoutBuilds`: rewrites every view, without data that only its files still hold and without dead letters of forgotten events. */
export async function scrubViews({ log, runner, indexes }: ForgetTarget): Promise<void> {
  for (const index of indexes) await runner.readers.query((upstream) => index.scrub(upstream(index.follows)));
  await runner.scrub(await forgottenIds(log));
}

/** Ids of all events ever forgotten, not only of this call: an interrupted forgetting is finished without its plan. */
async function forgottenIds(log: Log): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { body } of await log.forgettings())
    for (const group of body.events) for (const id of group.ids) ids.add(id);
  return ids;
}

/** Finishes an interrupted forgetting; usually there is none. Called when a home is opened. */
export function finishForgetting(home: ForgetTarget): Promise<void> {
  return runExclusive(home.log, async () => {
    if ((await home.log.cursor(UNFINISHED)) === undefined) return;
    await finishForgettingIn(home);
    await forgettingDone(home);
  });
}

const mutexes = new WeakMap<Log, Mutex>();

/** Runs rewrites one after the other, because all use the same cursor to mark unfinished work. */
export function runExclusive<T>(log: Log, work: () => Promise<T>): Promise<T> {
  const mutex = mutexes.get(log) ?? new Mutex();
  mutexes.set(log, mutex);
  return mutex.run(work);
}
