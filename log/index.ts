// What others may use of the log.

export type { BodyInput, BodyOf, EventType, Json, Usage } from './catalog/index.ts';
export { loadCatalog } from './catalog/load.ts';
export { EVENT_TYPES } from './catalog/versions.ts';
export type { ErrorCode, ErrorFacts } from './errors.ts';
export { AnnalsError, ERROR_CODES, isAnnalsError } from './errors.ts';
export type { Anchor, AppendOutcome, Fact, LogEvent, Telling, UnknownFact, Witness } from './event.ts';
export { WITNESSES } from './event.ts';
export { eventId } from './ids.ts';
export type {
  AppendOptions,
  CursorWrite,
  Log,
  LogFiles,
  LogPage,
  LogWorld,
  VerifyProblem,
  VerifyReport,
} from './log.ts';
export type { OpenLogOptions } from './open.ts';
export { openLog } from './open.ts';
