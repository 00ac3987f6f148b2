// The state of the reader of records in one file (record-reader.ts): ids, offsets and counts, and no text but the names
// of folders.
import type { JsonObject } from './json-fields.ts';
import { IDS_MAX, keepNewest, LiveState, type Tail } from './live-state.ts';
import type { CallRecord, ResultRecord, TranscriptFormat } from './records.ts';
import { NO_COUNTS, type TranscriptState } from './transcript-reader.ts';

/** Raise it when the reader makes other events of the same records: files are then read again. */
const READER_VERSION = 1;
const OPEN_MAX = 2_000;
const CLOSED_MAX = 512;

/** A call without its result, or (`side: result`) a result whose call has not been read yet. */
export interface OpenCall {
  readonly id: string;
  readonly side: 'call' | 'result';
  /** Location of its line. */
  readonly offset: number;
  readonly length: number;
  /** Position of the record in the file. */
  readonly order: number;
  /** Unix ms. */
  readonly at: number | null;
  readonly session: string;
  readonly agentId: string | null;
  readonly turn: string | null;
  readonly promptUuid: string | null;
  readonly cwd: string | null;
  readonly private: boolean;
  /** `tool.unanswered` was emitted. */
  readonly reported: boolean;
}

/** Of the newest prompt. */
export interface RecordRun {
  readonly turn: string | null;
  readonly promptUuid: string | null;
  readonly private: boolean;
  /** The agent has answered, or was stopped: the next prompt starts something new. */
  readonly atRest: boolean;
}

/** What the newest session record said. */
export interface Origin {
  /** Set in the file of a sub-agent: its own id. Its events belong to the session that launched it. */
  readonly agentId: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly agentVersion: string | null;
  readonly entrypoint: string | null;
}

export interface RecordState extends TranscriptState {
  readonly tail: Tail;
  readonly memory: JsonObject;
  readonly origin: Origin;
  readonly started: readonly string[];
  readonly run: RecordRun;
  readonly anyPrivate: boolean;
  /** Time of the newest private prompt, Unix ms. */
  readonly privateAt: number | null;
  readonly open: readonly OpenCall[];
  /** Ids of calls that have their result: an agent may write a record twice. */
  readonly closed: readonly string[];
  /** Of a file that is read as a whole: which bytes were read. */
  readonly whole: string | null;
}

export function freshState(format: TranscriptFormat): RecordState {
  return {
    version: READER_VERSION * 1_000 + format.version,
    offset: 0,
    tail: null,
    session: null,
    time: null,
    speakers: [],
    privateHooks: 0,
    runs: [],
    launched: [],
    counts: NO_COUNTS,
    parked: [],
    memory: format.memory,
    origin: {
      agentId: null,
      cwd: null,
      branch: null,
      model: null,
      agentVersion: null,
      entrypoint: null,
    },
    started: [],
    run: { turn: null, promptUuid: null, private: false, atRest: true },
    anyPrivate: false,
    privateAt: null,
    open: [],
    closed: [],
    whole: null,
  };
}

export class LiveRecordState extends LiveState {
  readonly #version: number;
  readonly #privateHooks: number;
  readonly #whole: string | null;
  memory: JsonObject;
  origin: Origin;
  run: RecordRun;
  anyPrivate: boolean;
  privateAt: number | null;
  readonly started: Set<string>;
  readonly runs: Map<string, number | null>;
  readonly open: Map<string, OpenCall>;
  readonly closed: Map<string, true>;
  /** Calls and results of this page, so that most need not be read again. Not part of the state. */
  readonly atHand = new Map<string, CallRecord | ResultRecord>();

  constructor(state: RecordState) {
    super(state);
    this.#version = state.version;
    this.#privateHooks = state.privateHooks;
    this.#whole = state.whole;
    this.memory = state.memory;
    this.origin = state.origin;
    this.run = state.run;
    this.anyPrivate = state.anyPrivate;
    this.privateAt = state.privateAt;
    this.started = new Set(state.started);
    this.runs = new Map(state.runs);
    this.open = new Map(state.open.map((call) => [call.id, call]));
    this.closed = new Map(state.closed.map((id) => [id, true]));
  }

  toJSON(): RecordState {
    return {
      ...this.common(),
      version: this.#version,
      privateHooks: this.#privateHooks,
      whole: this.#whole,
      memory: this.memory,
      origin: this.origin,
      run: this.run,
      anyPrivate: this.anyPrivate,
      privateAt: this.privateAt,
      started: [...this.started],
      runs: [...this.runs],
      open: [...this.open.values()],
      closed: [...this.closed.keys()],
    };
  }

  /** Begins the run of a prompt. A run that a private prompt began stays private until the agent rests, or another turn begins. */
  openRun(turn: string | null, promptUuid: string | null, isPrivate: boolean): void {
    const goesOn = turn === null ? this.run.private && !this.run.atRest : this.isPrivateTurn(turn);
    this.run = { turn, promptUuid, private: isPrivate || goesOn, atRest: false };
    if (isPrivate) {
      this.anyPrivate = true;
      this.privateAt = this.time;
    }
    this.#noteRun(0);
  }

  /** Makes the current run private from here on. */
  hideRun(): void {
    this.anyPrivate = true;
    this.run = { ...this.run, private: true };
    this.#noteRun(this.time ?? 0);
  }

  isPrivateTurn(turn: string): boolean {
    return typeof this.runs.get(turn) === 'number';
  }

  hold(call: OpenCall): void {
    keepNewest(this.open, call.id, call, OPEN_MAX);
  }

  close(id: string): void {
    this.open.delete(id);
    keepNewest(this.closed, id, true, CLOSED_MAX);
  }

  #noteRun(privateFrom: number): void {
    const { turn } = this.run;
    if (turn === null) return;
    const before = this.runs.get(turn) ?? null;
    keepNewest(this.runs, turn, before ?? (this.run.private ? privateFrom : null), IDS_MAX);
  }
}
