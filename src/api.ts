// What the library can do, and the one door to its shapes: a file each in api/, of which the command line uses
// nothing else. Fields may be added, never changed.
import type { AppendOptions, AppendOutcome, LogEvent, NewEvent } from '../log/index.ts';
import type { AsOfOptions } from './api/as-of.ts';
import type { ContextAnswer, ContextOptions } from './api/context.ts';
import type { EmbedOptions, EmbedReport } from './api/embed.ts';
import type { LogOptions } from './api/events.ts';
import type { ExportOptions, ExportReport } from './api/export.ts';
import type { ForgetOptions, ForgetReport, ForgetSelection } from './api/forget.ts';
import type { ImportOptions, ImportReport } from './api/import.ts';
import type { ShownItem, Why } from './api/item.ts';
import type { Progress } from './api/progress.ts';
import type { SaveInput } from './api/save.ts';
import type { SearchAnswer, SearchOptions } from './api/search.ts';
import type { Status } from './api/status.ts';
import type { TimelineAnswer, TimelineOptions } from './api/timeline.ts';
import type { Verification } from './api/verify.ts';
import type { ViewReport } from './api/views.ts';

export type * from './api/as-of.ts';
export * from './api/context.ts';
export type * from './api/embed.ts';
export type * from './api/events.ts';
export type * from './api/export.ts';
export type * from './api/forget.ts';
export type * from './api/import.ts';
export type * from './api/item.ts';
export type * from './api/progress.ts';
export type * from './api/restore.ts';
export type * from './api/save.ts';
export type * from './api/search.ts';
export type * from './api/status.ts';
export type * from './api/timeline.ts';
export type * from './api/verify.ts';
export type * from './api/views.ts';

export interface Annals {
  readonly home: string;
  append(newEvents: readonly NewEvent[], options?: AppendOptions): Promise<readonly AppendOutcome[]>;
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
  get(id: string, options?: AsOfOptions): Promise<ShownItem>;
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

export interface OpenOptions {
  /** Default: ANNALS_HOME, else ~/.annals. */
  readonly home?: string;
  /** How long to wait for another process to let go of the log, ms. Default 5,000. */
  readonly lockTimeoutMs?: number;
  /** Called once when the wait has lasted a second. */
  readonly onWait?: () => void;
}
