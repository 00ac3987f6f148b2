// What stands below an open log, exchanged: its store opened anew after a failed write, or a rewritten copy put in its
// place. Afterwards the end that is found is held against the end as it was known. Nobody reads or writes
// meanwhile: the caller sees to that.

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
  /** What rewriting needs; without it there is never a copy beside the log. */
  readonly swap: SwapFiles | undefined;
  readonly logId: string;
  readonly origin: string;
  readonly isForgotten: CopyRequest['isForgotten'];
  /** Told when the log that was opened is not the one that was known. */
  readonly onDamage: (problem: VerifyProblem) => void;
}

export class StoreExchange {
  readonly #options: StoreExchangeOptions;
  /** Set while there may be a copy of the log beside it that did not take its place. */
  #copying = false;

  constructor(options: StoreExchangeOptions) {
    this.#options = options;
  }

  /** Opens the store anew, where the log stands by then, and returns the end that is found. */
  async reopen(durable: Tail): Promise<Tail> {
    const { store, directory, swap } = this.#options;
    // Before the lock is let go: a copy that stays behind would be older than what is told from now on.
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
   * Puts a copy of everything that stands in the log in its place. After a failure `reopen` puts right what is left.
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

/** A listener's exception is its caller's to hear of, but only when the log stands again. */
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
