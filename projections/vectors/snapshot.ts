// A partition's columns on disk, read back by views into the file's bytes. Integers are little-endian, as on
// every machine that Node runs on.
//
//   file   = head, padded with spaces to a multiple of 4 LF… | values | asks, padded | tokens | sessions | agents | scales
//   head   = CRC-32 of all after its LF, 8 hex digits LF JSON
//            {format, recipe, partition, places, generation, seq, dim, ids, sessions, sessionTokens, agents} LF
//   values = int8[rows × dim]   asks = uint8[rows]   tokens, sessions, agents = uint32[rows]   scales = float32[rows]
//
// `sessions` and `agents` of the head are the different ones, of the body each row's number among them.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Partition, SourceAnchor } from '../text-index/source.ts';
import type { Columns } from './columns.ts';

const FORMAT = 1;
const CHECKSUM_BYTES = 9;
const LINE_END = 0x0a;

interface Head extends SourceAnchor {
  readonly format: number;
  readonly recipe: string;
  readonly partition: string;
  readonly places: readonly string[];
  readonly dim: number;
  readonly ids: readonly string[];
  readonly sessions: readonly string[];
  readonly sessionTokens: readonly number[];
  readonly agents: readonly string[];
}

export type ParsedVectors =
  | { readonly outcome: 'good'; readonly anchor: SourceAnchor; readonly columns: Columns }
  /** Of another format, recipe or set of places: not wrong, only of no use. */
  | { readonly outcome: 'outdated' }
  | { readonly outcome: 'damaged' };

export function vectorFileName(partition: Partition): string {
  return `${createHash('sha256').update(partition.id).digest('hex').slice(0, 32)}.vectors`;
}

export function writeVectors(
  partition: Partition,
  recipe: string,
  anchor: SourceAnchor,
  columns: Columns,
): Buffer {
  const sessions = [...new Set(columns.sessions)];
  const agents = [...new Set(columns.agents)];
  const head: Head = {
    format: FORMAT,
    recipe,
    partition: partition.id,
    places: [...partition.places].sort(),
    generation: anchor.generation,
    seq: anchor.seq,
    dim: columns.dim,
    ids: columns.ids,
    sessions,
    sessionTokens: sessions.map((session) => columns.sessionTokens.get(session)!),
    agents,
  };
  const line = Buffer.from(JSON.stringify(head));
  const padding = Buffer.alloc(3 - ((CHECKSUM_BYTES + line.length) % 4), ' ');
  const rest = Buffer.concat([
    line,
    padding,
    Buffer.from('\n'),
    bytesOf(columns.values),
    bytesOf(columns.asks),
    Buffer.alloc(paddingOf(columns.values.length + columns.asks.length)),
    bytesOf(columns.tokens),
    bytesOf(numbersOf(columns.sessions, sessions)),
    bytesOf(numbersOf(columns.agents, agents)),
    bytesOf(columns.scales),
  ]);
  return Buffer.concat([Buffer.from(`${checksum(rest)}\n`), rest]);
}

export function readVectors(partition: Partition, recipe: string, file: Buffer): ParsedVectors {
  const rest = file.subarray(CHECKSUM_BYTES);
  if (file.toString('latin1', 0, CHECKSUM_BYTES) !== `${checksum(rest)}\n`) return { outcome: 'damaged' };
  const headEnd = rest.indexOf(LINE_END);
  const head = JSON.parse(rest.toString('utf8', 0, headEnd)) as Head;
  if (head.format !== FORMAT || head.recipe !== recipe) return { outcome: 'outdated' };
  if (head.partition !== partition.id) return { outcome: 'damaged' };
  if (head.places.join('\n') !== [...partition.places].sort().join('\n')) return { outcome: 'outdated' };
  const { ids, dim, generation, seq } = head;
  // Typed arrays want aligned bytes; a buffer out of Node's pool need not be.
  const body = rest.subarray(headEnd + 1);
  const { buffer, byteOffset } = body.byteOffset % 4 === 0 ? body : Buffer.from(new Uint8Array(body).buffer);
  const rows = ids.length;
  const small = rows * dim + rows;
  const wide = byteOffset + small + paddingOf(small);
  const column = (index: number) => new Uint32Array(buffer, wide + 4 * rows * index, rows);
  return {
    outcome: 'good',
    anchor: { generation, seq },
    columns: {
      dim,
      ids,
      values: new Int8Array(buffer, byteOffset, rows * dim),
      asks: new Uint8Array(buffer, byteOffset + rows * dim, rows),
      tokens: column(0),
      sessions: Array.from(column(1), (number) => head.sessions[number]!),
      sessionTokens: new Map(head.sessions.map((session, number) => [session, head.sessionTokens[number]!])),
      agents: Array.from(column(2), (number) => head.agents[number]!),
      scales: new Float32Array(buffer, wide + 12 * rows, rows),
    },
  };
}

function numbersOf(values: readonly string[], different: readonly string[]): Uint32Array {
  const numbers = new Map(different.map((value, number) => [value, number]));
  return Uint32Array.from(values, (value) => numbers.get(value)!);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function paddingOf(bytes: number): number {
  return (4 - (bytes % 4)) % 4;
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
