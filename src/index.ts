// The library: everything that the command line does, for use from programs.

export type { AppendOutcome, ErrorCode, EventType, Json, LogEvent, NewEvent } from '../log/index.ts';
export { AnnalsError, ERROR_CODES, isAnnalsError } from '../log/index.ts';
export { openAnnals } from './annals.ts';
export type * from './api.ts';
export { restoreAnnals } from './restore.ts';
