// An `Annals` that is served elsewhere. It answers as the served one does. Paths and the working folder are this process's.

import { AnnalsError } from '../../log/index.ts';
import type { Annals, ChangeState, ContextOptions } from '../api.ts';
import { givenPath } from '../platform/path-inside.ts';
import { type Channel, RemoteMessageError } from './channel.ts';
import { type ClientMessage, type Hello, PROTOCOL, type ServerMessage } from './messages.ts';
import { type LocalReferences, sentArguments } from './remote-arguments.ts';
import { receivedError, sentError, workerGone } from './remote-errors.ts';
import { UNARY_METHODS, type UnaryMethod } from './remote-methods.ts';

export interface RemoteAnnals extends Annals {
  /** The server's hello. */
  readonly server: Hello;
  /** A call that the server offers beside those of `Annals`. */
  control(method: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Calls `listener` once, when the connection is gone. */
  onDisconnect(listener: () => void): void;
}

export interface ConnectOptions {
  /** Of the product. */
  readonly version: string;
  readonly facts?: Hello['facts'];
}

/** @throws AnnalsError WORKER_GONE when the channel closes, WORKER_FAILED when the server speaks another protocol */
export async function remoteAnnals(channel: Channel, options: ConnectOptions): Promise<RemoteAnnals> {
  const connection = new ClientConnection(channel);
  const server = await connection.greet(options);
  const call = (method: string, args: readonly unknown[]) => connection.call(method, args);
  const unary = Object.fromEntries(
    UNARY_METHODS.map((method) => [method, (...args: readonly unknown[]) => call(method, args)]),
  ) as unknown as Pick<Annals, UnaryMethod>;
  return {
    ...unary,
    home: server.home,
    server,
    control: (method, ...args) => call(method, args),
    onDisconnect: (listener) => connection.onDisconnect(listener),
    import: async (paths, importOptions) =>
      unary.import(
        paths.map((path) => givenPath(path)),
        importOptions,
      ),
    importFrom: async (from, paths, importOptions) =>
      unary.importFrom(
        from,
        paths.map((path) => givenPath(path)),
        importOptions,
      ),
    export: async (folder, exportOptions) => unary.export(givenPath(folder), exportOptions),
    context: async (contextOptions) => unary.context(withFolder(contextOptions)),
    project: async (cwd) => unary.project(givenPath(cwd ?? '.')),
    recall: async (options) => unary.recall({ ...options, cwd: givenPath(options.cwd ?? '.') }),
    notes: async (options = {}) =>
      unary.notes(options.project === undefined ? { cwd: givenPath(options.cwd ?? '.') } : options),
    log: (logOptions) => connection.items('log', logOptions === undefined ? [] : [logOptions]) as never,
    onChange: (listener) => connection.subscribe(listener),
    close: () => connection.close(),
  };
}

/** The working folder is the caller's, not the server's. */
function withFolder(options: ContextOptions = {}): ContextOptions {
  return options.project === undefined ? { ...options, cwd: givenPath(options.cwd ?? '.') } : options;
}

type Answer = Extract<ServerMessage, { type: 'answer' }>;
type Items = Extract<ServerMessage, { type: 'items' }>;

interface Pending {
  readonly references: LocalReferences;
  /** Aborted when the call has ended. */
  readonly ended: AbortController;
  answered(answer: Answer): void;
  items?(items: Items): void;
  changed?(state: ChangeState): void;
  lost(error: Error): void;
}

class ClientConnection {
  readonly #channel: Channel;
  readonly #pending = new Map<number, Pending>();
  readonly #onDisconnect = new Set<() => void>();
  readonly #unanswered = new Set<Promise<unknown>>();
  #next = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #greeted: { resolve(hello: Hello): void; reject(error: Error): void } | null = null;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  greet({ version, facts = {} }: ConnectOptions): Promise<Hello> {
    return new Promise<Hello>((resolve, reject) => {
      this.#greeted = { resolve, reject };
      this.#channel.onMessage((message) => this.#receive(message as ServerMessage));
      this.#channel.onClose(() => this.#lost());
      this.#channel.send({ type: 'hello', protocol: PROTOCOL, version, home: '', facts } satisfies Hello);
    });
  }

