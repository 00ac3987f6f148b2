// A document is what search finds: one prompt, answer, tool use, saved memory, observation, summary or imported memory. The `memory`
// view makes them. An index reads nothing else, so a document also holds what an index needs from its neighbours.

/** How the tests that a tool use ran ended; unknown: neither its status nor the runner’s summary says. */
export type RanTests = 'passed' | 'failed' | 'unknown';

/** How a tool use ended. */
export type ToolOutcome = 'ok' | 'failed' | 'cancelled';

export type DocumentKind = 'prompt' | 'answer' | 'tool' | 'memory' | 'observation' | 'summary' | 'imported';

/** Type of an answer that is the agent's own recap of its session. */
export const RECAP = 'recap';
/** Type of an answer that is the agent's own summary of its session, made when the session was compacted. */
export const COMPACTION = 'compaction';

export interface RanCommands {
  /** By program and task: `npm run build`. */
  readonly calls: readonly string[];
  /** Set if the only one failed. A tool use that failed in another way has no calls. */
  readonly failed?: FailedRun;
}

export interface FailedRun {
  /** In one line, with its folder: "npm run build (in website)". */
  readonly command: string;
  /** The decisive line; null when it printed none. */
  readonly error: string | null;
}

export interface MemoryDocument {
  /** `<kind letter>-<12 base32 letters>`, a hash of the dedupe key: the same on every machine. */
  readonly id: string;
  readonly kind: DocumentKind;
  /**
   * The type of a saved or imported memory or of an observation, a tool's name, `recap` for an answer that is the agent's own recap,
   * `compaction` for its summary, `plan` for an accepted plan; else null.
   */
  readonly type: string | null;
  readonly title: string;
  readonly body: string;
  /** Paths as the agent wrote them, at most 50. */
  readonly files: readonly string[];
  /** Labels of a saved memory or an observation; empty for everything else. */
  readonly concepts: readonly string[];
  /** Titles of the documents before and after it in its turn. */
  readonly neighbours: readonly string[];
  /** Before project resolution: the cwd of the session's first line, or `project:<name>` for a memory that names only a project. */
  readonly workdir: string;
  readonly agent: string;
  readonly session: string | null;
  /** The turn's id; null for a saved or imported memory. */
  readonly turn: string | null;
  readonly agentId: string | null;
  /** When it happened, Unix ms; null when unknown. */
  readonly at: number | null;
  /** Order within its group, compared as strings. */
  readonly order: string;
  /** Cost of reading it: characters / 4, rounded up. */
  readonly tokens: number;
  /** Of a tool use; null for everything else, and while it runs. */
  readonly outcome: ToolOutcome | null;
  /** Set for a tool use that ran tests: `type:test` finds it, and `outcome:failed` if they failed, whatever its status. */
  readonly tests?: RanTests;
  /** Of a tool use that ran shell commands and ended. */
  readonly ran?: RanCommands;
  /** The events it was made from, sorted. */
  readonly events: readonly string[];
  /**
   * Set if something was decided in the turn of this observation, whatever its type: `type:decision` finds it. As in its
   * evidence: those of the person begin with `The person: `.
   */
  readonly decisions?: readonly string[];
  /** Set if an agent saved this memory. */
  readonly author?: 'agent';
  /** Set if a person acted on it. An edited text is in `title` and `body`. */
  readonly marks?: Marks;
}

/** A document as an index of model vectors reads it. */
export interface EmbeddedDocument extends MemoryDocument {
  /** Encoded by `encodeVector`; undefined when no vector matches the text. */
  readonly vector: string | undefined;
}

/** What a person's acts made of a document. */
export interface Marks {
  /** Ids of the events of all acts on this item, also of those taken back; sorted. */
  readonly acts: readonly string[];
  /** Times are Unix ms, null if unknown. */
  readonly pinned?: { readonly at: number | null };
  /** The person's words; `own`: those that the person replaced. */
  readonly edited?: Words & { readonly at: number | null; readonly own: Words };
  /** `by`: what holds instead, as it was called then; null for nothing. */
  readonly superseded?: {
    readonly at: number | null;
    readonly by: { readonly id: string; readonly title: string } | null;
  };
}

export interface Words {
  readonly title: string;
  readonly body: string;
}
