// A model that makes vectors: asked by the reactor for documents, and by a search for what is searched for. Between
// both stands the log: what it made of documents is told there, and nobody asks for it again.

export type ModelUse = 'document' | 'query';

export interface ModelAnswer {
  /** One for each text, of length 1, all as long as one another. */
  readonly vectors: readonly Float32Array[];
  /** What the service says it counted; null where it says nothing. */
  readonly tokens: number | null;
}

export interface Model {
  /** How people know it: `minilm`, or a service's model and host. */
  readonly name: string;
  /** The recipe but for the length of its vectors, which a model may only show when it is asked. */
  readonly base: string;
  /** What it takes at once; the characters together. */
  readonly batch: { readonly texts: number; readonly chars: number };
  /** @throws AnnalsError EMBEDDER_FAILED, EMBEDDER_MISSING; whatever aborts the signal */
  embed(texts: readonly string[], use: ModelUse, signal?: AbortSignal): Promise<ModelAnswer>;
  /** Lets go of whatever it holds. It may be asked again afterwards. */
  close(): Promise<void>;
}

export function recipeOf({ base }: Pick<Model, 'base'>, dim: number): string {
  return `${base} ${dim}`;
}

/** At length 1; null for what is no vector: nothing, no numbers, or zeros alone. */
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
