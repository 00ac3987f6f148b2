// An HTTP server that only programs on this machine can reach. Every connection has one deadline at any time: for its
// first request, for the rest of a request, for its next request. Nothing runs between requests.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ListenOptions, Socket } from 'node:net';

export type { IncomingMessage, ServerResponse };

export const LOOPBACK = '127.0.0.1';

interface Served {
  readonly limits?: Partial<HttpLimits> | undefined;
  onRequest(request: IncomingMessage, response: ServerResponse): void;
}

export interface HttpServerOptions extends Served {
  /** The port to try first; 0: any free one. */
  readonly port: number;
  /** How many ports are tried, one after the other; then any free one. */
  readonly portsTried: number;
}

export interface HttpLimits {
  /** From connecting to the end of the first request's headers, and from an answer to those of the next request. */
  readonly idleMs: number;
  /** From the headers to the end of the body. */
  readonly bodyMs: number;
  /** For requests that are being answered when the server closes. */
  readonly graceMs: number;
  readonly headerBytes: number;
  readonly connections: number;
}

export interface HttpServer {
  readonly port: number;
  /** Resolves when every connection is closed. */
  close(): Promise<void>;
}

const LIMITS: HttpLimits = {
  idleMs: 10_000,
  bodyMs: 10_000,
  graceMs: 3_000,
  headerBytes: 16 * 1024,
  connections: 512,
};
/** Longest delay of a timer: Node's own check of connections, which repeats, is off. */
const NEVER_MS = 2 ** 31 - 1;

/** @throws what the system throws */
export async function listenHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { server, close } = makeServer(options);
  await listenOnFreePort(server, options);
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, close };
}

/** On a socket file in a folder of the user alone. @throws what the system throws */
export async function listenHttpSocket(path: string, options: Served): Promise<Pick<HttpServer, 'close'>> {
  const { server, close } = makeServer(options);
  await listenOn(server, { path });
  return { close };
}

function makeServer(options: Served): { readonly server: Server; readonly close: HttpServer['close'] } {
  const limits = { ...LIMITS, ...options.limits };
  const sockets = new Set<Socket>();
  const server = createServer(
    {
      connectionsCheckingInterval: NEVER_MS,
      maxHeaderSize: limits.headerBytes,
      keepAliveTimeout: limits.idleMs,
      requireHostHeader: true,
      insecureHTTPParser: false,
    },
    (request, response) => {
      const connection = connectionOf(request.socket);
      connection.requests += 1;
      connection.stopDeadline();
      if (hasBody(request)) {
        connection.startDeadline(limits.bodyMs);
        request.once('end', () => connection.stopDeadline());
      }
      response.once('close', () => {
        connection.requests -= 1;
        if (connection.requests > 0) return;
        if (server.listening) connection.startDeadline(limits.idleMs);
        else request.socket.destroySoon();
      });
      options.onRequest(request, response);
    },
  );
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      connectionOf(socket).stopDeadline();
    });
    connectionOf(socket).startDeadline(limits.idleMs);
  });
  // Answers like Node's own to requests that are not HTTP, without repeating anything of them.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const status =
      error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    if (socket.writable && error.code !== 'ECONNRESET')
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    else socket.destroy();
  });
  return { server, close: () => closeServer(server, sockets, limits.graceMs) };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A connection with its deadline: when that has passed, it is cut. */
class Connection {
  /** Requests that are not answered yet. */
  requests = 0;
  readonly #socket: Socket;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  startDeadline(ms: number): void {
    this.stopDeadline();
    if (this.#socket.destroyed) return;
    this.#timer = setTimeout(() => this.#socket.destroy(), ms);
    this.#timer.unref();
  }

  stopDeadline(): void {
    clearTimeout(this.#timer);
  }
}

const connections = new WeakMap<Socket, Connection>();

function connectionOf(socket: Socket): Connection {
  const connection = connections.get(socket) ?? new Connection(socket);
  connections.set(socket, connection);
  return connection;
}

async function listenOnFreePort(server: Server, { port, portsTried }: HttpServerOptions): Promise<void> {
  const candidates = Array.from({ length: portsTried }, (_, index) => port + index).filter(
    (one) => one < 65_536,
  );
  for (const candidate of port === 0 ? [0] : [...candidates, 0])
    try {
      return await listenOn(server, { host: LOOPBACK, port: candidate, exclusive: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (candidate === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) throw error;
    }
}

function listenOn(server: Server, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(error);
    server.once('error', failed);
    server.listen(where, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

function closeServer(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, graceMs);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    for (const socket of sockets) if (connectionOf(socket).requests === 0) socket.destroy();
  });
}
