// What the indexes share: how projects are loaded, caught up, saved and let go.
export { Best, byScoreThenId, type Scored } from './best.ts';
export { MEMORY_BUDGET_BYTES, MemoryBudget } from './budget.ts';
export { DoesNotFit, type IndexKind, type Pause } from './index-kind.ts';
export { type Opened, Partitions, pause } from './partitions.ts';
export { bytesOf, snapshotName } from './snapshot-file.ts';
export type { DocumentChange, DocumentSource, Partition, SnapshotFiles, SourceAnchor } from './source.ts';
export { ViewSource } from './view-source.ts';
