// Errors as answers: a status, a code, a sentence, what to do, and which fields were wrong. An error that is not ours is
// reported as a bug, without its text: it may hold captured text.
import * as z from 'zod';
import { ERROR_CODES, type ErrorCode, isAnnalsError } from '../../log/index.ts';

/** Codes that only HTTP needs. */
export const HTTP_CODES = {
  UNAUTHORIZED: 'The token is missing or wrong.',
  FORBIDDEN: 'The request comes from a foreign page, or the token may only capture.',
  METHOD_NOT_ALLOWED: 'The path exists, but not for this method.',
  TOO_LARGE: 'The body is larger than 5 MB.',
  UNSUPPORTED: 'The body is not JSON, or is compressed.',
  PLAN_CHANGED: 'What would be forgotten is not what was shown.',
  BUSY: 'Too many streams are open.',
} as const;

export type HttpCode = ErrorCode | keyof typeof HTTP_CODES;

export interface FieldError {
  /** Where: `query.limit`, `body.files.0`. */
  readonly field: string;
  readonly message: string;
}

export class HttpError extends Error {
  readonly status: number;
  readonly code: HttpCode;
  readonly hint: string | null;
  readonly fields: readonly FieldError[];

  constructor(
    status: number,
    code: HttpCode,
    message: string,
    { hint = null, fields = [] }: { hint?: string | null; fields?: readonly FieldError[] } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.fields = fields;
  }
}

export const errorAnswer = z.object({
  error: z.object({
    code: z.enum([...Object.keys(ERROR_CODES), ...Object.keys(HTTP_CODES)] as [HttpCode, ...HttpCode[]]),
    message: z.string(),
    hint: z.string().nullable(),
    fields: z.array(z.object({ field: z.string(), message: z.string() })).exactOptional(),
  }),
});

const STATUS: { readonly [Code in ErrorCode]?: number } = {
  USAGE: 400,
  INPUT_INVALID: 400,
  INPUT_UNREADABLE: 400,
  NOT_FOUND: 404,
  VIEW_UNKNOWN: 404,
  AMBIGUOUS_ID: 409,
  FORGOTTEN: 410,
  EMBEDDER_MISSING: 409,
  BINARY_MISSING: 500,
  EMBEDDER_FAILED: 502,
  HOME_LOCKED: 503,
  HOME_UNWRITABLE: 503,
  LOG_CLOSED: 503,
  DISK_FULL: 507,
};

export function httpErrorOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (isAnnalsError(error))
    return new HttpError(STATUS[error.code] ?? 500, error.code, error.message, { hint: error.hint });
  return new HttpError(500, 'INTERNAL', 'Something in Annals went wrong.', {
    hint: 'The log of the worker has the details.',
  });
}

export function bodyOf({ code, message, hint, fields }: HttpError): z.output<typeof errorAnswer> {
  return { error: { code, message, hint, ...(fields.length === 0 ? {} : { fields: [...fields] }) } };
}
