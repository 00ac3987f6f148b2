// The public interface of the library, and all its types, one file per call in api/. The command line uses nothing else.
// Fields may be added, never changed.
import type { AppendOptions, AppendOutcome, LogEvent, NewEvent } from '../log/index.ts';
import type { ActInput, ActReport, DecideOptions, DecideReport, Note, Proposal } from './api/act.ts';
import type { AsOfOptions, SoFarOptions } from './api/as-of.ts';
import type { ContextAnswer, ContextOptions } from './api/context.ts';
import type { ChangeState, DrainReport } from './api/drain.ts';
import type { EmbedOptions, EmbedReport } from './api/embed.ts';
import type { LogOptions } from './api/events.ts';
import type { ExportOptions, ExportReport } from './api/export.ts';
import type { ForgetOptions, ForgetReport, ForgetSelection } from './api/forget.ts';
import type { ImportOptions, ImportReport } from './api/import.ts';
import type { ImportFromOptions, ImportFromReport, MemorySource } from './api/import-from.ts';
import type { Injection } from './api/injection.ts';
import type { ShownItem, Why } from './api/item.ts';
import type { ListAnswer, ListKind, ListOptions } from './api/list.ts';
import type { ObserveOptions, ObserveReport, ObserverCost } from './api/observe.ts';
import type {
  AskCorpusOptions,
  BuildCorpusOptions,
  CorpusAnswer,
  CorpusInfo,
  ShownCorpus,
} from './api/observer/corpus.ts';
import type {
  CompareOptions,
  ObserverRecipes,
  ReadingsDifference,
  RecipeChoice,
} from './api/observer/readings.ts';
import type { Progress } from './api/progress.ts';
import type { RecallAnswer, RecallOptions } from './api/recall.ts';
import type { ReceiptsAnswer, ReceiptsOptions } from './api/receipts.ts';
import type { ReportOutcome, SessionReport } from './api/report.ts';
import type { SaveInput } from './api/save.ts';
import type { SearchAnswer, SearchOptions } from './api/search.ts';
import type {
  ShareAccepted,
  ShareChanged,
  ShareCredentialOptions,
  ShareDigest,
  SharedForgetting,
  ShareInviteOptions,
  ShareJoined,
  ShareJoinOptions,
  ShareLeaveOptions,
  ShareLeft,
  ShareMember,
  SharePreview,
  ShareProjectOptions,
  ShareRecoverOptions,
  ShareRemoved,
  ShareStatus,
  ShareSyncReport,
} from './api/share/sharing.ts';
import type { FolderProject, Growth, Stats } from './api/stats.ts';
import type { Status } from './api/status.ts';
import type { TimelineAnswer, TimelineOptions } from './api/timeline.ts';
import type { Verification, ViewReport } from './api/views.ts';

export * from './api/act.ts';
export type * from './api/as-of.ts';
export * from './api/context.ts';
export type * from './api/drain.ts';
export type * from './api/embed.ts';
export * from './api/events.ts';
export type * from './api/export.ts';
export type * from './api/forget.ts';
export type * from './api/import.ts';
export * from './api/import-from.ts';
export type * from './api/injection.ts';
export type * from './api/item.ts';
export * from './api/list.ts';
export type * from './api/observe.ts';
export type * from './api/observer/corpus.ts';
export type * from './api/observer/readings.ts';
export type * from './api/progress.ts';
export * from './api/recall.ts';
export type * from './api/receipts.ts';
export type * from './api/report.ts';
export type * from './api/restore.ts';
export type * from './api/save.ts';
export type * from './api/search.ts';
export type * from './api/share/sharing.ts';
export type * from './api/stats.ts';
export type * from './api/status.ts';
export type * from './api/timeline.ts';
export type * from './api/views.ts';

