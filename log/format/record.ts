// The values of the log, as bytes. A reader must notice a wrong byte anywhere in them: events are covered by the
// chain and the body hash, everything else carries its own checksum.
//
//   event    = chain body-hash header-length header-json salt body-json
//   chain    = sha-256(chain before, body-hash, header-length, header-json)
//   body-hash = sha-256(salt, body-json)          salt      = 16 random bytes
//   header-length = bytes of header-json (4 bytes, big-endian)
//   identity = position (8 bytes)
//   session  = (empty)
//   cursor   = checksum json                      checksum  = first 16 bytes of sha-256(key, value)
//   meta     = checksum json
//
// The chain covers the body's hash, not the body, so a record that ends behind its header still fits.
// The chain before the first event is sha-256 of the log's id, so that no event fits into another log.
import { hash } from 'node:crypto';
import type { Channel } from '../event.ts';
import { parseOwnJson } from '../parse-json.ts';
import { allocate } from './chunk.ts';

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const CHECKSUM_BYTES = 16;
const LENGTH_START = 2 * HASH_BYTES;
const LENGTH_BYTES = 4;
const HEADER_START = LENGTH_START + LENGTH_BYTES;

/** The part of an event that is kept when its body is blanked. */
export interface Header {
  readonly id: string;
  readonly type: string;
  /** Version of the body. */
  readonly v: number;
  readonly agent: string;
  readonly session: string | null;
  readonly dedupeKey: string;
  readonly origin: string;
  readonly originSeq: number;
  readonly occurredAt: number | null;
  readonly recordedAt: number;
  readonly channel: Channel;
  readonly causation: string | null;
}

/**
 * A hash as a string of 32 characters below 256. Measured: half the cost of a Buffer, and one event would need two.
 */
export type BinaryHash = string;

export interface SealedEvent {
  readonly record: Buffer;
  readonly chain: BinaryHash;
}

export function genesis(logId: string): BinaryHash {
  return hash('sha256', logId, 'binary');
}

export function sealEvent(
  header: Header,
  salt: Uint8Array,
  bodyJson: string,
  chainBefore: BinaryHash,
): SealedEvent {
  const { record, bodyStart } = recordFor(header, SALT_BYTES + Buffer.byteLength(bodyJson));
  record.set(salt, bodyStart);
  record.write(bodyJson, bodyStart + SALT_BYTES);
  return linked(record, bodyStart, chainBefore);
}

/** @param body salt and JSON, as `StoredBody` has them */
export function sealStored(header: Header, body: Uint8Array, chainBefore: BinaryHash): SealedEvent {
  const { record, bodyStart } = recordFor(header, body.length);
  record.set(body, bodyStart);
  return linked(record, bodyStart, chainBefore);
}

function recordFor(header: Header, bodyBytes: number): { record: Buffer; bodyStart: number } {
  const headerJson = JSON.stringify(headerFields(header));
  const bodyStart = HEADER_START + Buffer.byteLength(headerJson);
  const record = allocate(bodyStart + bodyBytes);
  record.writeUInt32BE(bodyStart - HEADER_START, LENGTH_START);
  record.write(headerJson, HEADER_START);
  return { record, bodyStart };
}

/** While hashing, the previous chain occupies the place of the new one: one buffer, two hashes, no copy. */
function linked(record: Buffer, bodyStart: number, chainBefore: BinaryHash): SealedEvent {
  record.write(chainBefore, 0, 'latin1');
  record.write(binaryHash(record.subarray(bodyStart)), HASH_BYTES, 'latin1');
  const chain = binaryHash(record.subarray(0, bodyStart));
  record.write(chain, 0, 'latin1');
  return { record, chain };
}

/** The record of an event whose body was blanked: its header and the hash of the removed body. */
export function sealBlank(header: Header, bodyHash: BinaryHash, chainBefore: BinaryHash): SealedEvent {
  const { record } = recordFor(header, 0);
  record.write(chainBefore, 0, 'latin1');
  record.write(bodyHash, HASH_BYTES, 'latin1');
  const chain = binaryHash(record);
  record.write(chain, 0, 'latin1');
  return { record, chain };
}

/** A body as it is stored: its salt, then its JSON, which is decoded when it is asked for. */
export class StoredBody {
  readonly salt: Buffer;
  /** Both. */
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.salt = bytes.subarray(0, SALT_BYTES);
    this.bytes = bytes;
  }

  static of(salt: Uint8Array, json: string): StoredBody {
    return new StoredBody(Buffer.concat([salt, Buffer.from(json)]));
  }

  get json(): string {
    return this.bytes.toString('utf8', SALT_BYTES);
  }

  get hash(): BinaryHash {
    return binaryHash(this.bytes);
  }
}

/** The hash that a record claims for its body. */
export function claimedBodyHash(record: Buffer): BinaryHash {
  return record.toString('latin1', HASH_BYTES, LENGTH_START);
}

/** What is wrong with a record; `kind` and `message` as in VerifyProblem. */
export interface RecordProblem {
  readonly kind: 'header' | 'chain' | 'body';
  readonly message: string;
}

export interface OpenedHeader {
  readonly header: Header;
  readonly chain: BinaryHash;
  /** Where the salt and the body begin. */
  readonly bodyStart: number;
}

/** The chain an event's record claims; null when the record is too short to hold one. */
export function claimedChain(record: Buffer): BinaryHash | null {
  return record.length > HEADER_START ? record.toString('latin1', 0, HASH_BYTES) : null;
}

/** Where the salt and the body of a record begin; null when the header length is impossible. */
export function bodyStartOf(record: Buffer): number | null {
  if (record.length <= HEADER_START) return null;
  const start = HEADER_START + record.readUInt32BE(LENGTH_START);
  return start <= record.length ? start : null;
}

