// How the parts of a score weigh: every constant of fusion in one place, each with the figures that chose it.
// Pairs are LoCoMo's recall@10 / MRR over 1,982 questions; single numbers the MRR of the tuning half of the
// known items, 50 questions, where less than 5 is chance. Each figure is of this formula with one weight changed.
// Change nothing here by feeling.
export const WEIGHTS = {
  /** What the words found, least to most. */
  words: 0.6,
  /** How near the meaning is. 0: 77.2 / 57.5, 78.7; 0.2: 78.6 / 58.1; 0.4: 79.1 / 57.7, 81.0; 0.5: 78.6 / 57.8, 80.9. */
  meaning: 0.4,
  /** How well the whole session fits. 0: 75.8 / 56.4, 83.2; 0.15: 78.3 / 57.5, 82.4; 0.3: 79.1 / 57.7, 81.0. */
  session: 0.2,
  /** The one agent or project that the query names. 0: 78.2 / 56.0; 0.1: 78.9 / 57.5; 0.2: 78.9 / 58.1. */
  named: 0.15,
  /** Long enough to say something. 0: 79.0 / 56.9, 79.7; 0.1: 79.0 / 57.4, 81.5; 0.2: 79.1 / 57.7, 81.0. */
  length: 0.1,
  /** Taken off what asks rather than tells. 0: 78.4 / 55.9, 78.7; 0.1: 78.9 / 57.4, 80.6; 0.2: 79.4 / 58.2, 82.1. */
  asking: 0.2,
  /** Words that stand beside each other in the query and in the document. 0: 79.2 / 57.6, 80.4; 0.2: 79.1 / 57.7, 81.0. */
  pairs: 0.2,
} as const;

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
