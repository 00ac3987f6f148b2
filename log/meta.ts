// What a log says about itself: who it is, how it is written, and who may read it.
import { AnnalsError } from './errors.ts';
import { EVENT, META_KEY } from './format/keys.ts';
import { openValue, parseHeader, sealValue } from './format/record.ts';
import type { LogWorld, VerifyProblem } from './log.ts';
import { type Store, SYNCED } from './store.ts';

/** Raised when what is on disk changes; `minReader` only when older versions could not read it. */
export const FORMAT = 2;
/** Of a log of which nothing was forgotten: format 1 reads it. */
const MIN_READER = 1;
/** A log of which something was forgotten, or that holds events of another log, is one that format 1 would call damaged. */
export const BLANKS_SINCE = 2;

export interface Meta {
  readonly logId: string;
  /** Name of this machine's log as an origin. */
  readonly origin: string;
  readonly format: number;
  /** The lowest format number a reader must know. */
  readonly minReader: number;
  /** The first version of annals that knows it: what to install, said to a reader that does not. */
  readonly minVersion?: string;
}

/** The version of annals with which each format came. */
const FORMAT_SINCE: Readonly<Record<number, string>> = { 1: '0.1.0', 2: '0.1.0' };

/** What a log is to say about itself from now on. */
export function metaOf({ logId, origin }: Pick<Meta, 'logId' | 'origin'>, minReader = MIN_READER): Meta {
  return { logId, origin, format: FORMAT, minReader, minVersion: FORMAT_SINCE[minReader]! };
}

/**
 * Reads the meta record, or writes it for a new log. A log with events whose meta record is lost or wrong
 * still opens, under the name its events carry; the problem is reported, not mended.
 * @throws AnnalsError LOG_TOO_NEW, LOG_DAMAGED when nothing says which log this is
 */
export async function readOrCreateMeta(
  store: Store,
  world: LogWorld,
): Promise<{ meta: Meta; problem: VerifyProblem | null }> {
  const record = await store.get(META_KEY);
  const meta = record === undefined ? undefined : openValue(META_KEY, record);
  if (isMeta(meta)) {
    refuseIfTooNew(meta);
    return { meta, problem: null };
  }
  const origin = await originOfEvents(store);
  if (record === undefined && origin === null) return { meta: await createMeta(store, world), problem: null };
  if (origin === null)
    throw new AnnalsError(
      'LOG_DAMAGED',
      'The log does not say which log it is, and holds no readable event.',
      {
        hint: 'Keep a copy of the log folder, then restore a backup or import the transcripts into a new home.',
      },
    );
  const message =
    record === undefined ? 'the meta record is missing' : 'the meta record is not what was written';
  return {
    meta: metaOf({ logId: origin, origin }),
    problem: { kind: 'meta', position: null, message },
  };
}

async function createMeta(store: Store, world: LogWorld): Promise<Meta> {
  const logId = Buffer.from(world.randomBytes(16)).toString('hex');
  const meta = metaOf({ logId, origin: logId });
  await store.batch([{ type: 'put', key: META_KEY, value: sealValue(META_KEY, meta) }], SYNCED);
  return meta;
}

function refuseIfTooNew(meta: Meta): void {
  if (meta.minReader <= FORMAT) return;
  throw new AnnalsError(
    'LOG_TOO_NEW',
    `The log has format ${meta.format} and asks for a reader of format ${meta.minReader} or newer; this version reads format ${FORMAT}.`,
    {
      hint:
        meta.minVersion === undefined
          ? 'Install the newest annals.'
          : `Install annals ${meta.minVersion} or newer.`,
      facts: {
        format: meta.format,
        minReader: meta.minReader,
        reader: FORMAT,
        minVersion: meta.minVersion ?? null,
      },
    },
  );
}

/** The origin in the first readable header; null when there is no event. */
async function originOfEvents(store: Store): Promise<string | null> {
  for await (const value of store.values({ gt: Buffer.from([EVENT]), lt: Buffer.from([EVENT + 1]) })) {
    const header = parseHeader(value);
    if (header !== null) return header.origin;
  }
  return null;
}

function isMeta(value: unknown): value is Meta {
  if (typeof value !== 'object' || value === null) return false;
  const meta = value as Record<string, unknown>;
  return (
    typeof meta.logId === 'string' &&
    typeof meta.origin === 'string' &&
    typeof meta.format === 'number' &&
    typeof meta.minReader === 'number' &&
    (meta.minVersion === undefined || /^[\w.+-]{1,64}$/.test(String(meta.minVersion)))
  );
}
