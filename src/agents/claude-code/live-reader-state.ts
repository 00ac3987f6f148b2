// The reader's state while lines are being read: the same data as in reader-state.ts, in maps ordered oldest first,
// each with a size limit. An entry dropped at a limit is forgotten, never misread.
import { keepNewest, LiveState } from '../common/live-state.ts';
import type { KnownPrompt, OpenSide, ReaderState, RunState } from './reader-state.ts';

/** How many lines back a parent is still found. In real files the farthest parent was 249 lines away. */
export const WINDOW_LINES = 512;
const PROMPTS_KEPT = 256;
const MESSAGES_KEPT = 64;
const OPEN_MAX = 2_000;
const IDS_MAX = 4_000;
const QUEUE_MAX = 256;
/** A program that has just made a file writes a few lines ahead. A file that lost its beginning has more. */
export const AHEAD_MAX = 64;

export class LiveReaderState extends LiveState {
  lastPrompt: number;
  anyPrivate: boolean;
  privateAt: number | null;
  readonly privateHooks: number;
  readonly started: Set<string>;
  readonly window: Map<string, number>;
  readonly prompts: Map<number, KnownPrompt>;
  readonly run: { -readonly [K in keyof RunState]: RunState[K] };
  readonly runs: Map<string, number | null>;
  ahead: (readonly [string, readonly [number, number]])[];
  readonly messages: Map<string, number>;
  readonly open: Map<string, OpenSide>;
  readonly queue: (readonly [number, number])[];
  readonly titles: Map<string, readonly [number, number]>;
  readonly summaries: Map<string, readonly [number, number]>;

  constructor(state: ReaderState) {
    super(state);
    this.lastPrompt = state.lastPrompt;
    this.anyPrivate = state.anyPrivate;
    this.privateAt = state.privateAt;
    this.privateHooks = state.privateHooks;
    this.started = new Set(state.started);
    this.window = new Map(state.window);
    this.prompts = new Map(state.prompts);
    this.run = { ...state.run };
    this.runs = new Map(state.runs);
    this.ahead = [...state.ahead];
    this.messages = new Map(state.messages);
    this.open = new Map(state.open.map((side) => [side.id, side]));
    this.queue = [...state.queue];
    this.titles = new Map(state.titles);
    this.summaries = new Map(state.summaries);
  }

  toJSON(): ReaderState {
    return {
      version: 7,
      ...this.common(),
      started: [...this.started],
      window: [...this.window],
      prompts: [...this.prompts],
      lastPrompt: this.lastPrompt,
      anyPrivate: this.anyPrivate,
      privateAt: this.privateAt,
      privateHooks: this.privateHooks,
      run: { ...this.run },
      runs: [...this.runs],
      ahead: this.ahead,
      messages: [...this.messages],
      open: [...this.open.values()],
      queue: this.queue,
      titles: [...this.titles],
      summaries: [...this.summaries],
    };
  }

  /** Notes that a line leads to a prompt, and drops the oldest line. */
  see(uuid: string, prompt: number): void {
    keepNewest(this.window, shortUuid(uuid), prompt, WINDOW_LINES);
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

  openRun(promptId: string | null, isPrivate: boolean): void {
    // Lines that already carry this id came before the run was private.
    const before = promptId === null ? undefined : this.runs.get(promptId);
    const from = before === undefined ? 0 : (before ?? this.time ?? 0);
    const privateFrom = isPrivate ? from : null;
    Object.assign(this.run, { promptId, privateFrom, atRest: false, answered: false, noteWaits: false });
    if (promptId !== null) keepNewest(this.runs, promptId, privateFrom, IDS_MAX);
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
    keepNewest(this.runs, promptId, this.runs.get(promptId) ?? this.run.privateFrom, IDS_MAX);
  }

  /** The index of the next block of a message. */
  nextBlock(messageId: string): number {
    const block = this.messages.get(messageId) ?? 0;
    keepNewest(this.messages, messageId, block + 1, MESSAGES_KEPT);
    return block;
  }

  hold(side: OpenSide): void {
    keepNewest(this.open, side.id, side, OPEN_MAX);
  }

  enqueue(location: readonly [number, number]): void {
    this.queue.push(location);
    if (this.queue.length > QUEUE_MAX) this.queue.shift();
  }

  holdSummary(leaf: string, location: readonly [number, number]): void {
    keepNewest(this.summaries, leaf, location, MESSAGES_KEPT);
  }
}

/** The first twelve hex digits of a uuid. An id of another form is returned as it is. */
export function shortUuid(uuid: string): string {
  return uuid.length === 36 && uuid[8] === '-' ? uuid.slice(0, 8) + uuid.slice(9, 13) : uuid;
}
