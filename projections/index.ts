// The public surface of the projections.

export {
  type ActRow,
  actKeys,
  type DecisionRow,
  type ProposalRow,
  type WithdrawalRow,
  waitingProposals,
} from './acts/act-rows.ts';
export type {
  ContextKind,
  ContextRow,
  FailingCall,
  ObservationLine,
  PinnedLine,
  PromptLine,
  SavedLine,
  Span,
  SummaryLine,
  Tally,
} from './context/index.ts';
export {
  CONTEXT_KINDS,
  contextKeys,
  contextProjector,
  failingCalls,
  isWithin,
  lastingRows,
  mostFrequentTests,
  newestFirst,
  newestRows,
  rowsBetween,
  rowsById,
  sessionRows,
} from './context/index.ts';
export {
  COMPACTION,
  type DocumentKind,
  type Marks,
  type MemoryDocument,
  RECAP,
  type ToolOutcome,
} from './documents/document.ts';
export { withoutMarks } from './documents/marks.ts';
export type { FeedPosition, RunnerProblem } from './engine/contract/checkpoint.ts';
export type {
  Change,
  DownstreamProjector,
  LogProjector,
  Projector,
  Row,
  ViewReader,
  ViewWriter,
} from './engine/contract/projector.ts';
export { defineProjector } from './engine/contract/projector.ts';
export type { GenerationFiles, GenerationStore } from './engine/generation-folders.ts';
export { directoryGenerations } from './engine/generation-folders.ts';
export { HeldViews } from './engine/held-views.ts';
export type { IndexView, Upstream } from './engine/index-view.ts';
export type { LiveViewState } from './engine/live-views.ts';
export { memoryGenerations } from './engine/memory-generations.ts';
export type { ReplayProgress } from './engine/project-log.ts';
export type { RebuiltComparison, RebuiltView } from './engine/rebuild.ts';
export type { ChangedKeys, Runner, RunnerOptions } from './engine/runner.ts';
export { openRunner } from './engine/runner.ts';
export type { FeedPage } from './engine/store/change-feed.ts';
export type { DeadLetter } from './engine/store/dead-letter.ts';
export { mergedRows } from './engine/store/merged-rows.ts';
export { canonicalJson } from './engine/store/row-digest.ts';
export { below, compareKeys, key, keyParts } from './engine/store/row-keys.ts';
export { rowPages } from './engine/store/row-pages.ts';
export type { StoreHolder } from './engine/store/view-store.ts';
export type { ViewReaders } from './engine/view-readers.ts';
export { OF_PERSON } from './extract/answer/decisions.ts';
export { ACTED_ON, NAMED_CAUSE } from './extract/answer/lessons.ts';
export { unquoted } from './extract/answer/quote.ts';
export { ACCEPTED_PLAN } from './extract/evidence/accepted-plans.ts';
export {
  type Failure,
  failedAlike,
  failureOf,
  type ProvenFix,
  provenFix,
} from './extract/evidence/proven-fix.ts';
export { isNotWritten, UNVERIFIED } from './extract/observation-facts.ts';
export { addEdit } from './extract/outcome/pending-edits.ts';
export { type DividedTurn, partsOfTurn } from './extract/parts-of-turn.ts';
export { isAmong, renamedIn } from './extract/shell/file-paths.ts';
export { isTemporary, purposeOfStage } from './extract/shell/known-commands.ts';
export { commandOf, parseShell } from './extract/shell/shell.ts';
export { isForPerson, stepText } from './extract/steps.ts';
export { markdownBlocks } from './extract/text/markdown.ts';
export { type Turn, turnAfter } from './extract/text/sentences.ts';
export {
  answersBefore,
  concludes,
  dangles,
  givesReason,
  impersonal,
  isAnnouncement,
  isForeign,
  isOfThen,
  isPleasantry,
  judges,
  keptSentences,
  leans,
  namesIn,
  topicLeft,
} from './extract/text/wording.ts';
export type {
  CommandEvidence,
  CommitEvidence,
  Concept,
  Ended,
  ErrorEvidence,
  Evidence,
  ListedAs,
  ObservationRow,
  ObservationType,
  Step,
  SummaryRow,
  TestEvidence,
} from './extract/transcript/observation.ts';
export type { Message, Prompt, ToolUse } from './extract/transcript/turn-transcript.ts';
export { TurnTranscript } from './extract/transcript/turn-transcript.ts';
export type { TurnPart } from './extract/turn-parts.ts';
export { observationId, summaryId } from './ids/item-id.ts';
export { importedWorkdir, NAMED_PROJECT, savedWorkdir } from './ids/named-projects.ts';
export { type AttachedVector, type RecipeRow, vectorKeys } from './memory/attached-vectors.ts';
export { type Call, callIn, saysHowItRuns } from './memory/called-commands.ts';
export {
  documentWithRewritten,
  noteRewritten,
  type RewrittenCommits,
  rewrittenCommits,
  rewrittenNote,
  rowWithRewritten,
  textWithRewritten,
  withRewritten,
} from './memory/commit-rows.ts';
export { documentEvents } from './memory/document-events.ts';
export type { WorkdirCounts } from './memory/memory-projector.ts';
export { memoryKeys, memoryProjector, NO_DOCUMENTS } from './memory/memory-projector.ts';
export {
  newestDocuments,
  type RecentDocument,
  type RecentSpan,
  recentDocument,
} from './memory/recent-rows.ts';
export { toolTitle } from './memory/tool-titles.ts';
export { textTitle } from './memory/turn-documents.ts';
export { countedReadings, observedWith, type Reading, readingsBy } from './memory/with-readings.ts';
export { TextView } from './memory-indexes/text-view.ts';
export { VectorView } from './memory-indexes/vector-view.ts';
export { type CorpusRow, corpora } from './observer/corpus-rows.ts';
export {
  type AnsweredRow,
  type AskedRow,
  type AwayRow,
  type BatchRow,
  chosenRecipe,
  LATEST,
  NO_SESSION,
  newest as newestReading,
  type RepliedRow,
  readingKeys,
  type SwitchRow,
} from './observer/reading-rows.ts';
export { ANSWER_SCHEMA, type CorpusReply, parseAnswer } from './observer/reply/parse-answer.ts';
export { parseReply } from './observer/reply/parse-reply.ts';
export type { Reply, ReplyObservation, ReplySummary, ValidReply } from './observer/reply/reply.ts';
export { REPLY_CHARS_MAX } from './observer/reply/reply.ts';
export { parseJsonReply, replySchema } from './observer/reply/reply-schema.ts';
export { type DocumentSource, MemoryBudget } from './project-indexes/index.ts';
export type { Identity, Known, ProjectRow, ResolvedProject, Seen } from './projects/index.ts';
export {
  foldedKey,
  identityOf,
  isLinked,
  isOlder,
  keysInRepository,
  listProjects,
  namedWorkdir,
  nameOfPath,
  newestSeen,
  pathBelow,
  placeWorkdirs,
  projectsProjector,
  projectsSharingName,
  resolveAmong,
  resolveProject,
  resolveProjects,
  unknownIdentity,
  workdirsAmong,
} from './projects/index.ts';
export { SHOWS_WITHOUT_USE } from './receipts/count-shows.ts';
export type { HowUsed, ShownRow, TotalRow, UseCounts } from './receipts/receipt-rows.ts';
export { receiptKeys } from './receipts/receipt-rows.ts';
export { receiptsProjector } from './receipts/receipts-projector.ts';
export { onlyReportsUsage, readPrompt, readReply, readStop, readTool } from './sessions/merge-reports.ts';
export { type ModelVector, modelVectorKeys } from './sessions/model-vectors.ts';
export { comparableText as comparableWords } from './sessions/pair-prompts.ts';
export { copiedFrom, copiesByStart } from './sessions/read-copies.ts';
export { type CwdReport, cwdReportOf, decidingCwd } from './sessions/reports.ts';
export { importedId, newestVersion, savedId } from './sessions/saved-row.ts';
export { CONTINUING_STOP_REASONS } from './sessions/session-item.ts';
export type {
  CopyRow,
  ImportedRow,
  InjectedRow,
  ItemCounts,
  ItemOf,
  ItemRow,
  PromptReport,
  SavedRow,
  SessionRow,
  TurnRow,
} from './sessions/session-rows.ts';
export { isItemRow, placeOfTurn, sessionKeys } from './sessions/session-rows.ts';
export { turnsProjector } from './sessions/sessions-projector.ts';
export type { ProjectIndex, SnapshotFiles, TextAnswer, TextHit } from './text/index.ts';
export { TextIndex } from './text/index.ts';
export { commandLine, toolKind, writesFiles } from './tools/known-tools.ts';
export {
  averaged,
  decodeVector,
  type Embedder,
  encodeVector,
  type GraphLibrary,
  inputDigest,
  modelInputOf,
  openTableFile,
  SHORT_TOKENS,
  STATIC_TABLE,
  type StaticEmbedder,
  VectorIndex,
} from './vectors/index.ts';
