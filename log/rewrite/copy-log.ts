// The first half of a rewrite: makes a checked copy of the log's current entries in a fresh folder, without blanked and
// overwritten values. A damaged log is not copied. swap-folders.ts then swaps the copy in.
import { AnnalsError } from '../errors.ts';
import { CURSOR, META, positionOf } from '../format/keys.ts';
import { bodyProblem, genesis, isBlank, openLink, openValue, parseHeader } from '../format/record.ts';
import { openStore, type Store, SYNCED, settleStore, storeError } from '../store.ts';
import { foldersOf, type OnRewriteStep, type SwapFiles, storeMaker } from './swap-folders.ts';

const BATCH_BYTES = 1024 * 1024;
const READ_AHEAD_BYTES = 1024 * 1024;
const ENTRIES_PER_READ = 2_000;
/** LevelDB's own options; a store in memory ignores them. */
const READ_ALL: object = { highWaterMarkBytes: READ_AHEAD_BYTES, fillCache: false };
/** The copy is only written, so a large buffer before each table is fine. */
const WRITE_BUFFER_BYTES = 16 * 1024 * 1024;

export interface CopyRequest {
  readonly store: Store;
  readonly directory: string;
  readonly logId: string;
  readonly files: SwapFiles;
  readonly isForgotten: (eventId: string) => boolean;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Copies the store's current entries into `log.next`; returns the number of events. @throws AnnalsError LOG_DAMAGED, DISK_FULL */
export async function copyLog(request: CopyRequest, onStep: OnRewriteStep = () => {}): Promise<number> {
  const { store, directory, files } = request;
  const { fresh, next } = foldersOf(directory);
  await files.remove(fresh);
  await files.remove(next);
  const target = storeMaker(files)(fresh, { writeBufferBytes: WRITE_BUFFER_BYTES });
  await openStore(target);
  let events = 0;
  try {
    events = await copyEntries(store, target, request);
    await target.close();
  } catch (error) {
    await target.close();
    await files.remove(fresh);
    throw storeError(error, 'The log could not be rewritten');
  }
  await onStep('copied');
  await files.rename(fresh, next);
  await onStep('ready');
  return events;
}

async function copyEntries(store: Store, target: Store, request: CopyRequest): Promise<number> {
  const check = new CopyCheck(request);
  const iterator = store.iterator(READ_ALL);
  try {
    let batch = target.batch() as ReturnType<Store['batch']>;
    let bytes = 0;
    for (let entries = await iterator.nextv(ENTRIES_PER_READ); entries.length > 0; ) {
      const next = iterator.nextv(ENTRIES_PER_READ);
      next.catch(() => {});
      for (const [key, value] of entries) {
        check.check(key, value);
        batch.put(key, value);
        bytes += key.length + value.length;
        if (bytes < BATCH_BYTES) continue;
        await batch.write();
        batch = target.batch() as ReturnType<Store['batch']>;
        bytes = 0;
      }
      request.onProgress?.(check.events);
      entries = await next;
    }
    // Once, at the end: until then nothing depends on the copy.
    await settleStore(target);
    await batch.write(SYNCED);
    return check.events;
  } finally {
    await iterator.close();
  }
}

/** Checks each entry, so that a damaged log is never replaced by its copy. */
class CopyCheck {
  readonly #isForgotten: CopyRequest['isForgotten'];
  #chain: string;
  events = 0;

  constructor({ logId, isForgotten }: CopyRequest) {
    this.#isForgotten = isForgotten;
    this.#chain = genesis(logId);
  }

  check(key: Buffer, value: Buffer): void {
    const position = positionOf(key);
    if (position !== null) this.#event(position, value);
    else if ((key[0] === CURSOR || key[0] === META) && openValue(key, value) === undefined)
      throw refused('a cursor or the meta record is damaged', null);
  }

  #event(position: number, record: Buffer): void {
    this.events += 1;
    if (position !== this.events) throw refused('an event is missing', this.events);
    const linked = openLink(record, this.#chain);
    if ('kind' in linked) throw refused(linked.message, position);
    this.#chain = linked.chain;
    if (isBlank(record) && this.#isForgotten(parseHeader(record)?.id ?? '')) return;
    const wrong = bodyProblem(record, linked.bodyStart);
    if (wrong !== null) throw refused(wrong.message, position);
  }
}

function refused(what: string, position: number | null): AnnalsError {
  const where = position === null ? '' : ` at position ${position}`;
  return new AnnalsError(
    'LOG_DAMAGED',
    `The log was not rewritten, because it is damaged${where}: ${what}.`,
    {
      hint: 'Run annals verify to see all of it. The log was not changed.',
      facts: { position },
    },
  );
}
