// How the server reaches the memory: through the worker that runs, else through one that it starts. Without a worker it
// opens the home only while requests run, so that it does not hold the log for as long as a client is open.
import type { Annals } from '../api.ts';

export interface WorkerConnection extends Annals {
  onDisconnect(listener: () => void): void;
}

export interface MemoryWorld {
  /** The worker that runs, which then stays while this is connected. Null when none runs. */
  connect(): Promise<WorkerConnection | null>;
  /** Starts a worker, unless it is switched off or its last starts failed. Resolves when it answers. */
  start(): Promise<unknown>;
  /** Opens the home itself when no worker runs. */
  open(): Promise<Annals>;
  isWorkerGone(error: unknown): boolean;
}

export class MemoryAccess {
  readonly #world: MemoryWorld;
  #worker: Promise<WorkerConnection | null> | null = null;
  #opened: Promise<Annals> | null = null;
  #users = 0;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(world: MemoryWorld) {
    this.#world = world;
  }

  /** @throws AnnalsError as the library does, and as opening it does */
  async ask<T>(
    question: (annals: Annals) => Promise<T>,
    { changes = false }: { readonly changes?: boolean } = {},
  ): Promise<T> {
    const worker = await this.#connected();
    if (worker === null) return this.#askDirectly(question);
    try {
      return await question(worker);
    } catch (error) {
      if (changes || !this.#world.isWorkerGone(error)) throw error;
      const next = await this.#connected();
      return next === null ? this.#askDirectly(question) : question(next);
    }
  }

  async close(): Promise<void> {
    const worker = await this.#worker?.catch(() => null);
    await Promise.allSettled([worker?.close(), this.#closing]);
  }

  #connected(): Promise<WorkerConnection | null> {
    if (this.#worker !== null) return this.#worker;
    const connecting = this.#connectOrStart();
    this.#worker = connecting;
    const forget = () => {
      if (this.#worker === connecting) this.#worker = null;
    };
    connecting.then((worker) => (worker === null ? forget() : worker.onDisconnect(forget)), forget);
    return connecting;
  }

  async #connectOrStart(): Promise<WorkerConnection | null> {
    const running = await this.#world.connect();
    if (running !== null) return running;
    try {
      await this.#world.start();
    } catch {
      // The worker is never needed. Its own log and `annals status` say what is wrong.
      return null;
    }
    return this.#world.connect();
  }

  /** Requests that run at the same time share the home. The last one closes it. */
  async #askDirectly<T>(question: (annals: Annals) => Promise<T>): Promise<T> {
    this.#users += 1;
    this.#opened ??= this.#closing.then(() => this.#world.open());
    const opened = this.#opened;
    try {
      return await question(await opened);
    } finally {
      this.#users -= 1;
      if (this.#users === 0) {
        this.#opened = null;
        this.#closing = opened.then((annals) => annals.close()).catch(() => undefined);
        await this.#closing;
      }
    }
  }
}
