// An open home: the parts that every feature works with.
import type { Log } from '../../log/index.ts';
import type { Runner, TextView, VectorView, ViewReader, ViewReaders } from '../../projections/index.ts';
import type { Embedding } from '../embed/embedders/embedding.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import type { HomeNotice } from './home-notice.ts';
import type { NamedProjectIndex } from './home-projects.ts';
import type { HomeState, RunningImports } from './home-state.ts';
import type { PrivateWork } from './private-work.ts';

/** What queries need. */
export interface ReadHome {
  readonly readers: ViewReaders;
  readonly text: TextView;
  readonly vectors: VectorView;
  readonly embedding: Embedding;
  readonly views: {
    readonly turns: ViewReader;
    readonly memory: ViewReader;
    readonly projects: ViewReader;
    readonly context: ViewReader;
    readonly receipts: ViewReader;
  };
  /** Why recording is paused: the settings could not be fully read. Null if it is not. See src/config/settings.ts. */
  readonly pausedBecause: string | null;
  /** Whether the settings exclude a folder, so that nothing of it is recorded. null: a folder that is not known may be excluded. */
  excluded(folder: string | null): boolean;
  state(): HomeState;
  /** Makes the indexes of these projects ready, if another thread builds them. */
  prepare?(projects: readonly NamedProjectIndex[]): Promise<void>;
  /** Unix ms. */
  now(): number;
}

export interface Home extends ReadHome {
  readonly paths: HomePaths;
  readonly log: Log;
  readonly runner: Runner;
  readonly imports: RunningImports;
  readonly privateWork: PrivateWork;
  /** Of the observer. */
  readonly notice: HomeNotice;
  /** The result of the last drain of the spool. */
  readonly drained: Drained;
  /** Why an interrupted forgetting could not be finished when the home was opened; usually empty. */
  readonly unfinished: string[];
}

/** The result of the last drain of the spool. */
export interface Drained {
  /** One sentence each. */
  problems: string[];
  /** Folders that hooks named. */
  cwds: readonly string[];
}
