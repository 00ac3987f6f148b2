// A two-way connection that carries plain JSON values: a local socket, a message port of a thread.

export interface Channel {
  /** Sends one message. Does nothing once the channel is closed. @throws RemoteMessageError when it cannot be sent */
  send(message: unknown): void;
  /** There is one listener. Messages that come before it is set are kept. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when either side closed the channel or it broke; at once if that has happened. */
  onClose(listener: () => void): void;
  close(): void;
}

/** A message that is too large or is not JSON. The channel stays usable. */
export class RemoteMessageError extends Error {}
