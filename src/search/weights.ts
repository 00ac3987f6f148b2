// How the parts of a score weigh: every constant of fusion in one place, each with the figures that chose it.
// “LoCoMo” is recall@10 / MRR over 1,982 questions, “known” the MRR of the tuning half of the known items, 50
// questions, where less than 5 is chance. Figures of one line differ in nothing but the weight named.
// Change nothing here by feeling.
export const WEIGHTS = {
  /** What the words found. */
  words: 0.6,
  /** How near the meaning is. LoCoMo 77.2 / 57.5 at 0, 78.6 / 58.1 at 0.2, 79.1 / 57.7 at 0.4, 78.6 / 57.8 at 0.5; known 78.7, 77.1, 81.0, 80.9. */
  meaning: 0.35,
  /** The one agent or project that the query names. LoCoMo 78.2 / 56.0 at 0, 78.9 / 57.5 at 0.1, 78.9 / 58.1 at 0.2. */
  named: 0.2,
  /** Long enough to say something. LoCoMo 78.1 / 58.0 at 0.1, 77.9 / 58.4 at 0.2; known 82.3, 82.8. */
  length: 0.25,
  /** Taken off what asks rather than tells. LoCoMo 78.4 / 55.9 at 0, 78.1 / 58.0 at 0.2, 78.1 / 58.5 at 0.25; known 78.7, 82.3, 82.5. */
  asking: 0.35,
  /** Words that stand beside each other in the query and in the document. LoCoMo 78.6 / 59.0 at 0.2, 78.5 / 58.9 at 0.3; known, 101 questions, 77.4 at 0.2, 80.3 at 0.4. */
  pairs: 0.2,
  /**
   * The share of the query's words that a document holds, by rarity. Known, 101 questions of the tuning half, hit@1
   * and MRR: 68.0 / 77.4 at 0, 70.9 / 79.3 at 0.2, 71.8 / 79.6 at 0.4; LoCoMo 78.6 / 59.0 at 0, 78.4 / 58.9 at 0.2.
   */
  held: 0.2,
  /** The share of the query that a question holds which it follows. */
  answering: 0.4,
  /** That it happened when the query says. */
  time: 1,
} as const;

/** How well its session fits a document's query: together the share `session`. */
export const SESSION = {
  /** The words of the whole session. LoCoMo 77.6 / 57.9 at 0.15, 78.1 / 58.0 at 0.2, 78.7 / 58.4 at 0.3; known 82.7, 82.3, 81.9. */
  words: 0.3,
  /** Its nearest document. LoCoMo 78.6 / 59.0 at 0, 78.9 / 59.3 at 0.2; known, with `held`, hit@1 70.9 and 71.8. */
  meaning: 0.3,
} as const;

/**
 * Where no result's fit (fit.ts) reaches this, the answer says so. Tuning half: the best of ten reaches it for 71 of
 * the 74 questions that were answered rightly at once, and for none of the 14 that have no answer.
 */
export const FIT_MIN = 0.95;

/** Below so many documents how rare a word is says too little to doubt by: right answers of the example's 45 were doubted. */
export const FIT_DOCUMENTS_MIN = 500;

/** How deep each list is taken; what is deeper keeps its order below. */
export const DEPTH = 200;

/** What no word found must be at least this near to be shown. */
export const COSINE_MIN = 0.2;

/** A document of so many tokens has all of the length's share. */
export const LENGTH_TOKENS = 40;

/** BM25 over sessions as documents. */
export const SESSION_BM25 = { k: 1.5, b: 0.8 } as const;

/** How many of the best are read to look for pairs. */
export const READ = 50;

/** How long after a time what happened then is still told of: LoCoMo's 263 questions with a date. */
export const REACH_MS = 7 * 86_400_000;

/** A longer text before a document is no question that it answers. */
export const QUESTION_LENGTH_MAX = 240;

/** Texts that share so much of their different terms say the same. */
export const ALIKE_SHARE_MIN = 0.9;
