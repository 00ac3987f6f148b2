// Writes the segments of an export: lines of events up to a size, each segment a file that is written and then renamed.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ChainPosition, exportedLine, FORGETTING, type Log, type Segment } from '../../log/index.ts';
import { writeAtomically } from '../platform/atomic-file.ts';
import { ENCRYPTED, type ExportKey, encryptBytes } from './export-encryption.ts';

/** A segment ends after the line that reaches this size. */
const SEGMENT_BYTES = 8 * 1024 * 1024;
/** Says which process exports into the folder. */
export const LOCK = 'export.lock';
/** The name of a file of an export, or of what an interrupted export leaves of a file or of the lock. */
export const OWN_FILE =
  /^(((events-\d{12}-[0-9a-f]{8}\.jsonl|manifest\.json)(\.age)?|key\.age)(\.[0-9a-f]{12}\.tmp)?|export\.lock\.[0-9a-f]{12}\.tmp)$/;

/** The content of one segment. */
export interface Part {
  readonly first: number;
  readonly head: ChainPosition;
  /** Ids of the events without a body. */
  readonly blank: readonly string[];
  readonly forgettings: number;
  readonly text: string;
}

/** Everything after `from`, up to the position `end`. */
export async function* partsOf(from: ChainPosition, end: number, log: Log): AsyncGenerator<Part> {
  let lines: string[] = [];
  let bytes = 0;
  let blank: string[] = [];
  let forgettings = 0;
  let head = from;
  const part = (): Part => {
    const full = {
      first: head.position - lines.length + 1,
      head,
      blank,
      forgettings,
      text: `${lines.join('\n')}\n`,
    };
    lines = [];
    bytes = 0;
    blank = [];
    forgettings = 0;
    return full;
  };
  while (head.position < end) {
    const { events } = await log.exportPage({
      after: head.position,
      limit: Math.min(1_000, end - head.position),
    });
    for (const event of events) {
      const line = exportedLine(event);
      lines.push(line);
      bytes += Buffer.byteLength(line) + 1;
      if (event.body.salt === null) blank.push(event.header.id);
      if (event.header.type === FORGETTING) forgettings += 1;
      head = { position: event.position, chain: Buffer.from(event.chain, 'latin1').toString('hex') };
      if (bytes >= SEGMENT_BYTES) yield part();
    }
  }
  if (lines.length > 0) yield part();
}

/** The name contains the first digits of the hash, so a segment that is written again never replaces an older one. */
export async function writeSegment(
  path: string,
  { first, head, text }: Part,
  exportKey: ExportKey | null,
): Promise<Segment> {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const content = exportKey === null ? text : await encryptBytes(Buffer.from(text), exportKey);
  // An encrypted segment is named by the hash of its encrypted bytes: the hash of the text would confirm a guessed text.
  const shown = exportKey === null ? sha256 : createHash('sha256').update(content).digest('hex');
  const name = `events-${String(first).padStart(12, '0')}-${shown.slice(0, 8)}.jsonl${exportKey === null ? '' : ENCRYPTED}`;
  await writeAtomically(join(path, name), content);
  return {
    name,
    first,
    last: head.position,
    events: head.position - first + 1,
    bytes: Buffer.byteLength(text),
    sha256,
    chain: head.chain,
  };
}
