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
  bodyHashOf,
  bodyProofOf,
  fromHex,
  type Header,
  hexOf,
  openBody,
  openHeader,
  type RecordProblem,
  type SealedEvent,
  sealBlank,
  sealEvent,
} from './record.ts';

export interface ExportedEvent {
  /** Its position in the log it comes from. */
  readonly position: number;
  readonly header: Header;
  /** The chain of the log it comes from, after this event. */
  readonly chain: BinaryHash;
  readonly body: ExportedBody;
}

/** A body with its salt, or the hash of a blanked body. */
export type ExportedBody =
  | { readonly salt: Buffer; readonly json: string }
  | { readonly salt: null; readonly bodyHash: BinaryHash };

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
  const { salt, bodyHash } = bodyProofOf(record, bodyStart);
  if (salt === null) return { position, header, chain, body: { salt, bodyHash } };
  const json = openBody(record, bodyStart);
  return typeof json === 'string' ? { position, header, chain, body: { salt, json } } : json;
}

/** Builds a record that follows another event. In its own log this gives exactly the stored bytes. */
export function sealExported(
  { header, body }: Pick<ExportedEvent, 'header' | 'body'>,
  before: BinaryHash,
): SealedEvent {
  return body.salt === null
    ? sealBlank(header, body.bodyHash, before)
    : sealEvent(header, body.salt, body.json, before);
}

/** What is wrong with an event's chain, given the chain before it; null when it fits. */
export function linkProblem(event: ExportedEvent, before: BinaryHash): string | null {
  return sealExported(event, before).chain === event.chain
    ? null
    : 'it was changed, or does not follow the line before it';
}

/** The event with its body blanked. */
export function blankExported(event: ExportedEvent): ExportedEvent {
  const { body } = event;
  return body.salt === null
    ? event
    : { ...event, body: { salt: null, bodyHash: bodyHashOf(body.salt, body.json) } };
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
  const fields = parseObject(`${line.slice(0, mark)}}`);
  if (fields === null) return 'the line is not JSON';
  const header = headerOf(fields);
  const { position, chain, salt, bodyHash } = fields;
  if (header === null || !isCount(position) || !isHash(chain, 64))
    return 'a field is missing or has the wrong form';
  if (header.id !== eventId(header as Parameters<typeof eventId>[0]))
    return 'the id does not follow from the other fields';
  const json = line.slice(mark + BODY.length, -1);
  if (json === 'null' && isHash(bodyHash, 64))
    return { position, header, chain: fromHex(chain), body: { salt: null, bodyHash: fromHex(bodyHash) } };
  if (json === 'null' || !isHash(salt, 32)) return 'the body is missing';
  if (parseObject(json) === null) return 'the body is not a JSON object';
  return { position, header, chain: fromHex(chain), body: { salt: Buffer.from(salt, 'hex'), json } };
}

const BODY = ',"body":';

function headerOf(fields: Readonly<Record<string, unknown>>): Header | null {
  const { id, type, version: v, agent, session, dedupeKey, channel, causation } = fields;
  const { origin, originSeq, occurredAt, recordedAt } = fields;
  const isValid =
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
    isTime(recordedAt);
  if (!isValid) return null;
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
  };
  return header as Header;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
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
