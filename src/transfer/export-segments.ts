// The segments of an export: lines of events up to a size, each segment a file of its own, written aside and renamed.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ChainPosition, exportedLine, type Log, type Segment } from '../../log/index.ts';
import { writeAtomically } from '../platform/atomic-file.ts';
import { type ExportKey, encryptBytes } from './export-encryption.ts';

/** A segment ends behind the line that brings it here. */
const SEGMENT_BYTES = 8 * 1024 * 1024;
/** The type of event with which bodies go. */
export const FORGETTING = 'memory.forgotten';
/** A name of a segment or of the manifest, whole or left by an export that was stopped. */
export const OWN_FILE =
  /^(events-\d{12}-[0-9a-f]{8}\.jsonl(\.sealed)?|manifest\.json)(\.[0-9a-f]{12}\.tmp)?$/;

/** What one segment is to hold. */
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
    const whole = {
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
    return whole;
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

/** The name holds the beginning of the hash: a segment that is written anew never takes an older one's place. */
export async function writeSegment(
  path: string,
  { first, head, text }: Part,
  exportKey: ExportKey | null,
): Promise<Segment> {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const content = exportKey === null ? text : encryptBytes(Buffer.from(text), 'segment', exportKey);
  // Of an encrypted one the hash of what stands there: that of the text would tell whether it is a text one knows.
  const shown = exportKey === null ? sha256 : createHash('sha256').update(content).digest('hex');
  const name = `events-${String(first).padStart(12, '0')}-${shown.slice(0, 8)}.jsonl${exportKey === null ? '' : '.sealed'}`;
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
