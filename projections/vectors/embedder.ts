// The interface that turns texts into vectors. Each embedder, and each way of preparing its texts, has its own recipe.
// Vectors of different recipes are never compared.

export interface Embedder {
  /** The model's name and the fingerprint of its file. */
  readonly id: string;
  /** Length of every vector. */
  readonly dim: number;
  /** Identifies everything a vector depends on besides the text: equal recipe and equal text give equal bytes. */
  readonly recipe: string;
  /**
   * True for a model: its document vectors are events in the log and rows of `memory`, and `embed` is called for queries
   * only. Absent when the embedder is a pure function of the text.
   */
  readonly usesStoredVectors?: true;
  /**
   * A vector of length 1 for each text, in order; the zero vector for a text without known words.
   * @param onProblem is told in a sentence why a model gave no vectors; all are zero vectors then
   */
  embed(
    texts: readonly string[],
    onProblem?: (sentence: string) => void,
  ): readonly Float32Array[] | Promise<readonly Float32Array[]>;
}
