// The reader's state while lines are being read: the same data as in reader-state.ts, in maps ordered oldest first,
// each with a size limit. An entry dropped at a limit is forgotten, never misread.
import type { Refusal } from './human-words.ts';
import type { KnownPrompt, OpenSide, ParkedPiece, ReaderState, RunState } from './reader-state.ts';

/** How many lines back a parent is still found. In real files the farthest parent was 249 lines away. */
export const WINDOW_LINES = 512;
export const PARKED_MAX = 100;
const PROMPTS_KEPT = 256;
const MESSAGES_KEPT = 64;
const OPEN_MAX = 2_000;
const IDS_MAX = 4_000;
const QUEUE_MAX = 256;
/** A program that has just made a file writes a few lines ahead. A file that lost its beginning has more. */
export const AHEAD_MAX = 64;

export class LiveReaderState {
  offset: number;
  tail: ReaderState['tail'];
  session: string | null;
  time: number | null;
  lastPrompt: number;
  anyPrivate: boolean;
  privateAt: number | null;
  readonly privateHooks: number;
  readonly speakers: Map<string, { session: string; agentId: string | null; cwds: string[] }>;
  readonly started: Set<string>;
  readonly window: Map<string, number>;
  readonly prompts: Map<number, KnownPrompt>;
  readonly run: { -readonly [K in keyof RunState]: RunState[K] };
  readonly runs: Map<string, number | null>;
  readonly launchedTasks: Map<string, boolean>;
  ahead: (readonly [string, readonly [number, number]])[];
  readonly messages: Map<string, number>;
  readonly open: Map<string, OpenSide>;
  readonly queue: (readonly [number, number])[];
  readonly titles: Map<string, readonly [number, number]>;
  readonly summaries: Map<string, readonly [number, number]>;
  readonly parked: ParkedPiece[];
  readonly counts: {
    lines: number;
    known: number;
    parked: number;
    unknownLines: Record<string, number>;
    unknownSubtypes: Record<string, number>;
    unknownAttachments: Record<string, number>;
    refused: Record<string, number>;
    events: Record<string, number>;
  };

  constructor(state: ReaderState) {
    this.offset = state.offset;
    this.tail = state.tail;
    this.session = state.session;
    this.time = state.time;
    this.lastPrompt = state.lastPrompt;
    this.anyPrivate = state.anyPrivate;
    this.privateAt = state.privateAt;
    this.privateHooks = state.privateHooks;
    this.speakers = new Map(
      state.speakers.map((one) => [speakerKey(one.session, one.agentId), { ...one, cwds: [...one.cwds] }]),
    );
    this.started = new Set(state.started);
    this.window = new Map(state.window);
    this.prompts = new Map(state.prompts);
    this.run = { ...state.run };
    this.runs = new Map(state.runs);
    this.launchedTasks = new Map(state.launched);
    this.ahead = [...state.ahead];
    this.messages = new Map(state.messages);
    this.open = new Map(state.open.map((side) => [side.id, side]));
    this.queue = [...state.queue];
    this.titles = new Map(state.titles);
    this.summaries = new Map(state.summaries);
    this.parked = [...state.parked];
    this.counts = {
      ...state.counts,
      unknownLines: { ...state.counts.unknownLines },
      unknownSubtypes: { ...state.counts.unknownSubtypes },
      unknownAttachments: { ...state.counts.unknownAttachments },
      refused: { ...state.counts.refused },
      events: { ...state.counts.events },
    };
  }

  toJSON(): ReaderState {
    return {
      version: 6,
      offset: this.offset,
      tail: this.tail,
      session: this.session,
      time: this.time,
      speakers: [...this.speakers.values()],
      started: [...this.started],
      window: [...this.window],
      prompts: [...this.prompts],
      lastPrompt: this.lastPrompt,
      anyPrivate: this.anyPrivate,
      privateAt: this.privateAt,
      privateHooks: this.privateHooks,
      run: { ...this.run },
      runs: [...this.runs],
      launched: [...this.launchedTasks],
      ahead: this.ahead,
      messages: [...this.messages],
      open: [...this.open.values()],
      queue: this.queue,
      titles: [...this.titles],
      summaries: [...this.summaries],
      counts: this.counts,
      parked: this.parked,
    };
  }

