// What others may use of the vectors.
export { type Columns, rowOf } from './columns.ts';
export type { Embedder } from './embedder.ts';
export type { GraphLibrary, NativeGraph, ScratchFiles } from './graph.ts';
export type { GraphOptions } from './graphs.ts';
export { inputDigest, modelInputOf, SHORT_TOKENS } from './input.ts';
export { packVector, unpackVector } from './packed.ts';
export { averaged } from './recipe.ts';
export { isStaticTable, openStaticTable, openTableFile, STATIC_TABLE } from './static-table.ts';
export { type Near, type SearchedVectors, type VectorAnswer, VectorIndex } from './vector-index.ts';
export { VectorView } from './view.ts';
