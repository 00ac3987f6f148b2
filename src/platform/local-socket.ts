// Sockets that only programs of this user on this machine can reach: a file of mode 0600, or a named pipe on Windows.
import { chmodSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';

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

const NOBODY: ReadonlySet<string> = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ENOTSOCK',
  'ENOTDIR',
  'EPIPE',
  'ECONNRESET',
]);

/**
 * Listens. A socket file that a killed process left is replaced: the caller holds the log, so no other process can be
 * listening there. @throws what the system throws
 */
export async function listenLocal(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const isFile = process.platform !== 'win32';
  if (isFile) removeSocket(path);
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

export function removeSocket(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
