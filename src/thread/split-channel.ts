// Several channels over one, so that messages of all of them arrive in the order in which they were sent.
import type { Channel } from '../remote/channel.ts';

interface Part {
  listener: ((message: unknown) => void) | null;
  closed: (() => void) | null;
  /** Messages that came before the listener. */
  readonly kept: unknown[];
}

export function splitChannel<Name extends string>(
  channel: Channel,
  names: readonly Name[],
): Record<Name, Channel> {
  const parts = new Map<string, Part>(
    names.map((name) => [name, { listener: null, closed: null, kept: [] }]),
  );
  let isClosed = false;
  channel.onMessage((received) => {
    const { to, message } = received as { to: string; message: unknown };
    const part = parts.get(to)!;
    if (part.listener === null) part.kept.push(message);
    else part.listener(message);
  });
  channel.onClose(() => {
    isClosed = true;
    for (const { closed } of parts.values()) closed?.();
  });
  const channelOf = (to: Name): Channel => {
    const part = parts.get(to)!;
    return {
      send: (message) => channel.send({ to, message }),
      onMessage(listener) {
        part.listener = listener;
        for (const message of part.kept.splice(0)) listener(message);
      },
      onClose(listener) {
        part.closed = listener;
        if (isClosed) listener();
      },
      close: () => channel.close(),
    };
  };
  return Object.fromEntries(names.map((name) => [name, channelOf(name)])) as Record<Name, Channel>;
}
