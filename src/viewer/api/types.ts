// The forms of the API's answers: the types of the library, and those that only HTTP has.
import type { ShownItem, Status } from '../../api.ts';

export type {
  ActReport,
  ContextAnswer,
  ForgetPlan,
  ForgetReport,
  ForgetSelection,
  Growth,
  ItemMarks,
  ListedMemory,
  ListedObservation,
  ListedSession,
  ListedSummary,
  ListedTurn,
  ObserverCost,
  ProjectStats,
  Proposal,
  ReceiptsAnswer,
  SearchAnswer,
  SearchResult,
  SearchShares,
  ShownItem,
  Stats,
  Verification,
  Why,
} from '../../api.ts';
export type { Diagnosis } from '../../doctor/check.ts';
export type { Recording } from '../../http/schemas/health.ts';

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** An event is in the log. */
export interface Captured {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly agent: string;
  readonly session: string | null;
  readonly channel: string;
  readonly at: string | null;
}

/** The status of the home, as a worker gives it. */
export interface HomeStatus extends Status {
  readonly queues: { readonly spool: number; readonly projection: number };
  readonly streams: number;
  readonly process: {
    readonly pid?: number;
    readonly version?: string;
    /** ISO 8601. */
    readonly startedAt?: string;
    /** Bytes. */
    readonly memory?: number;
    readonly transcripts?: readonly string[];
    readonly transcriptsWaiting?: number;
  };
}

export type LongWork = 'verify' | 'rebuild';

/** Work that the stream reports; `views`: the views are far behind the log; `past`: an earlier state is read. */
type WatchedWork = LongWork | 'views' | 'past';

/** How far it is. */
export interface WorkProgress {
  readonly work: WatchedWork;
  readonly done: number;
  readonly total: number;
  /** Of `past`: the moment as it was asked for, and what is done with its events. */
  readonly asOf?: string;
  readonly step?: 'dates' | 'replay';
}

type Details = ShownItem['details'];

/** A field of an item's details, of any kind. */
export function detail(details: Details, name: string): Details | undefined {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return undefined;
  return (details as Readonly<Record<string, Details>>)[name];
}

export function textDetail(details: Details, name: string): string | null {
  const value = detail(details, name);
  return typeof value === 'string' ? value : null;
}

export function listDetail(details: Details, name: string): readonly string[] {
  const value = detail(details, name);
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
