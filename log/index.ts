// The public exports of the log.

export type {
  ActedItem,
  BodyInput,
  BodyOf,
  EventType,
  ForgottenPrompt,
  Json,
  Usage,
} from './catalog/index.ts';
export { loadCatalog } from './catalog/load.ts';
export { EVENT_TYPES } from './catalog/versions.ts';
export { actedItems } from './erase/acted-items.ts';
export type { NamedEvent, PrivatePrompt } from './erase/forgotten-names.ts';
export {
  lookupNames,
  nameOfPrivatePrompt,
  nameOfSession,
  parsePrivatePrompt,
  tombstoneNames,
} from './erase/forgotten-names.ts';
export { Tombstones } from './erase/tombstones.ts';
export type { ErrorCode, ErrorFacts } from './errors.ts';
export { AnnalsError, ERROR_CODES, isAnnalsError, isDiskFull } from './errors.ts';
export type {
  AppendOutcome,
  Channel,
  Checkpoint,
  EventData,
  LogEvent,
  NewEvent,
  UnknownEvent,
} from './event.ts';
export { CHANNELS } from './event.ts';
export type { EventContent, ExportedEvent, ExportedPage } from './format/exported-event.ts';
export {
  blankExported,
  exportedLine,
  hasOwnId,
  ID_PROBLEM,
  linkProblem,
  packEvent,
  parseBody,
  parseExportedLine,
  unpackEvent,
} from './format/exported-event.ts';
export { eventId } from './format/ids.ts';
export { importKey, importOrigin, originInKey } from './format/import-origin.ts';
export { StoredBody } from './format/record.ts';
export { isTable, readTable, walData } from './leveldb-files/leveldb-file.ts';
export { isTableEndSound, isTableSound } from './leveldb-files/table-checksums.ts';
export { cutManifest, filesInUse, recordsOf, walName } from './leveldb-files/wal-records.ts';
export type {
  AppendOptions,
  CursorWrite,
  EventSize,
  Log,
  LogFiles,
  LogPage,
  LogWorld,
  LogWriter,
  RewriteReport,
  VerifyProblem,
  VerifyReport,
} from './log.ts';
export { ExportCheck } from './merge/export-check.ts';
export { FORGETTING } from './merge/imported-events.ts';
export type { ChainPosition, Manifest, Segment } from './merge/manifest.ts';
export {
  chainBefore,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  isManifest,
  MANIFEST,
  MANIFEST_BYTES_MAX,
  manifestText,
  parseManifest,
} from './merge/manifest.ts';
export { restoreLog } from './merge/restore-log.ts';
export { Mutex } from './mutex.ts';
export type { OpenLogOptions } from './open.ts';
export { openLog } from './open.ts';
export {
  EVENT_JSON_LIMITS,
  isRecord,
  jsonProblem,
  parseJson,
  parseOwnJson,
} from './parse-json.ts';
export { pushTo } from './push-to.ts';
export type { Bound } from './read/log-as-of.ts';
export { logUntil, type PastLog } from './read/log-as-of.ts';
export { isOwnEvent } from './read/own-events.ts';
export { pagesAfter } from './read/pages.ts';
export { toEvent as readExported } from './read/read-events.ts';
export { Readers } from './read/readers.ts';
export type { RewriteStep, SwapFiles } from './rewrite/swap-folders.ts';
export { settleStore } from './store.ts';
export { isoTime, isTime } from './times.ts';
