// An open home: the parts that every feature works with.
import type { Log } from '../../log/index.ts';
import type { Runner, TextView, VectorView, ViewReader } from '../../projections/index.ts';
import type { Embedding } from '../embed/embedders/embedding.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import type { PrivateWork } from './private-work.ts';
import type { RunningImports } from './running-imports.ts';

export interface Home {
  readonly paths: HomePaths;
  readonly log: Log;
  readonly runner: Runner;
  readonly text: TextView;
  readonly vectors: VectorView;
  readonly embedding: Embedding;
  readonly imports: RunningImports;
  readonly privateWork: PrivateWork;
  readonly views: {
    readonly turns: ViewReader;
    readonly memory: ViewReader;
    readonly projects: ViewReader;
    readonly context: ViewReader;
  };
  /** Whether the settings exclude a folder, so that nothing of it is recorded. */
  excluded(cwd: string): boolean;
  /** Problems with the settings, one sentence each. */
  readonly settingsDegraded: readonly string[];
  /** Why recording is paused: the settings could not be fully read. Null if it is not. See src/config/settings.ts. */
  readonly pausedBecause: string | null;
  /** The result of the last drain of the spool. */
  readonly drained: Drained;
  /** Why an interrupted forgetting could not be finished when the home was opened; usually empty. */
  readonly unfinished: string[];
  /** Unix ms. */
  now(): number;
}

/** The result of the last drain of the spool. */
export interface Drained {
  /** One sentence each. */
  problems: string[];
  /** Folders that hooks named. */
  cwds: readonly string[];
}
