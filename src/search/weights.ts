// How the parts of a score weigh: every constant of fusion in one place, each with the figures that chose it.
// “LoCoMo” is recall@10 / MRR over 1,982 questions, “known” the MRR of the tuning half of the known items, 50
// questions, where less than 5 is chance. Figures of one line differ in nothing but the weight named.
// Change nothing here by feeling.
export const WEIGHTS = {
  /** What the words found. */
  words: 0.6,
  /** How near the meaning is. LoCoMo 77.2 / 57.5 at 0, 78.6 / 58.1 at 0.2, 79.1 / 57.7 at 0.4, 78.6 / 57.8 at 0.5; known 78.7, 77.1, 81.0, 80.9. */
  meaning: 0.4,
  /** How well the whole session fits. LoCoMo 77.6 / 57.9 at 0.15, 78.1 / 58.0 at 0.2, 78.7 / 58.4 at 0.3; known 82.7, 82.3, 81.9. */
  session: 0.3,
  /** The one agent or project that the query names. LoCoMo 78.2 / 56.0 at 0, 78.9 / 57.5 at 0.1, 78.9 / 58.1 at 0.2. */
  named: 0.15,
  /** Long enough to say something. LoCoMo 78.1 / 58.0 at 0.1, 77.9 / 58.4 at 0.2; known 82.3, 82.8. */
  length: 0.2,
  /** Taken off what asks rather than tells. LoCoMo 78.4 / 55.9 at 0, 78.1 / 58.0 at 0.2, 78.1 / 58.5 at 0.25; known 78.7, 82.3, 82.5. */
  asking: 0.25,
  /** Words that stand beside each other in the query and in the document. LoCoMo 78.0 / 57.9 at 0.1, 78.1 / 58.0 at 0.2; known 81.4, 82.3. */
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
