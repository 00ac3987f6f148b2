// The meta record of a log: its id, its origin, its format and the reader version it needs.
import { AnnalsError } from './errors.ts';
import { EVENT, META_KEY } from './format/keys.ts';
import { openValue, parseHeader, sealValue } from './format/record.ts';
import type { LogWorld, VerifyProblem } from './log.ts';
import { type Store, SYNCED } from './store.ts';

/** Raised with every change of the format on disk; `minReader` only when older versions could not read the log. */
export const FORMAT = 2;
/** For a log without forgotten or imported events: a reader of format 1 can read it. */
const MIN_READER = 1;
/** For a log with forgotten or imported events: a reader of format 1 would report it as damaged. */
export const BLANKS_SINCE = 2;

export interface Meta {
  readonly logId: string;
  /** The origin that new events carry. */
  readonly origin: string;
  readonly format: number;
  /** The lowest format number a reader must know. */
  readonly minReader: number;
  /** The first version of annals that reads this format; an older reader names it in its error. */
  readonly minVersion?: string;
}

/** The first version of annals with each format. */
const FORMAT_SINCE: Readonly<Record<number, string>> = { 1: '0.1.0', 2: '0.1.0' };

/** Makes a meta record of the current format. */
export function metaOf({ logId, origin }: Pick<Meta, 'logId' | 'origin'>, minReader = MIN_READER): Meta {
  return { logId, origin, format: FORMAT, minReader, minVersion: FORMAT_SINCE[minReader]! };
}

/**
 * Reads the meta record, or writes it for a new log. A log with events whose meta record is missing or damaged
 * still opens, with the origin of its first event as its id; the problem is reported, not repaired.
 * @throws AnnalsError LOG_TOO_NEW; LOG_DAMAGED when neither the meta record nor any event is readable
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
    throw new AnnalsError('LOG_DAMAGED', 'The log has no readable meta record and no readable event.', {
      hint: 'Keep a copy of the log folder, then restore a backup or import the transcripts into a new home.',
    });
  const message = record === undefined ? 'the meta record is missing' : 'the meta record is damaged';
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
    `The log has format ${meta.format} and needs a reader of format ${meta.minReader} or newer; this version reads format ${FORMAT}.`,
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
