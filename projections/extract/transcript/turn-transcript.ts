// A turn as the extraction rules read it: prompts, tool uses and messages, in order, without copies. It changes item by
// item and reports from where on its order is another one, so that a new item costs the same in a turn of any length.
// Sub-agents have transcripts of their own: their items are placed among the session's own items by time.

import { firstNot, Sorted } from '../../sessions/collections.ts';
import { readPrompt, readReply, readStop, readTool } from '../../sessions/merge-reports.ts';
import type { ItemOf, ItemRow } from '../../sessions/session-rows.ts';
import { type Command, commandIn } from '../shell/commands.ts';
import { isPlan } from '../text/plans.ts';
import type { TurnEnd } from './observation.ts';

interface TranscriptEntry {
  readonly id: string;
  readonly events: readonly string[];
  readonly at: number | null;
  readonly order: string;
}

export interface Prompt extends TranscriptEntry {
  readonly text: string;
  /** A slash command. */
  readonly command: boolean;
  /** A plan of the agent that the person accepted; its text is not the person's. */
  readonly plan: boolean;
}

export interface ToolUse extends TranscriptEntry {
  readonly name: string;
  readonly input: Readonly<Record<string, string | number | boolean>>;
  /** The shell command; null for every other tool. */
  readonly command: Command | null;
  readonly outcome: 'ok' | 'failed' | 'cancelled' | null;
  readonly error: string;
  /** The end of the output, where the rules need it. */
  readonly tail: string;
  /** How many lines the whole output has; 0 if the tail is all of it. */
  readonly lines: number;
  /** It succeeded by its status and printed that something failed. */
  readonly printedFailure: boolean;
  /** A sub-agent's, not the agent's own. */
  readonly ofSubagent: boolean;
}

export interface Message extends TranscriptEntry {
  readonly text: string;
}

/** Prefix of the order of items in the session's own transcript; for sub-agents it is their name. */
const MAIN = '0 ';

interface Stop extends Pick<TranscriptEntry, 'id' | 'order'> {
  /** error: of the model's service. */
  readonly by: 'person' | 'error' | 'agent';
}

const ENDS: Readonly<Record<Stop['by'], TurnEnd>> = { person: 'stopped', error: null, agent: 'answered' };

/** What one item is read as. */
interface ItemEntries {
  readonly prompts: readonly Prompt[];
  readonly toolUse: ToolUse | null;
  readonly message: Message | null;
  readonly stopMessage: Message | null;
  readonly stop: Stop | null;
}

const NOTHING: ItemEntries = {
  prompts: [],
  toolUse: null,
  message: null,
  stopMessage: null,
  stop: null,
};

/** A tool use of a sub-agent, and as it is placed among the session's own entries. */
interface PlacedUse {
  readonly own: ToolUse;
  placed: ToolUse;
}

export class TurnTranscript {
  readonly #workdir: string;
  readonly #items = new Map<string, ItemEntries>();
  readonly #prompts = new Sorted<Prompt>(byOrder);
  readonly #toolUses = new Sorted<ToolUse>(byOrder);
  readonly #messages = new Sorted<Message>(byOrder);
  readonly #stopMessages = new Sorted<Message>(byOrder);
  readonly #stops = new Sorted<Stop>(byOrder);
  /** The session's own entries with a time. */
  readonly #main = new Sorted<TranscriptEntry>(byOrder);
  /** The latest time up to each of them. */
  readonly #latest: number[] = [];
  readonly #ofSubagents = new Sorted<PlacedUse>((a, b) => a.own.at! - b.own.at! || byOrder(a.own, b.own));
  readonly #placed = new Map<ToolUse, PlacedUse>();
  /** Entries of sub-agents from this time on may have another place. */
  #movedFrom = Number.POSITIVE_INFINITY;
  /** The first order at which something changed; null: nothing did. */
  #changedFrom: string | null = null;

  constructor(workdir: string) {
    this.#workdir = workdir;
  }

  /** The turn's prompts; an accepted plan may come with words of the person. */
  get userPrompts(): readonly Prompt[] {
    return this.#prompts.values;
  }

  get toolUses(): readonly ToolUse[] {
    return this.#toolUses.values;
  }

