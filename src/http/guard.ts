// Decides whether a request may be answered: it must come from this machine (Host), not from a foreign page (Origin),
// and carry a token. A page of another site can make a browser send requests here, and can point a name of its own at
// 127.0.0.1; neither passes, because both name another host. There are no cookies, and no answer allows other origins.
import { createHash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, LOOPBACK } from '../platform/local-http-server.ts';
import { HttpError } from './http-error.ts';

/** open: no token. capture: may append and reads nothing; the full token is accepted too. full: everything. */
export type Access = 'open' | 'capture' | 'full';

export interface Tokens {
  readonly token: string;
  readonly captureToken: string;
}

/** A shorter token could be guessed. */
const TOKEN_CHARS_MIN = 32;

export class Guard {
  readonly #full: Buffer;
  readonly #capture: Buffer;
  readonly #port: () => number;

  constructor({ token, captureToken }: Tokens, port: () => number) {
    if (Math.min(token.length, captureToken.length) < TOKEN_CHARS_MIN || token === captureToken)
      throw new TypeError(`Tokens have at least ${TOKEN_CHARS_MIN} characters, and differ.`);
    this.#full = digest(token);
    this.#capture = digest(captureToken);
    this.#port = port;
  }

  /** Returns what the token allows. @throws HttpError 400, 401, 403 */
  check(request: IncomingMessage, access: Access): Access {
    this.checkOrigin(request);
    if (access === 'open') return 'open';
    const allowed = this.#allowed(request);
    if (allowed === null)
      throw new HttpError(401, 'UNAUTHORIZED', 'The token is missing or wrong.', {
        hint: 'Send `Authorization: Bearer <token>`; worker.json in the home has the token.',
      });
    if (access === 'full' && allowed === 'capture')
      throw new HttpError(403, 'FORBIDDEN', 'This token can capture, and read nothing.', {
        hint: 'Use the token in worker.json.',
      });
    return allowed;
  }

  /** @throws HttpError 400, 403 */
  checkOrigin(request: IncomingMessage): void {
    const hosts = [`${LOOPBACK}:${this.#port()}`, `localhost:${this.#port()}`];
    if (!request.url?.startsWith('/')) throw new HttpError(400, 'USAGE', 'The request names no path.');
    const host = only(request, 'host');
    if (host === undefined || !hosts.includes(host.toLowerCase()))
      throw new HttpError(403, 'FORBIDDEN', 'The request is for another host.', {
        hint: `Use http://${hosts[0]}.`,
      });
    const origin = only(request, 'origin');
    const site = only(request, 'sec-fetch-site');
    const isForeign = origin !== undefined && !hosts.includes(origin.toLowerCase().replace(/^http:\/\//, ''));
    if (isForeign || origin === '' || (site !== undefined && site !== 'same-origin' && site !== 'none'))
      throw new HttpError(403, 'FORBIDDEN', 'The request comes from a foreign page.');
  }

  #allowed(request: IncomingMessage): 'capture' | 'full' | null {
    const given = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(only(request, 'authorization') ?? '')?.[1];
    if (given === undefined) return null;
    const hashed = digest(given);
    // Both are always compared, so that the time says nothing.
    const isFull = timingSafeEqual(hashed, this.#full);
    const isCapture = timingSafeEqual(hashed, this.#capture);
    if (isFull) return 'full';
    return isCapture ? 'capture' : null;
  }
}

/** A header that may occur once. @throws HttpError 400: it occurs again */
function only({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() !== name) continue;
    if (found !== undefined) throw new HttpError(400, 'USAGE', `The header ${name} occurs more than once.`);
    found = rawHeaders[index + 1]!;
  }
  return found;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
