// Reads events. Every event is checked before it is returned: the body against the hash in its record, the header
// against the chain of the event before it, the position against its neighbour's. LevelDB does not check its tables
// when it reads them, so this is the only check.

import { withLists } from '../erase/blank-events.ts';
import { AnnalsError } from '../errors.ts';
import { CHANNELS, type Checkpoint, type LogEvent, type NewEvent, type UnknownEvent } from '../event.ts';
import { eventId } from '../format/ids.ts';
import {
  EVENT,
  EVENT_ID,
  eventKey,
  IDENTITY,
  identityKey,
  readPosition,
  sessionGroup,
  sessionKey,
} from '../format/keys.ts';
import {
  type BinaryHash,
  claimedChain,
  genesis,
  type Header,
  hexOf,
  isBlank,
  openBody,
  openHeader,
  type RecordProblem,
} from '../format/record.ts';
import type { Tail } from '../format/tail.ts';
import { NEWEST, upcast } from '../format/upcast.ts';
import type { Log, LogPage } from '../log.ts';
import type { Store } from '../store.ts';

export const PAGE_EVENTS = 1000;
export const PAGE_BYTES = 4 * 1024 * 1024;
const AFTER_EVENTS = Buffer.from([EVENT + 1]);
/** Bytes LevelDB returns at once; its default of 16 KiB costs a thread switch every few events. */
const READ_AHEAD_BYTES = 512 * 1024;
const POSITION_MAX = Number.MAX_SAFE_INTEGER;

export type ReadEvent = LogPage['events'][number];

export interface ReadContext {
  readonly store: Store;
  readonly logId: string;
  readonly tail: Tail;
  /** Whether an event was forgotten, so that its body must be gone. */
  readonly isForgotten: (eventId: string) => boolean;
}

export async function readPage(
  { store, logId, tail, isForgotten }: ReadContext,
  { after, limit = PAGE_EVENTS, bytesMax = PAGE_BYTES }: { after: number; limit?: number; bytesMax?: number },
): Promise<LogPage> {
  let chain = await chainAt(store, logId, after, tail);
  let position = after;
  let bytes = 0;
  const events: ReadEvent[] = [];
  // Without keys: the chain proves the positions, and every key costs a buffer.
  const range = { gte: eventKey(after + 1), lt: AFTER_EVENTS, limit };
  const iterator = store.values({ ...range, ...{ highWaterMarkBytes: READ_AHEAD_BYTES } });
  try {
    let records = await iterator.nextv(limit);
    while (records.length > 0 && bytes < bytesMax) {
      // LevelDB reads and decompresses the next chunk while this one is checked and parsed.
      const next = iterator.nextv(limit);
      next.catch(() => {});
      for (let at = 0; at < records.length && bytes < bytesMax; at++) {
        position += 1;
        const record = records[at]!;
        const opened = openHeader(record, chain);
        if ('kind' in opened) throw await missingOr(opened, store, position);
        chain = opened.chain;
        if (isBlank(record) && isForgotten(opened.header.id)) {
          events.push(toForgotten(opened.header, position));
          continue;
        }
        const json = good(openBody(record, opened.bodyStart), position);
        events.push(toEvent(opened.header, json, position));
        bytes += json.length;
      }
      records = await next;
    }
    if (events.length < limit && bytes < bytesMax && position < tail.position)
      throw damaged('gap', position + 1, 'the event is missing');
  } finally {
    await iterator.close();
  }
  return { events, end: { logId, position, chain: hexOf(chain) } };
}

