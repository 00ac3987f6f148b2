// Everything that outlives a process: the log, the views, the small files, the spool. In memory, where anything
// can be broken, or as real LevelDB folders, where a few things can.
import type { LogFiles } from '../../log/index.ts';
import type { SwapFiles } from '../../log/rewrite/swap-folders.ts';
import type { GenerationStore, SnapshotFiles } from '../../projections/index.ts';
import type { SpoolFiles } from '../../src/capture/spool/spool-files.ts';
import type { Chance } from '../helpers/chance.ts';
import type { Life } from './life.ts';

/** What is lost with a process. */
export interface Loss {
  /** Unsynced writes, back to the last sync or any later state. */
  readonly power: boolean;
  /** The end of the log although it was synced, as by a flipped byte in the write-ahead file. */
  readonly tail: boolean;
}

/** What the disk lost although it was there. */
export interface Lost {
  /** The last position that is still in the log; null when the log kept its tail. */
  readonly logEndsAt: number | null;
  /** Names of lost hook files. */
  readonly spool: readonly string[];
}

export interface Disk {
  /** The folders of the log, and how a store in one of them is opened. */
  logFolders(life: Life): SwapFiles;
  /** Folders that a rewrite left beside the log. */
  nextToLog(): readonly string[];
  /** Every value that files of the log and of the views may still contain, including overwritten ones. In memory only. */
  residue(): Generator<Buffer | string>;
  generations(life: Life): GenerationStore;
  files(life: Life): LogFiles;
  snapshots(life: Life): SnapshotFiles;
  spoolFiles(life: Life): SpoolFiles;
  /** Writes a hook file. Hooks are separate processes, which a run does not kill. */
  leaveInSpool(name: string, bytes: Buffer, modifiedNs: bigint): void;
  inSpool(): ReadonlySet<string>;
  /** The process has died; applies what the next one will find. */
  restart(loss: Loss, luck: Chance): Promise<Lost>;
  /** The run has ended. */
  end(): Promise<void>;
}
