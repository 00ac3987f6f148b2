// What this machine has of each shared project: a number of events and a digest of their ids that depends on no order, with
// the forgettings. Two machines with the same set have the same.
import type { Log } from '../../log/index.ts';
import type { ShareDigest } from '../api/share/sharing.ts';
import { type ForgettingRow, Rows, syncKeys } from './rows/sync-rows.ts';
import { HeldSet } from './sync/held-set.ts';
import { Holdings } from './sync/holdings.ts';
import type { LookAtFolder, SharedProject } from './sync/placement.ts';

/** Counts from the beginning. */
export async function setDigests(
  log: Pick<Log, 'exportPage' | 'origin' | 'logId'>,
  known: Rows,
  projects: readonly SharedProject[],
  lookAt: LookAtFolder,
): Promise<readonly ShareDigest[]> {
  // Counting changes rows, and these are not to be written.
  const rows = new Rows(known.startingWith(syncKeys.all).map(([key, value]) => ({ key, value })));
  rows.set(syncKeys.heldUpTo, null);
  const sets = new Map(await new Holdings({ log, rows, projects, lookAt }).events(Number.POSITIVE_INFINITY));
  for (const [, { project, id }] of rows.startingWith<ForgettingRow>(syncKeys.prefixes.forgetting)) {
    const set = sets.get(project) ?? new HeldSet();
    set.add(id);
    sets.set(project, set);
  }
  return [...sets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { count, digest }]) => ({ key, events: count, digest }));
}
