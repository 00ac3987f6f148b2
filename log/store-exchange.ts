// Replaces the store below an open log: reopens it after a failed write, or swaps in a rewritten copy. Afterwards the
// end of the log is compared with the known end. The caller must keep all reads and writes out meanwhile.

import { readTail, type Tail } from './format/tail.ts';
import type { VerifyProblem } from './log.ts';
import { chainAt } from './read/read-events.ts';
import { type CopyRequest, copyLog } from './rewrite/copy-log.ts';
import {
  clearSwap,
  discardCopy,
  guarded,
  isLog,
  type OnRewriteStep,
  openAgain,
  type SwapFiles,
  settleSwap,
  swapInCopy,
} from './rewrite/swap-folders.ts';
import { openStore, type Store, storeError } from './store.ts';

export interface StoreExchangeOptions {
  readonly store: Store;
  /** LevelDB's folder. */
  readonly directory: string;
  /** File operations for rewriting; without them there is never a copy beside the log. */
  readonly swap: SwapFiles | undefined;
  readonly logId: string;
  readonly origin: string;
  readonly isForgotten: CopyRequest['isForgotten'];
  /** Called when the reopened log does not match the known one. */
  readonly onDamage: (problem: VerifyProblem) => void;
}

export class StoreExchange {
  readonly #options: StoreExchangeOptions;
  /** Set while there may be an unfinished copy beside the log. */
  #copying = false;

  constructor(options: StoreExchangeOptions) {
    this.#options = options;
  }

  /** Reopens the store and returns the end of the log as found. */
  async reopen(durable: Tail): Promise<Tail> {
    const { store, directory, swap } = this.#options;
    // Before the lock is released: a leftover copy would lack the events appended from now on.
    const isOurs = this.#copying && store.status === 'open';
    if (swap !== undefined && isOurs && (await isLog(directory, swap))) await discardCopy(directory, swap);
    this.#copying = false;
    await store.close();
    if (swap === undefined) await openStore(store);
    else {
      await settleSwap(directory, swap);
      await openAgain(store, directory, swap);
      await clearSwap(store, directory, swap);
    }
    return this.#afterOpening(durable);
  }

  /**
   * Copies the log's current entries and swaps the copy in. After a failure, `reopen` cleans up.
   * @throws AnnalsError LOG_DAMAGED, DISK_FULL, HOME_UNWRITABLE, HOME_LOCKED
   */
  async rewrite(
    durable: Tail,
    swap: SwapFiles,
    { onStep, onProgress }: Pick<CopyRequest, 'onProgress'> & { readonly onStep: OnRewriteStep },
  ): Promise<{ readonly events: number; readonly tail: Tail }> {
    const { store, directory, logId, isForgotten } = this.#options;
    try {
      const events = await guarded(directory, swap, async () => {
        this.#copying = true;
        const copied = await copyLog(
          { store, directory, logId, files: swap, isForgotten, onProgress },
          onStep,
        );
        await swapInCopy(store, directory, swap, onStep);
        this.#copying = false;
        return copied;
      });
      return { events, tail: await this.#afterOpening(durable) };
    } catch (error) {
      throw storeError(error, 'The log could not be rewritten');
    }
  }

  async #afterOpening(durable: Tail): Promise<Tail> {
    const { store, logId, origin, onDamage } = this.#options;
    const tail = await readTail(store, logId, origin);
    const chain = await chainAt(store, logId, Math.min(durable.position, tail.position), tail);
    if (tail.position < durable.position || chain !== durable.chain)
      onDamage({
        kind: 'head',
        position: durable.position,
        message: `log lost its tail: ${tail.position} of ${durable.position}`,
      });
    return tail;
  }
}

/** Delays a listener's exception until the log is open again; then `rethrow` throws it to the caller. */
export function listening(onStep: OnRewriteStep = () => {}): { step: OnRewriteStep; rethrow(): void } {
  let thrown: { readonly error: unknown } | null = null;
  return {
    async step(step) {
      try {
        await onStep(step);
      } catch (error) {
        thrown ??= { error };
      }
    },
    rethrow() {
      if (thrown !== null) throw thrown.error;
    },
  };
}
