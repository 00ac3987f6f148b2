// The public surface of the vectors.
export { nameAt } from './columns.ts';
export type { Embedder } from './embedder.ts';
export { inputDigest, modelInputOf, SHORT_TOKENS } from './embedding-input.ts';
export {
  isStaticTable,
  openStaticTable,
  openTableFile,
  STATIC_TABLE,
  type StaticEmbedder,
} from './static-table.ts';
export { type Place, placeOf, type VectorContent } from './vector-content.ts';
export { decodeVector, encodeVector } from './vector-encoding.ts';
export type { GraphLibrary, NativeGraph, ScratchFiles } from './vector-graph.ts';
export type { GraphOptions } from './vector-graphs.ts';
export { type Near, type SearchedVectors, type VectorAnswer, VectorIndex } from './vector-index.ts';
export { averaged } from './vector-recipe.ts';
