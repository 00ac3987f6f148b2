// Where a reader stands in one transcript file: a JSON value that is exactly a function of the bytes before
// `offset`, so that a file read in any slices gives the same tellings. It holds ids, offsets and counts, and no
// captured text but folder names: what has to be read again later is named by its offset in the file.
// Everything in it is bounded, so that a cursor stays small for any file.

export interface ParkedPiece {
  readonly offset: number;
  readonly length: number;
  readonly reason: string;
}

/** A tool_use without its result, or (`side: result`) a result whose use has not been read yet. */
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
  /** `tool.unanswered` was told. */
  readonly reported: boolean;
}

export interface KnownPrompt {
  readonly uuid: string | null;
  readonly promptId: string | null;
  readonly private: boolean;
}

/** Whom a file speaks of: a session, or a sub-agent of one, with the folders it stood in (first seen first). */
export interface Speaker {
  readonly session: string;
  readonly agentId: string | null;
  readonly cwds: readonly string[];
}

export interface ReaderCounts {
  /** Lines read, without blank ones. */
  readonly lines: number;
  /** Lines of a known type: none of them means that this is no transcript. */
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

/** What the agent is doing at this place of the file (agent-run.ts). */
export interface RunState {
  /** Names the run, in versions that write it. */
  readonly promptId: string | null;
  /** When the run became private, Unix ms; 0 from its beginning on; null while it is public. */
  readonly privateFrom: number | null;
  /** Nothing is under way: what a person sends now opens another run. */
  readonly atRest: boolean;
  /** The agent has said or done something since the newest prompt, or was stopped. */
  readonly answered: boolean;
  /** The note of a private turn's task waits in the queue. */
  readonly noteWaits: boolean;
}

export interface ReaderState {
  readonly version: 5;
  /** The next byte to read. */
  readonly offset: number;
  /** The last line has no newline yet, but was used (whole JSON) or skipped (too long) already. */
  readonly tail: { readonly kind: 'used' | 'long'; readonly offset: number } | null;
  readonly session: string | null;
  /** Time of the last line that has one, Unix ms: when a line without a time was there. */
  readonly time: number | null;
  readonly speakers: readonly Speaker[];
  readonly started: readonly string[];
  /** uuid (12 hex digits) → prompt number; negative: the chain is unknown, counted to that turn by order. */
  readonly window: readonly (readonly [string, number])[];
  readonly prompts: readonly (readonly [number, KnownPrompt])[];
  /** Number of the newest human prompt; 0 before the first. */
  readonly lastPrompt: number;
  readonly anyPrivate: boolean;
  readonly run: RunState;
  /** promptId → `privateFrom` of its run: of several runs with one id (a fork gives its own to all) the last. */
  readonly runs: readonly (readonly [string, number | null])[];
  /** Sub-agents and background tasks launched here, and whether by a private turn. */
  readonly launched: readonly (readonly [string, boolean])[];
  /** Places of the lines that stand in front of the file's first prompt and follow a line not read yet, by that line (12 hex digits). */
  readonly ahead: readonly (readonly [string, readonly [number, number]])[];
  /** Message id → number of blocks seen. */
  readonly messages: readonly (readonly [string, number])[];
  readonly open: readonly OpenSide[];
  /** Places of the queued prompts of which nobody said yet that they were sent. */
  readonly queue: readonly (readonly [number, number])[];
  /** `session source` → place of the line that holds the newest title. */
  readonly titles: readonly (readonly [string, readonly [number, number]])[];
  /** Summaries whose leaf has not been read: leaf (12 hex digits) → places. Titles that wait stand under their type. */
  readonly summaries: readonly (readonly [string, readonly [number, number]])[];
  readonly counts: ReaderCounts;
  readonly parked: readonly ParkedPiece[];
}

export const FRESH_STATE: ReaderState = {
  version: 5,
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
