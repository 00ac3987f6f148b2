// Searching: what is asked, how it was understood, what was found and why it stands where it stands.
import type { DocumentKind } from '../../projections/index.ts';
import type { AsOfOptions, AsOfReport } from './as-of.ts';

/** Each does the same as the operator of its name in the query (`type:decision`); all of them must hold. */
export interface SearchOptions extends AsOfOptions {
  readonly project?: string;
  readonly kind?: DocumentKind;
  /** A tool's name, or what a memory or an observation is; without case. */
  readonly type?: string;
  /** A name, a path, or whole segments of one. */
  readonly file?: string;
  readonly concept?: string;
  /** Whose it is, or the beginning of that. */
  readonly agent?: string;
  readonly session?: string;
  /** Unix ms, or anything `Date.parse` takes, or 7d / 12h / 30m ago, or words: yesterday, last tuesday, march 3. */
  readonly since?: string | number;
  readonly until?: string | number;
  /** Default 10, at most 1,000. */
  readonly limit?: number;
  /** Whether each result says what its score is made of. Default false. */
  readonly explain?: boolean;
}

export interface SearchAnswer {
  /** The best first; without words the newest first. */
  readonly results: readonly SearchResult[];
  readonly query: UnderstoodQuery;
  /** Whether nothing found fits the query well: then the results are only the nearest there are. */
  readonly lowConfidence: boolean;
  /** What could not be done as it should, one sentence each. */
  readonly degraded: readonly string[];
  readonly ms: number;
  /** Where the past was asked. */
  readonly asOf?: AsOfReport;
}

export interface SearchResult {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly type: string | null;
  readonly title: string;
  readonly project: string;
  readonly session: string | null;
  /** ISO 8601, null when nobody said when. */
  readonly at: string | null;
  /** 0 where nothing ranks: of a search without words. */
  readonly score: number;
  readonly snippet: string;
  readonly tokens: number;
  /** Null for a saved memory. */
  readonly turn: string | null;
  /** The other parts of its turn that fit, best first: a turn is one result, shown by its best part. */
  readonly parts: readonly SearchPart[];
  /** Ids of worse results that say the same, and are left out for it. */
  readonly nearDuplicates: readonly string[];
  /** With `explain`; null for what words alone found, beyond the 200 best. */
  readonly shares?: SearchShares | null;
}

/** A part of a turn that is shown by a better one. */
export interface SearchPart {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly type: string | null;
}

/** What each part gave to a score; they add up to it. */
export interface SearchShares {
  /** What the words found. */
  readonly words: number;
  /** How near the meaning is, by vectors. */
  readonly meaning: number;
  /** How well the whole session fits. */
  readonly session: number;
  /** The one agent or project that the query names. */
  readonly named: number;
  /** Long enough to say something. */
  readonly length: number;
  /** Taken off what asks rather than tells. */
  readonly questionPenalty: number;
  /** How many of the query's words it holds, by rarity. */
  readonly termCoverage: number;
  /** How much of the query a question holds that it follows. */
  readonly answering: number;
  /** That it happened when the query says. */
  readonly time: number;
  /** Words beside each other in the query and in the text. */
  readonly bigrams: number;
}

/** How a query was understood, options included. */
export interface UnderstoodQuery {
  /** The words that rank; empty where the newest were listed. */
  readonly text: string;
  readonly phrases: readonly string[];
  /** Words and phrases that must not stand there. */
  readonly without: readonly string[];
  readonly conditions: readonly {
    readonly field: string;
    readonly value: string | number;
    /** Whether what it describes is left out. */
    readonly not: boolean;
  }[];
  /** Times that its words name, ISO 8601, both included: what happened then moves up. */
  readonly times: readonly { readonly first: string; readonly last: string }[];
}
