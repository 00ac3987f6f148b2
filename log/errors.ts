// The one table of error codes. Every failure that leaves this product is an AnnalsError with a code from
// here; expected outcomes (a duplicate, a missing id) are values, never errors. The message says what was
// tried and what was found, the hint says what to do next. Neither may quote captured text.

export const ERROR_CODES = {
  USAGE: 'The call itself is wrong: an unknown option, a missing argument, a value of the wrong form.',
  NOT_FOUND: 'Nothing has this id.',
  FORGOTTEN: 'What had this id was forgotten.',
  AMBIGUOUS_ID: 'A shortened id fits more than one thing.',
  INPUT_INVALID: 'What was handed in does not have the documented shape; nothing of it was stored.',
  INPUT_UNREADABLE: 'A file or folder handed in could not be read.',
  HOME_INVALID: 'The home is a link, belongs to another user, is open to others or is no folder.',
  HOME_UNWRITABLE: 'The home cannot be written.',
  HOME_LOCKED: 'Another process holds the log.',
  HOME_NOT_EMPTY: 'A log can only be restored into a home that holds no events.',
  RESTORE_UNFINISHED: 'A log was being restored into this home and is not whole yet.',
  EXPORT_DAMAGED: 'An export is not what was written; nothing was taken from it.',
  PASSPHRASE_WRONG: 'An export is encrypted, and its passphrase is missing or another one.',
  DISK_FULL: 'The disk is full; what was acknowledged is safe, the rest was not taken.',
  LOG_DAMAGED: 'The log on disk is not what was written.',
  LOG_TOO_NEW: 'The log was written by a newer version that this one cannot read.',
  LOG_CLOSED: 'The log was used after it was closed.',
  VIEW_DAMAGED: 'A view on disk cannot be read; rebuild it.',
  VIEW_UNKNOWN: 'No view has this name.',
  EMBEDDER_MISSING: 'What the chosen embedder needs is not there: a package, an address, a key.',
  EMBEDDER_FAILED: 'The chosen embedder gave no usable vectors; what it gave before is kept.',
  INTERNAL: 'A bug of ours.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorFacts {
  readonly [dedupeKey: string]: string | number | boolean | null;
}

export class AnnalsError extends Error {
  readonly code: ErrorCode;
  /** What to do next: one sentence, may name a command. */
  readonly hint: string | null;
  /** What was found, as fields. Never captured text. */
  readonly facts: ErrorFacts;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; facts?: ErrorFacts; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AnnalsError';
    this.code = code;
    this.hint = options.hint ?? null;
    this.facts = options.facts ?? {};
  }
}

export function isAnnalsError(error: unknown): error is AnnalsError {
  return error instanceof AnnalsError;
}
