// What others may use of the vectors.
export type { Columns } from './columns.ts';
export type { Embedder } from './embedder.ts';
export { inputDigest, modelInputOf, SHORT_TOKENS } from './input.ts';
export { packVector, unpackVector } from './packed.ts';
export { averaged } from './recipe.ts';
export { isStaticTable, openStaticTable, openTableFile, STATIC_TABLE } from './static-table.ts';
export { type SearchedVectors, type VectorAnswer, VectorIndex } from './vector-index.ts';
export { VectorView } from './view.ts';
