// The rows of the `turns` view.
//
//   session/<agent>/<session>                       SessionRow
//   turn/<agent>/<session>/<turn>                   TurnRow
//   turn/<agent>/<session>/<turn>/<item>            ItemRow: a prompt, tool use, reply or stop of that turn
//   saved/<agent>/<session or nothing>/<item>       SavedRow
//   imported/<agent>/<session or nothing>/<item>/<event>   ImportedRow: one version of an imported memory
//   injected/<agent>/<session or nothing>/<event>          InjectedRow: what the session was given
//   vector/<agent>/<session or nothing>/…           ModelVector of model-vectors.ts
//   act/…  withdrawal/…  proposal/…  decision/…     what a person did, what agents proposed: acts/act-rows.ts
//   line/<agent>/<copy key>                         CopyRow: the sessions that have a line
//   shared/<agent>/<session>                        SharedRow: evidence for the owner of lines shared with other sessions
//   copy/<item>                                     CopyLocation: a copied item, by its id
//   recent-session/<workdir>/<time>/<agent>/<session>        1: the sessions of a workdir, newest first
//   recent-turn/<workdir>/<time>/<agent>/<session>/<turn>    1: the turns of a workdir, newest first
//   turn-at/<agent>/<session>/<time>/<turn>                  1: the turns of a session, newest first
//
// An item keeps all of its reports, and readers merge them (merge-reports.ts): the same set of reports gives the same row,
// in whatever order they arrive.

import type { BodyOf, Usage } from '../../log/index.ts';
import { newestFirst } from '../engine/store/newest-first-keys.ts';
import { below, key } from '../engine/store/row-keys.ts';

export type ItemKind = 'prompt' | 'tool' | 'reply' | 'stop';

/** The fields that all reports have. A field that the event lacks is undefined, and absent in the row. */
export interface ReportBase {
  /** The event's id. */
  readonly event: string;
  readonly channel: string;
  /** Unix ms. */
  readonly at?: number | undefined;
  readonly dedupeKey: string;
  readonly uuid?: string | undefined;
  /** Byte offset of the line in its transcript; gives the order. */
  readonly offset?: number | undefined;
  readonly promptId?: string | undefined;
  readonly promptUuid?: string | undefined;
  readonly agentId?: string | undefined;
  readonly sidechain?: true | undefined;
  readonly branch?: string | undefined;
  /** undefined for a transcript, whose session start already has the folder. */
  readonly cwd?: string | undefined;
  /** The session that this line was copied from, directly or through others, if the line names it. */
  readonly requestSession?: string | undefined;
}

export interface PromptReport extends ReportBase {
  readonly via: 'line' | 'queue' | 'attachment' | 'hook';
  readonly kind: 'prompt' | 'command';
  /** Absent when private. */
  readonly text?: string | undefined;
  /** Set when the person did not write the text: a plan of the agent that the person accepted. */
  readonly author?: 'agent' | undefined;
  /** What the person added when accepting the plan. */
  readonly feedback?: string | undefined;
  readonly private?: true | undefined;
  /** Forgotten: nothing is left but that a prompt was here. The same in all reports of one prompt. */
  readonly forgotten?: string | undefined;
  readonly permissionMode?: string | undefined;
  readonly images?: number | undefined;
}

export interface ToolReport extends ReportBase {
  readonly name: string;
  /** Short fields of the input whole, long ones cut, file contents left out. */
  readonly input: Readonly<Record<string, string | number | boolean>>;
  /** Absent while unanswered, and while no channel has said it. */
  readonly outcome?: 'ok' | 'failed' | 'cancelled' | undefined;
  readonly error?: string | undefined;
  /** The end of what a test, build or commit printed (tool-excerpts.ts). */
  readonly resultTail?: string | undefined;
  /** How many lines the result has; absent if the tail is all of it. */
  readonly resultLines?: number | undefined;
  /** A shell command ended with status 0 and printed that something failed. */
  readonly printedFailure?: true | undefined;
  readonly durationMs?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly messageId?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly model?: string | undefined;
  readonly launchedAgentId?: string | undefined;
  /** The branch that git named last in what it printed. */
  readonly printedBranch?: string | undefined;
  /** The folder in which a shell command began, if the transcript says so: a shell stays where the one before it went. */
  readonly ranIn?: string | undefined;
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
  /** The agent's own recap of the session so far; not an answer to the prompt. */
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
  /** Unix ms, from the most trusted report; null when no report has a time. */
  readonly at: number | null;
  /** null when this session owns the item; else the session that does. A copy is not counted, observed or priced here. */
  readonly owner: string | null;
}

export type ItemRow = ItemBase &
  (
    | { readonly kind: 'prompt'; readonly reports: readonly PromptReport[] }
    | { readonly kind: 'tool'; readonly reports: readonly ToolReport[] }
    | { readonly kind: 'reply'; readonly reports: readonly ReplyReport[] }
    | { readonly kind: 'stop'; readonly reports: readonly StopReport[] }
  );
export type ItemOf<K extends ItemKind> = Extract<ItemRow, { kind: K }>;

