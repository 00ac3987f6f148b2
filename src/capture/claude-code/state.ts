// Where a reader stands in one transcript file: a JSON value that is exactly a function of the bytes before
// `offset`, so that a file read in any slices gives the same tellings. It holds ids, offsets and counts, and no
// captured text but folder names: what has to be read again later is named by its offset in the file.
// Everything in it is bounded, so that a cursor stays small for any file.

/** How many lines back a parent is still found. In real files the farthest parent was 249 lines away. */
export const WINDOW_LINES = 512;
export const PARKED_MAX = 100;
const PROMPTS_KEPT = 256;
const MESSAGES_KEPT = 64;
const OPEN_MAX = 2_000;
const IDS_MAX = 4_000;

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
  readonly told: boolean;
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
  readonly unknownAttachments: { readonly [name: string]: number };
  readonly tellings: { readonly [type: string]: number };
}

export interface ReaderState {
  readonly version: 1;
  /** The next byte to read. */
  readonly offset: number;
  /** The last line has no newline yet, but was used (whole JSON) or skipped (too long) already. */
  readonly tail: { readonly kind: 'used' | 'long'; readonly offset: number } | null;
  readonly session: string | null;
  readonly speakers: readonly Speaker[];
  readonly started: readonly string[];
  /** uuid (12 hex digits) → prompt number; negative: the chain is unknown, counted to that turn by order. */
  readonly window: readonly (readonly [string, number])[];
  readonly prompts: readonly (readonly [number, KnownPrompt])[];
  /** Number of the newest human prompt; 0 before the first. */
  readonly lastPrompt: number;
  readonly privatePromptIds: readonly string[];
  readonly anyPrivate: boolean;
  /** Sub-agents launched here, and whether in a private turn. */
  readonly agents: readonly (readonly [string, boolean])[];
  /** Message id → number of blocks seen. */
  readonly messages: readonly (readonly [string, number])[];
  readonly open: readonly OpenSide[];
  /** `session source` → place of the line that holds the newest title. */
  readonly titles: readonly (readonly [string, readonly [number, number]])[];
  /** Summaries whose leaf has not been read: leaf (12 hex digits) → places. */
  readonly summaries: readonly (readonly [string, readonly [number, number]])[];
  readonly counts: ReaderCounts;
  readonly parked: readonly ParkedPiece[];
}

export const FRESH_STATE: ReaderState = {
  version: 1,
  offset: 0,
  tail: null,
  session: null,
  speakers: [],
  started: [],
  window: [],
  prompts: [],
  lastPrompt: 0,
  privatePromptIds: [],
  anyPrivate: false,
  agents: [],
  messages: [],
  open: [],
  titles: [],
  summaries: [],
  counts: { lines: 0, known: 0, parked: 0, unknownLines: {}, unknownAttachments: {}, tellings: {} },
  parked: [],
};

/** The first twelve hex digits of a uuid; ids of another form as they are. */
export function lineKey(uuid: string): string {
  return /^[0-9a-f-]{36}$/i.test(uuid) ? uuid.replaceAll('-', '').slice(0, 12).toLowerCase() : uuid;
}

/** The state while lines are being read: the same facts in maps, the oldest entry first in each. */
export class Standing {
  offset: number;
  tail: ReaderState['tail'];
  session: string | null;
  lastPrompt: number;
  anyPrivate: boolean;
  readonly speakers: Map<string, { session: string; agentId: string | null; cwds: string[] }>;
  readonly started: Set<string>;
  readonly window: Map<string, number>;
  readonly prompts: Map<number, KnownPrompt>;
  readonly privatePromptIds: Set<string>;
  readonly agents: Map<string, boolean>;
  readonly messages: Map<string, number>;
  readonly open: Map<string, OpenSide>;
  readonly titles: Map<string, readonly [number, number]>;
  readonly summaries: Map<string, readonly [number, number]>;
  readonly parked: ParkedPiece[];
  readonly counts: {
    lines: number;
    known: number;
    parked: number;
    unknownLines: Record<string, number>;
    unknownAttachments: Record<string, number>;
    tellings: Record<string, number>;
  };

