// What a forgetting takes from the rows of sharing, in its own batch: names of folders that only what is forgotten has, and text.
import type { CursorWrite, Log } from '../../log/index.ts';
import { NAMED_PROJECT } from '../../projections/index.ts';
import { syncKeys, withoutForgotten } from '../share/rows/sync-rows.ts';
import { finderOf, PATTERN_BYTES_MIN } from './pattern-finder.ts';

/** @param events ids of what is forgotten @param needles text that is forgotten, as JSON has it */
export async function sharedRowsWithout(
  events: readonly string[],
  needles: readonly string[],
  log: Pick<Log, 'cursors' | 'scan'>,
): Promise<readonly CursorWrite[]> {
  const text = finderOf(needles);
  const ids = new Set(events);
  return withoutForgotten(await log.cursors(syncKeys.all), {
    ids,
    holdsText: (row) => text.isIn(asJson(row)),
    named: (workdirs) => namedIn(log, workdirs, ids),
  });
}

/** A cursor as JSON has it, where backslashes of paths are escaped. */
export function asJson({ key, value }: { readonly key: string; readonly value: unknown }): Buffer {
  return Buffer.from(JSON.stringify([key, value]));
}

/** The workdirs that an event names which is not among the forgotten ones. */
async function namedIn(
  log: Pick<Log, 'scan'>,
  workdirs: readonly string[],
  forgotten: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  const left = new Map<string, string>();
  for (const workdir of workdirs) {
    const words = JSON.stringify(
      workdir.startsWith(NAMED_PROJECT) ? workdir.slice(NAMED_PROJECT.length) : workdir,
    );
    // What is too short to be searched for stays.
    if (Buffer.byteLength(words) < PATTERN_BYTES_MIN) named.add(workdir);
    else left.set(workdir, words);
  }
  if (left.size === 0) return named;
  let finder = finderOf([...left.values()]);
  for await (const { id, body } of log.scan((record) => finder.isIn(record))) {
    if (forgotten.has(id)) continue;
    const json = JSON.stringify(body);
    const found = [...left].filter(([, words]) => json.includes(words));
    if (found.length === 0) continue;
    for (const [workdir] of found) {
      named.add(workdir);
      left.delete(workdir);
    }
    if (left.size === 0) break;
    finder = finderOf([...left.values()]);
  }
  return named;
}
