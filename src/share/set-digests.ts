// What this machine has of each shared project: a number of events and a digest of their ids that depends on no order. Two
// machines with the same set have the same.
import type { Log } from '../../log/index.ts';
import type { ShareDigest } from '../api/share/sharing.ts';
import { type LookAtFolder, Placement, type SharedProject } from './sync/placement.ts';
import { Rows, type SessionRow, type SharedPosition, syncKeys } from './sync/sync-rows.ts';

/** Ids are hashes of 128 bits; their sum is as good. */
const MODULUS = 1n << 128n;
const DIGITS = 32;

export async function setDigests(
  log: Pick<Log, 'exportPage' | 'origin' | 'logId'>,
  known: Rows,
  projects: readonly SharedProject[],
  lookAt: LookAtFolder,
): Promise<readonly ShareDigest[]> {
  // Looking for a project changes rows, and these are not to be written.
  const all = known.startingWith(syncKeys.all);
  const rows = new Rows(all.map(([key, value]) => ({ key, value })));
  const placement = new Placement(rows, projects, lookAt);
  const isSent = (key: string, position: number): boolean => {
    const since = projects.find((project) => project.key === key)?.since ?? Number.POSITIVE_INFINITY;
    return position > since && position <= (rows.get<SharedPosition>(syncKeys.sent(key))?.position ?? 0);
  };
  const sums = new Map<string, { events: number; sum: bigint }>();
  for (let after = 0; ; ) {
    const page = await log.exportPage({ after });
    if (page.events.length === 0) break;
    after = page.end.position;
    for (const event of page.events) {
      const { id, agent, session, origin } = event.header;
      if (event.body.salt === null) continue;
      const isOwn = origin === log.origin || origin === log.logId;
      const project = isOwn
        ? placement.projectOf(event)
        : session === null
          ? rows.get<string>(syncKeys.single(id))
          : (rows.get<SessionRow>(syncKeys.session(agent, session))?.project ?? null);
      if (project === null || (isOwn && !isSent(project, event.position))) continue;
      const before = sums.get(project) ?? { events: 0, sum: 0n };
      sums.set(project, { events: before.events + 1, sum: (before.sum + BigInt(`0x${id}`)) % MODULUS });
    }
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { events, sum }]) => ({ key, events, digest: sum.toString(16).padStart(DIGITS, '0') }));
}
