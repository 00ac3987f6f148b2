// The rows of the `turns` view.
//
//   session/<agent>/<session>                       SessionRow
//   turn/<agent>/<session>/<turn>                   TurnRow
//   turn/<agent>/<session>/<turn>/<item>            ItemRow: a prompt, tool use, reply or stop of that turn
//   saved/<agent>/<session or nothing>/<item>       SavedRow
//   vector/<agent>/<session or nothing>/…           ToldVector of model-vectors.ts
//   line/<agent>/<line key>                         LineRow: in which sessions the same line stands
//   shared/<agent>/<session>                        SharedRow: which sessions have lines of this one, and who was first
//   copy/<item>                                     CopyRow: an item that is a copy, by its id
//
// An item keeps every telling of its fact; what a reader wants is merged from them (merge-reports.ts), so the same set
// of tellings gives the same row in whatever order they came.

import type { Usage } from '../../log/index.ts';
import { below, key } from '../engine/store/row-keys.ts';

export type ItemKind = 'prompt' | 'tool' | 'reply' | 'stop';

/** What every telling says about where it stands. Fields that were not told are undefined, and absent in the row. */
export interface ReportBase {
  /** The event's id. */
  readonly event: string;
  readonly channel: string;
  /** Unix ms. */
  readonly at?: number | undefined;
  readonly dedupeKey: string;
  readonly uuid?: string | undefined;
  /** Byte offset of the line in its transcript: the order. */
  readonly offset?: number | undefined;
  readonly promptId?: string | undefined;
  readonly promptUuid?: string | undefined;
  readonly agentId?: string | undefined;
  readonly sidechain?: true | undefined;
  readonly branch?: string | undefined;
  /** Only where no line tells it: a transcript's session start already does. */
  readonly cwd?: string | undefined;
  /** The session that this line was copied from, or one before that, where the line names it. */
  readonly requestSession?: string | undefined;
}

export interface PromptReport extends ReportBase {
  readonly via: 'line' | 'queue' | 'attachment' | 'hook';
  readonly kind: 'prompt' | 'command';
  /** Absent when private. */
  readonly text?: string | undefined;
  /** Set when the words are not the person's: a plan of the agent that the person accepted. */
  readonly author?: 'agent' | undefined;
  /** What the person added when accepting the plan. */
  readonly feedback?: string | undefined;
  readonly private?: true | undefined;
  readonly permissionMode?: string | undefined;
  readonly images?: number | undefined;
}

export interface ToolReport extends ReportBase {
  readonly name: string;
  /** The telling part of the input: short fields whole, long ones cut, file contents left out. */
  readonly input: Readonly<Record<string, string | number | boolean>>;
  /** Absent while unanswered. */
  readonly outcome?: 'ok' | 'failed' | 'cancelled' | undefined;
  readonly error?: string | undefined;
  /** The end of what a test, build or commit printed (result-tail.ts). */
  readonly resultTail?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly messageId?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly model?: string | undefined;
  readonly launchedAgentId?: string | undefined;
}

export interface ReplyReport extends ReportBase {
  readonly text?: string | undefined;
  readonly messageId?: string | undefined;
  readonly block?: number | undefined;
  readonly usage?: Usage | undefined;
  readonly model?: string | undefined;
  /** Why the API ended the message; old versions of the agent do not write it. */
  readonly stopReason?: string | undefined;
  readonly compaction?: true | undefined;
  /** The agent's own recap of the session so far; no answer to what was asked. */
  readonly recap?: true | undefined;
}

export interface StopReport extends ReportBase {
  readonly reason: string;
  readonly error?: string | undefined;
  readonly text?: string | undefined;
  readonly durationMs?: number | undefined;
}

interface ItemBase {
  readonly id: string;
  /** The turn it belongs to. */
  readonly turn: string;
  /** Order within the session, compared as strings. */
  readonly order: string;
  /** Unix ms, from the witness who knows best; null when nobody said. */
  readonly at: number | null;
  /** Null when this session is the item's home; else the session that is. A copy is not counted, observed or priced here. */
  readonly home: string | null;
}

export type ItemRow = ItemBase &
  (
    | { readonly kind: 'prompt'; readonly reports: readonly PromptReport[] }
    | { readonly kind: 'tool'; readonly reports: readonly ToolReport[] }
    | { readonly kind: 'reply'; readonly reports: readonly ReplyReport[] }
    | { readonly kind: 'stop'; readonly reports: readonly StopReport[] }
  );
