// Importing what other tools remembered: their databases, notes and exports.
import type { EmbedReport } from './embed.ts';
import type { Progress } from './progress.ts';

/** What can be read, as `annals import --from` names it. */
export const MEMORY_SOURCES = [
  'claude-mem',
  'claude-memory',
  'markdown',
  'basic-memory',
  'jsonl',
  'mem0',
  'mcp-memory',
] as const;
export type MemorySource = (typeof MEMORY_SOURCES)[number];

export interface ImportFromOptions {
  /** The project of memories that name neither a folder nor a project. */
  readonly project?: string;
  /** Called now and then with the number of memories read so far. */
  readonly onProgress?: (read: number) => void;
  /** Called afterwards if the settings name a model: documents that have a vector, and all documents. */
  readonly onEmbedded?: Progress;
  /** Stops after the current page; what was appended stays. */
  readonly signal?: AbortSignal;
}

export interface ImportFromReport {
  readonly from: MemorySource;
  /** Databases and files that were read. */
  readonly files: number;
  /** By kind: observation, summary, prompt, note. Kinds that did not occur are absent. */
  readonly kinds: { readonly [kind: string]: ImportedKind };
  /** Over all kinds. */
  readonly appended: number;
  /** What was not imported, as reason → count. */
  readonly skipped: { readonly [reason: string]: number };
  /** The first 100 of them. */
  readonly skippedItems: readonly SkippedMemory[];
  /** Files that could not be read, or only in part; everything else was imported. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  /** The embedding model's report; absent if the settings name no model. */
  readonly vectors?: EmbedReport;
  readonly ms: number;
}

export interface ImportedKind {
  readonly read: number;
  readonly new: number;
  /** Its text is another one than when it was last imported. */
  readonly changed: number;
  readonly unchanged: number;
  /** Forgotten here, so it was not stored again. */
  readonly forgotten: number;
}

export interface SkippedMemory {
  readonly file: string;
  /** Where in the file: `observation 17`, `line 4`. */
  readonly what: string;
  readonly reason: string;
}