  /** Messages of the agent itself. A hook's final answer repeats the last reply; it counts only where there are no replies. */
  get messages(): readonly Message[] {
    return (this.#messages.values.length > 0 ? this.#messages : this.#stopMessages).values;
  }

  /** The person stopped the turn at some point. */
  get interrupted(): boolean {
    return this.#stops.values.some(({ by }) => by === 'person');
  }

  /** The turn ended in an error, or was stopped during a tool use. */
  get isCutOff(): boolean {
    return this.#lastStop?.by === 'error' || (this.interrupted && !this.#endsWithMessage);
  }

  /** What is last in the turn decides. */
  get end(): TurnEnd {
    if (this.#lastStop !== null) return ENDS[this.#lastStop.by];
    return this.#endsWithMessage ? 'answered' : null;
  }

  /** A tool was used after the last reply, as far as is known: at the same moment, which came first is not. */
  get endsWithWork(): boolean {
    const [use, message] = [this.toolUses.at(-1), this.messages.at(-1)];
    return this.end === null && (use?.at ?? 0) > (message?.at ?? Number.POSITIVE_INFINITY);
  }

  /** null if something came after it. */
  get #lastStop(): Stop | null {
    const last = this.#stops.values.at(-1);
    const entries = [this.toolUses.at(-1), this.messages.at(-1)];
    return last === undefined || entries.some((one) => one !== undefined && one.order > last.order)
      ? null
      : last;
  }

  get #endsWithMessage(): boolean {
    return (this.messages.at(-1)?.order ?? '') >= (this.toolUses.at(-1)?.order ?? '');
  }

  /** Takes in an item that is new, or another one than before; null removes it. */
  change(id: string, item: ItemRow | null): void {
    const before = this.#items.get(id);
    if (before !== undefined) this.#remove(before);
    const entries = item === null ? NOTHING : entriesOf(item, this.#workdir);
    if (entries === NOTHING) this.#items.delete(id);
    else {
      this.#items.set(id, entries);
      this.#add(entries);
    }
  }

  /** The order from which on the transcript is another one than at the last call; null where it is as it was. */
  settle(): string | null {
    const { values } = this.#ofSubagents;
    for (const one of values.slice(firstNot(values, ({ own }) => own.at! < this.#movedFrom))) {
      const order = this.#orderOf(one.own);
      if (order === one.placed.order) continue;
      this.#drop(this.#toolUses, one.placed);
      one.placed = { ...one.own, order };
      this.#insert(this.#toolUses, one.placed);
    }
    const changedFrom = this.#changedFrom;
    this.#movedFrom = Number.POSITIVE_INFINITY;
    this.#changedFrom = null;
    return changedFrom;
  }

  #add({ prompts, toolUse, message, stopMessage, stop }: ItemEntries): void {
    for (const prompt of prompts) {
      this.#insert(this.#prompts, prompt);
      this.#addMain(prompt);
    }
    if (toolUse !== null) this.#place(toolUse);
    if (message !== null) {
      if (this.#messages.values.length === 0) this.#changedFrom = '';
      this.#insert(this.#messages, message);
      this.#addMain(message);
    }
    if (stopMessage !== null) this.#insert(this.#stopMessages, stopMessage);
    if (stop !== null) this.#stops.add(stop);
  }

  #remove({ prompts, toolUse, message, stopMessage, stop }: ItemEntries): void {
    for (const prompt of prompts) {
      this.#drop(this.#prompts, prompt);
      this.#deleteMain(prompt);
    }
    if (toolUse !== null) this.#displace(toolUse);
    if (message !== null) {
      this.#drop(this.#messages, message);
      this.#deleteMain(message);
      if (this.#messages.values.length === 0) this.#changedFrom = '';
    }
    if (stopMessage !== null) this.#drop(this.#stopMessages, stopMessage);
    if (stop !== null) this.#stops.delete(stop);
  }

  /** Adds a tool use where it belongs. */
  #place(entry: ToolUse): void {
    this.#insert(this.#toolUses, entry);
    if (entry.order.startsWith(MAIN)) this.#addMain(entry);
    else if (entry.at !== null) {
      const one = { own: entry, placed: entry };
      this.#ofSubagents.add(one);
      this.#placed.set(entry, one);
      this.#moveFrom(entry.at);
    }
  }

  #displace(entry: ToolUse): void {
    const one = this.#placed.get(entry);
    if (one !== undefined) {
      this.#drop(this.#toolUses, one.placed);
      this.#ofSubagents.delete(one);
      this.#placed.delete(entry);
      return;
    }
    this.#drop(this.#toolUses, entry);
    if (entry.order.startsWith(MAIN)) this.#deleteMain(entry);
  }

  #insert<T extends TranscriptEntry>(list: Sorted<T>, entry: T): void {
    list.add(entry);
    this.#noteChange(entry.order);
  }

