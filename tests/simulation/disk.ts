// What outlives a process: the log, the views, the small files beside them, the spool. In memory, where anything
// may be broken, and as real LevelDB folders, where a few things can.
import type { LogFiles } from '../../log/index.ts';
import type { SwapFiles } from '../../log/rewrite/swap-folders.ts';
import type { GenerationStore, SnapshotFiles } from '../../projections/index.ts';
import type { SpoolFiles } from '../../src/capture/spool/spool-files.ts';
import type { Chance } from '../helpers/chance.ts';
import type { Life } from './life.ts';

/** What goes with a process. */
export interface Loss {
  /** What was not synced, as far back as the last sync or any state between. */
  readonly power: boolean;
  /** The end of the log although it was synced, as by a flipped byte in the write-ahead file. */
  readonly tail: boolean;
}

/** What the disk took although it was there. */
export interface Lost {
  /** The last position that the log still holds; null when it kept its tail. */
  readonly logEndsAt: number | null;
  /** Names of files that hooks had left. */
  readonly spool: readonly string[];
}

export interface Disk {
  /** The folders that hold the log, and how a store in one of them is opened. */
  logFolders(life: Life): SwapFiles;
  /** Folders beside the log that a rewriting left there. */
  nextToLog(): readonly string[];
  /** Every value that files of the log and of the views may still hold, also where it was overwritten. In memory only. */
  residue(): Generator<Buffer | string>;
  generations(life: Life): GenerationStore;
  files(life: Life): LogFiles;
  snapshots(life: Life): SnapshotFiles;
  spoolFiles(life: Life): SpoolFiles;
  /** What a hook does: a process of its own, and not ours to kill. */
  leaveInSpool(name: string, bytes: Buffer, modifiedNs: bigint): void;
  inSpool(): ReadonlySet<string>;
  /** The process is gone; what the next one will find. */
  restart(loss: Loss, luck: Chance): Promise<Lost>;
  /** The run is over. */
  end(): Promise<void>;
}
