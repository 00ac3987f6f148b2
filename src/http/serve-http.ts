// The HTTP server of the worker, over an open library. The application is loaded at the first request: a worker that only
// hooks and commands use never needs it, nor the classes of fetch, which Node loads with it.
import { now } from '../platform/clock.ts';
import { type HttpLimits, LOOPBACK, listenHttp } from '../platform/local-http-server.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { Guard } from './guard.ts';
import type { RequestOptions, Requests } from './requests.ts';
import { ViewTickets } from './view-tickets.ts';

/** The next ports are tried when it is taken. */
export const PORT_DEFAULT = 37_780;
const PORTS_TRIED = 20;

export interface HttpOptions extends RequestOptions {
  /** At least 32 characters. */
  readonly token: string;
  /** May append, and read nothing. */
  readonly captureToken: string;
  /** Default PORT_DEFAULT; 0: any free one. */
  readonly port?: number;
  readonly limits?: Partial<HttpLimits>;
  /** The application could not be loaded: most likely it was updated after this process started. */
  onUnloadable?(): void;
}

export interface ServedHttp {
  readonly port: number;
  /** Opens the viewer, once; null if it is not served. */
  viewerAddress(): string | null;
  /** Tells open pages that what is recorded fails, or works again. */
  noteRecording(): void;
  /** Ends streams, lets running requests finish for a moment, and closes. */
  close(): Promise<void>;
}

/** @throws what the system throws when no port can be had */
export async function serveHttp(options: HttpOptions): Promise<ServedHttp> {
  const { port = PORT_DEFAULT, token, onError = () => {} } = options;
  let served: { readonly port: number } = { port: 0 };
  const guard = new Guard(options, () => served.port);
  const tickets = new ViewTickets(token, { now, randomBytes });
  const load = async () => (await import('./requests.ts')).requestsOf(options, { guard, tickets });
  let requests: Promise<Requests> | null = null;
  const server = await listenHttp({
    port,
    portsTried: PORTS_TRIED,
    limits: options.limits,
    onRequest(request, response) {
      requests ??= load();
      requests.then(
        ({ answer }) => answer(request, response),
        (error) => {
          onError(error);
          response.writeHead(503, { 'content-type': 'application/json' });
          // Also when the client has gone.
          response.once('close', () => options.onUnloadable?.());
          response.end(JSON.stringify(UNLOADABLE));
        },
      );
    },
  });
  served = server;
  return {
    port: server.port,
    viewerAddress: () =>
      options.viewer === undefined ? null : `http://${LOOPBACK}:${server.port}/#ticket=${tickets.issue()}`,
    noteRecording: () => void requests?.then(({ noteRecording }) => noteRecording(), nobody),
    async close() {
      const loaded = await requests?.catch(() => null);
      loaded?.end();
      await server.close();
      await loaded?.close();
    },
  };
}

/** As `errorAnswer` (http-error.ts), which is part of what could not be loaded. */
const UNLOADABLE = {
  error: {
    code: 'INTERNAL',
    message: 'The worker cannot load its HTTP API.',
    hint: 'If Annals was just updated, try again: the worker ends now, and the next command starts the new one.',
  },
};

/** The request that loads it gets the failure. */
function nobody(): void {}
