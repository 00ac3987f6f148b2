// Exporting the log into a folder, as a backup or to move it.
import type { Progress } from './progress.ts';

export interface ExportOptions {
  /** Encrypts the export. Continuing an encrypted export needs the passphrase it was made with. */
  readonly passphrase?: Passphrase;
  /** Events after this position; in a folder with an export, at most the position where it ends. */
  readonly since?: number;
  /** Events written, and events to write. */
  readonly onProgress?: Progress;
}

export interface ExportReport {
  /** Absolute path. */
  readonly folder: string;
  readonly logId: string;
  /** Positions: the folder now holds the events after `after` up to `head`. */
  readonly after: number;
  readonly head: number;
  /** Events in the folder. */
  readonly events: number;
  /** How many of them this call wrote. */
  readonly written: number;
  /** How many of them are forgotten, so have no body. */
  readonly blanked: number;
  readonly segments: number;
  readonly bytes: number;
  /** Hex; the chain after the last event. */
  readonly chain: string;
  readonly ms: number;
}

/** The passphrase of an encrypted export; a function is called only when one is needed. */
export type Passphrase = string | (() => Promise<string>);
