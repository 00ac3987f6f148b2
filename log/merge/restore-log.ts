// Restores a log from an export: the same events with the same ids, positions, origins, times and chain, so that every
// checkpoint stays valid. Each record is checked as it is written. Later events carry a new origin: the old log may
// have continued elsewhere, and one origin and number must never mean two events.
import { AnnalsError } from '../errors.ts';
import type { Checkpoint } from '../event.ts';
import { type ExportedEvent, sealExported } from '../format/exported-event.ts';
import {
  eventKey,
  forgottenKey,
  identityKey,
  META_KEY,
  OWN_KEY,
  positionBytes,
  SessionGroups,
  sessionKey,
} from '../format/keys.ts';
import { type BinaryHash, genesis, hexOf, sealValue } from '../format/record.ts';
import type { LogWorld } from '../log.ts';
import { BLANKS_SINCE, metaOf } from '../meta.ts';
import {
  levelStore,
  openStore,
  type Store,
  type StoreBatch,
  SYNCED,
  settleStore,
  storeError,
} from '../store.ts';

const BATCH_BYTES = 1024 * 1024;
/** The folder is only written, so a large buffer before each table is fine. */
const WRITE_BUFFER_BYTES = 16 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

export interface RestoreLogOptions {
  /** The log's folder: empty or not yet there. */
  readonly directory: string;
  readonly logId: string;
  readonly world: Pick<LogWorld, 'randomBytes'>;
  /** Replaces LevelDB; tests use a store in memory. */
  readonly store?: Store;
}

/**
 * Writes a log. Do not rely on any of it before this has returned: only then is all of it synced.
 * @throws AnnalsError INPUT_INVALID when an event does not follow the one before it; DISK_FULL
 */
export async function restoreLog(
  options: RestoreLogOptions,
  events: AsyncIterable<readonly ExportedEvent[]>,
): Promise<Checkpoint> {
  const store = options.store ?? levelStore(options.directory, { writeBufferBytes: WRITE_BUFFER_BYTES });
  await openStore(store);
  try {
    const writer = new Writer(store, options.logId);
    for await (const some of events) await writer.write(some);
    return await writer.finish(Buffer.from(options.world.randomBytes(16)).toString('hex'));
  } catch (error) {
    throw storeError(error, 'The log could not be restored');
  } finally {
    await store.close();
  }
}

class Writer {
  readonly #store: Store;
  readonly #logId: string;
  readonly #groups = new SessionGroups();
  #chain: BinaryHash;
  #position = 0;
  #batch: StoreBatch;
  #bytes = 0;

  constructor(store: Store, logId: string) {
    this.#store = store;
    this.#logId = logId;
    this.#chain = genesis(logId);
    this.#batch = store.batch() as StoreBatch;
  }

  async write(events: readonly ExportedEvent[]): Promise<void> {
    for (const event of events) {
      this.#put(event);
      if (this.#bytes < BATCH_BYTES) continue;
      await this.#batch.write();
      this.#batch = this.#store.batch() as StoreBatch;
      this.#bytes = 0;
    }
  }

  async finish(origin: string): Promise<Checkpoint> {
    const meta = metaOf({ logId: this.#logId, origin }, BLANKS_SINCE);
    this.#batch.put(META_KEY, sealValue(META_KEY, meta));
    this.#batch.put(OWN_KEY, sealValue(OWN_KEY, { originSeq: 0 }));
    await settleStore(this.#store);
    await this.#batch.write(SYNCED);
    return { logId: this.#logId, position: this.#position, chain: hexOf(this.#chain) };
  }

  #put(event: ExportedEvent): void {
    const { position, header } = event;
    const sealed = sealExported(event, this.#chain);
    if (position !== this.#position + 1) throw misplaced(position, this.#position + 1);
    if (sealed.chain !== event.chain) throw brokenChain(position);
    const { id, agent, session } = header;
    this.#batch.put(eventKey(position), sealed.record);
    this.#batch.put(identityKey(id), positionBytes(position));
    if (header.type === 'memory.forgotten') this.#batch.put(forgottenKey(position), NOTHING);
    if (session !== null) this.#batch.put(sessionKey(this.#groups.of(agent, session), position), NOTHING);
    this.#position = position;
    this.#chain = sealed.chain;
    this.#bytes += sealed.record.length;
  }
}

function misplaced(found: number, expected: number): AnnalsError {
  return new AnnalsError('INPUT_INVALID', `Event ${found} is in the place of event ${expected}.`, {
    facts: { position: expected },
  });
}

function brokenChain(position: number): AnnalsError {
  return new AnnalsError('INPUT_INVALID', `Event ${position} does not match its chain.`, {
    facts: { position },
  });
}
