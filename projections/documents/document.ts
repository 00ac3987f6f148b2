// A document is what search finds: one prompt, one answer, one tool use, one saved memory, one observation or summary.
// The `memory` view makes them; the text index indexes them and never looks beside itself, so everything an
// index needs of the neighbours is part of the document.

export type DocumentKind = 'prompt' | 'answer' | 'tool' | 'memory' | 'observation' | 'summary';

/** Type of the answer that is the agent's own recap of its session. */
export const RECAP = 'recap';

export interface MemoryDocument {
  /** `<kind letter>-<12 base32 letters>`, a hash of the fact: the same on every machine. */
  readonly id: string;
  readonly kind: DocumentKind;
  /**
   * A saved memory's or an observation's type, a tool's name, `recap` for an answer that is the agent's own recap, `plan`
   * for an accepted plan; else null.
   */
  readonly type: string | null;
  readonly title: string;
  readonly body: string;
  /** Paths as the agent wrote them, at most 50. */
  readonly files: readonly string[];
  /** What a saved memory or an observation was marked with; empty for everything else. */
  readonly concepts: readonly string[];
  /** Titles of the documents before and after it in its turn. */
  readonly neighbours: readonly string[];
  /** Where it belongs before project resolution: the cwd of the session's first line, or `project:<name>` for a saved memory with a project. */
  readonly workdir: string;
  readonly agent: string;
  readonly session: string | null;
  /** The turn's id; null for a saved memory. */
  readonly turn: string | null;
  readonly agentId: string | null;
  /** When it happened, Unix ms; null when nobody said. */
  readonly at: number | null;
  /** Order within its group, compared as strings. */
  readonly order: string;
  /** What reading it costs: characters / 4, rounded up. */
  readonly tokens: number;
  /** ok, failed, cancelled for a tool use; null otherwise. */
  readonly outcome: 'ok' | 'failed' | 'cancelled' | null;
  /** The events it was made from, sorted. */
  readonly events: readonly string[];
}

/** A document as an index of a model's vectors reads it. */
export interface EmbeddedDocument extends MemoryDocument {
  /** As `packVector` makes it; undefined where none fits the text. */
  readonly vector: string | undefined;
}
