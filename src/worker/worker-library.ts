// The library that the worker serves. It can be closed and opened again under its callers, when the settings change:
// calls that come meanwhile wait, and those that were cut off are made again, unless they could do their work twice.
// Imports run one after the other, because two of the same file would read it twice.
import { AnnalsError, isAnnalsError, type LogEvent, Mutex } from '../../log/index.ts';
import type { LogOptions } from '../api/events.ts';
import type { Annals, ChangeState, Status } from '../api.ts';
import { FAR_BEHIND } from '../home/home-state.ts';
import { METHODS, UNARY_METHODS, type UnaryMethod } from '../remote/remote-methods.ts';

export interface LibraryOptions {
  open(): Promise<Annals>;
  /** Called before every call. */
  onCall(): void;
  /** Awaited before calls that read, so that they find what hooks left until now. */
  beforeReading(): Promise<void>;
  /** Called when a client listens for changes; what it returns, when it no longer does. */
  keep(): () => void;
  /** Added to the status of the library. */
  workerStatus(): Status['worker'];
  /** What is wrong with the worker, one sentence each. */
  problems(): readonly string[];
}

/** How long calls that run may take until the library is closed all the same. */
const REOPEN_MS = 10_000;

function asksSoFar(args: readonly unknown[]): boolean {
  return args.some((one) => typeof one === 'object' && one !== null && 'soFar' in one && one.soFar === true);
}

function isFarBehind({ head, projected }: ChangeState): boolean {
  return head - projected > FAR_BEHIND;
}

/** What a reading of the log has still to give after an event. */
function restAfter({ position }: LogEvent, { last, limit, ...others }: LogOptions): LogOptions {
  const left = last ?? limit;
  return { ...others, after: position, ...(left === undefined ? {} : { limit: left - 1 }) };
}

export class WorkerLibrary {
  /** What clients call. Closing it does nothing: it is the worker's. */
  readonly annals: Annals;
  readonly #options: LibraryOptions;
  readonly #listeners = new Set<(state: ChangeState) => void>();
  readonly #importing = new Mutex();
  readonly #running = new Set<Promise<unknown>>();
  #library: Promise<Annals>;
  #stopListening: () => void = () => {};
  #isClosed = false;
  /** What the library said last. */
  #state: ChangeState | null = null;

  private constructor(options: LibraryOptions, library: Annals) {
    this.#options = options;
    this.#library = Promise.resolve(library);
    this.#listen(library);
    const calls = Object.fromEntries(
      UNARY_METHODS.map((method) => [
        method,
        (...args: readonly unknown[]) =>
          method === 'import' || method === 'importFrom'
            ? this.#importing.run(() => this.#call(method, args))
            : this.#call(method, args),
      ]),
    ) as unknown as Pick<Annals, UnaryMethod>;
    const self = this;
    this.annals = {
      ...calls,
      home: library.home,
      async *log(logOptions = {}) {
        self.#noteCall();
        await self.#drainedOrFarBehind();
        yield* self.#log(logOptions);
      },
      onChange: (listener) => {
        const stop = this.onChange(listener);
        const release = options.keep();
        return () => {
          stop();
          release();
        };
      },
      status: async (statusOptions) => {
        const status = await calls.status(statusOptions);
        return {
          ...status,
          worker: options.workerStatus(),
          degraded: [...status.degraded, ...options.problems()],
        };
      },
      close: async () => {},
    };
  }

  static async open(options: LibraryOptions): Promise<WorkerLibrary> {
    return new WorkerLibrary(options, await options.open());
  }

  /** Like that of the library that clients call, but it keeps nothing alive. */
  onChange(listener: (state: ChangeState) => void): () => void {
    this.#listeners.add(listener);
    if (this.#state !== null) listener(this.#state);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Closes the library and opens it again, with the settings as they are now. When `stop` aborts before, it stays as it is.
   * @throws as `openAnnals`
   */
  async reopen(stop: AbortSignal): Promise<void> {
    const old = this.#library;
    const next = (async () => {
      const library = await old;
      await this.#settled(REOPEN_MS, stop);
      this.#stopListening();
      if (stop.aborted) return library;
      await library.close();
      return this.#options.open();
    })();
    this.#library = next;
    this.#listen(await next);
  }

  /** Gives running calls some time, then closes the library. Calls that still run stop at a page. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    await this.#settled(graceMs);
    this.#stopListening();
    await (await this.#library).close();
  }

  async #call(method: UnaryMethod, args: readonly unknown[]): Promise<unknown> {
    this.#noteCall();
    if (METHODS[method].isDrainedFirst)
      await (asksSoFar(args) ? this.#drainedOrFarBehind() : this.#options.beforeReading());
    for (;;) {
      const opened = this.#library;
      const library = await opened;
      const call = library[method] as (...given: readonly unknown[]) => Promise<unknown>;
      const result = call.apply(library, [...args]);
      this.#running.add(result);
      const done = () => this.#running.delete(result);
      result.then(done, done);
      try {
        return await result;
      } catch (error) {
        if (!this.#wasCutOff(opened, error)) throw error;
        if (!METHODS[method].isRepeatable)
          throw new AnnalsError('WORKER_GONE', 'The settings changed before the call was done.', {
            hint: 'Look whether its work was done before you try again.',
            cause: error,
          });
      }
    }
  }

  async *#log(given: LogOptions): AsyncGenerator<LogEvent> {
    let options = given;
    for (;;) {
      const opened = this.#library;
      try {
        for await (const event of (await opened).log(options)) {
          yield event;
          options = restAfter(event, options);
        }
        return;
      } catch (error) {
        if (!this.#wasCutOff(opened, error)) throw error;
      }
    }
  }

  /** Whether a call failed because the library was opened again under it. */
  #wasCutOff(opened: Promise<Annals>, error: unknown): boolean {
    return (
      opened !== this.#library &&
      !this.#isClosed &&
      isAnnalsError(error) &&
      (error.code === 'LOG_CLOSED' || error.code === 'WORKER_GONE')
    );
  }

  #noteCall(): void {
    if (this.#isClosed) throw new AnnalsError('WORKER_GONE', 'The worker is ending.', { hint: 'Try again.' });
    this.#options.onCall();
  }

  /** What hooks left is not waited for while the views are built from the log: it would take as long. */
  async #drainedOrFarBehind(): Promise<void> {
    if (this.#state !== null && isFarBehind(this.#state)) return;
    let stop = () => {};
    const farBehind = new Promise<void>((resolve) => {
      stop = this.onChange((state) => {
        if (isFarBehind(state)) resolve();
      });
    });
    await Promise.race([this.#options.beforeReading(), farBehind]);
    stop();
  }

  #listen(library: Annals): void {
    this.#stopListening = library.onChange((state) => {
      this.#state = state;
      for (const listener of this.#listeners) listener(state);
    });
  }

  async #settled(ms: number, stop?: AbortSignal): Promise<void> {
    if (this.#running.size === 0 || stop?.aborted === true) return;
    let timer: NodeJS.Timeout | undefined;
    let stopped = () => {};
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
      stopped = () => resolve();
      stop?.addEventListener('abort', stopped);
    });
    await Promise.race([Promise.allSettled([...this.#running]), limit]);
    clearTimeout(timer);
    stop?.removeEventListener('abort', stopped);
  }
}