  constructor(state: ReaderState) {
    this.offset = state.offset;
    this.tail = state.tail;
    this.session = state.session;
    this.lastPrompt = state.lastPrompt;
    this.anyPrivate = state.anyPrivate;
    this.speakers = new Map(
      state.speakers.map((one) => [speakerKey(one.session, one.agentId), { ...one, cwds: [...one.cwds] }]),
    );
    this.started = new Set(state.started);
    this.window = new Map(state.window);
    this.prompts = new Map(state.prompts);
    this.privatePromptIds = new Set(state.privatePromptIds);
    this.agents = new Map(state.agents);
    this.messages = new Map(state.messages);
    this.open = new Map(state.open.map((side) => [side.id, side]));
    this.titles = new Map(state.titles);
    this.summaries = new Map(state.summaries);
    this.parked = [...state.parked];
    this.counts = {
      ...state.counts,
      unknownLines: { ...state.counts.unknownLines },
      unknownAttachments: { ...state.counts.unknownAttachments },
      tellings: { ...state.counts.tellings },
    };
  }

  toJSON(): ReaderState {
    return {
      version: 1,
      offset: this.offset,
      tail: this.tail,
      session: this.session,
      speakers: [...this.speakers.values()],
      started: [...this.started],
      window: [...this.window],
      prompts: [...this.prompts],
      lastPrompt: this.lastPrompt,
      privatePromptIds: [...this.privatePromptIds],
      anyPrivate: this.anyPrivate,
      agents: [...this.agents],
      messages: [...this.messages],
      open: [...this.open.values()],
      titles: [...this.titles],
      summaries: [...this.summaries],
      counts: this.counts,
      parked: this.parked,
    };
  }

  /** Notes that a line leads to a prompt, and forgets the oldest line. */
  see(uuid: string, prompt: number): void {
    keep(this.window, lineKey(uuid), prompt, WINDOW_LINES);
  }

  /** Gives a new human prompt its number. */
  prompt(prompt: KnownPrompt): number {
    this.lastPrompt += 1;
    this.prompts.set(this.lastPrompt, prompt);
    if (prompt.private) this.anyPrivate = true;
    if (prompt.private && prompt.promptId !== null) this.privatePromptIds.add(prompt.promptId);
    if (this.prompts.size > PROMPTS_KEPT) {
      const used = new Set([...this.window.values()].map(Math.abs));
      const oldest = this.lastPrompt - PROMPTS_KEPT / 2;
      for (const number of this.prompts.keys())
        if (number < oldest && !used.has(number)) this.prompts.delete(number);
    }
    return this.lastPrompt;
  }

  launched(agentId: string, isPrivate: boolean): void {
    keep(this.agents, agentId, isPrivate || this.agents.get(agentId) === true, IDS_MAX);
  }

  /** The index of the next block of a message. */
  nextBlock(messageId: string): number {
    const block = this.messages.get(messageId) ?? 0;
    keep(this.messages, messageId, block + 1, MESSAGES_KEPT);
    return block;
  }

  hold(side: OpenSide): void {
    keep(this.open, side.id, side, OPEN_MAX);
  }

  holdSummary(leaf: string, place: readonly [number, number]): void {
    keep(this.summaries, leaf, place, MESSAGES_KEPT);
  }

  /** Notes who speaks, and from which folder. */
  speaks(session: string, agentId: string | null, cwd: string | null): void {
    const key = speakerKey(session, agentId);
    let speaker = this.speakers.get(key);
    if (speaker === undefined) {
      speaker = { session, agentId, cwds: [] };
      keep(this.speakers, key, speaker, IDS_MAX);
    }
    if (cwd !== null && speaker.cwds.length < 64 && !speaker.cwds.includes(cwd)) speaker.cwds.push(cwd);
  }

  park(piece: ParkedPiece): void {
    this.counts.parked += 1;
    if (this.parked.length < PARKED_MAX) this.parked.push(piece);
  }

  countUnknown(what: 'unknownLines' | 'unknownAttachments', name: string): void {
    const counts = this.counts[what];
    const key = Object.hasOwn(counts, name) || Object.keys(counts).length < 100 ? name : '(others)';
    counts[key] = (counts[key] ?? 0) + 1;
  }
}

function speakerKey(session: string, agentId: string | null): string {
  return JSON.stringify([session, agentId]);
}

/** Sets an entry as the newest and drops the oldest beyond `max`. */
function keep<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value as K);
}
