// The interface of a model that makes vectors: the embedding run calls it for documents, a search for its query. Vectors
// of documents are stored in the log, so each is requested only once.

export type ModelUse = 'document' | 'query';

export interface ModelAnswer {
  /** One per text, of length 1, all with the same number of dimensions. */
  readonly vectors: readonly Float32Array[];
  /** The token count reported by the service; null if it reports none. */
  readonly tokens: number | null;
}

export interface Model {
  /** Display name: `minilm`, or a service's model and host. */
  readonly name: string;
  /** The recipe without the dimensions, which may be known only after the first answer. */
  readonly base: string;
  /** How much one call may hold; `chars` is the total. */
  readonly batch: { readonly texts: number; readonly chars: number };
  /** @throws AnnalsError EMBEDDER_FAILED, EMBEDDER_MISSING; the signal's reason if aborted */
  embed(texts: readonly string[], use: ModelUse, signal?: AbortSignal): Promise<ModelAnswer>;
  /** Releases its resources. It may be called again afterwards. */
  close(): Promise<void>;
}

export function recipeOf({ base }: Pick<Model, 'base'>, dim: number): string {
  return `${base} ${dim}`;
}

/** Scaled to length 1; null for anything that is not a vector: empty, not numbers, or only zeros. */
export function unitVector(values: unknown): Float32Array | null {
  if (!Array.isArray(values) && !(values instanceof Float32Array)) return null;
  let squares = 0;
  for (const value of values as ArrayLike<unknown> & Iterable<unknown>) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return null;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) return null;
  return Float32Array.from(values as ArrayLike<number>, (value) => value / length);
}