export async function readSessionPage(
  context: ReadContext,
  { agent, session, after = 0, before, limit = PAGE_EVENTS }: Parameters<Log['pageBySession']>[0],
): Promise<LogPage> {
  const { store, logId, tail } = context;
  const group = sessionGroup(agent, session);
  const range = { gt: sessionKey(group, after), lt: sessionKey(group, before ?? POSITION_MAX), limit };
  const keys = await store.keys({ ...range, reverse: before !== undefined }).all();
  const positions = keys.map((key) => readPosition(key, 17));
  if (before !== undefined) positions.reverse();
  const read = await readPositions(context, positions);
  for (const { event } of read)
    if (event.agent !== agent || event.session !== session)
      throw damaged('session-index', event.position, 'the session index points to another session');
  const last = read.at(-1);
  const end: Checkpoint =
    last === undefined
      ? { logId, position: after, chain: hexOf(await chainAt(store, logId, after, tail)) }
      : { logId, position: last.event.position, chain: hexOf(last.chain) };
  return { events: read.map(({ event }) => event), end };
}

/** In the order of `ids`; undefined for an id that is not in the log. */
export async function readIds(
  context: ReadContext,
  ids: readonly string[],
): Promise<(ReadEvent | undefined)[]> {
  const asked = ids.flatMap((id, index) => (EVENT_ID.test(id) ? [{ id, index }] : []));
  const records = await context.store.getMany(asked.map(({ id }) => identityKey(id)));
  const found = records.flatMap((record, at) =>
    record === undefined ? [] : [{ record, index: asked[at]!.index }],
  );
  const read = await readPositions(
    context,
    found.map(({ record }) => readPosition(record, 0)),
  );
  const events: (ReadEvent | undefined)[] = ids.map(() => undefined);
  for (const [at, { index }] of found.entries()) {
    const { event } = read[at]!;
    if (event.id !== ids[index])
      throw damaged('id-index', event.position, 'the id index points to another event');
    events[index] = event;
  }
  return events;
}

/** The event ids that this dedupe key has in each channel. */
export function idsOfDedupeKey(dedupeKey: Omit<Parameters<typeof eventId>[0], 'channel'>): string[] {
  return CHANNELS.map((channel) => eventId({ ...dedupeKey, channel } as NewEvent));
}

export async function readIdsByPrefix(store: Store, prefix: string, limit: number): Promise<string[]> {
  if (!/^[0-9a-f]{4,32}$/.test(prefix)) return [];
  const range = { gte: identityKey(prefix.padEnd(32, '0')), lte: identityKey(prefix.padEnd(32, 'f')), limit };
  const keys = await store.keys(range).all();
  return keys.filter((key) => key[0] === IDENTITY).map((key) => key.toString('hex', 1));
}

/** The chain after the event at a position. */
export async function chainAt(
  store: Store,
  logId: string,
  position: number,
  tail: Tail,
): Promise<BinaryHash> {
  if (position === 0) return genesis(logId);
  if (position === tail.position) return tail.chain;
  const record = await store.get(eventKey(position));
  const chain = record === undefined ? null : claimedChain(record);
  if (chain !== null) return chain;
  if (position > tail.position)
    throw new AnnalsError(
      'USAGE',
      `The log ends at position ${tail.position}; there is no event at ${position}.`,
      {
        facts: { position, head: tail.position },
      },
    );
  throw damaged('gap', position, 'the event is missing');
}

/** The events at these positions, in their order. */
export async function readPositionsOf(
  context: ReadContext,
  positions: readonly number[],
): Promise<ReadEvent[]> {
  return (await readPositions(context, positions)).map(({ event }) => event);
}

const RECORDS_PER_SCAN = 2_000;

