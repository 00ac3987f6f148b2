// The library's shapes. The command line uses nothing else; fields may be added, never changed.
import type {
  AppendOptions,
  AppendOutcome,
  EventType,
  Json,
  LogEvent,
  Telling,
  VerifyProblem,
} from '../log/index.ts';
import type { DocumentKind } from '../projections/index.ts';

export interface OpenOptions {
  /** Default: ANNALS_HOME, else ~/.annals. */
  readonly home?: string;
  /** How long to wait for another process to let go of the log, ms. Default 5,000. */
  readonly lockTimeoutMs?: number;
  /** Called once when the wait has lasted a second. */
  readonly onWait?: () => void;
}

export interface ImportProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly file: string;
}

export interface ImportOptions {
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly signal?: AbortSignal;
}

/** Counts of this run's input, whether appended now or there before; a copied line counts once. */
export interface ImportReport {
  readonly files: number;
  readonly sessions: number;
  readonly prompts: number;
  /** Slash commands; not among the prompts. */
  readonly commands: number;
  readonly toolUses: number;
  readonly appended: number;
  readonly duplicates: number;
  /** Lines that could not be used, over all files. Each with its reason in `parkedLines` (first 100). */
  readonly parked: number;
  readonly parkedLines: readonly ParkedLine[];
  /** Files or folders that could not be read; the others were imported all the same. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  readonly ms: number;
}

export interface ParkedLine {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  readonly reason: string;
}

export interface SaveInput {
  readonly title: string;
  readonly text: string;
  readonly type?: string;
  readonly project?: string;
  readonly session?: string;
  readonly files?: readonly string[];
  readonly concepts?: readonly string[];
  readonly metadata?: Json;
  /** Unix ms; default now. */
  readonly at?: number;
  readonly cwd?: string;
}

export interface SearchOptions {
  readonly project?: string;
  readonly kind?: DocumentKind;
  readonly type?: string;
  readonly file?: string;
  readonly session?: string;
  /** Unix ms, or anything `Date.parse` takes, or 7d / 12h / 30m ago. */
  readonly since?: string | number;
  readonly until?: string | number;
  /** Default 10, at most 1,000. */
  readonly limit?: number;
  /** Whether each result says what its score is made of. Default false. */
  readonly explain?: boolean;
}

/** What each part gave to a score; they add up to it. */
export interface SearchShares {
  /** What the words found. */
  readonly words: number;
  /** How near the meaning is, by vectors. */
  readonly meaning: number;
  /** How well the whole session fits. */
  readonly session: number;
  /** The one agent or project that the query names. */
  readonly named: number;
  /** Long enough to say something. */
  readonly length: number;
  /** Taken off what asks rather than tells. */
  readonly asking: number;
  /** Words beside each other in the query and in the text. */
  readonly pairs: number;
}

export interface SearchResult {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly type: string | null;
  readonly title: string;
  readonly project: string;
  readonly session: string | null;
  /** ISO 8601, null when nobody said when. */
  readonly at: string | null;
  readonly score: number;
  readonly snippet: string;
  readonly tokens: number;
  /** With `explain`; null for what words alone found, beyond the 200 best. */
  readonly shares?: SearchShares | null;
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /** What could not be done as it should, one sentence each. */
  readonly degraded: readonly string[];
  readonly ms: number;
}

/** How a session begins, as agents say it. */
export const CONTEXT_OCCASIONS = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;
export type ContextKind = (typeof CONTEXT_OCCASIONS)[number];

export interface ContextOptions {
  /** By name, key or folder; else the project of `cwd`. */
  readonly project?: string;
  /** Default: this process's. */
  readonly cwd?: string;
  /** Default startup. */
  readonly kind?: ContextKind;
  /** The session that goes on, whole id: for resume, compact and fork. */
  readonly session?: string;
  /** agent: plain text in one tag, at most 9,000 characters. person: lines for a terminal. Default agent. */
  readonly form?: 'agent' | 'person';
  /** Ages are told relative to this, Unix ms; default now. */
  readonly now?: number;
  /** Of the person's form: cells in a line, default 100; colour, default true. */
  readonly width?: number;
  readonly color?: boolean;
}

export interface ContextAnswer {
  /** Empty for an agent when nothing is known; one line of welcome for a person. */
  readonly text: string;
  /** What reading the agent's form costs: characters / 4, rounded up. */
  readonly tokens: number;
  readonly project: string;
  readonly degraded: readonly string[];
}

