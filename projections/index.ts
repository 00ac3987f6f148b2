// What others may use of the projections.
export type { FeedPlace, RunnerProblem } from './anchor.ts';
export type { FeedPage } from './change-feed.ts';
export type {
  ContextKind,
  ContextRow,
  ObservationLine,
  PromptLine,
  SavedLine,
  SummaryLine,
  Tally,
} from './context/index.ts';
export {
  CONTEXT_KINDS,
  contextProjector,
  lastingRows,
  mostFrequent,
  newestFirst,
  newestRows,
  rowsBetween,
  rowsById,
  sessionRows,
} from './context/index.ts';
export type { DeadLetter } from './dead-letter.ts';
export { canonicalJson } from './digest.ts';
export type { Shelf, ShelfFiles } from './generation.ts';
export { directoryShelf } from './generation.ts';
export type { IndexView, Upstream } from './index-view.ts';
export { observationId, summaryId } from './item-id.ts';
export { below, compareKeys, key, keyParts } from './keys.ts';
export type { ViewState } from './live-views.ts';
export { type DocumentKind, type MemoryDocument, RECAP } from './memory/document.ts';
export type {
  CommandEvidence,
  CommitEvidence,
  Concept,
  ErrorEvidence,
  Evidence,
  ObservationRow,
  ObservationType,
  SummaryRow,
  TestEvidence,
} from './memory/observation.ts';
export type { PlaceRow } from './memory/projector.ts';
export { memoryKeys, memoryProjector } from './memory/projector.ts';
export { newestDocuments, type RecentDocument, type RecentSpan, recentRow } from './memory/recent.ts';
export { type AttachedVector, type RecipeRow, vectorKeys } from './memory/vectors.ts';
export { memoryShelf } from './memory-shelf.ts';
export { pacedEmbedder, pacedSource } from './paced-source.ts';
export { type DocumentSource, MemoryBudget } from './partitions/index.ts';
export type {
  Change,
  FirstProjector,
  Projector,
  Row,
  SecondProjector,
  ViewReader,
  ViewWriter,
} from './projector.ts';
export { defineProjector } from './projector.ts';
export type { ProjectRow, ResolvedProject } from './projects/index.ts';
export {
  identityOf,
  listProjects,
  placesOf,
  projectsProjector,
  resolveProject,
  resolveProjects,
} from './projects/index.ts';
export type { RebuiltComparison, ViewReport } from './rebuild.ts';
export type { Pause } from './right-of-way.ts';
export type { Progress, Runner, RunnerOptions } from './runner.ts';
export { openRunner } from './runner.ts';
export type { Partition, SnapshotFiles, TextAnswer, TextHit } from './text-index/index.ts';
export { TextIndex } from './text-index/index.ts';
export { TextView } from './text-index/view.ts';
export { itemIdentity } from './turns/identity.ts';
export { readPrompt, readReply, readStop, readTool } from './turns/merge.ts';
export { turnsProjector } from './turns/projector.ts';
export { wordsOf as comparableWords } from './turns/prompts.ts';
export { copiedFrom, copiesByStart } from './turns/read-copies.ts';
export type { ItemRow, SavedRow, SessionRow, TurnRow } from './turns/rows.ts';
export { isItem, rowKeys } from './turns/rows.ts';
export { savedId } from './turns/saved.ts';
export { type ToldVector, toldVectorKeys } from './turns/vectors.ts';
export { upTo } from './upstream.ts';
export {
  averaged,
  type Embedder,
  type GraphLibrary,
  inputDigest,
  modelInputOf,
  openTableFile,
  packVector,
  SHORT_TOKENS,
  STATIC_TABLE,
  unpackVector,
  VectorIndex,
  VectorView,
} from './vectors/index.ts';
