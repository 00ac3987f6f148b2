// The public surface of the project indexes: what all kinds share, from loading to unloading.

export type {
  DocumentChange,
  DocumentChanges,
  DocumentSource,
  ProjectIndex,
  SnapshotFiles,
  SourcePosition,
} from './document-source.ts';
export type { IndexKind, Pause } from './index-kind.ts';
export { MEMORY_BUDGET_BYTES, MemoryBudget } from './memory-budget.ts';
export { nextTurn, type OpenProjectIndex, ProjectIndexSet } from './project-index-set.ts';
export { arrayBytes, snapshotName } from './snapshot-file.ts';
export { columnOf, StringColumn } from './string-column.ts';
export { byScoreThenId, type Scored, TopK } from './top-k.ts';
