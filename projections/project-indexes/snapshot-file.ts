// The snapshot format, with which a new process answers without rebuilding an index:
//
//   file = CRC-32 of everything after its LF, 8 hex digits LF head, spaces up to a multiple of 4, LF | arrays
//   head = JSON {format, recipe, projectIndex, workdirs, generation, seq, …fields of the index kind}
//
// Arrays are used directly from the file, little-endian as on every machine that runs Node. A damaged file, or one of
// another project or recipe, is not used: the index is rebuilt. A CRC detects disk errors; sha-256 took as long as the
// search itself.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ProjectIndex, SourcePosition } from './document-source.ts';
import type { Pause, SnapshotForm } from './index-kind.ts';

const CHECKSUM_BYTES = 9;
const LINE_END = 0x0a;
const ALIGNMENT = 4;
/** Bytes copied and checksummed between two pauses: about 2 ms. */
const SLICE_BYTES = 2 ** 21;

interface Head extends SourcePosition {
  readonly format: number;
  readonly recipe: string | number;
  readonly projectIndex: string;
  readonly workdirs: readonly string[];
}

export type ParsedSnapshot<Content> =
  | { readonly outcome: 'good'; readonly checkpoint: SourcePosition; readonly content: Content }
  /** Another format, recipe or set of workdirs: valid, but not usable. */
  | { readonly outcome: 'outdated' }
  | { readonly outcome: 'damaged' };

export function snapshotName(
  { name }: Pick<SnapshotForm<never>, 'name'>,
  projectIndex: ProjectIndex,
): string {
  return `${createHash('sha256').update(projectIndex.id).digest('hex').slice(0, 32)}.${name}`;
}

/** The bytes of a snapshot file. Equal content gives equal bytes. */
export async function writeSnapshot<Content>(
  kind: SnapshotForm<Content>,
  projectIndex: ProjectIndex,
  checkpoint: SourcePosition,
  compacted: Content,
  pause: Pause,
): Promise<Buffer> {
  const { head, arrays } = kind.write(compacted);
  const common: Head = {
    format: kind.format,
    recipe: kind.recipe,
    projectIndex: projectIndex.id,
    workdirs: [...projectIndex.workdirs].sort(),
    generation: checkpoint.generation,
    seq: checkpoint.seq,
  };
  const line = Buffer.from(JSON.stringify({ ...common, ...head }));
  const padding = (ALIGNMENT - ((CHECKSUM_BYTES + line.length + 1) % ALIGNMENT)) % ALIGNMENT;
  const parts = [line, Buffer.from(`${' '.repeat(padding)}\n`), ...arrays.map(arrayBytes)];
  const file = Buffer.allocUnsafe(CHECKSUM_BYTES + parts.reduce((length, part) => length + part.length, 0));
  let at = CHECKSUM_BYTES;
  let checksum = 0;
  for (const part of parts)
    for (let from = 0; from < part.length; from += SLICE_BYTES) {
      const slice = part.subarray(from, from + SLICE_BYTES);
      checksum = crc32(slice, checksum);
      at += slice.copy(file, at);
      if (part.length > SLICE_BYTES) await pause();
    }
  file.write(`${digits(checksum)}\n`, 0, 'latin1');
  return file;
}

/** @throws Error on damage that the checksum does not detect */
export function readSnapshot<Content>(
  kind: SnapshotForm<Content>,
  projectIndex: ProjectIndex,
  file: Buffer,
): ParsedSnapshot<Content> {
  const rest = file.subarray(CHECKSUM_BYTES);
  if (file.toString('latin1', 0, CHECKSUM_BYTES) !== `${digits(crc32(rest))}\n`)
    return { outcome: isOlder(file) ? 'outdated' : 'damaged' };
  const headEnd = rest.indexOf(LINE_END);
  const head = JSON.parse(rest.toString('utf8', 0, headEnd)) as Head;
  if (head.format !== kind.format || head.recipe !== kind.recipe) return { outcome: 'outdated' };
  if (head.projectIndex !== projectIndex.id) return { outcome: 'damaged' };
  if (head.workdirs.join('\n') !== [...projectIndex.workdirs].sort().join('\n'))
    return { outcome: 'outdated' };
  const body = rest.subarray(headEnd + 1);
  // A buffer from Node's pool may be unaligned.
  const aligned = body.byteOffset % ALIGNMENT === 0 ? body : Buffer.from(new Uint8Array(body).buffer);
  const checkpoint = { generation: head.generation, seq: head.seq };
  return { outcome: 'good', checkpoint, content: kind.read(head, aligned) };
}

export function arrayBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Files of the first format begin with 64 hex digits. */
function isOlder(file: Buffer): boolean {
  return /^[0-9a-f]{64}\n\{"format":1,/.test(file.toString('latin1', 0, 80));
}

function digits(checksum: number): string {
  return checksum.toString(16).padStart(CHECKSUM_BYTES - 1, '0');
}

export type { SnapshotForm };
