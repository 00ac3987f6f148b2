// Named collections of memories, and questions to them.

export interface BuildCorpusOptions {
  /** Words and operators, as in a search; without `kind:`, observations, summaries and memories. Default: as it was built last. */
  readonly query?: string;
  /** At most so many members; default: as it was built last, else 200. At most 500. */
  readonly limit?: number;
}

export interface CorpusInfo {
  readonly name: string;
  readonly query: string;
  readonly limit: number;
  /** ISO 8601. */
  readonly builtAt: string | null;
  /** How many items the query found when it was built. */
  readonly matched: number;
  /** Items in it now, and those that are gone since: forgotten, or now under another id. */
  readonly members: number;
  readonly gone: number;
  /** Of its text, as a model reads it. */
  readonly bytes: number;
  /** Requests to a model since it was built, and what they cost. */
  readonly questions: number;
  readonly usd: number;
}

export interface CorpusItem {
  readonly id: string;
  readonly kind: string;
  readonly type: string | null;
  readonly title: string;
  readonly project: string;
  /** ISO 8601. */
  readonly at: string | null;
}

export interface ShownCorpus extends CorpusInfo {
  /** In the order of the text. */
  readonly items: readonly CorpusItem[];
  readonly text: string;
}

export interface CorpusPassage extends CorpusItem {
  readonly text: string;
}

export interface AskCorpusOptions {
  /** Of the service of the settings; default: that of the settings. */
  readonly model?: string;
}

export interface CorpusAnswer {
  readonly corpus: string;
  readonly question: string;
  /**
   * answered; no-answer: the model says that the corpus holds none; passages: no model answered, `degraded` says why, and
   * `passages` are those that fit the question best.
   */
  readonly outcome: 'answered' | 'no-answer' | 'passages';
  /** Ids in it that are not in the corpus are marked so. */
  readonly answer: string | null;
  /** What the answer cites, in its order. Empty: nothing shows that it comes from the corpus. */
  readonly citations: readonly CorpusItem[];
  /** What the answer cites and is not in the corpus. */
  readonly refused: readonly string[];
  /** Best first. */
  readonly passages: readonly CorpusPassage[];
  readonly recipe: string | null;
  readonly model: string | null;
  readonly usd: number;
  /** The same was asked before: the answer comes from the log. */
  readonly repeated: boolean;
  /** One sentence each. */
  readonly degraded: readonly string[];
}
