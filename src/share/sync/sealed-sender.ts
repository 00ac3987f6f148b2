// Seals and sends. A key that sealing made must reach the server before what it sealed.
import type { EventToSeal } from '../keys/sealer.ts';
import type { Appended, Message, MessageKind, SharedLog } from '../log/shared-log.ts';
import type { OwnMessages } from './own-messages.ts';
import { type SyncTeam, WireNames } from './team.ts';

/** Events under one signature, and records sent at once. */
export const BATCH = 256;
/** Batches that are sealed or on their way, so that neither the thread that seals nor the server waits for the other. */
const BATCHES_AHEAD = 4;
/** What a server counts with a message: names and an id. */
const HEADERS_BYTES = 512;
/** In the place of a project. */
export const RECORDS = 'team';

export interface SenderParts {
  readonly team: SyncTeam;
  readonly shared: SharedLog;
  /** Of this log. */
  readonly origin: string;
  /** Takes what was sent. */
  readonly own: OwnMessages;
}

export interface EventToSend extends EventToSeal {
  /** As in `Message`. */
  readonly resent?: string;
}

export interface BatchToSend {
  /** At most `BATCH`. */
  readonly events: readonly EventToSend[];
}

/** The place in the shared log; or null, and how large the event is that cannot be sent. */
export type Outcome = { readonly appended: Appended } | { readonly appended: null; readonly size: number };

type Records = ReturnType<SyncTeam['all']>;

export class SealedSender {
  readonly #parts: SenderParts;
  readonly #names: WireNames;
  /** Records that were sent and did not come back yet. */
  readonly #sent = new Set<string>();
  /** Of the server. */
  #messageBytesMax: number | null = null;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#names = new WireNames(parts.team);
  }

  /**
   * Each batch once it is acknowledged, in their order, with outcomes in the order of its events. Those after it are on their
   * way then. @throws AnnalsError of the shared log
   */
  async *sendEvents<B extends BatchToSend>(
    batches: AsyncIterable<B> | Iterable<B>,
  ): AsyncGenerator<{ readonly batch: B; readonly outcomes: readonly Outcome[] }> {
    const sending: { readonly batch: B; readonly outcomes: Promise<readonly Outcome[]> }[] = [];
    const next = async () => {
      const { batch, outcomes } = sending.shift()!;
      return { batch, outcomes: await outcomes };
    };
    for await (const batch of batches) {
      const outcomes = this.#sendBatch(batch.events);
      // It is awaited in its turn, unless one before it fails.
      outcomes.catch(() => undefined);
      sending.push({ batch, outcomes });
      if (sending.length > BATCHES_AHEAD) yield next();
    }
    while (sending.length > 0) yield next();
  }

  /** Returns how many there were, when all are acknowledged. @throws AnnalsError of the shared log */
  async sendAll(items: readonly EventToSend[]): Promise<number> {
    let sent = 0;
    const batches = [...batchesOf(items)].map((events) => ({ events }));
    for await (const { outcomes } of this.sendEvents(batches)) sent += outcomes.length;
    return sent;
  }

  async #sendBatch(batch: readonly EventToSend[]): Promise<readonly Outcome[]> {
    if (batch.length === 0) return [];
    const { team, shared, own } = this.#parts;
    this.#messageBytesMax ??= (await shared.state()).messageBytesMax - HEADERS_BYTES;
    const most = this.#messageBytesMax;
    // One that the server does not take would keep those behind it.
    const sealed = (await team.sealEvents(batch)).map((one) =>
      one.bytes !== null && one.bytes.length > most ? { ...one, bytes: null } : one,
    );
    // A new key must be there before what it sealed.
    await this.sendPending();
    const messages = sealed.flatMap(({ name, bytes }, index) => {
      const { project, resent } = batch[index]!;
      return bytes === null ? [] : [this.#message('event', project, { id: name, bytes, resent })];
    });
    const appended = await shared.append(messages);
    for (const [index, { position, duplicate }] of appended.entries())
      if (!duplicate) own.add({ ...messages[index]!, position });
    let next = 0;
    return sealed.map(({ bytes, size }) =>
      bytes === null ? { appended: null, size } : { appended: appended[next++]! },
    );
  }

  /** @throws AnnalsError of the shared log */
  async sendStatement(project: string, plain: Uint8Array): Promise<void> {
    const { team, shared } = this.#parts;
    const [bytes] = (await team.seal([{ project, plain }])) as readonly [Uint8Array];
    await this.sendPending();
    await shared.append([this.#message('statement', project, { id: this.#names.statement(bytes), bytes })]);
  }

  #message(kind: MessageKind, project: string, sealed: Pick<Message, 'id' | 'bytes' | 'resent'>): Message {
    const origin = this.#names.origin(this.#parts.origin);
    return { kind, project: this.#names.project(project), origin, ...sealed };
  }

  /**
   * Records stay pending until they come back with what is read. The last one that did not has been lost, or was never sent.
   * @param again as in `Message`
   */
  async sendPending(resent?: string): Promise<void> {
    await this.sendRecords(
      this.#parts.team.pending().filter(({ id }) => !this.#sent.has(id)),
      resent,
    );
  }

  async sendRecords(records: Records, resent?: string): Promise<void> {
    const { shared, origin } = this.#parts;
    const from = this.#names.origin(origin);
    for (let at = 0; at < records.length; at += BATCH) {
      const batch = records.slice(at, at + BATCH);
      await shared.append(
        batch.map(({ id, bytes }) => ({ id, kind: 'record', project: RECORDS, origin: from, bytes, resent })),
      );
      for (const { id } of batch) this.#sent.add(id);
    }
  }
}

/** In batches for `sendEvents`. */
export function* batchesOf<T>(items: readonly T[], size = BATCH): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
