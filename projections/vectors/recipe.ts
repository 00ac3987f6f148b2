// What of a document becomes its vector, and what fusion has to know of it without reading it. Figures as in
// docs/benchmarks.md: LoCoMo is recall@10 / MRR of vectors alone.
import type { MemoryDocument } from '../memory/document.ts';
import { fieldText } from '../text-index/recipe.ts';
import type { Embedder } from './embedder.ts';

/** Part of every snapshot and digest; raised with every change here, in word-pieces.ts or columns.ts. */
export const VECTOR_RECIPE_VERSION = 1;

/** Below so many tokens a text says too little by itself: “Yes, do that.” */
export const SHORT_TOKENS = 60;
/** A short text's vector is half its own, half that of it between its neighbours. LoCoMo: 59.4 / 38.3 without, 63.2 / 38.5 with. */
const WINDOW_SHARE = 0.5;

/** Tools that look for something and change nothing: that somebody looked is seldom what is looked for. */
const LOOKING = /^(?:Grep|Glob|LS|Read|NotebookRead|WebSearch|WebFetch|ToolSearch|Task)$/;

/** The recipe of the vectors that an embedder makes of documents. */
export function vectorRecipe(embedder: Embedder): string {
  return `${embedder.recipe}/${VECTOR_RECIPE_VERSION}`;
}

/** One vector of length 1 for each document; the zero vector for one without known words. */
export async function vectorsOf(
  documents: readonly MemoryDocument[],
  embedder: Embedder,
): Promise<readonly Float32Array[]> {
  const texts = documents.map(textOf);
  const short = documents.flatMap((document, index) =>
    document.tokens < SHORT_TOKENS && document.neighbours.length > 0 ? [index] : [],
  );
  const windows = short.map((index) => [texts[index]!, ...documents[index]!.neighbours].join('\n'));
  const vectors = await embedder.embed([...texts, ...windows]);
  const made = vectors.slice(0, texts.length);
  short.forEach((index, place) => {
    made[index] = between(made[index]!, vectors[texts.length + place]!);
  });
  return made;
}

/** Whether a document asks rather than tells: a look around, or a short question that is not the person's own. */
export function asks({ kind, type, tokens, body }: MemoryDocument): boolean {
  if (kind === 'tool') return type !== null && LOOKING.test(type);
  return kind === 'answer' && tokens < SHORT_TOKENS && body.includes('?');
}

function textOf(document: MemoryDocument): string {
  return `${document.title}\n${fieldText(document, 'body')}`;
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
