// What a session of a project is told when it begins, for the agent and for the person.
import type { AsOfOptions, AsOfReport } from './as-of.ts';

/** How a session begins, as agents say it. */
export const CONTEXT_OCCASIONS = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;
export type SessionStartKind = (typeof CONTEXT_OCCASIONS)[number];

export interface ContextOptions extends AsOfOptions {
  /** By name, key or folder; else the project of `cwd`. */
  readonly project?: string;
  /** Default: this process's. */
  readonly cwd?: string;
  /** Default startup. */
  readonly kind?: SessionStartKind;
  /** The session that goes on, whole id: for resume, compact and fork. */
  readonly session?: string;
  /** agent: plain text in one tag, at most 9,000 characters. person: lines for a terminal. both: one beside the other. Default agent. */
  readonly form?: 'agent' | 'person' | 'both';
  /** Ages are told relative to this, Unix ms; default now. */
  readonly now?: number;
  /** Of the person's form: cells in a line, default 100; colour, default true. */
  readonly width?: number;
  readonly color?: boolean;
}

export interface ContextAnswer {
  /** Empty for an agent when nothing is known; one line of welcome for a person. */
  readonly text: string;
  /** Only of `form: 'both'`, where `text` is the agent's: the person's. */
  readonly personText?: string;
  /** What reading the agent's form costs: characters / 4, rounded up. */
  readonly tokens: number;
  readonly project: string;
  readonly degraded: readonly string[];
  /** Why nothing is kept at the moment: the settings cannot be read whole. Null when all is. */
  readonly pausedBecause: string | null;
  readonly asOf?: AsOfReport;
}
