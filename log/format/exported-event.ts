// An exported event: all fields of its record, by name, as one line of JSON. The body comes last and byte for byte
// as stored, so that its hash still matches.
//
//   line = {"position","id","type","version","agent","session","dedupeKey","channel","causation","origin",
//           "originSeq","occurredAt","recordedAt","chain","salt","body"}
//   a blanked event has "bodyHash" instead of "salt", and "body":null
//
// A reader checks every line: the id must follow from the header, and the chain, which covers header and body, from
// the line before.
import { CHANNELS, type Checkpoint } from '../event.ts';
import { EVENT_JSON_LIMITS, parseJson } from '../parse-json.ts';
import { isTime } from '../times.ts';
import { eventId } from './ids.ts';
import {
  type BinaryHash,
  bodyProblem,
  claimedBodyHash,
  fromHex,
  type Header,
  hexOf,
  openHeader,
  packed,
  type RecordProblem,
  type SealedEvent,
  StoredBody,
  sealBlank,
  sealStored,
  unpacked,
} from './record.ts';

/** What is the same in every log. */
export interface EventContent {
  readonly header: Header;
  readonly body: ExportedBody;
}

export interface ExportedEvent extends EventContent {
  /** Its position in the log it comes from. */
  readonly position: number;
  /** The chain of the log it comes from, after this event. */
  readonly chain: BinaryHash;
}

/** A body, or the hash of a blanked one. */
export type ExportedBody = StoredBody | { readonly salt: null; readonly bodyHash: BinaryHash };

export interface ExportedPage {
  readonly events: readonly ExportedEvent[];
  /** Position and chain after the last event of this page; equal to the request's when the page is empty. */
  readonly end: Checkpoint;
}

/** Parses and checks a record. */
export function exportedFrom(
  record: Buffer,
  chainBefore: BinaryHash,
  position: number,
): ExportedEvent | RecordProblem {
  const opened = openHeader(record, chainBefore);
  if ('kind' in opened) return opened;
  const { header, chain, bodyStart } = opened;
  if (record.length === bodyStart)
    return { position, header, chain, body: { salt: null, bodyHash: claimedBodyHash(record) } };
  const problem = bodyProblem(record, bodyStart);
  return problem ?? { position, header, chain, body: new StoredBody(record.subarray(bodyStart)) };
}

/** Builds a record that follows another event. In its own log this gives exactly the stored bytes. */
export function sealExported({ header, body }: EventContent, before: BinaryHash): SealedEvent {
  return body.salt === null
    ? sealBlank(header, body.bodyHash, before)
    : sealStored(header, body.bytes, before);
}

/** What is wrong with an event's chain, given the chain before it; null when it fits. */
export function linkProblem(event: ExportedEvent, before: BinaryHash): string | null {
  return sealExported(event, before).chain === event.chain
    ? null
    : 'it was changed, or does not follow the line before it';
}

/** The event with its body blanked. */
export function blankExported<T extends EventContent>(event: T): T {
  const { body } = event;
  return body.salt === null ? event : { ...event, body: { salt: null, bodyHash: body.hash } };
}

/** An event on its way to another log, as bytes. @throws TypeError for a blanked one */
export function packEvent({ header, body }: EventContent): Buffer {
  if (body.salt === null) throw new TypeError('A blanked event has no body to pack.');
  return packed(header, body);
}

/** The event, or one sentence that says what is wrong with it. */
export function unpackEvent(bytes: Buffer): EventContent | string {
  const event = unpacked(bytes);
  return event !== null && isSound(event.header) ? event : 'a field is missing or has the wrong form';
}

/** One line of JSON, without the line feed. */
export function exportedLine({ position, header, chain, body }: ExportedEvent): string {
  const { id, type, v: version, agent, session, dedupeKey, channel, causation } = header;
  const { origin, originSeq, occurredAt, recordedAt } = header;
  const fields = {
    position,
    id,
    type,
    version,
    agent,
    session,
    dedupeKey,
    channel,
    causation,
    origin,
    originSeq,
    occurredAt,
    recordedAt,
    chain: hexOf(chain),
    ...(body.salt === null ? { bodyHash: hexOf(body.bodyHash) } : { salt: body.salt.toString('hex') }),
  };
  return `${JSON.stringify(fields).slice(0, -1)}${BODY}${body.salt === null ? 'null' : body.json}}`;
}

/** The event of a line, or one sentence that says what is wrong with it. The caller checks the chain. */
export function parseExportedLine(line: string): ExportedEvent | string {
  // This mark cannot occur inside a JSON string: there a backslash precedes every quotation mark.
  const mark = line.indexOf(BODY);
  if (mark === -1 || !line.endsWith('}')) return 'the line is cut off';
  const fields = parseBody(`${line.slice(0, mark)}}`);
  if (fields === null) return 'the line is not JSON';
  const header = headerOf(fields);
  const { position, chain, salt, bodyHash } = fields;
  if (header === null || !isCount(position) || !isHash(chain, 64))
    return 'a field is missing or has the wrong form';
  if (!hasOwnId(header)) return ID_PROBLEM;
  const json = line.slice(mark + BODY.length, -1);
  if (json === 'null' && isHash(bodyHash, 64))
    return { position, header, chain: fromHex(chain), body: { salt: null, bodyHash: fromHex(bodyHash) } };
  if (json === 'null' || !isHash(salt, 32)) return 'the body is missing';
  if (parseBody(json) === null) return 'the body is not a JSON object';
  return { position, header, chain: fromHex(chain), body: StoredBody.of(Buffer.from(salt, 'hex'), json) };
}

export const ID_PROBLEM = 'the id does not follow from the other fields';

/** Whether the id follows from the other fields. */
export function hasOwnId(header: Header): boolean {
  return header.id === eventId(header as Parameters<typeof eventId>[0]);
}

const BODY = ',"body":';

function headerOf(fields: Readonly<Record<string, unknown>>): Header | null {
  const { id, type, version: v, agent, session, dedupeKey, channel, causation } = fields;
  const { origin, originSeq, occurredAt, recordedAt } = fields;
  const header = {
    id,
    type,
    v,
    agent,
    session,
    dedupeKey,
    channel,
    causation,
    origin,
    originSeq,
    occurredAt,
    recordedAt,
  } as Header;
  return isSound(header) ? header : null;
}

/** Whether all fields have their form. */
function isSound(header: { readonly [field in keyof Header]: unknown }): boolean {
  const { id, type, v, agent, session, dedupeKey, channel, causation } = header;
  const { origin, originSeq, occurredAt, recordedAt } = header;
  return (
    isText(id) &&
    isText(type) &&
    isCount(v) &&
    isText(agent) &&
    (session === null || typeof session === 'string') &&
    isText(dedupeKey) &&
    (CHANNELS as readonly unknown[]).includes(channel) &&
    (causation === null || typeof causation === 'string') &&
    isText(origin) &&
    isCount(originSeq) &&
    (occurredAt === null || isTime(occurredAt)) &&
    isTime(recordedAt)
  );
}

/** A JSON object within the limits of an event; null for anything else. */
export function parseBody(text: string): Readonly<Record<string, unknown>> | null {
  const parsed = parseJson(text, EVENT_JSON_LIMITS);
  if ('problem' in parsed) return null;
  const { value } = parsed;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Positions and sequences count from 1. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isHash(value: unknown, digits: number): value is string {
  return typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value);
}
