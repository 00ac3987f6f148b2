// What makes a vector of a text. Each embedder, and each way of preparing its texts, has a recipe of its own:
// vectors of different recipes are never compared.

export interface Embedder {
  /** The model's name and the fingerprint of its file. */
  readonly id: string;
  /** Length of every vector. */
  readonly dim: number;
  /** Names all that a vector depends on beside the text: equal recipe and equal text give equal bytes. */
  readonly recipe: string;
  /**
   * True for a model: its vectors of documents were told in the log and stand beside them in `memory`, and nobody
   * asks it again. `embed` is then for what is searched for. Absent for a pure function of the text.
   */
  readonly usesStoredVectors?: true;
  /** A vector of length 1 for each text, in order; the zero vector for a text without words it knows. */
  embed(texts: readonly string[]): readonly Float32Array[] | Promise<readonly Float32Array[]>;
}
