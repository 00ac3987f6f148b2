// Seals and sends. A key that sealing made must reach the server before what it sealed.
import type { Appended, Message, SharedLog } from '../log/shared-log.ts';
import { type SyncTeam, WireNames } from './team.ts';

/** Under one signature, and sent at once. */
const BATCH = 256;
/** In the place of a project. */
export const RECORDS = 'team';

export interface SenderParts {
  readonly team: SyncTeam;
  readonly shared: SharedLog;
  /** Of this log. */
  readonly origin: string;
}

export interface Sendable {
  readonly project: string;
  readonly plain: Uint8Array;
  /** Of the event that it is; null for a statement. */
  readonly event: string | null;
  /** As in `Message`. */
  readonly again?: string;
}

type Records = ReturnType<SyncTeam['all']>;

export class SealedSender {
  readonly #parts: SenderParts;
  readonly #names: WireNames;
  /** Records that were sent and did not come back yet. */
  readonly #sent = new Set<string>();

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#names = new WireNames(parts.team);
  }

  /** Outcomes are in the order of the items. @throws AnnalsError of the shared log */
  async send(items: Iterable<Sendable>): Promise<readonly Appended[]> {
    const { team, shared } = this.#parts;
    const appended: Appended[] = [];
    let sending: Promise<void> = Promise.resolve();
    for (const batch of batchesOf(items)) {
      const sealed = await team.seal(batch);
      // The server takes one batch while the next one is sealed.
      await sending;
      // A new key must be there before what it sealed.
      await this.sendPending();
      sending = shared
        .append(batch.map((item, index) => this.#message(item, sealed[index]!)))
        .then((outcomes) => void appended.push(...outcomes));
      // It is awaited above or below.
      sending.catch(() => undefined);
    }
    await sending;
    return appended;
  }

  #message({ project, event, again }: Sendable, bytes: Uint8Array): Message {
    return {
      id: event === null ? this.#names.statement(bytes) : this.#names.event(project, event),
      kind: event === null ? 'statement' : 'event',
      project: this.#names.project(project),
      origin: this.#names.origin(this.#parts.origin),
      bytes,
      again,
    };
  }

  /**
   * Records stay pending until they come back with what is read. The last one that did not has been lost, or was never sent.
   * @param again as in `Message`
   */
  async sendPending(again?: string): Promise<void> {
    await this.sendRecords(
      this.#parts.team.pending().filter(({ id }) => !this.#sent.has(id)),
      again,
    );
  }

  async sendRecords(records: Records, again?: string): Promise<void> {
    const { shared, origin } = this.#parts;
    const from = this.#names.origin(origin);
    for (let at = 0; at < records.length; at += BATCH) {
      const batch = records.slice(at, at + BATCH);
      await shared.append(
        batch.map(({ id, bytes }) => ({ id, kind: 'record', project: RECORDS, origin: from, bytes, again })),
      );
      for (const { id } of batch) this.#sent.add(id);
    }
  }
}

function* batchesOf(items: Iterable<Sendable>): Generator<readonly Sendable[]> {
  let batch: Sendable[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
