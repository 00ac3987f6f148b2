// The weights of all parts of a score: every constant of fusion in one place, each with the figures that chose it.
// “LoCoMo” is recall@10 / MRR over 1,982 questions, “known” hit@1 / MRR of what is shown, over the tuning halves of both
// sets of known items, 155 questions, where a difference below 4 is chance. Do not change a weight without measuring.
//
// The two rows were learned (softmax over the candidates of each question), rounded and checked on what was left out: for
// questions on one half of LoCoMo's conversations and judged on the other, in turn; for keywords six parts of the known items in
// turn. Figures of the one row of before, chosen by hand, and of these, always on what was left out: LoCoMo 82.1 / 64.2 and
// 83.4 / 66.9, known items as keywords 62.1 / 68.9 and 70.8 / 76.7. With one learned row for both forms 82.8 / 65.1 and
// 66.1 / 72.9.
import type { QueryForm } from './query-form.ts';

interface Weights {
  /** The words' score. */
  readonly words: number;
  /** The meaning's score (vectors). */
  readonly meaning: number;
  /** The words of the document's whole session; with the next the share `session`. */
  readonly sessionWords: number;
  /** The nearest document of its session. */
  readonly sessionMeaning: number;
  /** The share of the query's words that a document holds, by rarity. */
  readonly termCoverage: number;
  /** The one agent or project that the query names. */
  readonly named: number;
  /** Length, up to `LENGTH_TOKENS`. */
  readonly length: number;
  /** Subtracted from a document that is a question. */
  readonly questionPenalty: number;
  /** Words adjacent both in the query and in the document. */
  readonly bigrams: number;
  /** How well the query matches the question that the document follows: the share of its words, and its meaning. */
  readonly answering: number;
  /** The document holds the kind of answer that is asked for. LoCoMo without: 82.8 / 65.1, with: 83.0 / 66.2. */
  readonly answerKind: number;
  /** The words' score of the best document at most two places away. LoCoMo without it and the meaning of the question before: 83.2 / 66.2. */
  readonly nearby: number;
  /** The document is of a time that the query names. LoCoMo 80.4 / 62.4 without. */
  readonly time: number;
}

export const WEIGHTS: Readonly<Record<QueryForm, Weights>> = {
  question: {
    words: 0.26,
    meaning: 0.4,
    sessionWords: 0.42,
    sessionMeaning: 0.2,
    termCoverage: 0.52,
    named: 0.27,
    length: 0.3,
    questionPenalty: 0.25,
    bigrams: 0.31,
    answering: 0.31,
    answerKind: 0.45,
    nearby: 0.31,
    time: 1.15,
  },
  keywords: {
    words: 0.6,
    meaning: 0.7,
    sessionWords: 0.17,
    sessionMeaning: 0.26,
    termCoverage: 0.85,
    named: 0.1,
    length: 0.2,
    questionPenalty: 0.65,
    bigrams: 0.83,
    answering: 0,
    answerKind: 0,
    nearby: 0,
    time: 1,
  },
};

/**
 * Log odds that the first result is what was asked for (confidence.ts). The weights were learned on the tuning halves of
 * all sets together; each set counts the same, LoCoMo twice. docs/benchmarks.md has the curves.
 */
export const CONFIDENCE = {
  none: -3.3,
  termCoverage: 5.3,
  bigrams: 1.3,
  nearest: 9.5,
  /** For the lead of the named agent's best result over that of another, beyond `LEAD.expected`. */
  lead: 4,
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
 * The lead that a named agent's best result is expected to have, and what is less or more than any lead that matters. At 0.2
 * LoCoMo's right answers are doubted as often as all others at the same limit. At 5 % doubted (tuning), questions without an answer
 * that are flagged: of another conversation 68 % without a lead, 75 with it; about a mistaken speaker 64 and 69.
 */
export const LEAD = { expected: 0.2, min: -1, max: 0.5 } as const;

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

/**
 * Which newer turns are changes of a short statement (later-changes.ts). Rarities are natural logarithms. Questions for `now` whose newest
 * statement is first, tuning half: of 16 written later 12 with these (0 without following, 6 by words at the beginning alone, 10
 * without them), of 12 others 11, of 13 real ones 11.
 */
export const CHANGES = {
  /** Longer texts are neither statements nor changes. */
  charsMax: 250,
  /** Least rarity in common if the change begins with a word of the older answer. */
  lead: 3,
  /** How many terms are its beginning. */
  leadTerms: 2,
  /** Else the least rarity in common: two rare words. At 7.1 only 9 of the 16 are first, from 5 to 6.5 all 12. */
  rarity: 6,
  /** And their least share of its terms. At 0.2 only 9 of the 16, at 0.1 one of the others is lost. */
  share: 0.15,
  /** The chain's share of what it has most in common with any older statement, with and without a word at its beginning. */
  leadShare: 0.8,
  chainShare: 0.97,
  /** How many changes are followed, how many candidates for each, among how many documents. */
  steps: 4,
  tries: 3,
  depth: 60,
} as const;

/** Which newer turns count as reports of the current state (present.ts); shares of the best result's score. */
export const PRESENT = {
  /** Matches nearly as well. */
  near: 0.85,
  /** Matches well enough for a decision of the same words. */
  decision: 0.65,
  /**
   * A statement of another project matches well enough for its newest change to be the second row. Of the first 50 questions, newest
   * statement within three: 48 up to 0.65, 47 at 0.7, 46 at 0.8; second rows for 201 known items asked for `now`: 15.
   */
  elsewhere: 0.65,
  /** Of longer texts only this many characters are read. */
  charsMax: 4_000,
} as const;
