// The table of error codes. Every failure that a user sees is an AnnalsError with one of these codes; expected
// outcomes (a duplicate, a missing id) are values, not errors. The message says what was tried and what was
// found, the hint says what to do next. Neither may quote captured text.

export const ERROR_CODES = {
  USAGE: 'The call itself is wrong: an unknown option, a missing argument, a value of the wrong form.',
  NOT_FOUND: 'Nothing has this id.',
  FORGOTTEN: 'The thing with this id was forgotten.',
  AMBIGUOUS_ID: 'A shortened id, or the name of a project, matches more than one thing.',
  INPUT_INVALID: 'The input does not have the documented shape; none of it was stored.',
  INPUT_UNREADABLE: 'An input file or folder could not be read.',
  HOME_MISSING: 'There is no home in the folder that was named.',
  HOME_INVALID: 'The home is a link, belongs to another user, is open to others or is not a folder.',
  HOME_UNWRITABLE: 'The home, or another file that Annals changes, cannot be written.',
  HOME_LOCKED: 'Another process has the log open, or changes the settings.',
  WORKER_FAILED: 'The worker could not be started, or could not be asked.',
  WORKER_GONE: 'The worker ended before it answered; what it acknowledged is safe.',
  HOME_NOT_EMPTY: 'A log can only be restored into a home that holds no events.',
  RESTORE_UNFINISHED: 'A restore into this home was started and did not finish.',
  EXPORT_LOCKED: 'Another process writes an export into this folder.',
  EXPORT_DAMAGED: 'An export is damaged; nothing was imported from it.',
  PASSPHRASE_WRONG: 'An export is encrypted, and the passphrase is missing or wrong.',
  DISK_FULL: 'The disk is full; acknowledged events are safe, the rest was not stored.',
  LOG_DAMAGED: 'The log on disk is damaged.',
  LOG_TOO_NEW: 'The log was written by a newer version that this one cannot read.',
  LOG_CLOSED: 'The log was used after it was closed.',
  VIEW_DAMAGED: 'A view on disk cannot be read; rebuild it.',
  VIEW_UNKNOWN: 'No view has this name.',
  EMBEDDER_MISSING: 'The chosen embedder lacks a package, an address or a key.',
  EMBEDDER_FAILED: 'The chosen embedder returned no usable vectors; earlier vectors are kept.',
  SHARED_LOG_UNREACHABLE: 'The shared log cannot be reached; everything is kept here until it can.',
  SHARED_LOG_REFUSED: 'The shared log refused: a wrong user, a missing permission, or no log of this team.',
  BINARY_MISSING: 'There is no binary of LevelDB that this machine can load.',
  SHARE_OFF: 'This home is in no team.',
  SHARE_DENIED: 'This machine has no right to do this in its team.',
  INVITATION_INVALID: 'An invitation, a credential or a recovery key is not one, or not complete.',
  INTERNAL: 'A bug in Annals.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorFacts {
  readonly [name: string]: string | number | boolean | null;
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

/**
 * Whether an error, or one that caused it, says that the disk is full or the user's quota is used up. LevelDB passes on only
 * the text of the system; that of a Windows in another language is not recognized.
 */
export function isDiskFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (('code' in at && FULL_CODES.includes(String(at.code))) || FULL_TEXT.test(at.message)) return true;
  return false;
}

const FULL_CODES = ['ENOSPC', 'EDQUOT'];
const FULL_TEXT = /no space left on device|quota exceeded|not enough space on the disk/i;
