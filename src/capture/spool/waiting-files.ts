// Reads and parses each waiting file of the spool once. Payloads are kept in memory up to a limit; the rest are read
// again when they are recorded. A file that is still being written is left until it is complete. A broken-off file is
// treated like any other, and is unusable if its payload is torn.

import { errorCode } from '../../platform/disk-files.ts';
import type { Machine } from '../../platform/machine.ts';
import { idsIn, type TornIds } from './bad-file.ts';
import { namedIn } from './caller.ts';
import type { DrainTally } from './drain-tally.ts';
import { END_MARK, wholePayload } from './end-mark.ts';
import { type Payload, readPayload } from './payload.ts';
import { PAYLOAD_BYTES_MAX, type SpoolFile, type SpoolFiles, type SpoolFolders } from './spool-files.ts';

/** A hook writes for moments only. A file that is not complete after an hour was broken off. */
const BROKEN_OFF_MS = 60 * 60_000;
/** Payloads up to this many bytes in total are kept in memory; the others are read a second time. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;

/** A waiting file. `hook` is null while it is not in memory. */
export interface WaitingFile {
  readonly file: SpoolFile;
  /** Unix ms. */
  readonly at: number;
  readonly head: Omit<Payload, 'hook'>;
  hook: Payload['hook'] | null;
}

/** A file whose end is not there yet. */
export interface UnfinishedFile {
  readonly file: SpoolFile;
  /** The name of the agent whose hook left it. */
  readonly agent: string;
  readonly at: number;
  readonly ids: TornIds;
}

export interface UnusableFile extends UnfinishedFile {
  readonly reason: string;
  /** Nothing of its text is kept. */
  readonly hidden: boolean;
}

export interface SpoolContent {
  /** In the order of the drain. */
  readonly waiting: readonly WaitingFile[];
  readonly unusable: readonly UnusableFile[];
  readonly unfinished: readonly UnfinishedFile[];
  /** Files that are counted by their reason and dropped. */
  readonly ignored: readonly { readonly file: SpoolFile; readonly reason: string }[];
}

/** `now` in Unix ms. A file that cannot be read is a problem in the tally, and stays. */
export async function listWaitingFiles(
  files: SpoolFiles,
  folders: SpoolFolders,
  { now, tally, machine }: { readonly now: number; readonly tally: DrainTally; readonly machine: Machine },
): Promise<SpoolContent> {
  const waiting: WaitingFile[] = [];
  const unusable: UnusableFile[] = [];
  const unfinished: UnfinishedFile[] = [];
  const ignored: SpoolContent['ignored'][number][] = [];
  let keptBytes = 0;
  const look = async (file: SpoolFile): Promise<void> => {
    let written: Buffer;
    try {
      written = await files.read(file.path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') tally.problem(`${file.path} cannot be read (${errorCode(error)})`);
      return;
    }
    const at = msOf(file);
    const agent = namedIn(file.name) ?? 'claude-code';
    if (file.bytes > PAYLOAD_BYTES_MAX + END_MARK.length) {
      const reason = `larger than ${PAYLOAD_BYTES_MAX / 2 ** 20} MiB`;
      unusable.push({ file, agent, at, reason, ids: idsIn(written), hidden: false });
      return;
    }
    const payload = wholePayload(written);
    if (payload === null && isBeingWritten(file, now)) {
      tally.add('unfinished');
      unfinished.push({ file, agent, at, ids: idsIn(written) });
      return;
    }
    const bytes = payload ?? written;
    const parsed = readPayload(bytes, file.name, machine);
    if ('ignored' in parsed) {
      ignored.push({ file, reason: parsed.ignored });
      return;
    }
    if ('unusable' in parsed) {
      unusable.push({
        file,
        agent,
        at,
        reason: parsed.unusable,
        ids: idsIn(bytes),
        hidden: parsed.senderUnknown === true,
      });
      return;
    }
    const { hook, ...head } = parsed.payload;
    const keep = keptBytes + bytes.length <= KEPT_BYTES_MAX;
    if (keep) keptBytes += bytes.length;
    waiting.push({ file, at, head, hook: keep ? hook : null });
  };

  const fresh = await files.list(folders.new);
  if (fresh.problem !== null) tally.problem(fresh.problem);
  tally.add('foreign', fresh.foreign);
  // One after the other: together they might not fit into memory.
  for (const file of fresh.files) await look(file);
  return { waiting, unusable, unfinished, ignored };
}

/** The hook's payload, from memory or read again. Removes it from memory. Null when it cannot be read again. */
export async function takeHook(
  waiting: WaitingFile,
  files: SpoolFiles,
  machine: Machine,
): Promise<Payload['hook'] | null> {
  const { hook } = waiting;
  waiting.hook = null;
  if (hook !== null) return hook;
  const bytes = await payloadOf(waiting.file, files).catch(() => null);
  const parsed = bytes === null ? null : readPayload(bytes, waiting.file.name, machine);
  return parsed !== null && 'payload' in parsed ? parsed.payload.hook : null;
}

/** Also for a file that was broken off. */
export async function payloadOf({ path }: SpoolFile, files: SpoolFiles): Promise<Buffer> {
  const bytes = await files.read(path);
  return wholePayload(bytes) ?? bytes;
}

/** A file of a later time was written by a clock that was wrong. */
function isBeingWritten(file: SpoolFile, now: number): boolean {
  return Math.abs(now - msOf(file)) <= BROKEN_OFF_MS;
}

function msOf(file: SpoolFile): number {
  return Number(file.modifiedNs / 1_000_000n);
}