  /** Notes that a line leads to a prompt, and drops the oldest line. */
  see(uuid: string, prompt: number): void {
    keep(this.window, shortUuid(uuid), prompt, WINDOW_LINES);
  }

  /** Gives a new human prompt its number. */
  prompt(prompt: KnownPrompt): number {
    this.lastPrompt += 1;
    this.prompts.set(this.lastPrompt, prompt);
    if (prompt.private) {
      this.anyPrivate = true;
      this.privateAt = this.time;
    }
    if (this.prompts.size > PROMPTS_KEPT) {
      const used = new Set([...this.window.values()].map(Math.abs));
      const oldest = this.lastPrompt - PROMPTS_KEPT / 2;
      for (const number of this.prompts.keys())
        if (number < oldest && !used.has(number)) this.prompts.delete(number);
    }
    return this.lastPrompt;
  }

  /** Whether a prompt's line was read. A queued text has no line yet. */
  get hasPromptLine(): boolean {
    for (const { uuid } of this.prompts.values()) if (uuid !== null) return true;
    return false;
  }

  /**
   * Removes and returns the locations of lines that came before their parent: for one parent, or for all when it is
   * null.
   */
  takeAhead(parent: string | null): readonly (readonly [number, number])[] {
    const taken = this.ahead.filter(([other]) => parent === null || other === parent);
    if (taken.length > 0) this.ahead = this.ahead.filter((one) => !taken.includes(one));
    return taken.map(([, location]) => location);
  }

  launched(task: string, isPrivate: boolean): void {
    keep(this.launchedTasks, task, isPrivate || this.launchedTasks.get(task) === true, IDS_MAX);
  }

  openRun(promptId: string | null, isPrivate: boolean): void {
    // Lines that already carry this id came before the run was private.
    const before = promptId === null ? undefined : this.runs.get(promptId);
    const from = before === undefined ? 0 : (before ?? this.time ?? 0);
    const privateFrom = isPrivate ? from : null;
    Object.assign(this.run, { promptId, privateFrom, atRest: false, answered: false, noteWaits: false });
    if (promptId !== null) keep(this.runs, promptId, privateFrom, IDS_MAX);
  }

  /** Makes the run private from here on. */
  hideRun(): void {
    const privateFrom = this.run.privateFrom ?? this.time ?? 0;
    Object.assign(this.run, { privateFrom, answered: false, noteWaits: false });
    this.noteRunId(this.run.promptId);
  }

  /** Makes a run private when another channel, or another file, has a private prompt of it. */
  hideKnownRun(): void {
    this.anyPrivate = true;
    this.hideRun();
  }

  hasPrivateRun(promptId: string | null): boolean {
    return promptId !== null && typeof this.runs.get(promptId) === 'number';
  }

  /** A line of the current run names it. */
  noteRunId(promptId: string | null): void {
    if (promptId === null) return;
    this.run.promptId = promptId;
    keep(this.runs, promptId, this.runs.get(promptId) ?? this.run.privateFrom, IDS_MAX);
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

  enqueue(location: readonly [number, number]): void {
    this.queue.push(location);
    if (this.queue.length > QUEUE_MAX) this.queue.shift();
  }

  holdSummary(leaf: string, location: readonly [number, number]): void {
    keep(this.summaries, leaf, location, MESSAGES_KEPT);
  }

  /** Notes a session or sub-agent, and the folder it works in. */
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

  countRefused(reason: Refusal): void {
    this.counts.refused[reason] = (this.counts.refused[reason] ?? 0) + 1;
  }

  countUnknown(what: 'unknownLines' | 'unknownSubtypes' | 'unknownAttachments', name: string): void {
    const counts = this.counts[what];
    const key = Object.hasOwn(counts, name) || Object.keys(counts).length < 100 ? name : '(others)';
    counts[key] = (Object.hasOwn(counts, key) ? counts[key]! : 0) + 1;
  }
}

/** The first twelve hex digits of a uuid. An id of another form is returned as it is. */
export function shortUuid(uuid: string): string {
  return uuid.length === 36 && uuid[8] === '-' ? uuid.slice(0, 8) + uuid.slice(9, 13) : uuid;
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
