// Calls of the HTTP API. Every failure becomes an ApiError with a sentence for the person.
import { currentToken, dropToken } from './access.ts';
import { awaited } from './waiting-past.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** What to do. */
  readonly hint: string | null;

  constructor(status: number, code: string, message: string, hint: string | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** An absent, empty or null value of `query` is left out. @throws ApiError, or the signal's reason */
export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const answer = call<T>('GET', text === '' ? path : `${path}?${text}`, undefined, signal);
  return typeof query.asOf === 'string' && query.asOf !== '' ? awaited(query.asOf, answer) : answer;
}

/** @throws ApiError, or the signal's reason */
export function send<T>(
  method: 'POST' | 'PUT',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return call(method, path, body, signal);
}

/** The answer to a request with the token; the caller reads it. @throws ApiError, or the signal's reason */
export async function request(path: string, init: RequestInit): Promise<Response> {
  const token = currentToken();
  if (token === null) throw locked();
  let answer: Response;
  try {
    answer = await fetch(path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
      cache: 'no-store',
    });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw unreachable();
  }
  if (answer.ok) return answer;
  if (answer.status === 401) {
    dropToken(token);
    throw locked();
  }
  throw await failureOf(answer);
}

async function call<T>(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const answer = await request(path, {
    method,
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  try {
    return (await answer.json()) as T;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw unreachable();
  }
}

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    readonly fields?: readonly { readonly field: string; readonly message: string }[];
  };
}

async function failureOf(answer: Response): Promise<ApiError> {
  try {
    const { code, message, hint, fields = [] } = ((await answer.json()) as ErrorBody).error;
    const wrong = fields.map(({ field, message }) => `${field.replace(/^(query|body)\./, '')}: ${message}`);
    return wrong.length > 0
      ? new ApiError(answer.status, code, wrong.join(' '), null)
      : new ApiError(answer.status, code, message, hint);
  } catch {
    return new ApiError(answer.status, 'INTERNAL', `The worker answered with status ${answer.status}.`, null);
  }
}

function unreachable(): ApiError {
  return new ApiError(
    0,
    'UNREACHABLE',
    'The worker does not answer.',
    'Run `annals view`: it starts the worker.',
  );
}

function locked(): ApiError {
  return new ApiError(
    401,
    'UNAUTHORIZED',
    'This page has no access.',
    'Run `annals view` in a terminal: it opens the viewer, and this page goes on too.',
  );
}
