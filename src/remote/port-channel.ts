// A channel over the message port of a thread.
import { type Channel, RemoteMessageError } from './channel.ts';

/** A MessagePort, a Worker, or the parent port of a thread. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'close' | 'exit', listener: () => void): unknown;
  close?(): void;
}

export function portChannel(port: Port): Channel {
  let hasClosed = false;
  let closed: () => void = () => {};
  const onEnd = () => {
    if (hasClosed) return;
    hasClosed = true;
    closed();
  };
  port.on('close', onEnd);
  port.on('exit', onEnd);
  return {
    send(message) {
      if (hasClosed) return;
      try {
        port.postMessage(message);
      } catch (error) {
        throw new RemoteMessageError(error instanceof Error ? error.message : String(error));
      }
    },
    onMessage: (listener) => {
      port.on('message', listener);
    },
    onClose(listener) {
      if (hasClosed) listener();
      else closed = listener;
    },
    close: () => port.close?.(),
  };
}