export interface TimelineOptions {
  /** Any id or the beginning of one: what stands before and after it in its project. */
  readonly around?: string;
  readonly project?: string;
  readonly session?: string;
  /** As in search. */
  readonly since?: string | number;
  readonly until?: string | number;
  /** Default 20, at most 1,000. */
  readonly limit?: number;
}

export interface TimelineRow {
  readonly id: string;
  readonly kind: DocumentKind | 'session' | 'turn';
  readonly type: string | null;
  readonly title: string;
  readonly project: string;
  readonly session: string | null;
  /** ISO 8601, null when nobody said when. */
  readonly at: string | null;
}

export interface TimelineAnswer {
  /** Oldest first. */
  readonly rows: readonly TimelineRow[];
  readonly degraded: readonly string[];
}

/** One thing whole: a document, a session, a turn or an event, by id. */
export interface Item {
  readonly id: string;
  readonly kind: DocumentKind | 'session' | 'turn' | 'event';
  readonly type: string | null;
  readonly title: string;
  readonly text: string;
  readonly project: string | null;
  readonly session: string | null;
  readonly agent: string;
  readonly at: string | null;
  readonly files: readonly string[];
  readonly events: readonly string[];
  /** Kind-specific: a tool use's name, input, outcome, result; a turn's items; a session's turns and tokens. */
  readonly details: Json;
}

/** From a thing to the exact events it came from. */
export interface Why {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly steps: readonly string[];
  readonly events: readonly LogEvent[];
}

export interface LogOptions {
  readonly session?: string;
  readonly type?: EventType;
  /** prompt, tool, answer, session, place, memory: a family of types. */
  readonly kind?: string;
  readonly after?: number;
  readonly limit?: number;
}

export interface ViewReport {
  readonly name: string;
  readonly events: number;
  readonly ms: number;
  readonly digest: string;
}

export interface ViewState {
  readonly name: string;
  readonly version: number;
  /** Log position the view stands at. */
  readonly position: number;
  /** Events behind the head. */
  readonly lag: number;
}

export interface Status {
  readonly home: string;
  readonly log: { readonly events: number; readonly head: number; readonly bytes: number };
  readonly views: readonly ViewState[];
  readonly spool: { readonly new: number; readonly bad: number };
  readonly worker: null | { readonly pid: number };
  readonly projects: readonly {
    readonly name: string;
    readonly sessions: number;
    readonly observations: number;
  }[];
  readonly degraded: readonly string[];
}

export interface Verification {
  readonly ok: boolean;
  readonly events: number;
  readonly problems: readonly VerifyProblem[];
  readonly views?: readonly {
    readonly name: string;
    readonly live: string;
    readonly rebuilt: string;
    readonly equal: boolean;
  }[];
}

export type Progress = (done: number, total: number) => void;

export interface Annals {
  readonly home: string;
  append(tellings: readonly Telling[], options?: AppendOptions): Promise<readonly AppendOutcome[]>;
  /** Redacted and stripped of private parts like everything else. Resolves when on disk. */
  save(memory: SaveInput): Promise<{ readonly id: string }>;
  save(memories: readonly SaveInput[]): Promise<readonly { readonly id: string }[]>;
  import(paths: readonly string[], options?: ImportOptions): Promise<ImportReport>;
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** What a session of a project is told. @throws AnnalsError NOT_FOUND for a project by a name nobody has */
  context(options?: ContextOptions): Promise<ContextAnswer>;
  /** Prompts, observations, summaries and saved memories in time order. @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE */
  timeline(options?: TimelineOptions): Promise<TimelineAnswer>;
  /** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID */
  get(id: string): Promise<Item>;
  why(id: string): Promise<Why>;
  log(options?: LogOptions): AsyncIterable<LogEvent>;
  /** Catches every view up; `from: 0` runs the log through again aside and reports whether anything differs. */
  replay(options?: {
    from?: 0;
    onProgress?: Progress;
  }): Promise<{ readonly views: readonly (ViewReport & { readonly changed: boolean })[] }>;
  rebuild(
    views?: readonly string[],
    options?: { onProgress?: Progress },
  ): Promise<{ readonly views: readonly ViewReport[] }>;
  verify(options?: { rebuilt?: boolean; onProgress?: Progress }): Promise<Verification>;
  status(): Promise<Status>;
  close(): Promise<void>;
}