/** Reads the header of a record and checks it against the chain before it. */
export function openHeader(record: Buffer, chainBefore: BinaryHash): OpenedHeader | RecordProblem {
  const linked = openLink(record, chainBefore);
  if ('kind' in linked) return linked;
  const header = parseHeader(record);
  if (header === null) return { kind: 'header', message: 'the header cannot be read' };
  return { header, chain: linked.chain, bodyStart: linked.bodyStart };
}

/** Like `openHeader`, without decoding the header. */
export function openLink(
  record: Buffer,
  chainBefore: BinaryHash,
): Omit<OpenedHeader, 'header'> | RecordProblem {
  const bodyStart = bodyStartOf(record);
  if (bodyStart === null) return { kind: 'header', message: 'the header is cut off' };
  const chain = chainOver(record, bodyStart, chainBefore);
  if (chain !== claimedChain(record)) return { kind: 'chain', message: 'the chain does not fit' };
  return { chain, bodyStart };
}

/** header-length header-json, then the salt and the body: a record without its hashes, which belong to one log. */
export function packed(header: Header, { bytes }: StoredBody): Buffer {
  const headerJson = JSON.stringify(headerFields(header));
  const bodyStart = LENGTH_BYTES + Buffer.byteLength(headerJson);
  const all = allocate(bodyStart + bytes.length);
  all.writeUInt32BE(bodyStart - LENGTH_BYTES);
  all.write(headerJson, LENGTH_BYTES);
  all.set(bytes, bodyStart);
  return all;
}

/** Null when it cannot be read. What a header says is not checked. */
export function unpacked(all: Buffer): { readonly header: Header; readonly body: StoredBody } | null {
  const bodyStart = all.length < LENGTH_BYTES ? 0 : LENGTH_BYTES + all.readUInt32BE();
  if (bodyStart === 0 || bodyStart + SALT_BYTES > all.length) return null;
  const header = toHeader(parseOwnJson(all.toString('utf8', LENGTH_BYTES, bodyStart)));
  return header === null ? null : { header, body: new StoredBody(all.subarray(bodyStart)) };
}

/** The header, without checking the chain; null when it cannot be read. */
export function parseHeader(record: Buffer): Header | null {
  const bodyStart = bodyStartOf(record);
  return bodyStart === null ? null : toHeader(parseOwnJson(record.toString('utf8', HEADER_START, bodyStart)));
}

/** Whether a record ends behind its header: its body was blanked, or lost by damage. */
export function isBlank(record: Buffer): boolean {
  return bodyStartOf(record) === record.length;
}

/** The record of an event without its salt and its body. */
export function blanked(record: Buffer): Buffer {
  return Buffer.from(record.subarray(0, bodyStartOf(record) ?? record.length));
}

/** The body's JSON text, checked against the hash in its record. */
export function openBody(record: Buffer, bodyStart: number): string | RecordProblem {
  return bodyProblem(record, bodyStart) ?? record.toString('utf8', bodyStart + SALT_BYTES);
}

/** What is wrong with a body, without decoding it; null when it is good. */
export function bodyProblem(record: Buffer, bodyStart: number): RecordProblem | null {
  if (record.length <= bodyStart) return { kind: 'body', message: 'the body is missing' };
  if (binaryHash(record.subarray(bodyStart)) !== claimedBodyHash(record))
    return { kind: 'body', message: 'the body does not match its hash' };
  return null;
}

/** The store may still own the record, so the previous chain is written into a copy of its head; the copy's buffer is reused. */
function chainOver(record: Buffer, bodyStart: number, chainBefore: BinaryHash): BinaryHash {
  if (scratch.length < bodyStart) scratch = Buffer.allocUnsafeSlow(2 * bodyStart);
  scratch.write(chainBefore, 0, 'latin1');
  record.copy(scratch, HASH_BYTES, HASH_BYTES, bodyStart);
  return binaryHash(scratch.subarray(0, bodyStart));
}

let scratch = Buffer.allocUnsafeSlow(4096);

/** The header as it is written: a list without field names, which would be a third of its size. */
function headerFields(header: Header): readonly unknown[] {
  const { id, type, v, agent, session, dedupeKey } = header;
  const { origin, originSeq, occurredAt, recordedAt, channel, causation } = header;
  return [
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
  ];
}

function toHeader(fields: unknown): Header | null {
  if (!Array.isArray(fields)) return null;
  const [
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
  ] = fields;
  const isValid =
    typeof id === 'string' &&
    typeof type === 'string' &&
    typeof v === 'number' &&
    typeof agent === 'string' &&
    typeof dedupeKey === 'string' &&
    typeof origin === 'string' &&
    typeof originSeq === 'number' &&
    typeof recordedAt === 'number';
  if (!isValid) return null;
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

export function fromHex(hash: string): BinaryHash {
  return Buffer.from(hash, 'hex').toString('latin1');
}

export function hexOf(chain: BinaryHash): string {
  return Buffer.from(chain, 'latin1').toString('hex');
}

function binaryHash(bytes: Buffer): BinaryHash {
  return hash('sha256', bytes, 'binary');
}

export function hashOf(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}

export function sealValue(key: Buffer, value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value));
  return Buffer.concat([checksum(key, json), json]);
}

/** The JSON value under a key, or undefined when its checksum does not match. */
export function openValue(key: Buffer, record: Buffer): unknown | undefined {
  const json = record.subarray(CHECKSUM_BYTES);
  if (!checksum(key, json).equals(record.subarray(0, CHECKSUM_BYTES))) return undefined;
  return parseOwnJson(json.toString());
}

function checksum(key: Buffer, json: Buffer): Buffer {
  return hashOf(Buffer.concat([key, json])).subarray(0, CHECKSUM_BYTES);
}
