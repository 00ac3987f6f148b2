// What others may use of the vectors.
export type { Columns } from './columns.ts';
export type { Embedder } from './embedder.ts';
export type { GraphLibrary, NativeGraph } from './graph.ts';
export { GRAPH_ROWS_MIN, type GraphOptions } from './graphs.ts';
export { SHORT_TOKENS } from './recipe.ts';
export { isStaticTable, openStaticTable, STATIC_TABLE } from './static-table.ts';
export { type Near, type SearchedVectors, type VectorAnswer, VectorIndex } from './vector-index.ts';
export { VectorView } from './view.ts';
