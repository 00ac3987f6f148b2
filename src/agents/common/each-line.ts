// Reads lines of JSON one after the other into a reader's state. The same bytes give the same events however they are
// split: a line without its newline is used when it is complete JSON, and otherwise left for the next read.
import type { NewEvent } from '../../../log/index.ts';
import { LINE_BYTES_MAX, type Line } from '../../capture/transcripts/line-splitter.ts';
import { type JsonObject, lineProblem, parseTranscriptLine } from './json-fields.ts';
import type { LiveState } from './live-state.ts';
import type { ParkedPiece } from './transcript-reader.ts';

export interface LinesRead {
  readonly events: readonly NewEvent[];
  /** Lines parked by this call (all of them; the state keeps the first 100). */
  readonly parked: readonly ParkedPiece[];
}

/** A line for which `readLine` throws is parked, and its events are dropped: it must not keep the others out. */
export function readEachLine(
  state: LiveState,
  lines: readonly Line[],
  readLine: (parsed: JsonObject, line: Line, emit: (event: NewEvent) => void) => void,
): LinesRead {
  const events: NewEvent[] = [];
  const parked: ParkedPiece[] = [];
  const park = (piece: ParkedPiece) => {
    state.park(piece);
    parked.push(piece);
  };
  for (const line of lines) {
    // A line that continues after a crash does not belong to the one before.
    if (state.tail?.kind === 'used' && line.bytes?.[0] === 0) state.tail = null;
    if (state.tail !== null) {
      if (!takeTail(state, line, park)) break;
      continue;
    }
    const parsed = line.bytes === null ? null : parseTranscriptLine(line.bytes);
    if (parsed === null && !line.ended && line.bytes !== null) break;
    if (parsed !== null) {
      state.counts.lines += 1;
      const lost = lostBefore(line);
      if (lost > 0) park({ offset: line.offset, length: lost, reason: 'not text' });
      const emitted: NewEvent[] = [];
      try {
        readLine(parsed, line, (event) => emitted.push(event));
        for (const { type } of emitted) state.counts.events[type] = (state.counts.events[type] ?? 0) + 1;
        events.push(...emitted);
      } catch {
        park({ offset: line.offset, length: line.length, reason: 'it could not be read by this version' });
      }
    } else if (line.bytes === null || !isBlank(line.bytes)) {
      state.counts.lines += 1;
      park({ offset: line.offset, length: line.length, reason: reasonOf(line) });
    }
    state.pass(line, parsed !== null);
  }
  return { events, parked };
}

/** The number of bytes before a line that continues after NUL bytes; 0 when nothing but these is there. */
function lostBefore({ bytes }: Line): number {
  const length = (bytes?.lastIndexOf(0) ?? -1) + 1;
  return bytes?.subarray(0, length).some((byte) => byte !== 0) === true ? length : 0;
}

/** Reads the rest of a line that was used or skipped before its newline came. False: wait for more. */
function takeTail(state: LiveState, line: Line, park: (piece: ParkedPiece) => void): boolean {
  const tail = state.tail!;
  const ours = tail.kind === 'long' || (line.bytes !== null && isBlank(line.bytes));
  if (!line.ended && !ours) return false;
  if (tail.kind === 'long') state.lengthenParked(tail.offset, line.offset + line.length);
  else if (!ours) park({ offset: line.offset, length: line.length, reason: 'bytes after a complete line' });
  state.offset = line.offset + line.length + (line.ended ? 1 : 0);
  if (line.ended) state.tail = null;
  return true;
}

function reasonOf(line: Line): string {
  return line.bytes === null ? `longer than ${LINE_BYTES_MAX / 2 ** 20} MiB` : lineProblem(line.bytes);
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
