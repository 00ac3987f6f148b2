// Calls between two threads of one process, in both directions.
import type { Channel } from '../remote/channel.ts';
import type { Outcome } from '../remote/messages.ts';
import { receivedError, sentError, workerGone } from '../remote/remote-errors.ts';

export type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>;

type Message =
  | { readonly call: string; readonly id: number; readonly args: readonly unknown[] }
  | ({ readonly id: number } & Outcome);

/** A function that calls a handler of the other side. */
export type Call<Others extends Handlers> = <Name extends keyof Others & string>(
  name: Name,
  ...args: Parameters<Others[Name]>
) => Promise<Awaited<ReturnType<Others[Name]>>>;

/** Answers the other side's calls with these handlers. */
export function callsOver<Others extends Handlers>(channel: Channel, handlers: Handlers): Call<Others> {
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let next = 0;
  let isClosed = false;
  channel.onMessage((received) => {
    const message = received as Message;
    if ('call' in message) {
      void answer(handlers, message).then((outcome) => channel.send({ id: message.id, ...outcome }));
      return;
    }
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.ok);
    else waiting?.reject(receivedError(message.error));
  });
  channel.onClose(() => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(workerGone());
    pending.clear();
  });
  const call = (name: string, ...args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isClosed) {
        reject(workerGone());
        return;
      }
      const id = next++;
      pending.set(id, { resolve, reject });
      channel.send({ call: name, id, args });
    });
  return call as Call<Others>;
}

async function answer(
  handlers: Handlers,
  { call, args }: Extract<Message, { call: string }>,
): Promise<Outcome> {
  try {
    return { ok: await handlers[call]!(...(args as never[])) };
  } catch (error) {
    return { error: sentError(error) };
  }
}
