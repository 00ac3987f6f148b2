// Takes payloads of hooks: each becomes a file of the spool, as the capture script would write it, and a drain takes it
// from there. So private turns, excluded folders and unreadable payloads are handled in one place, and nothing is
// acknowledged before it is on disk.
import { uptime } from 'node:os';
import { isDiskFull } from '../../log/index.ts';
import type { Annals } from '../api.ts';
import { writeToSpool } from '../capture/spool/write-to-spool.ts';
import { wait } from '../platform/clock.ts';
import { HttpError } from './http-error.ts';

/** Payloads that come within this time are drained together, and after their answers. */
const GATHER_MS = 20;

export interface HookIntakeOptions {
  readonly annals: Pick<Annals, 'home' | 'drain'>;
  randomBytes(size: number): Uint8Array;
  /** A drain failed; the files wait for the next one. */
  onError(error: unknown): void;
}

export class HookIntake {
  readonly #options: HookIntakeOptions;
  #draining: Promise<void> | null = null;
  #isMoreWaiting = false;
  #isClosed = false;

  constructor(options: HookIntakeOptions) {
    this.#options = options;
  }

  /** The payload is on disk when this returns. @throws HttpError 507, 503 */
  take(agent: string, payload: Uint8Array): void {
    const { annals, randomBytes } = this.#options;
    try {
      writeToSpool({
        home: annals.home,
        agent,
        payload,
        uptime: uptime() * 100,
        processId: process.pid,
        random: Buffer.from(randomBytes(8)).toString('hex'),
      });
    } catch (error) {
      const isFull = isDiskFull(error);
      throw new HttpError(
        isFull ? 507 : 503,
        isFull ? 'DISK_FULL' : 'HOME_UNWRITABLE',
        isFull ? 'The disk is full; the payload was not stored.' : 'The spool cannot be written.',
        { hint: '`annals status` says more.' },
      );
    }
    this.#drain();
  }

  /**
   * Waits for the drain that is running, `ms` at most. Files that are left wait for the next one. A drain that takes longer
   * may find its home closed, which is no error.
   */
  async close(ms: number): Promise<void> {
    if (this.#draining !== null) {
      const late = new AbortController();
      await Promise.race([this.#draining, wait(ms, late.signal).catch(() => {})]);
      late.abort();
    }
    this.#isClosed = true;
  }

  #drain(): void {
    this.#isMoreWaiting = true;
    this.#draining ??= this.#drainAll().finally(() => {
      this.#draining = null;
    });
  }

  async #drainAll(): Promise<void> {
    while (this.#isMoreWaiting && !this.#isClosed) {
      await wait(GATHER_MS);
      this.#isMoreWaiting = false;
      await this.#options.annals.drain().catch((error) => {
        if (!this.#isClosed) this.#options.onError(error);
      });
    }
  }
}
