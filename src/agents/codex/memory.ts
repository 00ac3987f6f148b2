// What the reader of a rollout remembers from earlier lines: ids, numbers and states, no text.
import type { Json } from '../../../log/index.ts';
import { idOf, type JsonObject, stringOf } from '../common/json-fields.ts';
import type { ResultRecord } from '../common/records.ts';

/** A call whose result has not been read, or whose process still runs. */
export type OpenCall = {
  readonly id: string;
  /** Of the process, when the call has ended and its process has not. */
  readonly process?: string;
  /** Of the process that this call waits for: its own name and that of the process are two calls. */
  readonly polls?: string;
  /** How it ended, from a line before the one with its output. */
  readonly outcome?: ResultRecord['outcome'];
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly launched?: string;
};

export type Memory = {
  /** Id of the rollout's own thread. Null before the first line. */
  readonly thread: string | null;
  /** Set in the rollout of a sub-agent: the session that launched it. */
  readonly parent: string | null;
  /** When the thread was made, Unix ms, from its id. */
  readonly madeAt: number | null;
  /** The lines repeat those of another thread. */
  readonly copied: boolean;
  /** The current turn, and the turn of the main session that it belongs to. */
  readonly turn: string | null;
  readonly root: string | null;
  /** Which of the two forms of prompts and answers this turn is read from: a rollout may have both. */
  readonly form: 'messages' | 'items' | 'unwrapped' | null;
  /** Lines for the usage of each response were seen, so the running totals are not read. */
  readonly usageRecords: boolean;
  /** The running total of tokens that was counted last. */
  readonly tokens: number;
  /** Searches of the web that an event has reported and whose response has not come. */
  readonly searches: number;
  readonly open: readonly OpenCall[];
};

export const NO_MEMORY: Memory = {
  thread: null,
  parent: null,
  madeAt: null,
  copied: false,
  turn: null,
  root: null,
  form: null,
  usageRecords: false,
  tokens: 0,
  searches: 0,
  open: [],
};

const OPEN_MAX = 200;

export function openCall(memory: Memory, id: string): OpenCall | undefined {
  return memory.open.find((call) => call.id === id);
}

/** Adds the call or replaces it. The oldest are dropped: their processes run for ever. */
export function withOpen(memory: Memory, call: OpenCall): Memory {
  return { ...memory, open: [...memory.open.filter(({ id }) => id !== call.id), call].slice(-OPEN_MAX) };
}

export function withoutOpen(memory: Memory, id: string): Memory {
  return { ...memory, open: memory.open.filter((call) => call.id !== id) };
}

/** The first of the two forms that a turn has is the one that is read. */
export function readsForm(memory: Memory, form: 'messages' | 'items'): Memory | null {
  if (memory.form === null) return { ...memory, form };
  return memory.form === form ? memory : null;
}

/** A new turn, or more about the current one. */
export function inTurn(memory: Memory, payload: JsonObject, begins: boolean): Memory {
  const turn = idOf(payload.turn_id);
  const root = idOf(payload.root_turn_id);
  const madeAt = timeOfUuid(turn);
  if (turn === null && !begins) return { ...memory, copied: false };
  return {
    ...memory,
    // Copied turns are older than the thread that they were copied into. A turn without a time counts as its own.
    copied: madeAt === null || memory.madeAt === null ? false : madeAt < memory.madeAt,
    turn,
    root: root ?? (turn === memory.turn ? memory.root : null),
    form: begins && memory.form !== 'unwrapped' ? null : memory.form,
  };
}

/**
 * The turn of a record, as hooks name it. What a sub-agent does belongs to the turn of the main session that launched it.
 */
export function turnOf(memory: Memory, turn: string | null = null): string | null {
  if (memory.parent === null) return turn ?? memory.turn;
  return turn === null || turn === memory.turn ? memory.root : null;
}

/** The turn that a response item names. */
export function turnNamed(payload: JsonObject): string | null {
  const named = payload.internal_chat_message_metadata_passthrough;
  return typeof named === 'object' && named !== null && !Array.isArray(named)
    ? idOf((named as JsonObject).turn_id)
    : null;
}

/** Unix ms in a UUIDv7; null for any other id. */
export function timeOfUuid(id: Json | undefined): number | null {
  const hex = UUID_V7.exec(stringOf(id) ?? '');
  return hex === null ? null : Number.parseInt(`${hex[1]}${hex[2]}`, 16);
}

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
