// The library's shapes. The command line uses nothing else; fields may be added, never changed.
import type {
  AppendOptions,
  AppendOutcome,
  EventType,
  Json,
  LogEvent,
  RewriteStep,
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

/** Of an encrypted export; a function is asked only where one is needed. */
export type Passphrase = string | (() => Promise<string>);

export interface ImportOptions {
  /** Of the exports among what is named, where they are encrypted: one for all. */
  readonly passphrase?: Passphrase;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called once everything that was read is found by its words, and waited for. Its vectors are made after that. */
  readonly onSearchable?: (report: ImportReport) => void | Promise<void>;
  /** Projects whose vectors are made, of all. */
  readonly onVectors?: (done: number, total: number) => void;
  /** Stops after the page, or the project's vectors, under way. What is done stays; the next import makes the rest. */
  /** Afterwards, where the settings name a model: documents that have a vector, of all. */
  readonly onEmbedded?: Progress;
  readonly signal?: AbortSignal;
}

export interface EmbedOptions {
  /** Documents that have a vector, of all. */
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Takes it that the model's vectors are of another length than before: every document is embedded once more. */
  readonly again?: boolean;
}

/** What came of asking the embedding model for what it had not been asked yet. */
export interface EmbedReport {
  /** As the settings have it. Only `minilm` and `remote` are asked; the others need nothing. */
  readonly embedder: 'static' | 'minilm' | 'remote' | 'none';
  /** null where the model was never asked. */
  readonly recipe: string | null;
  readonly documents: number;
  readonly withVector: number;
  /** Documents that this run embedded, and the texts it sent for them. */
  readonly embedded: number;
  readonly texts: number;
  /** Documents that the service would not take. */
  readonly refused: number;
  /** Why it ended early; null when it did not, or was stopped. */
  readonly problem: string | null;
  readonly ms: number;
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
  /** Exports of logs among what was named; absent where there was none. Their segments count as files. */
  readonly exports?: readonly ExportUnited[];
  /** What the embedding model made of it; absent where the settings name none. */
  readonly vectors?: EmbedReport;
  readonly ms: number;
}

/** An export that was united with this log. */
export interface ExportUnited {
  readonly path: string;
  /** The log that it comes from. */
  readonly logId: string;
  /** Positions in that log. */
  readonly after: number;
  readonly head: number;
  readonly events: number;
  readonly appended: number;
  readonly duplicates: number;
  /** Duplicates whose words here are not those of the export; ours stand. */
  readonly differing: number;
  /** Events that stood here whole and are forgotten now, because the other log forgot them. */
  readonly forgotten: number;
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

/** For the calls that read: what was here, or had happened, then. What was forgotten since stays forgotten. */
export interface AsOfOptions {
  /**
   * A position of this log (a number, or digits): what it held then. Anything else that `since` takes: what had
   * happened by then; a day counts whole. The log is replayed to there, in memory.
   */
  readonly asOf?: number | string | undefined;
  /** How far that replay is: events done of all that are to do. */
  readonly onProgress?: Progress | undefined;
}

/** What an answer of the past is made from. */
export interface AsOfReport {
  /** As it was asked: one of them is null. */
  readonly position: number | null;
  /** ISO 8601. */
  readonly time: string | null;
  /** The last position that was read. */
  readonly head: number;
  /** What the replay took; about 0 when the call before asked the same. */
  readonly ms: number;
}

/** Each does the same as the operator of its name in the query (`type:decision`); all of them must hold. */
export interface SearchOptions extends AsOfOptions {
  readonly project?: string;
  readonly kind?: DocumentKind;
  /** A tool's name, or what a memory or an observation is; without case. */
  readonly type?: string;
  /** A name, a path, or whole segments of one. */
  readonly file?: string;
  readonly concept?: string;
  /** Whose it is, or the beginning of that. */
  readonly agent?: string;
  readonly session?: string;
  /** Unix ms, or anything `Date.parse` takes, or 7d / 12h / 30m ago, or words: yesterday, last tuesday, march 3. */
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
  /** How many of the query's words it holds, by rarity. */
  readonly held: number;
  /** How much of the query a question holds that it follows. */
  readonly answering: number;
  /** That it happened when the query says. */
  readonly time: number;
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
  /** 0 where nothing ranks: of a search without words. */
  readonly score: number;
  readonly snippet: string;
  readonly tokens: number;
  /** Ids of worse results that say the same, and are left out for it. */
  readonly alike: readonly string[];
  /** With `explain`; null for what words alone found, beyond the 200 best. */
  readonly shares?: SearchShares | null;
}

/** How a query was understood, options included. */
export interface SearchUnderstood {
  /** The words that rank; empty where the newest were listed. */
  readonly text: string;
  readonly phrases: readonly string[];
  /** Words and phrases that must not stand there. */
  readonly without: readonly string[];
  readonly conditions: readonly {
    readonly field: string;
    readonly value: string | number;
    /** Whether what it describes is left out. */
    readonly not: boolean;
  }[];
  /** Times that its words name, ISO 8601, both included: what happened then moves up. */
  readonly times: readonly { readonly first: string; readonly last: string }[];
}

export interface SearchAnswer {
  /** The best first; without words the newest first. */
  readonly results: readonly SearchResult[];
  readonly query: SearchUnderstood;
  /** Whether nothing found fits the query well: then the results are only the nearest there are. */
  readonly doubtful: boolean;
  /** What could not be done as it should, one sentence each. */
  readonly degraded: readonly string[];
  readonly ms: number;
  /** Where the past was asked. */
  readonly asOf?: AsOfReport;
}

/** How a session begins, as agents say it. */
export const CONTEXT_OCCASIONS = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;
export type ContextKind = (typeof CONTEXT_OCCASIONS)[number];

export interface ContextOptions extends AsOfOptions {
  /** By name, key or folder; else the project of `cwd`. */
  readonly project?: string;
  /** Default: this process's. */
  readonly cwd?: string;
  /** Default startup. */
  readonly kind?: ContextKind;
  /** The session that goes on, whole id: for resume, compact and fork. */
  readonly session?: string;
  /** agent: plain text in one tag, at most 9,000 characters. person: lines for a terminal. both: one beside the other. Default agent. */
  readonly form?: 'agent' | 'person' | 'both';
  /** Ages are told relative to this, Unix ms; default now. */
  readonly now?: number;
  /** Of the person's form: cells in a line, default 100; colour, default true. */
  readonly width?: number;
  readonly color?: boolean;
}

export interface ContextAnswer {
  /** Empty for an agent when nothing is known; one line of welcome for a person. */
  readonly text: string;
  /** Only of `form: 'both'`, where `text` is the agent's: the person's. */
  readonly personText?: string;
  /** What reading the agent's form costs: characters / 4, rounded up. */
  readonly tokens: number;
  readonly project: string;
  readonly degraded: readonly string[];
  readonly asOf?: AsOfReport;
}

export interface TimelineOptions extends AsOfOptions {
  /** Any id or the beginning of one: what stands before and after it in its project. */
  readonly around?: string;
  readonly project?: string;
  readonly session?: string;
  /** As in search. */
  readonly since?: string | number;
  readonly until?: string | number;
  /** Default 20, at most 1,000. */
  readonly limit?: number;
  /** With `around`: so many rows before and after it, instead of half of `limit` each. At most 1,000. */
  readonly before?: number;
  readonly after?: number;
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
  readonly asOf?: AsOfReport;
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
  readonly asOf?: AsOfReport;
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
  /** Bytes on disk. */
  readonly size: {
    /** Of everything below the home. */
    readonly bytes: number;
    readonly log: number;
    /** From the largest on. */
    readonly views: readonly { readonly name: string; readonly bytes: number }[];
    readonly spool: number;
    /** Of log and views, by when the events happened; estimated from 500 of them. null without events. */
    readonly perDay: null | { readonly last30Days: number; readonly overall: number };
    /** What `compact` would give back, estimated from what the last one left; null when there was none yet. */
    readonly reclaimable: number | null;
  };
  readonly views: readonly ViewState[];
  readonly spool: {
    readonly new: number;
    readonly bad: number;
    /** What became of all that hooks ever left: new events, private turns' files, files that tell nothing by reason, unusable ones. */
    readonly taken: {
      readonly told: number;
      readonly private: number;
      readonly ignored: { readonly [reason: string]: number };
      readonly bad: number;
    };
  };
  /** Whether an agent's settings hold hooks that write to this home; null where they cannot be read. */
  readonly hooks: readonly { readonly agent: string; readonly installed: boolean | null }[];
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

export interface ExportOptions {
  /** Encrypts the export under it. An export that is encrypted is continued under the one it was made with. */
  readonly passphrase?: Passphrase;
  /** Events after this position; in a folder that holds an export already, never later than where that ends. */
  readonly since?: number;
  /** Events done of all that are to be written. */
  readonly onProgress?: Progress;
}

export interface ExportReport {
  /** Absolute. */
  readonly folder: string;
  readonly logId: string;
  /** Positions: the folder now holds the events after the one, up to the other. */
  readonly after: number;
  readonly head: number;
  /** Events in the folder. */
  readonly events: number;
  /** Of them: written by this call. */
  readonly written: number;
  /** Of them: forgotten, so without their bodies. */
  readonly blanked: number;
  readonly segments: number;
  readonly bytes: number;
  /** Hex, after the last event. */
  readonly chain: string;
  readonly ms: number;
}

export interface RestoreOptions {
  /** Where the export is encrypted. */
  readonly passphrase?: Passphrase;
  /** Default: ANNALS_HOME, else ~/.annals. It must hold no events. */
  readonly home?: string;
  /** As in `OpenOptions`. */
  readonly lockTimeoutMs?: number;
  readonly onProgress?: (step: RestoreStep, done: number, total: number) => void;
}

/** Held against its manifest; written into the home; views built from it. */
export type RestoreStep = 'checking' | 'writing' | 'replaying';

export interface RestoreReport {
  readonly home: string;
  readonly logId: string;
  readonly events: number;
  readonly blanked: number;
  /** Hex, after the last event. */
  readonly chain: string;
  readonly views: readonly ViewReport[];
  readonly ms: number;
}

/** What is to be forgotten, named in exactly one way. */
export interface ForgetSelection {
  /** Ids, or beginnings of ids, of anything: a prompt, a turn, an observation, a session, an event. */
  readonly ids?: readonly string[];
  readonly session?: string;
  readonly project?: string;
  /** Everything that says this, letter for letter but for case. */
  readonly query?: string;
  /** Everything that happened before: as in search. */
  readonly before?: string | number;
}

/** In this order, but that `scrubbed` comes while the log is rewritten. A kill after any of them leaves a home that the next opening brings to its end. */
export type ForgetStep =
  | 'found'
  | 'spool'
  | 'forgotten'
  | 'projected'
  | 'scrubbed'
  | RewriteStep
  | 'rewritten';

export interface ForgetOptions {
  /** Also what carries the same text elsewhere. */
  readonly withCopies?: boolean;
  /** Shows what would be done and does nothing. */
  readonly dryRun?: boolean;
  /** Asked before anything is done. */
  readonly confirm?: (plan: ForgetPlan) => Promise<boolean>;
  readonly onStep?: (step: ForgetStep) => void | Promise<void>;
}

export interface ForgetGroup {
  /** prompt, tool use, answer, memory, title, session record, place. */
  readonly kind: string;
  readonly count: number;
  /** Of all that was told of them. */
  readonly bytes: number;
}

export interface ForgetThing {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly session: string | null;
  readonly at: string | null;
}

export interface ForgetPlan {
  readonly by: 'ids' | 'session' | 'project' | 'query' | 'before';
  /** Events that lose their bodies, and the bytes of those. */
  readonly events: number;
  readonly bytes: number;
  readonly sessions: number;
  readonly kinds: readonly ForgetGroup[];
  /** The first twenty of what was named. */
  readonly things: readonly ForgetThing[];
  /** The same things told again: by another witness, in forks. */
  readonly same: { readonly included: boolean; readonly events: number; readonly sessions: number };
  /** Other things that carry the same text; the first twenty. */
  readonly copies: {
    readonly included: boolean;
    readonly events: number;
    readonly kinds: readonly ForgetGroup[];
    readonly things: readonly ForgetThing[];
  };
  /** Observations and summaries that go or are made again from what is left. */
  readonly derived: number;
  /** Files in the spool that go. */
  readonly spoolFiles: number;
}

export interface ForgetProof {
  /** Nothing of it was found, everything could be read, and the control was found; null when there was nothing to search for. */
  readonly ok: boolean | null;
  /** What was searched for: pieces of what was forgotten that nothing else holds. */
  readonly needles: readonly string[];
  readonly files: number;
  /** Bytes searched, raw and unpacked. */
  readonly bytes: number;
  readonly found: readonly { readonly needle: string; readonly file: string }[];
  /** Tables that could not be unpacked. */
  readonly unreadable: number;
  /** A string that has to be there, searched for in the same way. */
  readonly control: { readonly text: string; readonly found: boolean };
}

export interface ForgetReport {
  readonly outcome: 'forgotten' | 'shown' | 'declined' | 'nothing';
  /** The event that says so; null where nothing of it was in the log, only in the spool. */
  readonly id: string | null;
  /** ISO 8601. */
  readonly at: string | null;
  readonly plan: ForgetPlan;
  readonly proof: ForgetProof | null;
  readonly ms: number;
}

export type Progress = (done: number, total: number) => void;

export interface Annals {
  readonly home: string;
  append(tellings: readonly Telling[], options?: AppendOptions): Promise<readonly AppendOutcome[]>;
  /** Redacted and stripped of private parts like everything else. Resolves when on disk. */
  save(memory: SaveInput): Promise<{ readonly id: string }>;
  save(memories: readonly SaveInput[]): Promise<readonly { readonly id: string }[]>;
  import(paths: readonly string[], options?: ImportOptions): Promise<ImportReport>;
  /**
   * Writes the log into a folder as lines of JSON. A folder that holds an export of this log is continued.
   * @throws AnnalsError USAGE (another log's export, a gap), INPUT_INVALID (the folder holds something else),
   *   HOME_UNWRITABLE, DISK_FULL, LOG_DAMAGED
   */
  export(folder: string, options?: ExportOptions): Promise<ExportReport>;
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** What a session of a project is told. @throws AnnalsError NOT_FOUND for a project by a name nobody has */
  context(options?: ContextOptions): Promise<ContextAnswer>;
  /** Prompts, observations, summaries and saved memories in time order. @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE */
  timeline(options?: TimelineOptions): Promise<TimelineAnswer>;
  /** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID */
  get(id: string, options?: AsOfOptions): Promise<Item>;
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
  /** Asks the embedding model that the settings name for the vectors that are missing. What a model does wrong is in the report. */
  embed(options?: EmbedOptions): Promise<EmbedReport>;
  /** Forgets for good: out of the log, the views, the index and the spool. @throws AnnalsError NOT_FOUND, FORGOTTEN, USAGE */
  forget(selection: ForgetSelection, options?: ForgetOptions): Promise<ForgetReport>;
  /** Writes the log and the views anew: what was overwritten or removed leaves the disk. */
  compact(): Promise<{ readonly bytesBefore: number; readonly bytesAfter: number; readonly ms: number }>;
  verify(options?: { rebuilt?: boolean; onProgress?: Progress }): Promise<Verification>;
  status(): Promise<Status>;
  close(): Promise<void>;
}
