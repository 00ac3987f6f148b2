// Serves an `Annals` over a channel. One connection can do nothing to another: its calls, iterations and subscriptions
// end with it, and anything that is not a message of the protocol closes it.
import { AnnalsError } from '../../log/index.ts';
import type { Annals } from '../api.ts';
import { type Channel, RemoteMessageError } from './channel.ts';
import { clientMessageOf } from './client-messages.ts';
import { type ClientMessage, type Hello, type Outcome, PROTOCOL, type ServerMessage } from './messages.ts';
import { receivedArguments } from './remote-arguments.ts';
import { receivedError, sentError, workerGone } from './remote-errors.ts';
import { isUnaryMethod } from './remote-methods.ts';

export interface ServeOptions {
  /** Of the product. */
  readonly version: string;
  /** Told to clients in the hello. */
  readonly facts?: Hello['facts'];
  /** Called with the client's hello, before it is answered. */
  readonly onHello?: (hello: Hello) => void;
  /** More calls, beside those of `Annals`. */
  readonly control?: Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;
}

const BATCH_ITEMS = 256;
/** Characters of JSON, about; a batch ends behind the item that reaches it. */
const BATCH_CHARS = 512 * 1024;

export function serveAnnals(annals: Annals, channel: Channel, options: ServeOptions): void {
  const connection = new Connection(annals, channel, options);
  channel.onMessage((message) => {
    try {
      connection.receive(message);
    } catch {
      // A call that cannot even begin, as of a library that was closed.
      channel.close();
    }
  });
  channel.onClose(() => connection.end());
}

type Call = Extract<ClientMessage, { type: 'call' }>;

/** A call that runs, or an iteration or a subscription that is open. */
interface Running {
  readonly signals: Map<number, AbortController>;
  /** Functions of the client that were called and have not answered. */
  readonly waiting: Map<number, { resolve(value: unknown): void; reject(error: Error): void }>;
  items: AsyncIterator<unknown> | null;
  stop: (() => void) | null;
  /** One pull at a time. */
  isPulling: boolean;
}

class Connection {
  readonly #annals: Annals;
  readonly #channel: Channel;
  readonly #options: ServeOptions;
  readonly #running = new Map<number, Running>();
  #isGreeted = false;
  #hasEnded = false;
  #callbacks = 0;

  constructor(annals: Annals, channel: Channel, options: ServeOptions) {
    this.#annals = annals;
    this.#channel = channel;
    this.#options = options;
  }

  receive(received: unknown): void {
    const message = clientMessageOf(received);
    if (message === null || (message.type === 'hello') === this.#isGreeted) {
      this.#channel.close();
      return;
    }
    switch (message.type) {
      case 'hello':
        this.#greet(message);
        return;
      case 'call':
        this.#call(message);
        return;
      case 'pull':
        void this.#pull(message.id);
        return;
      case 'end':
        this.#endOne(message.id);
        return;
      case 'abort':
        this.#running.get(message.id)?.signals.get(message.signal)?.abort();
        return;
      case 'returned': {
        const waiting = this.#running.get(message.id)?.waiting;
        const asked = waiting?.get(message.callback);
        waiting?.delete(message.callback);
        if (message.error === undefined) asked?.resolve(message.ok);
        else asked?.reject(receivedError(message.error));
      }
    }
  }

