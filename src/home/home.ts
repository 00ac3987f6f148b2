// An open home, as the operations see it.
import type { Log } from '../../log/index.ts';
import type { Runner, TextView, VectorView, ViewReader } from '../../projections/index.ts';
import type { Embedding } from '../embed/embedders/embedding.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import type { RunningImports } from './running-imports.ts';

export interface Home {
  readonly paths: HomePaths;
  readonly log: Log;
  readonly runner: Runner;
  readonly text: TextView;
  readonly vectors: VectorView;
  readonly embedding: Embedding;
  readonly imports: RunningImports;
  readonly views: {
    readonly turns: ViewReader;
    readonly memory: ViewReader;
    readonly projects: ViewReader;
    readonly context: ViewReader;
  };
  /** Whether the settings say that nothing of a folder is kept. */
  excluded(cwd: string): boolean;
  /** What of the settings was not understood. */
  readonly settingsDegraded: readonly string[];
  /** Why nothing may be kept, as the settings could not be read whole; null when all may. See src/config/settings.ts. */
  readonly pausedBecause: string | null;
  /** What came of the spool when the home was opened. */
  readonly drained: Drained;
  /** Why a forgetting that was cut off could not be brought to its end when the home was opened; empty, mostly. */
  readonly unfinished: string[];
  /** Unix ms. */
  now(): number;
}

/** What came of the spool when the home was opened. */
export interface Drained {
  /** One sentence each. */
  readonly problems: string[];
  /** Folders that hooks named. */
  readonly cwds: readonly string[];
  /** Sessions of which a private prompt was told. */
  readonly hidden: readonly string[];
}
