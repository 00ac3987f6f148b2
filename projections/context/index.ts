// What others may use of the `context` view.
export { contextProjector } from './projector.ts';
export type { Span, Tally } from './read.ts';
export {
  lastingRows,
  mostFrequent,
  newestFirst,
  newestRows,
  rowsBetween,
  rowsById,
  sessionRows,
} from './read.ts';
export type {
  ContextKind,
  ContextRow,
  ObservationLine,
  PromptLine,
  SavedLine,
  SummaryLine,
} from './rows.ts';
export { CONTEXT_KINDS } from './rows.ts';
