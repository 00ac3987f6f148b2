// The state of a reader in one transcript file: a JSON value that depends only on the bytes before `offset`, so that a
// file gives the same events however it is split. It holds ids, offsets and counts; folder names are the only captured
// text. What must be read again later is kept as an offset in the file. Every part has a size limit, so that a cursor
// stays small for any file.

import { NO_COUNTS, type TranscriptState } from '../common/transcript-reader.ts';

/** A tool_use without its result, or (`side: result`) a result whose tool_use has not been read yet. */
export interface OpenSide {
  readonly id: string;
  readonly side: 'use' | 'result';
  readonly offset: number;
  readonly length: number;
  readonly session: string;
  readonly agentId: string | null;
  /** Of the main thread: neither in a side-chain nor by a sub-agent. */
  readonly main: boolean;
  readonly promptUuid: string | null;
  readonly private: boolean;
  /** `tool.unanswered` was emitted. */
  readonly reported: boolean;
}

export interface KnownPrompt {
  readonly uuid: string | null;
  readonly promptId: string | null;
  readonly private: boolean;
}

/** What the agent is doing at this point of the file (agent-run.ts). */
export interface RunState {
  /** Names the run, in versions that write it. */
  readonly promptId: string | null;
  /** When the run became private, Unix ms. 0 means from its beginning; null means that it is public. */
  readonly privateFrom: number | null;
  /** The agent is idle: the person's next prompt opens a new run. */
  readonly atRest: boolean;
  /** The agent has said or done something since the newest prompt, or was stopped. */
  readonly answered: boolean;
  /** The note of a private turn's task waits in the queue. */
  readonly noteWaits: boolean;
}

export interface ReaderState extends TranscriptState {
  readonly version: 7;
  /** The last line has no newline yet, but was already used (complete JSON) or skipped (too long). */
  readonly tail: { readonly kind: 'used' | 'long'; readonly offset: number } | null;
  readonly started: readonly string[];
  /**
   * uuid (12 hex digits) → prompt number. Negative: the parent chain is unknown, and the line counts to that turn by
   * order.
   */
  readonly window: readonly (readonly [string, number])[];
  readonly prompts: readonly (readonly [number, KnownPrompt])[];
  /** Number of the newest human prompt; 0 before the first. */
  readonly lastPrompt: number;
  readonly anyPrivate: boolean;
  /** Time of the newest private prompt, Unix ms. */
  readonly privateAt: number | null;
  readonly run: RunState;
  /** promptId → `privateFrom` of its run. If several runs share an id (a fork gives its own to all), the last one. */
  readonly runs: readonly (readonly [string, number | null])[];
  /**
   * Parent uuid (12 hex digits) → location of a line before the file's first prompt whose parent has not been read yet.
   */
  readonly ahead: readonly (readonly [string, readonly [number, number]])[];
  /** Message id → number of blocks seen. */
  readonly messages: readonly (readonly [string, number])[];
  readonly open: readonly OpenSide[];
  /** Locations of queued prompts that no line has marked as sent yet. */
  readonly queue: readonly (readonly [number, number])[];
  /** `session source` → location of the line with the newest title. */
  readonly titles: readonly (readonly [string, readonly [number, number]])[];
  /**
   * Leaf uuid (12 hex digits) → location of a summary whose leaf has not been read. Waiting titles use their type as
   * key.
   */
  readonly summaries: readonly (readonly [string, readonly [number, number]])[];
}

export const FRESH_STATE: ReaderState = {
  version: 7,
  offset: 0,
  tail: null,
  session: null,
  time: null,
  speakers: [],
  started: [],
  window: [],
  prompts: [],
  lastPrompt: 0,
  anyPrivate: false,
  privateAt: null,
  privateHooks: 0,
  run: { promptId: null, privateFrom: null, atRest: true, answered: true, noteWaits: false },
  runs: [],
  launched: [],
  ahead: [],
  messages: [],
  open: [],
  queue: [],
  titles: [],
  summaries: [],
  counts: NO_COUNTS,
  parked: [],
};
