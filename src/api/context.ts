// The brief that a session gets when it starts, for the agent and for the person.
import type { AsOfOptions, AsOfReport } from './as-of.ts';

/** How a session starts, in the agents' own terms. */
export const CONTEXT_OCCASIONS = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;
export type SessionStartKind = (typeof CONTEXT_OCCASIONS)[number];

export interface ContextOptions extends AsOfOptions {
  /** A project by name, key or folder; default: the project of `cwd`. */
  readonly project?: string;
  /** Default: this process's working folder. */
  readonly cwd?: string;
  /** Default startup. */
  readonly kind?: SessionStartKind;
  /** The session that continues, by its id or the beginning of it: for resume, compact and fork. */
  readonly session?: string;
  /** The session asks as it starts: `session` is its full id, and may not be in the log yet. */
  readonly isStarting?: boolean;
  /** agent: plain text in one tag, at most 9,000 characters. person: lines for a terminal. both: the two in one answer. Default agent. */
  readonly form?: 'agent' | 'person' | 'both';
  /** For the person's form: cells per line, default 100; colour, default true. */
  readonly width?: number;
  readonly color?: boolean;
}

/** What the record of an injection holds of an item. */
export interface InjectedItem {
  readonly id: string;
  /** Some of the events that it was made from: enough to find it again when the rules have changed. */
  readonly events: readonly string[];
  /** Files and commands that the text names for this item. */
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

export interface ContextAnswer {
  /** If there is nothing to tell: empty for an agent, one line of welcome for a person. */
  readonly text: string;
  /** Only with `form: 'both'`: the person's form, while `text` is the agent's. */
  readonly personText?: string;
  /** Only with `form: 'both'`: lines that the agent's form has no room for. */
  readonly leftOut?: readonly {
    readonly section: string;
    readonly id: string | null;
    readonly text: string;
  }[];
  /** Estimated tokens of the agent's form: characters / 4, rounded up. */
  readonly tokens: number;
  readonly project: string;
  /** What the agent's form shows. */
  readonly items: readonly InjectedItem[];
  readonly degraded: readonly string[];
  /** Why nothing is recorded at the moment: the settings cannot be fully read. Null if recording works. */
  readonly pausedBecause: string | null;
  readonly asOf?: AsOfReport;
}
