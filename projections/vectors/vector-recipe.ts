// How a document becomes a vector, and what fusion needs to know about it without reading it. Figures as in
// docs/benchmarks.md: LoCoMo is recall@10 / MRR of vectors alone.
import type { EmbeddedDocument, MemoryDocument } from '../documents/document.ts';
import type { Embedder } from './embedder.ts';
import { inputOf, SHORT_TOKENS } from './embedding-input.ts';
import { decodeVector } from './vector-encoding.ts';

/** Part of every snapshot and digest. Raise it with every change here, in word-pieces.ts, columns.ts or of `fieldText`. */
export const VECTOR_RECIPE_VERSION = 2;

/** A short text's vector is the mean of its own and that of the text with its neighbours. LoCoMo: 59.4 / 38.3 without, 63.2 / 38.5 with. */
const WINDOW_SHARE = 0.5;

/** Tools that only look something up: people rarely search for these uses. */
const LOOKING = /^(?:Grep|Glob|LS|Read|NotebookRead|WebSearch|WebFetch|ToolSearch|Task)$/;

/** The recipe of an embedder's document vectors. */
export function vectorRecipe(embedder: Embedder): string {
  return `${embedder.recipe}/${VECTOR_RECIPE_VERSION}`;
}

/**
 * One vector of length 1 for each document; the zero vector for one without known words. Model vectors come with the
 * documents; a document without one gets the zero vector.
 */
export async function vectorsOf(
  documents: readonly (MemoryDocument | EmbeddedDocument)[],
  embedder: Embedder,
): Promise<readonly Float32Array[]> {
  if (embedder.usesStoredVectors === true)
    return documents.map((document) =>
      decodeVector('vector' in document ? document.vector : undefined, embedder.dim),
    );
  return averaged(documents.map(inputOf), embedder.embed.bind(embedder));
}

/** A vector for each own text, averaged with the vector of its window where it has one. */
export async function averaged(
  inputs: readonly (readonly [own: string, window: string | null])[],
  embed: (texts: readonly string[]) => ReturnType<Embedder['embed']>,
): Promise<readonly Float32Array[]> {
  const windows = inputs.flatMap(([, window]) => (window === null ? [] : [window]));
  const vectors = await embed([...inputs.map(([own]) => own), ...windows]);
  let next = inputs.length;
  return inputs.map(([, window], index) =>
    window === null ? vectors[index]! : between(vectors[index]!, vectors[next++]!),
  );
}

/** Whether a document asks rather than states: a lookup, or a short answer of the agent with a question. */
export function isQuestion({ kind, type, tokens, body }: MemoryDocument): boolean {
  if (kind === 'tool') return type !== null && LOOKING.test(type);
  return kind === 'answer' && tokens < SHORT_TOKENS && body.includes('?');
}

function between(own: Float32Array, window: Float32Array): Float32Array {
  const sum = Float64Array.from(
    own,
    (value, index) => (1 - WINDOW_SHARE) * value + WINDOW_SHARE * window[index]!,
  );
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? own : Float32Array.from(sum, (value) => value / length);
}
