// A search over documents in memory, with the product's own indexes and the table that ships.
import { TextIndex } from '../../projections/text-index/index.ts';
import { type Embedder, VectorIndex } from '../../projections/vectors/index.ts';
import { defaultEmbedder } from '../../src/embed/default-embedder.ts';
import type { SearchWorld } from '../../src/search/index.ts';
import type { DocumentsInMemory } from '../projections/text-index/documents-in-memory.ts';

/** @throws Error where the table is not beside the sources */
export function shippedEmbedder(): Embedder {
  const embedder = defaultEmbedder();
  if (embedder === null) throw new Error('models/ holds no usable table.');
  return embedder;
}

export function searchWorld(source: DocumentsInMemory, now: () => number = () => 0): SearchWorld {
  return {
    index: new TextIndex(source, null),
    vectors: new VectorIndex(source, shippedEmbedder(), null),
    documents: source,
    now,
  };
}
