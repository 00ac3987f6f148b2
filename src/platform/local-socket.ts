// Sockets that only programs of this user on this machine can reach: a file of mode 0600, or a named pipe on Windows.
import { chmodSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';

export type { Server as LocalServer, Socket as LocalSocket } from 'node:net';

/** Null when nobody listens there. @throws what the system throws for any other reason */
export function connectLocal(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (NOBODY.has(error.code ?? '')) resolve(null);
      else reject(error);
    });
  });
}

/** Whether somebody listens there. */
export async function listens(path: string): Promise<boolean> {
  const socket = await connectLocal(path);
  socket?.destroy();
  return socket !== null;
}

const NOBODY: ReadonlySet<string> = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ENOTSOCK',
  'ENOTDIR',
  'EPIPE',
  'ECONNRESET',
]);

/** @throws what the system throws, EADDRINUSE when a file is there */
export async function listenLocal(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const isFile = process.platform !== 'win32';
  const server = createServer({ allowHalfOpen: true }, onConnection);
  const listening = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', resolve);
  });
  // The file is made in this call, so there is no moment at which others could connect.
  const mask = isFile ? process.umask(0o177) : null;
  server.listen(path);
  if (mask !== null) process.umask(mask);
  await listening;
  if (isFile) chmodSync(path, 0o600);
  return server;
}