export interface Annals {
  readonly home: string;
  append(newEvents: readonly NewEvent[], options?: AppendOptions): Promise<readonly AppendOutcome[]>;
  /** Secrets are redacted and private parts removed. Resolves when the memory is on disk. */
  save(memory: SaveInput): Promise<{ readonly id: string }>;
  save(memories: readonly SaveInput[]): Promise<readonly { readonly id: string }[]>;
  /**
   * Records what a program reports of its own session: a prompt, a tool use, the end. Secrets are redacted, private turns
   * left out. Resolves when it is on disk. @throws AnnalsError INPUT_INVALID
   */
  report(report: SessionReport): Promise<ReportOutcome>;
  /** Records what a hook gave to a session, afterwards. Resolves when it is on disk. */
  recordInjection(injection: Injection): Promise<void>;
  import(paths: readonly string[], options?: ImportOptions): Promise<ImportReport>;
  /**
   * Imports what another tool remembered. Nothing is written into its folders; what is known already adds nothing.
   * @throws AnnalsError USAGE: an unknown source; INPUT_UNREADABLE: none of the paths could be read
   */
  importFrom(
    from: MemorySource,
    paths: readonly string[],
    options?: ImportFromOptions,
  ): Promise<ImportFromReport>;
  /** Moves what hooks left in the spool into the log, and brings the views up. */
  drain(): Promise<DrainReport>;
  /**
   * Calls `listener` at once with the state as it is, then after events were appended and after views moved. Returns a
   * function that unsubscribes.
   */
  onChange(listener: (state: ChangeState) => void): () => void;
  /**
   * Writes the log into a folder as lines of JSON. If the folder holds an export of this log, new events are added to it.
   * @throws AnnalsError USAGE (a folder in the home, another log's export, a gap), INPUT_INVALID (the folder holds something else),
   *   HOME_UNWRITABLE, DISK_FULL, LOG_DAMAGED
   */
  export(folder: string, options?: ExportOptions): Promise<ExportReport>;
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** The brief for a session that starts. @throws AnnalsError NOT_FOUND: no project has this name */
  context(options?: ContextOptions): Promise<ContextAnswer>;
  /** The project of a folder. Default: this process's working folder. */
  project(cwd?: string): Promise<FolderProject>;
  /** What earlier sessions know about what a session is doing. Answers from the views as they are, and waits for nothing. */
  recall(options: RecallOptions): Promise<RecallAnswer>;
  /** Prompts, observations, summaries and saved memories in time order. @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE */
  timeline(options?: TimelineOptions): Promise<TimelineAnswer>;
  /** What is remembered of one kind, newest first, page by page. @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE */
  list<K extends ListKind>(kind: K, options?: ListOptions): Promise<ListAnswer<K>>;
  stats(): Promise<Stats>;
  /** How the log grew. */
  growth(): Promise<Growth>;
  /** What sessions were given, and what they used of it. @throws AnnalsError NOT_FOUND: no project has this name */
  receipts(options?: ReceiptsOptions): Promise<ReceiptsAnswer>;
  /** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID */
  get(id: string, options?: AsOfOptions & SoFarOptions): Promise<ShownItem>;
  why(id: string): Promise<Why>;
  log(options?: LogOptions): AsyncIterable<LogEvent>;
  /** Catches every view up; with `from: 0` it also rebuilds each view next to the live one and reports whether they differ. */
  replay(options?: {
    from?: 0;
    onProgress?: Progress;
  }): Promise<{ readonly views: readonly (ViewReport & { readonly changed: boolean })[] }>;
  rebuild(
    views?: readonly string[],
    options?: { onProgress?: Progress },
  ): Promise<{ readonly views: readonly ViewReport[] }>;
  /** Makes the missing vectors with the embedding model that the settings name. Errors of the model are in the report. */
  embed(options?: EmbedOptions): Promise<EmbedReport>;
  /**
   * Has a model write observations of turns that it has not read, within the budget of the settings.
   * @throws AnnalsError NOT_FOUND (no such project), USAGE (an invalid time)
   */
  observe(options?: ObserveOptions): Promise<ObserveReport>;
  /** Which recipes have read how many turns, at what cost, and for how many they speak. */
  observerRecipes(): Promise<ObserverRecipes>;
  /** How two readings of the same turns differ. Asks nobody. @throws AnnalsError NOT_FOUND, USAGE */
  compareReadings(options: CompareOptions): Promise<ReadingsDifference>;
  /**
   * Has memory speak from a recipe (its name, or a part that only it has), from the newest reading of each turn (`latest`), or
   * from the rules (`rules`).
   * @throws AnnalsError NOT_FOUND, USAGE
   */
  chooseRecipe(recipe: string): Promise<RecipeChoice>;
  /**
   * Makes a named collection of what a query finds now, or makes it again (without `query`).
   * @throws AnnalsError USAGE, NOT_FOUND, INPUT_INVALID (the name is taken, nothing fits)
   */
  buildCorpus(name: string, options?: BuildCorpusOptions): Promise<CorpusInfo>;
  corpora(): Promise<readonly CorpusInfo[]>;
  /** @throws AnnalsError NOT_FOUND */
  corpus(name: string): Promise<ShownCorpus>;
  /** What it was made of stays. @throws AnnalsError NOT_FOUND */
  deleteCorpus(name: string): Promise<{ readonly name: string }>;
  /**
   * Has a model answer from a corpus, within the budget of the observer; without a model, the passages that fit best.
   * @throws AnnalsError NOT_FOUND, USAGE
   */
  askCorpus(name: string, question: string, options?: AskCorpusOptions): Promise<CorpusAnswer>;
  /** What models were asked, and what it cost. */
  observerCost(): Promise<ObserverCost>;
  /** Forgets for good: from the log, the views, the indexes and the spool. @throws AnnalsError NOT_FOUND, FORGOTTEN, USAGE */
  forget(selection: ForgetSelection, options?: ForgetOptions): Promise<ForgetReport>;
  /**
   * Pins, edits or supersedes an item, takes that back, or adds a note. With `author: 'agent'` it is only proposed.
   * @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, FORGOTTEN, USAGE, INPUT_INVALID
   */
  act(input: ActInput): Promise<ActReport>;
  /** A person's standing notes to the agents of a project. Default: of this process's working folder. */
  notes(options?: { readonly project?: string; readonly cwd?: string }): Promise<readonly Note[]>;
  /** What agents proposed and nobody answered, oldest first. */
  proposals(): Promise<readonly Proposal[]>;
  /**
   * Confirms or refuses a proposal. Confirming does it, as `act` or `forget`.
   * @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE: a proposal to forget without `confirm`; as `act` and `forget`
   */
  decide(proposal: string, decision: DecideOptions): Promise<DecideReport>;
  /** Makes a team on a shared log, with this machine as its admin. @throws AnnalsError USAGE, INPUT_INVALID, SHARED_LOG_* */
  shareJoin(options: ShareJoinOptions): Promise<ShareJoined>;
  /**
   * The text of an invitation. It brings the address of the server with its credentials, so it is a secret.
   * @throws AnnalsError SHARE_OFF, SHARE_DENIED, USAGE
   */
  shareInvite(options: ShareInviteOptions): Promise<{ readonly invitation: string }>;
  /** This machine is a member when one that may invite was connected. @throws AnnalsError INVITATION_INVALID, INPUT_INVALID */
  shareAccept(invitation: string): Promise<ShareAccepted>;
  /** The text of a credential that reads, for CI. It is a secret. @throws AnnalsError SHARE_OFF, SHARE_DENIED, USAGE */
  shareCredential(options: ShareCredentialOptions): Promise<{ readonly credential: string } & ShareChanged>;
  /** Everybody who is or was in the team. @throws AnnalsError SHARE_OFF */
  shareMembers(): Promise<readonly ShareMember[]>;
  /** Removes the machines of a member and makes new keys. @throws AnnalsError SHARE_OFF, SHARE_DENIED, NOT_FOUND */
  shareRemove(member: string): Promise<ShareRemoved>;
  /** Makes new keys for all projects of this machine. @throws AnnalsError SHARE_OFF */
  shareRotate(): Promise<{ readonly rotated: readonly string[] } & ShareChanged>;
  /**
   * Makes this machine an admin of the team of a recovery key, and removes lost machines.
   * @throws AnnalsError INVITATION_INVALID, INPUT_INVALID, NOT_FOUND, USAGE, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED
   */
  shareRecover(options: ShareRecoverOptions): Promise<ShareAccepted>;
  /**
   * What others sent stays here, and the other way round.
   * @throws AnnalsError SHARE_OFF; without `force` SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED
   */
  shareLeave(options?: ShareLeaveOptions): Promise<ShareLeft>;
  /** Shares a project from now on, or no longer. @throws AnnalsError SHARE_OFF, SHARE_DENIED, NOT_FOUND */
  shareProject(
    project: string,
    options?: ShareProjectOptions,
  ): Promise<{ readonly key: string; readonly name: string }>;
  /** What sharing a project with its history would send. Sends nothing. @throws AnnalsError NOT_FOUND */
  sharePreview(project: string, lines?: number): Promise<SharePreview>;
  /** Sends and takes in what waits. @throws AnnalsError SHARE_OFF, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  shareSync(): Promise<ShareSyncReport>;
  shareStatus(): Promise<ShareStatus>;
  /** A digest of each shared project; machines with the same events have the same one. Reads the whole log. */
  shareDigests(): Promise<readonly ShareDigest[]>;
  /** What this machine forgot of shared projects, newest first, and which machines have confirmed it. */
  shareForgettings(): Promise<readonly SharedForgetting[]>;
  /** Rewrites the log and the views, so that overwritten and removed data leaves the disk. */
  compact(): Promise<{ readonly bytesBefore: number; readonly bytesAfter: number; readonly ms: number }>;
  verify(options?: { rebuilt?: boolean; onProgress?: Progress }): Promise<Verification>;
  status(options?: SoFarOptions): Promise<Status>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Default: ANNALS_HOME, else ~/.annals. */
  readonly home?: string;
  /** How long to wait for another process to release the log, ms. Default 15,000. */
  readonly lockTimeoutMs?: number;
  /** Keeps the answers to sessions that start as files: for a process that stays, such as a worker. */
  readonly readyFiles?: boolean;
  /** Whether a model is asked about turns as they end, if the settings say so. For the worker. Default false. */
  readonly observer?: boolean;
  /** Whether events are exchanged with the team as they come. For the worker. Default false. */
  readonly share?: boolean;
  /** Whether what hooks left in the spool is moved into the log before this resolves. Default true. */
  readonly drain?: boolean;
  /** Called once, when the wait has lasted a second. */
  readonly onWait?: () => void;
  /**
   * Imports and writes in a thread of its own, so that searches and briefs do not wait for that. For a process that stays;
   * in a short one, starting the thread takes longer than it saves. Default false.
   */
  readonly thread?: boolean;
}
