// One machine and the shared log: takes in what is there, then sends what waits. Both may be stopped at any moment.
import type { Log } from '../../../log/index.ts';
import type { Home } from '../../home/home.ts';
import type { SharedLog } from '../log/shared-log.ts';
import { Inbox } from './inbox.ts';
import { Outbox, type Sent } from './outbox.ts';
import type { LookAtFolder, SharedProject } from './placement.ts';
import type { Rows } from './sync-rows.ts';
import type { SyncTeam } from './team.ts';

export interface SyncParts {
  readonly home: Home;
  readonly rows: Rows;
  readonly team: SyncTeam;
  readonly shared: SharedLog;
  readonly projects: readonly SharedProject[];
  readonly lookAt: LookAtFolder;
}

export interface SyncReport extends Sent {
  /** Messages that were read. */
  readonly messages: number;
  /** Events that were new here. */
  readonly received: number;
}

/** @throws AnnalsError of the shared log, of the log */
export async function syncOnce(parts: SyncParts, signal?: AbortSignal): Promise<SyncReport> {
  const { incarnation } = await parts.shared.state();
  const taken = await receiveAll(new Inbox(parts), incarnation, signal);
  await parts.team.settle();
  const sent = await outboxOf(parts).send(incarnation, signal);
  return { ...taken, ...sent };
}

function outboxOf({ home: { log }, ...rest }: SyncParts & { readonly home: { readonly log: Log } }): Outbox {
  return new Outbox({ log, ...rest });
}

async function receiveAll(
  inbox: Inbox,
  incarnation: string,
  signal: AbortSignal | undefined,
): Promise<Pick<SyncReport, 'messages' | 'received'>> {
  let [messages, received] = [0, 0];
  while (signal?.aborted !== true) {
    const page = await inbox.receive(incarnation);
    if (page.messages === 0) break;
    messages += page.messages;
    received += page.appended;
  }
  return { messages, received };
}
