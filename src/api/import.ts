// Importing transcripts and exports: options, progress and report.
import type { EmbedReport } from './embed.ts';
import type { Passphrase } from './export.ts';
import type { Progress } from './progress.ts';

export interface ImportOptions {
  /** For encrypted exports among the paths: one passphrase for all. */
  readonly passphrase?: Passphrase;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called, and awaited, once everything read can be found by its words. Vectors are made after that. */
  readonly onSearchable?: (report: ImportReport) => void | Promise<void>;
  /** Projects whose vectors are made, and all projects. */
  readonly onVectors?: (done: number, total: number) => void;
  /** Called afterwards if the settings name a model: documents that have a vector, and all documents. */
  readonly onEmbedded?: Progress;
  /** Stops after the current page or the current project's vectors. What is done stays; the next import does the rest. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly file: string;
}

/**
 * Counts are of the sessions in this run's input, as stored now, whether this run appended them or an earlier one. A copied
 * line counts in the session that owns it.
 */
export interface ImportReport {
  readonly files: number;
  readonly sessions: number;
  readonly prompts: number;
  /** Slash commands; not counted as prompts. */
  readonly commands: number;
  readonly toolUses: number;
  readonly appended: number;
  /** Events that are stored already. */
  readonly duplicates: number;
  /** Events that were forgotten, and stay so. */
  readonly forgotten: number;
  /** Lines that could not be used, over all files. The first 100 are in `parkedLines`, each with its reason. */
  readonly parked: number;
  readonly parkedLines: readonly ParkedLine[];
  /**
   * Lines, subtypes of system lines and attachments of kinds that this version does not know, as name → count over all
   * files. They were skipped, and nothing of them is stored.
   */
  readonly unknown: UnknownKinds;
  /** Texts in a prompt's place that no person wrote, as reason → count over all files. They are not prompts. */
  readonly notPrompts: { readonly [reason: string]: number };
  /** Files or folders that could not be read; the others were imported. */
  readonly unreadable: readonly {
    readonly path: string;
    readonly reason: string;
    /** The state of the machine is the cause, such as too many open files: the file may be read later. */
    readonly temporary?: true;
  }[];
  /** Exports of logs among the paths; absent if there were none. Their segments count as files. */
  readonly exports?: readonly MergedExportReport[];
  /** The embedding model's report; absent if the settings name no model. */
  readonly vectors?: EmbedReport;
  readonly ms: number;
}

export interface UnknownKinds {
  readonly lines: { readonly [name: string]: number };
  readonly subtypes: { readonly [name: string]: number };
  readonly attachments: { readonly [name: string]: number };
}

/** An export that was merged into this log. */
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
  /** Duplicates whose text here differs from the export's; this log's text is kept. */
  readonly differing: number;
  /** Events that had their bodies here and are forgotten now, because the other log forgot them. */
  readonly forgotten: number;
}

export interface ParkedLine {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  readonly reason: string;
}