  end(): void {
    this.#hasEnded = true;
    for (const id of [...this.#running.keys()]) this.#endOne(id);
  }

  #greet(hello: Hello): void {
    this.#isGreeted = true;
    this.#options.onHello?.(hello);
    const { version, facts = {} } = this.#options;
    this.#send({ type: 'hello', protocol: PROTOCOL, version, home: this.#annals.home, facts });
  }

  #call(call: Call): void {
    if (this.#running.has(call.id)) {
      this.#channel.close();
      return;
    }
    const running: Running = {
      signals: new Map(),
      waiting: new Map(),
      items: null,
      stop: null,
      isPulling: false,
    };
    const args = receivedArguments(call, (kind, number) =>
      kind === 'function' ? this.#functionOf(call.id, running, number) : signalOf(running, number),
    );
    if (args === undefined) {
      this.#channel.close();
      return;
    }
    this.#running.set(call.id, running);
    if (call.method === 'log') running.items = this.#annals.log(args[0] as never)[Symbol.asyncIterator]();
    else if (call.method === 'onChange')
      running.stop = this.#annals.onChange((state) => this.#send({ type: 'changed', id: call.id, state }));
    else
      void outcomeOf(() => this.#answer(call.method, args)).then((outcome) => {
        this.#running.delete(call.id);
        this.#sendOutcome(call.id, outcome);
      });
  }

  async #answer(method: string, args: readonly unknown[]): Promise<unknown> {
    if (isUnaryMethod(method)) {
      const call = this.#annals[method] as (...given: readonly unknown[]) => Promise<unknown>;
      return call.apply(this.#annals, [...args]);
    }
    // The client closes its side only.
    if (method === 'close') return undefined;
    const { control = {} } = this.#options;
    if (Object.hasOwn(control, method)) return control[method]!(...args);
    throw new AnnalsError('USAGE', 'The worker has no such call.', {
      hint: 'The worker may be of another version: `annals worker stop` ends it.',
    });
  }

  async #pull(id: number): Promise<void> {
    const running = this.#running.get(id);
    // It may have ended while the request was on its way.
    if (running === undefined) return;
    const { items } = running;
    if (items === null || running.isPulling) {
      this.#channel.close();
      return;
    }
    running.isPulling = true;
    const read: unknown[] = [];
    let done = false;
    const outcome = await outcomeOf(async () => {
      for (let chars = 0; !done && read.length < BATCH_ITEMS && chars < BATCH_CHARS; ) {
        const next = await items.next();
        done = next.done === true;
        if (done) break;
        read.push(next.value);
        chars += JSON.stringify(next.value)?.length ?? 0;
      }
    });
    running.isPulling = false;
    if (outcome.error !== undefined || done) this.#running.delete(id);
    // What was read before the failure counts.
    this.#send({ type: 'items', id, items: read, done });
    if (outcome.error !== undefined) this.#sendOutcome(id, outcome);
  }

  #endOne(id: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.stop?.();
    running.items?.return?.().catch(() => undefined);
    if (running.stop !== null || running.items !== null) this.#running.delete(id);
    for (const controller of running.signals.values()) controller.abort();
    for (const { reject } of running.waiting.values()) reject(workerGone());
    running.waiting.clear();
  }

  /** A function of the client, as a function here. Its promise may be left alone. */
  #functionOf(
    id: number,
    running: Running,
    number: number,
  ): (...args: readonly unknown[]) => Promise<unknown> {
    return (...args) => {
      const callback = this.#callbacks++;
      const result = new Promise<unknown>((resolve, reject) => {
        if (this.#hasEnded) {
          reject(workerGone());
          return;
        }
        running.waiting.set(callback, { resolve, reject });
        this.#send({ type: 'callback', id, callback, function: number, args });
      });
      result.catch(() => undefined);
      return result;
    };
  }

  #sendOutcome(id: number, outcome: Outcome): void {
    try {
      this.#channel.send({ type: 'answer', id, ...outcome });
    } catch (error) {
      if (!(error instanceof RemoteMessageError)) throw error;
      const tooLarge = new AnnalsError('USAGE', `The answer cannot be sent: ${error.message}.`, {
        hint: 'Ask for less at once.',
      });
      this.#channel.send({ type: 'answer', id, error: sentError(tooLarge) });
    }
  }

  #send(message: ServerMessage): void {
    this.#channel.send(message);
  }
}

function signalOf(running: Running, number: number): AbortSignal {
  const controller = running.signals.get(number) ?? new AbortController();
  running.signals.set(number, controller);
  return controller.signal;
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { ok: await work() };
  } catch (error) {
    return { error: sentError(error) };
  }
}
