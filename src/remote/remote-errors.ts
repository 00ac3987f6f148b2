// Errors as JSON. An AnnalsError keeps code, message, hint and facts; any other error keeps its name and message.
import { AnnalsError, ERROR_CODES, type ErrorCode, isAnnalsError } from '../../log/index.ts';
import type { RemoteError } from './messages.ts';

export function sentError(error: unknown): RemoteError {
  if (isAnnalsError(error)) {
    const { code, name, message, hint, facts } = error;
    return { code, name, message, hint, facts };
  }
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  return { code: null, name, message, hint: null, facts: {} };
}

export function receivedError({ code, name, message, hint, facts }: RemoteError): Error {
  if (code !== null)
    return new AnnalsError(Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'INTERNAL', message, {
      ...(hint === null ? {} : { hint }),
      facts,
    });
  const error = new Error(message);
  error.name = name;
  return error;
}

export function workerGone(): AnnalsError {
  return new AnnalsError('WORKER_GONE', 'The worker ended before it answered.', {
    hint: 'What it acknowledged is safe. Try again; `annals worker status` tells how it is.',
  });
}
