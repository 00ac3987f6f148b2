// Writing the log into a folder, to be kept, carried or restored.
import type { Progress } from './progress.ts';

export interface ExportOptions {
  /** Encrypts the export under it. An export that is encrypted is continued under the one it was made with. */
  readonly passphrase?: Passphrase;
  /** Events after this position; in a folder that holds an export already, never later than where that ends. */
  readonly since?: number;
  /** Events done of all that are to be written. */
  readonly onProgress?: Progress;
}

export interface ExportReport {
  /** Absolute. */
  readonly folder: string;
  readonly logId: string;
  /** Positions: the folder now holds the events after the one, up to the other. */
  readonly after: number;
  readonly head: number;
  /** Events in the folder. */
  readonly events: number;
  /** Of them: written by this call. */
  readonly written: number;
  /** Of them: forgotten, so without their bodies. */
  readonly blanked: number;
  readonly segments: number;
  readonly bytes: number;
  /** Hex, after the last event. */
  readonly chain: string;
  readonly ms: number;
}

/** Of an encrypted export; a function is asked only where one is needed. */
export type Passphrase = string | (() => Promise<string>);
