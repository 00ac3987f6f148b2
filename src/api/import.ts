// Taking in transcripts and exports: what may be asked of it, how far it is, what came of it.
import type { EmbedReport } from './embed.ts';
import type { Passphrase } from './export.ts';
import type { Progress } from './progress.ts';

export interface ImportOptions {
  /** Of the exports among what is named, where they are encrypted: one for all. */
  readonly passphrase?: Passphrase;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called once everything that was read is found by its words, and waited for. Its vectors are made after that. */
  readonly onSearchable?: (report: ImportReport) => void | Promise<void>;
  /** Projects whose vectors are made, of all. */
  readonly onVectors?: (done: number, total: number) => void;
  /** Afterwards, where the settings name a model: documents that have a vector, of all. */
  readonly onEmbedded?: Progress;
  /** Stops after the page, or the project's vectors, under way. What is done stays; the next import makes the rest. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly file: string;
}

/** Counts of this run's input, whether appended now or there before; a copied line counts once. */
export interface ImportReport {
  readonly files: number;
  readonly sessions: number;
  readonly prompts: number;
  /** Slash commands; not among the prompts. */
  readonly commands: number;
  readonly toolUses: number;
  readonly appended: number;
  readonly duplicates: number;
  /** Lines that could not be used, over all files. Each with its reason in `parkedLines` (first 100). */
  readonly parked: number;
  readonly parkedLines: readonly ParkedLine[];
  /**
   * Lines, subtypes of system lines and attachments of kinds that this version does not know, by name and number, over
   * all files. They were passed over, and nothing of them is kept.
   */
  readonly unknown: UnknownKinds;
  /** Texts in a person's place that no person wrote, by reason and number, over all files. They are no prompts. */
  readonly notPrompts: { readonly [reason: string]: number };
  /** Files or folders that could not be read; the others were imported all the same. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  /** Exports of logs among what was named; absent where there was none. Their segments count as files. */
  readonly exports?: readonly MergedExportReport[];
  /** What the embedding model made of it; absent where the settings name none. */
  readonly vectors?: EmbedReport;
  readonly ms: number;
}

export interface UnknownKinds {
  readonly lines: { readonly [name: string]: number };
  readonly subtypes: { readonly [name: string]: number };
  readonly attachments: { readonly [name: string]: number };
}

/** An export that was united with this log. */
export interface MergedExportReport {
  readonly path: string;
  /** The log that it comes from. */
  readonly logId: string;
  /** Positions in that log. */
  readonly after: number;
  readonly head: number;
  readonly events: number;
  readonly appended: number;
  readonly duplicates: number;
  /** Duplicates whose words here are not those of the export; ours stand. */
  readonly differing: number;
  /** Events that stood here whole and are forgotten now, because the other log forgot them. */
  readonly forgotten: number;
}

export interface ParkedLine {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  readonly reason: string;
}
