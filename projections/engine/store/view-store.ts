// The key-value store under one generation of a view, and how its keys are divided:
//
//   c/<seq>    change feed entry: ["key", before, after] or ["key"]; <seq> is 12 hex digits
//   d/<id>     dead letter
//   m/checkpoint   where the view stands (checkpoint.ts), written in every batch
//   m/meta     which view and generation this is, written once
//   r/<key>    row, as JSON
//
// Failures of the store are told apart here, once: taken by another process, full disk, everything else.
import type { AbstractLevel } from 'abstract-level';
import { Level } from 'level';
import { AnnalsError, isAnnalsError } from '../../../log/index.ts';

export type ViewStore = AbstractLevel<string | Buffer | Uint8Array, string, string>;

export const CHECKPOINT_KEY = 'm/checkpoint';
export const VIEW_META_KEY = 'm/meta';
export const CHANGES = 'c/';
export const CHANGES_END = 'c0';
export const DEAD_LETTERS = 'd/';
export const DEAD_LETTERS_END = 'd0';
export const ROWS = 'r/';
export const ROWS_END = 'r0';

/** What LevelDB gathers before it writes a table: twice its default, as a replay writes much and reads little. */
const WRITE_BUFFER_BYTES = 8 * 1024 * 1024;

export function changeKey(seq: number): string {
  return CHANGES + seq.toString(16).padStart(12, '0');
}

/** Opens a LevelDB folder; where it is missing it is made, unless it must exist. Throws what LevelDB throws. */
export async function openLevelStore(location: string, mustExist = false): Promise<ViewStore> {
  const store = new Level<string, string>(location, {
    keyEncoding: 'utf8',
    valueEncoding: 'utf8',
    writeBufferSize: WRITE_BUFFER_BYTES,
    createIfMissing: !mustExist,
  });
  await store.open();
  return store as unknown as ViewStore;
}

/** What is written together. */
export type ViewBatch = Pick<ReturnType<ViewStore['batch']>, 'put' | 'del'>;

/**
 * Writes all that `fill` puts into the batch, or nothing. A chained batch takes a row in 1 µs, where LevelDB's
 * array of operations takes 9, because each of them is copied with its options first.
 */
export async function writeBatch(
  store: ViewStore,
  fill: (batch: ViewBatch) => void,
  sync: boolean,
): Promise<void> {
  const batch = store.batch();
  try {
    fill(batch);
  } catch (error) {
    await batch.close();
    throw error;
  }
  // `sync` is LevelDB's own option; a store in memory passes over it.
  await batch.write({ sync } as object);
}

/** What a failing store means, as an error of ours. `view` is named so that the reader knows what to rebuild. */
export function storeFailure(view: string, error: unknown): AnnalsError {
  if (isAnnalsError(error)) return error;
  const said = chain(error);
  if (said.some(({ code }) => code === 'LEVEL_LOCKED'))
    return new AnnalsError('HOME_LOCKED', `The view ${view} is open in another process.`, {
      hint: 'Wait for the other command to end, then try again.',
      facts: { view },
      cause: error,
    });
  if (said.some(({ code, message }) => code === 'ENOSPC' || /No space left on device/i.test(message)))
    return new AnnalsError('DISK_FULL', `The disk is full: the view ${view} could not be written.`, {
      hint: 'Free some space; the view goes on from where it stands.',
      facts: { view },
      cause: error,
    });
  return new AnnalsError('VIEW_DAMAGED', `The view ${view} cannot be read or written.`, {
    hint: `Run \`annals rebuild ${view}\`: it is made again from the log.`,
    facts: { view },
    cause: error,
  });
}

function chain(error: unknown): { code: string; message: string }[] {
  const links: { code: string; message: string }[] = [];
  for (let link = error; link instanceof Error; link = link.cause)
    links.push({ code: 'code' in link ? String(link.code) : '', message: link.message });
  return links;
}
