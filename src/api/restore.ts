// Restoring a home from an export.
import type { Passphrase } from './export.ts';
import type { ViewReport } from './views.ts';

export interface RestoreOptions {
  /** Needed if the export is encrypted. */
  readonly passphrase?: Passphrase;
  /** Default: ANNALS_HOME, else ~/.annals. It must hold no events. */
  readonly home?: string;
  /** As in `OpenOptions`. */
  readonly lockTimeoutMs?: number;
  readonly onProgress?: (step: RestoreStep, done: number, total: number) => void;
}

/** Checking against the manifest, writing into the home, building the views. */
export type RestoreStep = 'checking' | 'writing' | 'replaying';

export interface RestoreReport {
  readonly home: string;
  readonly logId: string;
  readonly events: number;
  readonly blanked: number;
  /** Hex; the chain after the last event. */
  readonly chain: string;
  readonly views: readonly ViewReport[];
  readonly ms: number;
}