/** Counts of the items that this session owns; a copied line counts in its owner session only. */
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
  /** The session's folder: the cwd of its first line. */
  readonly workdir: string;
  /** The prompt's item; null for what came before any prompt. */
  readonly prompt: string | null;
  readonly order: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The person marked this turn as private: nothing is kept except that it took place. */
  readonly private: boolean;
  /** Its prompt is forgotten, and what the agent did for it is not. */
  readonly forgotten: boolean;
  /** How many items it has, copies and a forgotten prompt included. */
  readonly items: number;
  /** Every item of it is a copy. */
  readonly inherited: boolean;
  /** Known to have no end so far: the agent was killed, or is still working. Also false when that cannot be known. */
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
  /** By `type`: the source, the end reason, the id of the next session, the source of the title. */
  readonly detail?: string | undefined;
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
  /** The number of starts: first start, resumes, clears, compactions. */
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
  /** Absent if a person saved it. */
  readonly author?: 'agent';
}

/** One version of a memory from another tool. */
export interface ImportedRow {
  readonly id: string;
  readonly event: string;
  readonly agent: string;
  readonly session: string | null;
  readonly at: number | null;
  readonly workdir: string;
  readonly body: BodyOf<'import.memory'>;
}

/** What a session was given at one time. */
export interface InjectedRow {
  readonly event: string;
  readonly agent: string;
  readonly session: string | null;
  readonly at: number | null;
  readonly body: BodyOf<'context.injected'>;
}

/** The sessions of one agent that have a line, sorted by time (Unix ms), then session. */
export type CopyRow = readonly (readonly [at: number, session: string])[];

/** What speaks for a session as the owner of the lines that it shares with another one, and against it. */
export interface OwnerEvidence {
  /** A hook or the agent's queue reported one of the shared lines in this session, so it was written here. */
  readonly reportedLive?: true;
  /** A shared line is marked as a copy in this session. */
  readonly markedAsCopy?: true;
  /** It has lines of its own from before the last shared one, which a copy cannot have. */
  readonly hasEarlierLines?: true;
  /** Its first line of its own after the shared ones, Unix ms; null when it ends with them. */
  readonly continuesAt: number | null;
}

/** By the other session's id. */
export type SharedRow = Readonly<Record<string, OwnerEvidence>>;

/** Where a copied item is. */
export interface CopyLocation {
  readonly agent: string;
  readonly session: string;
  readonly turn: string;
}

/** The folder of items without one. */
export const NO_WORKDIR = '';

export const sessionKeys = {
  session: (agent: string, session: string) => key('session', agent, session),
  sessions: () => below('session'),
  sessionsOf: (agent: string) => below('session', agent),
  turn: (agent: string, session: string, turn: string) => key('turn', agent, session, turn),
  /** Every turn of a session, each followed by its items. */
  turns: (agent: string, session: string) => below('turn', agent, session),
  item: (agent: string, session: string, turn: string, item: string) =>
    key('turn', agent, session, turn, item),
  itemsOfTurn: (agent: string, session: string, turn: string) => below('turn', agent, session, turn),
  saved: (agent: string, session: string | null, item: string) => key('saved', agent, session ?? '', item),
  allSaved: () => below('saved'),
  savedOf: (agent: string, session: string | null) => below('saved', agent, session ?? ''),
  imported: ({ agent, session, id, event }: Pick<ImportedRow, 'agent' | 'session' | 'id' | 'event'>) =>
    key('imported', agent, session ?? '', id, event),
  allImported: () => below('imported'),
  importedOf: (agent: string, session: string | null) => below('imported', agent, session ?? ''),
  versionsOf: (agent: string, session: string | null, item: string) =>
    below('imported', agent, session ?? '', item),
  injected: ({ agent, session, event }: Pick<InjectedRow, 'agent' | 'session' | 'event'>) =>
    key('injected', agent, session ?? '', event),
  injectedInto: (agent: string, session: string | null) => below('injected', agent, session ?? ''),
  allInjected: () => below('injected'),
  line: (agent: string, copyKey: string) => key('line', agent, copyKey),
  shared: (agent: string, session: string) => key('shared', agent, session),
  copy: (item: string) => key('copy', item),
  recentSession: (workdir: string, at: number | null, agent: string, session: string) =>
    key('recent-session', workdir, newestFirst(at), agent, session),
  recentSessions: (workdir: string) => below('recent-session', workdir),
  allRecentSessions: () => below('recent-session'),
  /** @param place `placeOfTurn` */
  recentTurn: (workdir: string, place: string, agent: string, session: string, turn: string) =>
    key('recent-turn', workdir, place, agent, session, turn),
  recentTurns: (workdir: string) => below('recent-turn', workdir),
  allRecentTurns: () => below('recent-turn'),
  turnAt: (agent: string, session: string, place: string, turn: string) =>
    key('turn-at', agent, session, place, turn),
  turnsByTime: (agent: string, session: string) => below('turn-at', agent, session),
} as const;

/** A turn's place in lists, the newest first. */
export function placeOfTurn({ startedAt, order }: Pick<TurnRow, 'startedAt' | 'order'>): string {
  return newestFirst(startedAt, order);
}

/** Tells the two kinds of rows below `turn/` apart. */
export function isItemRow(row: TurnRow | ItemRow): row is ItemRow {
  return 'reports' in row;
}
