// What the two threads of a home ask of each other, besides the calls of `Annals`.
import type { FeedPosition, StoreHolder } from '../../projections/index.ts';
import type { OpenOptions } from '../api.ts';
import type { NamedProjectIndex } from '../home/home-projects.ts';
import type { HomeState } from '../home/home-state.ts';

/** What the thread that writes offers. */
export type WriterCalls = {
  /** Opens the home; then `Annals` is served. */
  open(options: Omit<OpenOptions, 'onWait' | 'thread'>): Promise<HomeState>;
  /** Brings the views up to the log, or up to what queries must see while an import runs. */
  catchUp(): Promise<void>;
  /** Closes the home. Calls that still run stop at a page. */
  close(): Promise<void>;
  /** Builds the indexes of projects and saves them. */
  store(index: 'text' | 'vectors', projects: readonly NamedProjectIndex[]): Promise<void>;
};

/** What the thread that reads offers. */
export type ReaderCalls = {
  [Name in keyof StoreHolder]: StoreHolder[Name];
} & {
  /** Sent before the answer of the call that changed it. Returns the positions of the indexes in the change feed. */
  changed(state: HomeState): readonly FeedPosition[];
  waitsForLock(): void;
};

export const CHANNELS = ['annals', 'home'] as const;
