// Searching: the options, how the query was understood, the results and their scores.
import type { DocumentKind, ToolOutcome } from '../../projections/index.ts';
import type { ItemMarks } from './act.ts';
import type { AsOfOptions, AsOfReport, SoFarOptions } from './as-of.ts';

/** Each does the same as the operator of its name in the query (`type:decision`); all of them must hold. */
export interface SearchOptions extends AsOfOptions, SoFarOptions {
  readonly project?: string;
  readonly kind?: DocumentKind;
  /** A tool's name, the type of a memory or an observation, or `test` for tool uses that ran tests; case is ignored. */
  readonly type?: string;
  /** A name, a path, or whole segments of one. */
  readonly file?: string;
  readonly concept?: string;
  /** How a tool use ended. */
  readonly outcome?: ToolOutcome;
  /** An agent's name or a prefix of it. */
  readonly agent?: string;
  /** A session's id, or the beginning of it. */
  readonly session?: string;
  /** Unix ms, or anything `Date.parse` takes, or 7d / 12h / 30m ago, or words: yesterday, last tuesday, march 3. */
  readonly since?: string | number;
  readonly until?: string | number;
  /** Default 10, at most 1,000. */
  readonly limit?: number;
  /** Whether each result shows the parts of its score. Default false. */
  readonly explain?: boolean;
}

export interface SearchAnswer {
  /** Best first; newest first if the query has no words. */
  readonly results: readonly SearchResult[];
  readonly query: UnderstoodQuery;
  /** Whether nothing matches the query well; the results are then only the nearest. */
  readonly lowConfidence: boolean;
  /** What could not be done as it should be, one sentence each. */
  readonly degraded: readonly string[];
  /** Present if nothing has a type that was excluded, or nothing was found because nothing has a type, concept or agent: one sentence each. */
  readonly hints?: readonly string[];
  readonly ms: number;
  /** Present if `asOf` was given. */
  readonly asOf?: AsOfReport;
}

export interface SearchResult {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly type: string | null;
  /** How a tool use ended; failed also if tests did and a pipe hid it. Null: the agent did not say, or it is none. */
  readonly outcome: ToolOutcome | null;
  /** Set if an agent saved this memory. */
  readonly author?: 'agent';
  /** Set if a person acted on it. */
  readonly marks?: ItemMarks;
  readonly title: string;
  readonly project: string;
  readonly session: string | null;
  /** ISO 8601; null if the time is unknown. */
  readonly at: string | null;
  /** 0 for a search without words, which ranks nothing. */
  readonly score: number;
  readonly snippet: string;
  /** What was decided in its turn, the one that matches best first. Present if `type:decision` found it for that. */
  readonly decisions?: readonly SearchDecision[];
  readonly tokens: number;
  /** Null for a saved memory. */
  readonly turn: string | null;
  /** The other matching parts of its turn, best first: a turn is one result, shown by its best part. */
  readonly parts: readonly SearchPart[];
  /** Present if this result only asks or announces, and another part of its turn states something. */
  readonly statement?: SearchStatement;
  /** Ids of lower results that say the same and are therefore left out. */
  readonly nearDuplicates: readonly string[];
  /** Only with `explain`; null for results that only words found, beyond the best 200. */
  readonly shares?: SearchShares | null;
}

/** A decision in the words of who stated it. */
export interface SearchDecision {
  /** A person decides, also by accepting a plan or choosing among options in the agent's words. */
  readonly by: 'person' | 'agent';
  readonly text: string;
}

/** A part of a turn that a better part represents. */
export interface SearchPart {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly type: string | null;
}

/** What a part of a turn says about the query. */
export interface SearchStatement extends SearchPart {
  readonly text: string;
}

/** What each part contributes to a score; they add up to it. */
export interface SearchShares {
  /** The words' score. */
  readonly words: number;
  /** How near the meaning is, by vectors. */
  readonly meaning: number;
  /** How well the whole session matches. */
  readonly session: number;
  /** Added for the one agent or project that the query names. */
  readonly named: number;
  /** Added for length, up to a limit. */
  readonly length: number;
  /** Subtracted from a document that is a question. */
  readonly questionPenalty: number;
  /** How many of the query's words the document holds, by rarity. */
  readonly termCoverage: number;
  /** How well the query matches the question that the document follows. */
  readonly answering: number;
  /** The document holds the kind of answer that a question asks for: a time, a number, a reason, a place, a person. */
  readonly answerKind: number;
  /** How well the documents near it in its session match a question. */
  readonly nearby: number;
  /** The document is of a time that the query names. */
  readonly time: number;
  /** Words adjacent both in the query and in the document. */
  readonly bigrams: number;
}

/** How a query was understood, options included. */
export interface UnderstoodQuery {
  /** The words that rank; empty if the newest were listed. */
  readonly text: string;
  readonly phrases: readonly string[];
  /** Words and phrases that must not occur. */
  readonly without: readonly string[];
  readonly conditions: readonly {
    readonly field: string;
    readonly value: string | number;
    /** Whether matching documents are left out. */
    readonly not: boolean;
  }[];
  /** Times that the query's words name, ISO 8601, both ends included; documents of those times move up. */
  readonly times: readonly { readonly first: string; readonly last: string }[];
}
