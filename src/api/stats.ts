// How much is remembered, in total and by project; the project of a folder.
import type { Usage } from '../../log/index.ts';
import type { DocumentKind, ItemCounts } from '../../projections/index.ts';

export interface Stats {
  /** Events in the log. */
  readonly events: number;
  readonly sessions: number;
  readonly turns: number;
  readonly counts: ItemCounts;
  readonly usage: Usage;
  /** What search finds, by kind. */
  readonly documents: Readonly<Record<DocumentKind, number>>;
  /** ISO 8601: the first and the last time in any session; null without one. */
  readonly from: string | null;
  readonly to: string | null;
  readonly projects: readonly ProjectStats[];
}

export interface ProjectStats {
  readonly key: string;
  /** Unique among all projects. */
  readonly name: string;
  readonly workdirs: readonly string[];
  /** Keys of the projects that it is part of, nearest first. */
  readonly parents: readonly string[];
  readonly sessions: number;
  readonly documents: Readonly<Record<DocumentKind, number>>;
  /** ISO 8601; the end of its last session, null if unknown. */
  readonly lastAt: string | null;
}

/** The log by the days (UTC) on which its events happened, oldest first; days without events are left out, and events without a time. */
export interface Growth {
  readonly days: readonly {
    readonly day: string;
    readonly events: number;
    /** Its share of the log on disk. */
    readonly bytes: number;
  }[];
  /** In the log. */
  readonly events: number;
  /** Of these events the figures are made; if they are not all, the figures are estimates. */
  readonly sampled: number;
}

export interface FolderProject {
  readonly name: string;
  /** Names the project in every call that takes one; null if nothing is recorded of it. */
  readonly key: string | null;
}
