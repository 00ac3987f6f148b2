// The weights of all parts of a score: every constant of fusion in one place, each with the figures that chose it.
// “LoCoMo” is recall@10 / MRR over 1,982 questions (82.1 / 64.2 now), “known” is hit@1 / MRR of the tuning half of the
// known items, 103 questions, where a difference below 5 is chance (72.8 / 80.2 in the emulation these figures come
// from, 73.8 / 80.7 in the product). Figures on one line differ only in the weight named. Cross-validation (weights
// chosen on nine of LoCoMo's ten conversations, judged on the tenth, in turn) gives the same weights: 81.2 / 62.3 without `answering`, as
// for all ten. Do not change a weight without measuring.
export const WEIGHTS = {
  /** The words' score. */
  words: 0.6,
  /** The meaning's score (vectors). LoCoMo 81.2 / 63.5 at 0, 82.1 / 64.2 at 0.2, 82.2 / 63.9 at 0.5; known 67.0 / 76.3, 72.8 / 79.9, 70.9 / 79.5. */
  meaning: 0.35,
  /** The one agent or project that the query names. LoCoMo 81.1 / 63.1 at 0, 81.5 / 64.0 at 0.1, 82.1 / 64.2 at 0.3. */
  named: 0.2,
  /** Length, up to `LENGTH_TOKENS`. LoCoMo 82.1 / 63.8 at 0, 81.9 / 64.1 at 0.4; known 71.8 / 80.2, 72.8 / 79.9. */
  length: 0.25,
  /** Subtracted from a document that is a question. LoCoMo 81.7 / 62.1 at 0, 82.4 / 64.0 at 0.2, 81.8 / 64.1 at 0.5; known 66.0 / 76.1, 70.9 / 78.8, 72.8 / 80.2. */
  questionPenalty: 0.35,
  /** Words adjacent both in the query and in the document. LoCoMo 82.1 / 64.1 at 0, 82.1 / 64.0 at 0.4; known 69.9 / 78.1, 73.8 / 80.5. */
  bigrams: 0.2,
  /** The share of the query's words that a document holds, by rarity. LoCoMo 82.4 / 64.4 at 0, 81.9 / 64.2 at 0.4; known 68.9 / 78.2, 73.8 / 80.4. */
  termCoverage: 0.2,
  /** The share of the query in the question that the document follows. LoCoMo 81.0 / 62.3 at 0, 81.7 / 63.6 at 0.2, 82.6 / 64.6 at 0.6; known 73.8 / 80.9 at 0 and 0.2, 72.8 / 80.2 at 0.6. */
  answering: 0.4,
  /** The document is of a time that the query names. LoCoMo 80.4 / 62.4 at 0, 81.9 / 63.9 at 0.5, 81.9 / 64.1 at 1.5; sessions @1 / @5 75.3 / 93.6, 78.1 / 94.6, 78.8 / 95.0. */
  time: 1,
} as const;

/** How well a document's session matches the query: together the share `session`. */
export const SESSION_WEIGHTS = {
  /** The words of the whole session. LoCoMo 80.7 / 63.1 at 0, 81.7 / 63.7 at 0.15, 82.2 / 64.2 at 0.45; known 72.8 / 80.9, 72.8 / 80.6, 72.8 / 79.9. */
  words: 0.3,
  /** Its nearest document. LoCoMo 81.4 / 63.9 at 0, 81.9 / 64.0 at 0.15, 82.2 / 63.9 at 0.45; known 70.9 / 79.1, 72.8 / 80.1, 72.8 / 80.2. */
  meaning: 0.3,
} as const;

/**
 * Log odds that the first result is what was asked for (confidence.ts). The weights were learned on the tuning halves of
 * all sets together; each set counts the same, LoCoMo twice. docs/benchmarks.md has the curves.
 */
export const CONFIDENCE = {
  none: -3.3,
  termCoverage: 5.3,
  bigrams: 1.3,
  nearest: 9.5,
  /** Subtracted for the share of the query's terms that no document holds. */
  unknown: 3.2,
  /** Subtracted for each tenfold of documents. */
  tenfold: 1,
  /** Subtracted if the query names an agent and the first result is another agent's. */
  ofAnother: 7.2,
  /** Below this the answer has low confidence. At −1.3 more than 5 % of the right answers among 20 documents are flagged. */
  min: -1.4,
} as const;

/**
 * The weight of a time's words if the first result is of that time: “yesterday” alone says little about the topic.
 * LoCoMo questions without an answer that are flagged while 5 % of the right answers are (tuning): 62 % at 0, 67 % at 0.5, 70 % at 1.
 * If each question without an answer is given such a word, 92, 88 and 81 % of them are flagged among 100 documents.
 */
export const OF_THEN = 0.5;

/** Rarity is computed as if there were this many more documents, and this share of them contained the word. */
export const RARITY_PRIOR = { documents: 300, share: 0.02 } as const;

/** How many of each list are fused; deeper results keep their order below. */
export const DEPTH = 200;

/** The lowest cosine at which a document that no word found is shown. */
export const COSINE_MIN = 0.2;

/** A document of so many tokens gets the whole length share. */
export const LENGTH_TOKENS = 40;

/** BM25 over sessions as documents. */
export const SESSION_BM25 = { k: 1.5, b: 0.8 } as const;

/** How many of the best are read for reranking. */
export const RERANKED_MAX = 50;

/** How long after a time people still report what happened then. LoCoMo's 263 questions with a date, recall@10 / MRR: 85.8 / 61.3 at none, 87.1 / 63.0 at seven days, 86.9 / 63.0 at fourteen. */
export const REACH_MS = 7 * 86_400_000;

/** A longer text before a document does not count as the question it answers. LoCoMo without this limit: 82.1 / 64.1. */
export const QUESTION_LENGTH_MAX = 240;

/** Another part of a turn is listed from this share of the best part's score on. */
export const PART_SHARE_MIN = 0.5;

/** Texts that share this part of their different terms are near-duplicates. */
export const ALIKE_SHARE_MIN = 0.9;

/** Which newer turns count as reports of the current state (present.ts); shares of the best result's score. */
export const PRESENT = {
  /** Matches nearly as well. */
  near: 0.85,
  /** Matches well enough for a decision of the same words. */
  decision: 0.65,
  /** Of longer texts only this many characters are read. */
  charsMax: 4_000,
} as const;
