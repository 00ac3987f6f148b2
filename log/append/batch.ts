// Prepares one batch of the append queue: as many waiting events as fit get a position and a chain hash and become
// LevelDB writes. An event that the log already holds becomes a duplicate. A call's cursors go into the batch of its
// last event, so they are never on disk without the events they cover. Nothing is written here.

import type { RawWrite } from '../erase/blank-events.ts';
import type { AppendOutcome } from '../event.ts';
import { type EventContent, sealExported } from '../format/exported-event.ts';
import {
  eventKey,
  forgottenKey,
  identityKey,
  OWN_KEY,
  positionBytes,
  SessionGroups,
  sessionKey,
} from '../format/keys.ts';
import { type Header, sealEvent, sealValue } from '../format/record.ts';
import type { Tail } from '../format/tail.ts';
import type { LogWorld } from '../log.ts';
import type { Store, StoreBatch } from '../store.ts';
import type { CheckedEvent } from './new-event.ts';

/** A batch ends at this many events or this many bytes of records, whichever comes first. */
export const BATCH_EVENTS_MAX = 256;
const BATCH_BYTES_MAX = 1024 * 1024;
const SALT_BYTES = 16;

/** One append call, and how much of it is already in batches. */
export interface Queued {
  readonly entries: readonly Entry[];
  readonly cursors: readonly RawWrite[];
  readonly outcomes: AppendOutcome[];
  /** Index of the first entry that is in no batch yet. */
  next: number;
  /** True once its ids have been looked up in the log. */
  ready: boolean;
}

export interface Entry {
  readonly checked: CheckedEvent;
  /** The earlier entry of the queue with the same id. */
  readonly first: Entry | null;
  /** The event's position: found in the log, or assigned when it is put into a batch. */
  position: number | undefined;
}

export interface PreparedBatch<Call extends Queued> {
  readonly batch: StoreBatch;
  /** The end of the log when this batch is on disk. */
  readonly tail: Tail;
  readonly entries: readonly Entry[];
  /** The calls that are completely on disk when this batch is. */
  readonly finished: readonly Call[];
}

export interface BatchMakerOptions {
  readonly store: Store;
  readonly origin: string;
  readonly world: LogWorld;
}

export class BatchMaker {
  readonly #options: BatchMakerOptions;
  readonly #groups = new SessionGroups();

  constructor(options: BatchMakerOptions) {
    this.#options = options;
  }

  /** Takes as many calls as fit from the front of `waiting`, up to the first that is not ready. */
  prepare<Call extends Queued>(waiting: Call[], planned: Tail): PreparedBatch<Call> {
    const { store, world } = this.#options;
    const batch = store.batch() as StoreBatch;
    const recordedAt = world.now();
    const count = waiting.reduce((sum, { entries, next }) => sum + entries.length - next, 0);
    const salts = world.randomBytes(SALT_BYTES * Math.min(count, BATCH_EVENTS_MAX));
    const entries: Entry[] = [];
    const finished: Call[] = [];
    let { position, originSeq, chain } = planned;
    let bytes = 0;
    let foreign = false;
    for (let call = waiting[0]; call?.ready; call = waiting[0]) {
      let full = false;
      for (; call.next < call.entries.length; call.next++) {
        const entry = call.entries[call.next]!;
        const known = entry.first === null ? entry.position : entry.first.position;
        const { id, json, imported } = entry.checked;
        const size = imported === undefined ? json.length : sizeOf(imported);
        if (known !== undefined) {
          call.outcomes.push({ outcome: 'duplicate', id, position: known });
          continue;
        }
        full = entries.length === BATCH_EVENTS_MAX || (bytes > 0 && bytes + size > BATCH_BYTES_MAX);
        if (full) break;
        const salt = salts.subarray(entries.length * SALT_BYTES, (entries.length + 1) * SALT_BYTES);
        const header =
          imported === undefined
            ? this.#header(entry.checked, ++originSeq, recordedAt)
            : { ...imported.header, recordedAt };
        const sealed =
          imported === undefined
            ? sealEvent(header, salt, json, chain)
            : sealExported({ header, body: imported.body }, chain);
        foreign ||= imported !== undefined;
        this.#put(batch, ++position, header, sealed.record);
        chain = sealed.chain;
        bytes += sealed.record.length;
        entry.position = position;
        entries.push(entry);
        call.outcomes.push({ outcome: 'appended', id, position });
      }
      if (full) break;
      for (const { key, record } of call.cursors) {
        if (record === null) batch.del(key);
        else batch.put(key, record);
      }
      finished.push(call);
      waiting.shift();
    }
    // The last event may be imported, and then its header does not contain our own sequence number.
    if (foreign) batch.put(OWN_KEY, sealValue(OWN_KEY, { originSeq }));
    return { batch, tail: { position, originSeq, chain }, entries, finished };
  }

  #header({ id, version, newEvent }: CheckedEvent, originSeq: number, recordedAt: number): Header {
    const { type, agent, session, dedupeKey, channel, occurredAt, causation = null } = newEvent;
    const { origin } = this.#options;
    const v = version;
    return {
      id,
      type,
      v,
      agent,
      session,
      dedupeKey,
      origin,
      originSeq,
      occurredAt,
      recordedAt,
      channel,
      causation,
    };
  }

  #put(batch: StoreBatch, position: number, header: Header, record: Buffer): void {
    const { id, agent, session } = header;
    batch.put(eventKey(position), record);
    batch.put(identityKey(id), positionBytes(position));
    if (header.type === 'memory.forgotten') batch.put(forgottenKey(position), NOTHING);
    if (session !== null) batch.put(sessionKey(this.#groups.of(agent, session), position), NOTHING);
  }
}

function sizeOf({ body }: EventContent): number {
  return body.salt === null ? 0 : body.bytes.length;
}

const NOTHING = Buffer.alloc(0);
