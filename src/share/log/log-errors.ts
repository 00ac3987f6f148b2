// What went wrong with a shared log, in one sentence. An address may have a password: no error quotes one.
import { AnnalsError } from '../../../log/index.ts';

export function unreachable(cause: unknown): AnnalsError {
  return new AnnalsError('SHARED_LOG_UNREACHABLE', `The shared log cannot be reached: ${reasonOf(cause)}.`, {
    hint: 'Everything is kept here, and sent when it can be reached again.',
    cause,
  });
}

export function refused(cause: unknown): AnnalsError {
  return new AnnalsError('SHARED_LOG_REFUSED', `The shared log refused: ${reasonOf(cause)}.`, {
    hint: 'Ask who runs the server whether your user and its permissions are right.',
    cause,
  });
}

/** Whether a server is on this machine. Everywhere else the connection must be encrypted. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Messages of the clients name the server and the subject, never a password. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message || cause.name : String(cause);
  return message.replace(/\.$/, '');
}