export type ItemOf<K extends ItemKind> = Extract<ItemRow, { kind: K }>;

/** Counts of what is at home here; a copied line counts in its home only. */
export interface ItemCounts {
  readonly prompts: number;
  readonly commands: number;
  readonly toolUses: number;
  readonly failed: number;
  readonly replies: number;
}

export interface TurnRow {
  readonly id: string;
  readonly agent: string;
  readonly session: string;
  /** The session's place: the cwd of its first line. */
  readonly workdir: string;
  /** The prompt's item; null for what came before any prompt. */
  readonly prompt: string | null;
  readonly order: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The person hid this turn: nothing of it is kept but that it took place. */
  readonly private: boolean;
  /** How many items it has, copies included. */
  readonly items: number;
  /** Every item of it is a copy. */
  readonly inherited: boolean;
  /** Known to have no end so far: the agent was killed, or works still. False also where nobody can know. */
  readonly unfinished: boolean;
  readonly counts: ItemCounts;
  /** Tokens of its API messages, each counted once by its last line. */
  readonly usage: Usage;
}

export interface SessionReport {
  readonly event: string;
  readonly channel: string;
  readonly at?: number | undefined;
  readonly type: 'started' | 'ended' | 'continued' | 'titled';
  readonly offset?: number | undefined;
  /** source, reason, the other session's id, or the title's source. */
  readonly word?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly model?: string | undefined;
  readonly title?: string | undefined;
  readonly agentVersion?: string | undefined;
}

export interface SessionRow {
  readonly agent: string;
  readonly session: string;
  readonly workdir: string;
  readonly title: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** How often it started: first start, resumes, clears, compactions. */
  readonly starts: number;
  readonly endReason: string | null;
  readonly branch: string | null;
  readonly continuedIn: readonly string[];
  readonly turns: number;
  readonly counts: ItemCounts;
  /** Items that are copies of another session's. */
  readonly copies: number;
  readonly usage: Usage;
  readonly reports: readonly SessionReport[];
}

export interface SavedRow {
  readonly id: string;
  readonly event: string;
  readonly agent: string;
  readonly session: string | null;
  readonly at: number | null;
  readonly order: string;
  readonly title: string;
  readonly text: string;
  readonly type: string | null;
  readonly workdir: string;
  readonly files: readonly string[];
  readonly concepts: readonly string[];
}

/** In which sessions of one agent a line stands, sorted by time (Unix ms), then session. */
export type CopyRow = readonly (readonly [at: number, session: string])[];

/** What a session's own lines say of who was first, against another session that has some of the same lines. */
export interface OwnerSigns {
  /** A hook or the agent's queue told one of the shared lines in this session: it happened here. */
  readonly reported?: true;
  /** This session says of a shared line that it is a copy. */
  readonly copied?: true;
  /** It has lines of its own from before the last shared one: what copies cannot have. */
  readonly earlier?: true;
  /** Its first line of its own after the shared ones, Unix ms; null when it ends with them. */
  readonly goesOn: number | null;
}

/** By the other session's id. */
export type SharedRow = Readonly<Record<string, OwnerSigns>>;

/** Where an item stands that is a copy. */
export interface CopyLocation {
  readonly agent: string;
  readonly session: string;
  readonly turn: string;
}

/** The place of what has none. */
export const NO_WORKDIR = '';

export const sessionKeys = {
  session: (agent: string, session: string) => key('session', agent, session),
  sessions: () => below('session'),
  turn: (agent: string, session: string, turn: string) => key('turn', agent, session, turn),
  /** Every turn of a session, each followed by its items. */
  turns: (agent: string, session: string) => below('turn', agent, session),
  item: (agent: string, session: string, turn: string, item: string) =>
    key('turn', agent, session, turn, item),
  itemsOfTurn: (agent: string, session: string, turn: string) => below('turn', agent, session, turn),
  saved: (agent: string, session: string | null, item: string) => key('saved', agent, session ?? '', item),
  savedOf: (agent: string, session: string | null) => below('saved', agent, session ?? ''),
  line: (agent: string, copyKey: string) => key('line', agent, copyKey),
  shared: (agent: string, session: string) => key('shared', agent, session),
  copy: (item: string) => key('copy', item),
} as const;

/** Tells the two kinds of rows below `turn/` apart. */
export function isItemRow(row: TurnRow | ItemRow): row is ItemRow {
  return 'reports' in row;
}
