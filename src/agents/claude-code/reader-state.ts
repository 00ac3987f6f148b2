// The state of a reader in one transcript file: a JSON value that depends only on the bytes before `offset`, so that a
// file gives the same events however it is split. It holds ids, offsets and counts; folder names are the only captured
// text. What must be read again later is kept as an offset in the file. Every part has a size limit, so that a cursor
// stays small for any file.

export interface ParkedPiece {
  readonly offset: number;
  readonly length: number;
  readonly reason: string;
}

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

/** A session in the file, or a sub-agent of one, with the folders it worked in (first seen first). */
export interface Speaker {
  readonly session: string;
  readonly agentId: string | null;
  readonly cwds: readonly string[];
}

export interface ReaderCounts {
  /** Lines read, without blank ones. */
  readonly lines: number;
  /** Lines of a known type. Zero means that the file is not a transcript. */
  readonly known: number;
  readonly parked: number;
  readonly unknownLines: { readonly [name: string]: number };
  /** Of system lines. */
  readonly unknownSubtypes: { readonly [name: string]: number };
  readonly unknownAttachments: { readonly [name: string]: number };
  /** Texts in a person's place that are not a person's, by reason (human-words.ts). */
  readonly refused: { readonly [reason: string]: number };
  readonly events: { readonly [type: string]: number };
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

export interface ReaderState {
  readonly version: 6;
  /** The next byte to read. */
  readonly offset: number;
  /** The last line has no newline yet, but was already used (complete JSON) or skipped (too long). */
  readonly tail: { readonly kind: 'used' | 'long'; readonly offset: number } | null;
  readonly session: string | null;
  /** Time of the last line that has one, Unix ms. Lines without a time take it. */
  readonly time: number | null;
  readonly speakers: readonly Speaker[];
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
  /** How many private prompts were known from hooks, up to `time`, when the file was read. */
  readonly privateHooks: number;
  readonly run: RunState;
  /** promptId → `privateFrom` of its run. If several runs share an id (a fork gives its own to all), the last one. */
  readonly runs: readonly (readonly [string, number | null])[];
  /** Sub-agents and background tasks launched here, and whether a private turn launched them. */
  readonly launched: readonly (readonly [string, boolean])[];
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
  readonly counts: ReaderCounts;
  readonly parked: readonly ParkedPiece[];
}

export const FRESH_STATE: ReaderState = {
  version: 6,
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
  counts: {
    lines: 0,
    known: 0,
    parked: 0,
    unknownLines: {},
    unknownSubtypes: {},
    unknownAttachments: {},
    refused: {},
    events: {},
  },
  parked: [],
};
