// A channel over a local socket: one JSON value per line, in UTF-8. A line that is too long or not JSON closes it, and so
// does a reader that takes nothing while answers pile up.
import type { Duplex } from 'node:stream';
import { type Channel, RemoteMessageError } from './channel.ts';

export const LINE_BYTES_MAX = 64 * 1024 * 1024;
const UNREAD_BYTES_MAX = 256 * 1024 * 1024;
const NEWLINE = 0x0a;

export function lineChannel(socket: Duplex, bytesMax = LINE_BYTES_MAX): Channel {
  const kept: unknown[] = [];
  let listener: ((message: unknown) => void) | null = null;
  let closed: (() => void) | null = null;
  let hasClosed = false;
  let parts: Buffer[] = [];
  let bytes = 0;
  const receive = (line: string): void => {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      socket.destroy();
      return;
    }
    if (listener === null) kept.push(message);
    else listener(message);
  };
  socket.on('data', (chunk: Buffer) => {
    let from = 0;
    for (
      let end = chunk.indexOf(NEWLINE);
      end !== -1 && !socket.destroyed;
      end = chunk.indexOf(NEWLINE, from)
    ) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]);
      parts = [];
      bytes = 0;
      from = end + 1;
      if (line.length > 0) receive(line.toString('utf8'));
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > bytesMax) socket.destroy();
  });
  // `close` follows. An error says no more than that the other side is gone.
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  socket.on('close', () => {
    hasClosed = true;
    parts = [];
    closed?.();
  });
  return {
    send(message) {
      if (hasClosed || socket.destroyed || socket.writableEnded) return;
      const line = lineOf(message);
      if (line.length > bytesMax)
        throw new RemoteMessageError(`it has more than ${Math.floor(bytesMax / 2 ** 20)} MiB`);
      socket.write(line);
      if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy();
    },
    onMessage(next) {
      listener = next;
      for (const message of kept.splice(0)) next(message);
    },
    onClose(next) {
      closed = next;
      if (hasClosed) next();
    },
    close: () => void socket.end(),
  };
}

function lineOf(message: unknown): Buffer {
  try {
    return Buffer.from(`${JSON.stringify(message)}\n`);
  } catch (error) {
    throw new RemoteMessageError(error instanceof Error ? error.message : String(error));
  }
}