  async call(method: string, args: readonly unknown[]): Promise<unknown> {
    const answer = this.#start<unknown>(method, args, (resolve, reject) => ({
      answered: ({ ok, error }) => (error === undefined ? resolve(ok) : reject(receivedError(error))),
      lost: reject,
    })).result;
    this.#unanswered.add(answer);
    const done = () => this.#unanswered.delete(answer);
    answer.then(done, done);
    return answer;
  }

  async *items(method: string, args: readonly unknown[]): AsyncGenerator<unknown> {
    let batch: readonly unknown[] = [];
    let failure: Error | null = null;
    let isDone = false;
    let wake: () => void = () => {};
    const { id } = this.#start<void>(method, args, () => ({
      answered: ({ error }) => {
        failure = error === undefined ? workerGone() : receivedError(error);
        wake();
      },
      items: ({ items, done }) => {
        batch = items;
        isDone = done;
        wake();
      },
      lost: (error) => {
        failure = error;
        wake();
      },
    }));
    try {
      while (!isDone && failure === null) {
        batch = [];
        const arrived = new Promise<void>((resolve) => {
          wake = resolve;
        });
        this.#send({ type: 'pull', id });
        await arrived;
        yield* batch;
      }
      if (failure !== null) throw failure;
    } finally {
      if (this.#forget(id) && !isDone) this.#send({ type: 'end', id });
    }
  }

  subscribe(listener: (state: ChangeState) => void): () => void {
    const { id } = this.#start<void>('onChange', [], () => ({
      answered: () => {},
      changed: listener,
      lost: () => {},
    }));
    return () => {
      if (this.#forget(id)) this.#send({ type: 'end', id });
    };
  }

  onDisconnect(listener: () => void): void {
    if (this.#state === 'closed') listener();
    else this.#onDisconnect.add(listener);
  }

  /** Calls made before are answered first. */
  async close(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    await Promise.allSettled([...this.#unanswered]);
    if (this.#stateNow() === 'closed') return;
    await new Promise<void>((resolve) => {
      const id = this.#next++;
      const [references, ended] = [{ functions: [], signals: [] }, new AbortController()];
      this.#pending.set(id, { references, ended, answered: () => resolve(), lost: () => resolve() });
      this.#send({ type: 'call', id, method: 'close', args: [], markers: [] });
    });
    this.#onDisconnect.clear();
    this.#channel.close();
  }

  /** The state may have changed while something was awaited. */
  #stateNow(): 'open' | 'closing' | 'closed' {
    return this.#state;
  }

  #start<T>(
    method: string,
    given: readonly unknown[],
    handlers: (
      resolve: (value: T) => void,
      reject: (error: Error) => void,
    ) => Omit<Pending, 'references' | 'ended'>,
  ): { readonly id: number; readonly result: Promise<T> } {
    if (this.#state === 'closed') throw workerGone();
    if (this.#state === 'closing')
      throw new AnnalsError('LOG_CLOSED', 'The library was used after it was closed.');
    const id = this.#next++;
    const { args, markers, ...references } = sentArguments(given);
    const ended = new AbortController();
    const result = new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { references, ended, ...handlers(resolve, reject) });
    });
    result.catch(() => undefined);
    try {
      this.#channel.send({ type: 'call', id, method, args, markers });
    } catch (error) {
      this.#pending.delete(id);
      if (!(error instanceof RemoteMessageError)) throw error;
      throw new AnnalsError('INPUT_INVALID', `The call cannot be sent: ${error.message}.`, {
        hint: 'Give plain JSON, and less of it at once.',
      });
    }
    for (const [signal, given] of references.signals.entries()) {
      const abort = () => this.#send({ type: 'abort', id, signal });
      if (given.aborted) abort();
      else given.addEventListener('abort', abort, { once: true, signal: ended.signal });
    }
    return { id, result };
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'hello') {
      this.#greet(message);
      return;
    }
    const pending = this.#pending.get(message.id);
    switch (message.type) {
      case 'answer':
        this.#forget(message.id);
        pending?.answered(message);
        return;
      case 'items':
        pending?.items?.(message);
        return;
      case 'changed':
        pending?.changed?.(message.state);
        return;
      case 'callback':
        void this.#callback(message, pending?.references.functions[message.function]);
    }
  }

  #greet(hello: Hello): void {
    const greeted = this.#greeted;
    this.#greeted = null;
    if (hello.protocol === PROTOCOL) greeted?.resolve(hello);
    else {
      const { version } = hello;
      greeted?.reject(
        new AnnalsError('WORKER_FAILED', `A worker of another version (${version}) runs.`, {
          hint: 'End it with `annals worker stop`.',
          facts: { version },
        }),
      );
      this.#channel.close();
    }
  }

  async #callback(
    { id, callback, args }: Extract<ServerMessage, { type: 'callback' }>,
    called: ((...args: readonly unknown[]) => unknown) | undefined,
  ): Promise<void> {
    try {
      this.#send({ type: 'returned', id, callback, ok: await called?.(...args) });
    } catch (error) {
      this.#send({ type: 'returned', id, callback, error: sentError(error) });
    }
  }

  /** False if it had ended before. */
  #forget(id: number): boolean {
    this.#pending.get(id)?.ended.abort();
    return this.#pending.delete(id);
  }

  #lost(): void {
    this.#state = 'closed';
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    this.#greeted?.reject(workerGone());
    for (const { ended, lost } of pending) {
      ended.abort();
      lost(workerGone());
    }
    for (const listener of this.#onDisconnect) listener();
  }

  #send(message: ClientMessage): void {
    this.#channel.send(message);
  }
}
