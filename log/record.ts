// The values of the log, as bytes. A wrong byte anywhere in them must be seen by whoever reads them: events
// are covered by the chain and the body hash, everything else carries a checksum of its own.
//
//   header   = chain body-hash header-json        chain     = sha-256(chain before, body-hash, header-json)
//   body     = salt body-json                     body-hash = sha-256(salt, body-json)
//   identity = position (8 bytes)                 salt      = 16 random bytes
//   session  = (empty: the key says it all)
//   cursor   = checksum json                      checksum  = first 16 bytes of sha-256(key, value)
//   meta     = checksum json
//
// The chain before the first event is sha-256 of the log's id, so that no event fits into another log.
import { hash } from 'node:crypto';
import { cut } from './chunk.ts';
import type { Witness } from './event.ts';

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const CHECKSUM_BYTES = 16;
const HEADER_START = 2 * HASH_BYTES;

/** What stays of an event for ever, also when its body is blanked. Short names: this is most of a small event. */
export interface Header {
  readonly id: string;
  readonly type: string;
  readonly v: number;
  readonly agent: string;
  readonly session: string | null;
  readonly fact: string;
  readonly origin: string;
  readonly originSeq: number;
  readonly occurredAt: number | null;
  readonly recordedAt: number;
  readonly witness: Witness;
  readonly causation: string | null;
}

/**
 * A hash as a string of 32 characters below 256. Measured: half the price of a Buffer, of which one event
 * would need two.
 */
export type BinaryHash = string;

export interface SealedHeader {
  readonly record: Buffer;
  readonly chain: BinaryHash;
}

export function genesis(logId: string): Buffer {
  return hash('sha256', logId, 'buffer');
}

/** The chain before stands where the chain itself will stand: one buffer, one hash, no copy. */
export function sealHeader(header: Header, bodyHash: BinaryHash, chainBefore: BinaryHash): SealedHeader {
  const json = JSON.stringify(header);
  const record = cut(HEADER_START + Buffer.byteLength(json));
  record.write(chainBefore, 0, 'latin1');
  record.write(bodyHash, HASH_BYTES, 'latin1');
  record.write(json, HEADER_START);
  const chain = binaryHash(record);
  record.write(chain, 0, 'latin1');
  return { record, chain };
}

export function binaryHash(bytes: Buffer): BinaryHash {
  return hash('sha256', bytes, 'binary');
}

export function sealBody(salt: Uint8Array, json: string): Buffer {
  const record = cut(SALT_BYTES + Buffer.byteLength(json));
  record.set(salt, 0);
  record.write(json, SALT_BYTES);
  return record;
}

export function hashOf(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}

/** What is wrong with a record, in the words of VerifyProblem. */
export interface RecordProblem {
  readonly kind: 'header' | 'chain' | 'body';
  readonly message: string;
}

export interface OpenedHeader {
  readonly header: Header;
  readonly bodyHash: Buffer;
  readonly chain: Buffer;
}

/** The chain a header record claims; null when the record is too short to hold one. */
export function claimedChain(record: Buffer): Buffer | null {
  return record.length > HEADER_START ? record.subarray(0, HASH_BYTES) : null;
}

/** Reads a header record and checks it against the chain before it. */
export function openHeader(record: Buffer, chainBefore: Buffer): OpenedHeader | RecordProblem {
  if (record.length <= HEADER_START) return { kind: 'header', message: 'the header is too short' };
  const claimed = record.subarray(0, HASH_BYTES);
  const sealed = Buffer.from(record);
  chainBefore.copy(sealed, 0);
  if (!hashOf(sealed).equals(claimed)) return { kind: 'chain', message: 'the chain does not fit' };
  const header = parseHeader(record);
  if (header === null) return { kind: 'header', message: 'the header is no header' };
  return { header, bodyHash: record.subarray(HASH_BYTES, HEADER_START), chain: claimed };
}

/** The header without any check of the chain; null when it is not one. */
export function parseHeader(record: Buffer): Header | null {
  const value = parseJson(record.toString('utf8', HEADER_START));
  return isHeader(value) ? value : null;
}

/** The body's JSON text, checked against the hash its header holds. */
export function openBody(record: Buffer | undefined, bodyHash: Buffer): string | RecordProblem {
  if (record === undefined) return { kind: 'body', message: 'the body is missing' };
  if (!hashOf(record).equals(bodyHash)) return { kind: 'body', message: 'the body is not what was written' };
  return record.toString('utf8', SALT_BYTES);
}

export function sealValue(key: Buffer, value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value));
  return Buffer.concat([checksum(key, json), json]);
}

/** The JSON value under a key, or undefined when its checksum does not fit. */
export function openValue(key: Buffer, record: Buffer): unknown | undefined {
  const json = record.subarray(CHECKSUM_BYTES);
  if (!checksum(key, json).equals(record.subarray(0, CHECKSUM_BYTES))) return undefined;
  return parseJson(json.toString());
}

function checksum(key: Buffer, json: Buffer): Buffer {
  return hashOf(Buffer.concat([key, json])).subarray(0, CHECKSUM_BYTES);
}

function parseJson(text: string): unknown | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is Header {
  if (typeof value !== 'object' || value === null) return false;
  const header = value as Record<string, unknown>;
  return (
    typeof header.id === 'string' &&
    typeof header.type === 'string' &&
    typeof header.v === 'number' &&
    typeof header.agent === 'string' &&
    typeof header.fact === 'string' &&
    typeof header.origin === 'string' &&
    typeof header.originSeq === 'number' &&
    typeof header.recordedAt === 'number'
  );
}
