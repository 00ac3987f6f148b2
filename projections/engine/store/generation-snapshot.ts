// A generation as it was at one moment: rows, checkpoint and change feed. Pages that are written meanwhile do not show.
import type { AbstractSnapshot } from 'abstract-level';
import { type GenerationCheckpoint, parseCheckpoint } from '../contract/checkpoint.ts';
import type { ViewReader } from '../contract/projector.ts';
import { type FeedPage, readFeed } from './change-feed.ts';
import { rowReader, rowTexts } from './row-reader.ts';
import { CHECKPOINT_KEY, storedText, storeFailure, type ViewStore } from './view-store.ts';

export class GenerationSnapshot {
  /** The generation's random name. */
  readonly id: string;
  readonly checkpoint: GenerationCheckpoint;
  readonly #store: ViewStore;
  readonly #token: AbstractSnapshot;

  /** @throws AnnalsError VIEW_DAMAGED */
  static async read(id: string, store: ViewStore, token: AbstractSnapshot): Promise<GenerationSnapshot> {
    return new GenerationSnapshot(id, store, token, await guarded(() => readCheckpoint(store, token)));
  }

  private constructor(
    id: string,
    store: ViewStore,
    token: AbstractSnapshot,
    checkpoint: GenerationCheckpoint,
  ) {
    this.id = id;
    this.checkpoint = checkpoint;
    this.#store = store;
    this.#token = token;
  }

  /** The rows of a view. */
  reader(view: string): ViewReader {
    return rowReader(rowTexts(this.#store, view, this.#token), guarded);
  }

  /** Whether the feed still has everything after `seq`. */
  feedReaches(seq: number): boolean {
    return seq >= this.checkpoint.feedFrom - 1 && seq <= this.checkpoint.seq;
  }

  /** The changes of a view after a position that the feed reaches. @throws AnnalsError VIEW_DAMAGED */
  changes(view: string, after: number, limit: number): Promise<FeedPage> {
    const newest = this.checkpoint.seq;
    return guarded(() => readFeed(this.#store, { view, after, limit, newest, snapshot: this.#token }));
  }
}

/** @throws TypeError when there is none */
export async function readCheckpoint(
  store: ViewStore,
  snapshot?: AbstractSnapshot,
): Promise<GenerationCheckpoint> {
  const checkpoint = parseCheckpoint((await storedText(store, CHECKPOINT_KEY, snapshot)) ?? '');
  if (checkpoint === null) throw new TypeError('The store has no valid checkpoint.');
  return checkpoint;
}

async function guarded<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw storeFailure('The views', error);
  }
}
