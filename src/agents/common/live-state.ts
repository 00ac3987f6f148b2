// What the state of every transcript reader holds while lines are being read: maps ordered oldest first, each with a
// size limit. An entry dropped at a limit is forgotten, never misread.
import type { Line } from '../../capture/transcripts/line-splitter.ts';
import type { ParkedPiece, TranscriptState } from './transcript-reader.ts';

const PARKED_MAX = 100;
export const IDS_MAX = 4_000;

/** The last line has no newline yet, but was already used (complete JSON) or skipped (too long). */
export type Tail = { readonly kind: 'used' | 'long'; readonly offset: number } | null;

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Counts = Writable<{ [K in keyof TranscriptState['counts']]: Writable<TranscriptState['counts'][K]> }>;

export class LiveState {
  offset: number;
  tail: Tail;
  session: string | null;
  time: number | null;
  readonly speakers: Map<string, { session: string; agentId: string | null; cwds: string[] }>;
  readonly launchedTasks: Map<string, boolean>;
  readonly counts: Counts;
  readonly parked: ParkedPiece[];

  constructor(state: TranscriptState & { readonly tail: Tail }) {
    this.offset = state.offset;
    this.tail = state.tail;
    this.session = state.session;
    this.time = state.time;
    this.speakers = new Map(
      state.speakers.map((one) => [speakerKey(one.session, one.agentId), { ...one, cwds: [...one.cwds] }]),
    );
    this.launchedTasks = new Map(state.launched);
    this.counts = structuredClone(state.counts) as Counts;
    this.parked = [...state.parked];
  }

  /** The part of the state that is held here. */
  protected common() {
    return {
      offset: this.offset,
      tail: this.tail,
      session: this.session,
      time: this.time,
      speakers: [...this.speakers.values()],
      launched: [...this.launchedTasks],
      counts: this.counts,
      parked: this.parked,
    };
  }

  launched(task: string, isPrivate: boolean): void {
    keepNewest(this.launchedTasks, task, isPrivate || this.launchedTasks.get(task) === true, IDS_MAX);
  }

  /** Notes a session or sub-agent, and the folder it works in. */
  speaks(session: string, agentId: string | null, cwd: string | null): void {
    const key = speakerKey(session, agentId);
    let speaker = this.speakers.get(key);
    if (speaker === undefined) {
      speaker = { session, agentId, cwds: [] };
      keepNewest(this.speakers, key, speaker, IDS_MAX);
    }
    if (cwd !== null && speaker.cwds.length < 64 && !speaker.cwds.includes(cwd)) speaker.cwds.push(cwd);
  }

  park(piece: ParkedPiece): void {
    this.counts.parked += 1;
    if (this.parked.length < PARKED_MAX) this.parked.push(piece);
  }

  /** The rest of a parked line has been read. */
  lengthenParked(offset: number, end: number): void {
    const at = this.parked.findIndex((piece) => piece.offset === offset);
    if (at >= 0) this.parked[at] = { ...this.parked[at]!, length: end - offset };
  }

  countRefused(reason: string): void {
    this.counts.refused[reason] = (this.counts.refused[reason] ?? 0) + 1;
  }

  countUnknown(what: 'unknownLines' | 'unknownSubtypes' | 'unknownAttachments', name: string): void {
    const counts = this.counts[what];
    const key = Object.hasOwn(counts, name) || Object.keys(counts).length < 100 ? name : '(others)';
    counts[key] = (Object.hasOwn(counts, key) ? counts[key]! : 0) + 1;
  }

  /** Moves past a line. `used`: it was read although its newline is missing. */
  pass(line: Line, used: boolean): void {
    this.offset = line.offset + line.length + (line.ended ? 1 : 0);
    if (!line.ended) this.tail = { kind: used ? 'used' : 'long', offset: line.offset };
  }
}

function speakerKey(session: string, agentId: string | null): string {
  return JSON.stringify([session, agentId]);
}

/** Sets an entry as the newest and drops the oldest beyond `max`. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value as K);
}
