// One machine and the shared log: takes in what is there, then sends what waits. Both may be stopped at any moment.
import type { Home } from '../../home/home.ts';
import type { SharedLog } from '../log/shared-log.ts';
import type { Rows } from '../rows/sync-rows.ts';
import { Holdings } from './holdings.ts';
import { Inbox } from './inbox.ts';
import { Outbox, type Sent } from './outbox.ts';
import { OwnMessages } from './own-messages.ts';
import type { LookAtFolder, SharedProject } from './placement.ts';
import { Repair } from './repair.ts';
import { SealedSender } from './sealed-sender.ts';
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

/** One connection: what comes in, what goes out, and what is said about it. */
export interface Connected {
  readonly inbox: Inbox;
  readonly outbox: Outbox;
  readonly repair: Repair;
}

export function connectedParts(parts: SyncParts): Connected {
  const { log } = parts.home;
  const own = new OwnMessages();
  const sender = new SealedSender({ team: parts.team, shared: parts.shared, origin: log.origin, own });
  const holdings = new Holdings({ ...parts, log });
  const repair = new Repair({ ...parts, log, sender, holdings });
  const outbox = new Outbox({ ...parts, log, sender, holdings });
  return { inbox: new Inbox({ ...parts, sender, repair, outbox, holdings, own }), outbox, repair };
}

/** @throws AnnalsError of the shared log, of the log */
export async function syncOnce(parts: SyncParts, signal?: AbortSignal): Promise<SyncReport> {
  const connected = connectedParts(parts);
  const { incarnation } = await parts.shared.state();
  let report = await exchange(parts, connected, incarnation, signal);
  // Statements are about everything that was sent, and what came meanwhile.
  for (let rounds = 0; rounds < ROUNDS_MAX && signal?.aborted !== true; rounds++) {
    const more = await exchange(parts, connected, incarnation, signal);
    report = added(report, more);
    if (more.received + more.events === 0) break;
  }
  if (signal?.aborted !== true) await connected.repair.speak(incarnation);
  return report;
}

/** Takes in what is there, then sends what waits. */
export async function exchange(
  { team, shared }: SyncParts,
  { inbox, outbox }: Connected,
  incarnation: string,
  signal?: AbortSignal,
): Promise<SyncReport> {
  const { head } = await shared.state();
  if (inbox.position(incarnation) > head) await inbox.readAgain();
  const taken = await receiveAll(inbox, incarnation, signal);
  await team.settle();
  return { ...taken, ...(await outbox.send(incarnation, signal)) };
}

/** Exchanges only the records of the team. @throws AnnalsError of the shared log, of the log */
export async function syncRecords(parts: SyncParts): Promise<void> {
  const { inbox, outbox } = connectedParts(parts);
  const { incarnation } = await parts.shared.state();
  await receiveAll(inbox, incarnation, undefined);
  await parts.team.settle();
  await outbox.sendRecords(incarnation);
}

/** What comes meanwhile may make it send, and the other way round. */
const ROUNDS_MAX = 3;

function added(one: SyncReport, other: SyncReport): SyncReport {
  return {
    messages: one.messages + other.messages,
    received: one.received + other.received,
    events: one.events + other.events,
    known: one.known + other.known,
    remains: [...new Set([...one.remains, ...other.remains])],
  };
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