  #drop<T extends TranscriptEntry>(list: Sorted<T>, entry: T): void {
    list.delete(entry);
    this.#noteChange(entry.order);
  }

  #noteChange(order: string): void {
    if (this.#changedFrom === null || order < this.#changedFrom) this.#changedFrom = order;
  }

  #addMain(entry: TranscriptEntry): void {
    if (entry.at === null) return;
    const index = this.#main.add(entry);
    this.#moveFrom(this.#latest[index]);
    this.#latest.splice(index, 0, Number.NaN);
    this.#renewFrom(index);
  }

  #deleteMain(entry: TranscriptEntry): void {
    if (entry.at === null) return;
    const index = this.#main.delete(entry);
    this.#moveFrom(this.#latest[index]);
    this.#latest.splice(index, 1);
    this.#renewFrom(index);
  }

  #renewFrom(index: number): void {
    const latest = this.#latest;
    for (let at = index; at < latest.length; at++) {
      const time = Math.max(latest[at - 1] ?? Number.NEGATIVE_INFINITY, this.#main.values[at]!.at!);
      if (latest[at] === time) break;
      latest[at] = time;
    }
    this.#moveFrom(latest[index]);
  }

  #moveFrom(time: number | undefined): void {
    if (time !== undefined && time < this.#movedFrom) this.#movedFrom = time;
  }

  #orderOf({ order, at }: TranscriptEntry): string {
    const before = this.#main.values[firstNot(this.#latest, (time) => time <= at!) - 1];
    return before === undefined ? order : `${before.order} ${order}`;
  }
}

function entriesOf(item: ItemRow, workdir: string): ItemEntries {
  if (item.owner !== null) return NOTHING;
  switch (item.kind) {
    case 'prompt':
      return { ...NOTHING, prompts: promptsIn(item) };
    case 'tool':
      return { ...NOTHING, toolUse: toolUseOf(item, workdir) };
    case 'reply': {
      const { text, agentId, sidechain, compaction, recap } = readReply(item);
      // A recap is about the whole session, not about the last request.
      if (!text?.trim() || compaction || recap || agentId || sidechain) return NOTHING;
      return { ...NOTHING, message: { ...entryOf(item), text } };
    }
    case 'stop': {
      const { text, agentId, sidechain, reason } = readStop(item);
      if (agentId || sidechain) return NOTHING;
      return {
        ...NOTHING,
        stopMessage: text?.trim() ? { ...entryOf(item), text } : null,
        stop: {
          id: item.id,
          order: item.order,
          by: reason === 'interrupted' ? 'person' : reason === 'error' ? 'error' : 'agent',
        },
      };
    }
  }
}

const toolUses = new WeakMap<ItemRow, { readonly workdir: string; readonly toolUse: ToolUse }>();

/** The same object for the same item, so that its command is parsed once. */
export function toolUseOf(item: ItemOf<'tool'>, workdir: string): ToolUse {
  const known = toolUses.get(item);
  if (known?.workdir === workdir) return known.toolUse;
  const toolUse = readToolUse(item, workdir);
  toolUses.set(item, { workdir, toolUse });
  return toolUse;
}

function readToolUse(item: ItemOf<'tool'>, workdir: string): ToolUse {
  const { name, input, outcome, error, resultTail, resultLines, ...report } = readTool(item);
  return {
    ...entryOf(item),
    name,
    input,
    command: commandIn(name, input, workdir, report.ranIn),
    outcome: outcome ?? null,
    error: error ?? '',
    tail: resultTail ?? '',
    lines: resultLines ?? 0,
    printedFailure: report.printedFailure ?? false,
    ofSubagent: Boolean(report.agentId || report.sidechain),
  };
}

function promptsIn(item: ItemOf<'prompt'>): readonly Prompt[] {
  const { text, kind, author, feedback } = readPrompt(item);
  const entry = entryOf(item);
  const plan = author === 'agent' || (text !== undefined && isPlan(text));
  return [
    ...(text?.trim() ? [{ ...entry, text, command: kind === 'command', plan }] : []),
    ...(feedback?.trim()
      ? [{ ...entry, id: `${entry.id} `, text: feedback, command: false, plan: false }]
      : []),
  ];
}

function entryOf({ id, at, order, reports }: ItemRow): TranscriptEntry {
  return { id, at, order, events: reports.map(({ event }) => event) };
}

/** Entries of one line are told apart by their id. */
function byOrder(a: Pick<TranscriptEntry, 'id' | 'order'>, b: Pick<TranscriptEntry, 'id' | 'order'>): number {
  return compare(a.order, b.order) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