/** Events whose record `look` accepts by its bytes; only those are decoded and checked. */
export async function* scanRecords(
  { store, logId, isForgotten }: ReadContext,
  look: (record: Buffer) => boolean,
): AsyncGenerator<LogEvent> {
  let chain = genesis(logId);
  let position = 0;
  const range = { gte: eventKey(1), lt: AFTER_EVENTS };
  const iterator = store.values({
    ...range,
    ...{ highWaterMarkBytes: 2 * READ_AHEAD_BYTES, fillCache: false },
  });
  try {
    for (let records = await iterator.nextv(RECORDS_PER_SCAN); records.length > 0; ) {
      const next = iterator.nextv(RECORDS_PER_SCAN);
      next.catch(() => {});
      for (const record of records) {
        position += 1;
        if (look(record)) {
          const opened = openHeader(record, chain);
          if ('kind' in opened) throw await missingOr(opened, store, position);
          if (!(isBlank(record) && isForgotten(opened.header.id))) {
            const event = toEvent(
              opened.header,
              good(openBody(record, opened.bodyStart), position),
              position,
            );
            if (event.type !== 'unknown') yield event;
          }
        }
        chain = claimedChain(record) ?? chain;
      }
      records = await next;
    }
  } finally {
    await iterator.close();
  }
}

async function readPositions(
  { store, logId, isForgotten }: ReadContext,
  positions: readonly number[],
): Promise<{ event: ReadEvent; chain: BinaryHash }[]> {
  // Each event and, for its chain, the one before it; in a run of events that one is mostly wanted anyway.
  const wanted = [...new Set(positions.flatMap((position) => [position - 1, position]))];
  const records = await store.getMany(wanted.map(eventKey));
  const found = new Map(wanted.map((position, index) => [position, records[index]]));
  return positions.map((position) => {
    const record = found.get(position);
    if (record === undefined) throw damaged('gap', position, 'the event is missing');
    const before = found.get(position - 1);
    const chainBefore = position === 1 ? genesis(logId) : before && claimedChain(before);
    if (!chainBefore) throw damaged('gap', position - 1, 'the event is missing');
    const opened = good(openHeader(record, chainBefore), position);
    if (isBlank(record) && isForgotten(opened.header.id))
      return { event: toForgotten(opened.header, position), chain: opened.chain };
    const json = good(openBody(record, opened.bodyStart), position);
    return { event: toEvent(opened.header, json, position), chain: opened.chain };
  });
}

/** The remaining fields of a forgotten event. */
function toForgotten({ id, type, agent, session, recordedAt }: Header, position: number): ReadEvent {
  return { type: 'unknown', unknownType: type, id, agent, session, forgotten: true, position, recordedAt };
}

/** An event of a type or version that only a newer reader knows comes as `unknown`. */
export function toEvent(header: Header, json: string, position: number): ReadEvent {
  const { id, type, v, agent, session, dedupeKey, channel, recordedAt } = header;
  const newest = NEWEST.get(type);
  if (newest === undefined || v > newest) {
    const unknown: UnknownEvent = { type: 'unknown', unknownType: type, id, agent, session };
    return { ...unknown, position, recordedAt };
  }
  const { origin, originSeq, occurredAt, causation } = header;
  const upcasted = upcast(type, v, JSON.parse(json), newest);
  const body = type === 'memory.forgotten' ? withLists(upcasted) : upcasted;
  // No check of the body's form: it was checked when it was written, and the hash proves that it is unchanged.
  return {
    type,
    id,
    version: newest,
    agent,
    session,
    dedupeKey,
    channel,
    origin,
    originSeq,
    occurredAt,
    causation,
    body,
    position,
    recordedAt,
  } as LogEvent;
}

/** When an event is missing, the scan sees the next one in its place, and the chain does not fit. */
async function missingOr(problem: RecordProblem, store: Store, position: number): Promise<AnnalsError> {
  if ((await store.get(eventKey(position))) === undefined)
    return damaged('gap', position, 'the event is missing');
  return damaged(problem.kind, position, problem.message);
}

function good<T extends object | string>(opened: T | RecordProblem, position: number): T {
  if (typeof opened === 'object' && 'kind' in opened) throw damaged(opened.kind, position, opened.message);
  return opened as T;
}

export function damaged(kind: string, position: number, message: string): AnnalsError {
  return new AnnalsError('LOG_DAMAGED', `The log is damaged at position ${position}: ${message}.`, {
    hint: 'Run annals verify to see all of it.',
    facts: { position, kind },
  });
}
