// The public surface of the `context` view.
export { contextProjector } from './context-projector.ts';
export type {
  ContextKind,
  ContextRow,
  ObservationLine,
  PinnedLine,
  PromptLine,
  SavedLine,
  SummaryLine,
} from './context-rows.ts';
export { CONTEXT_KINDS, contextKeys } from './context-rows.ts';
export type { FailingCall, Span, Tally } from './read-context.ts';
export {
  failingCalls,
  isWithin,
  lastingRows,
  mostFrequentTests,
  newestFirst,
  newestRows,
  rowsBetween,
  rowsById,
  sessionRows,
} from './read-context.ts';
