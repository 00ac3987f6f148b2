// The rows of the `receipts` view: what sessions were given, and what they used of it.
//
//   injection/<agent>/<session or nothing>/<event>      InjectionRow
//   shown/<agent>/<session or nothing>/<id>             ShownRow: an item that the session was given
//   command/<agent>/<session or nothing>/<command>/<event>   ids of items that named this command as a fix
//   use/<agent>/<session or nothing>/<id>/<item>        UseRow: where the session used it
//   uses/<agent>/<session or nothing>/<item>            ids that this prompt, tool use or answer used
//   start/<agent>/<session>                             StartRow: files that were opened before anything else was done
//   total/<workdir>/<occasion>                          TotalRow
//   item/<workdir>/<id>                                 UseCounts of an item in the sessions of a workdir
//   all/<id>                                            UseCounts of an item everywhere
//   unused/<id>                                         1: shown often and never used
import { below, key } from '../engine/store/row-keys.ts';

/** cited: its id was opened or named. fixed: the command that it names was run. opened: the file that only it names was. */
export type HowUsed = 'cited' | 'fixed' | 'opened';

export interface InjectionRow {
  readonly workdir: string;
  readonly occasion: string;
  readonly tokens: number | null;
  readonly durationMs: number | null;
  /** Null if they are not known. */
  readonly ids: readonly string[] | null;
  readonly commands: readonly string[];
}

export interface Show {
  readonly event: string;
  /** Unix ms. */
  readonly at: number | null;
  readonly occasion: string;
  readonly workdir: string;
  /** Null if no use is known. */
  readonly used: HowUsed | null;
}

export interface ShownRow {
  /** By time. */
  readonly shows: readonly Show[];
}

export interface UseRow {
  readonly how: HowUsed;
  readonly at: number;
}

export interface StartRow {
  readonly turn: string;
  /** Of the turn. */
  readonly order: string;
  /** Order of the first act that opened none of the files; null while there is none. */
  readonly end: string | null;
  /** What was read up to there: its order may become another one when a second channel reports it. */
  readonly items: readonly string[];
  readonly opened: readonly { readonly id: string; readonly at: number }[];
}

/** An item in one injection counts as one show. */
export interface TotalRow {
  readonly injections: number;
  /** Injections whose items are not known. */
  readonly unknown: number;
  readonly tokens: number;
  /** Of the injections whose time is known. */
  readonly durationMs: number;
  readonly timed: number;
  readonly shown: number;
  readonly used: number;
}

export interface UseCounts {
  readonly shown: number;
  readonly used: number;
  readonly cited: number;
  readonly fixed: number;
  readonly opened: number;
}

export const receiptKeys = {
  injection: (agent: string, session: string, event: string) => key('injection', agent, session, event),
  shown: (agent: string, session: string, id: string) => key('shown', agent, session, id),
  shownIn: (agent: string, session: string) => below('shown', agent, session),
  command: (agent: string, session: string, command: string, event: string) =>
    key('command', agent, session, command, event),
  commandIn: (agent: string, session: string, command: string) => below('command', agent, session, command),
  use: (agent: string, session: string, id: string, item: string) => key('use', agent, session, id, item),
  usesOf: (agent: string, session: string, id: string) => below('use', agent, session, id),
  uses: (agent: string, session: string, item: string) => key('uses', agent, session, item),
  start: (agent: string, session: string) => key('start', agent, session),
  total: (workdir: string, occasion: string) => key('total', workdir, occasion),
  totals: () => below('total'),
  item: (workdir: string, id: string) => key('item', workdir, id),
  itemsOf: (workdir: string) => below('item', workdir),
  everywhere: (id: string) => key('all', id),
  unused: (id: string) => key('unused', id),
} as const;
