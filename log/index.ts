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
  EventSize,
  Log,
  LogFiles,
  LogPage,
  LogWorld,
  RewriteReport,
  VerifyProblem,
  VerifyReport,
} from './log.ts';
export type { Named } from './names.ts';
export { nameOfSession, namesToAsk, namesToKeep } from './names.ts';
export type { OpenLogOptions } from './open.ts';
export { openLog } from './open.ts';
export { pagesAfter } from './pages.ts';
export type { JsonLimits, ParsedJson } from './parse-json.ts';
export { EVENT_JSON_LIMITS, JSON_LIMITS, jsonProblem, parseJson } from './parse-json.ts';
export { Readers } from './readers.ts';
export type { RewriteStep, SwapFiles } from './swap.ts';
export { isTable, tableBlocks, walData } from './tables/leveldb-file.ts';
export { filesInUse, recordsOf } from './tables/records.ts';
export { isTableEndSound, isTableSound } from './tables/sound-table.ts';
export { Tombstones } from './tombstones.ts';
export type { CarriedEvent, CarriedPage } from './transfer/carried.ts';
export { blankCarried, lineOf, linkProblem, parseLine } from './transfer/carried.ts';
export { CarriedCheck } from './transfer/check.ts';
export type { Manifest, Place, Segment } from './transfer/manifest.ts';
export {
  chainBefore,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  isManifest,
  MANIFEST,
  manifestText,
  parseManifest,
} from './transfer/manifest.ts';
export { restoreLog } from './transfer/restore.ts';
export type { Bound } from './until.ts';
export { logUntil } from './until.ts';
