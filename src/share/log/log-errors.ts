// What went wrong with a shared log, in one sentence, and what to do. An address may have a password: no error quotes one.
import { AnnalsError, isAnnalsError } from '../../../log/index.ts';

/** Errors of an engine's client become ours. */
export async function answered<T>(
  isRefusal: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAnnalsError(error)) throw error;
    throw isRefusal(error) ? refused(error) : unreachable(error);
  }
}

/** Whether it may work later: the server cannot be reached, or refuses. */
export function isSharedLogError(error: unknown): error is AnnalsError {
  return isAnnalsError(error) && error.code.startsWith('SHARED_LOG_');
}

/** The server is there, and has no log of this team. */
export function noTeam(): AnnalsError {
  return new AnnalsError('SHARED_LOG_REFUSED', 'This server has no shared log of this team.', {
    hint: 'Check the address. If the server lost its data, the machine of an admin makes it again when it connects.',
  });
}

function unreachable(cause: unknown): AnnalsError {
  return new AnnalsError('SHARED_LOG_UNREACHABLE', `The shared log cannot be reached: ${reasonOf(cause)}.`, {
    hint: isDistrusted(cause)
      ? 'Name the authority that signed the certificate of the server with --ca, and the server as in the certificate.'
      : 'Check the address. What was captured is kept here, and sent when the server can be reached.',
    cause,
  });
}

function refused(cause: unknown): AnnalsError {
  return new AnnalsError('SHARED_LOG_REFUSED', `The shared log refused: ${reasonOf(cause)}.`, {
    hint: 'Ask who runs the server whether your user and its permissions are right.',
    cause,
  });
}

/** Whether the certificate of the server was not accepted. */
function isDistrusted(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && /CERT|ISSUER|SIGNATURE|ALTNAME/.test(code)) return true;
  return error instanceof Error && error.cause !== undefined && isDistrusted(error.cause);
}

/** Messages of the clients name the server and the subject, never a password. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message || cause.name : String(cause);
  return message.replace(/\.$/, '');
}
