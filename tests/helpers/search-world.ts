// A search over documents in memory, with the product's own indexes and the shipped embedding table.
import { recentDocument } from '../../projections/index.ts';
import { TextIndex } from '../../projections/text/index.ts';
import { type Embedder, VectorIndex } from '../../projections/vectors/index.ts';
import { defaultEmbedder } from '../../src/embed/embedders/default-embedder.ts';
import type { SearchWorld } from '../../src/search/index.ts';
import type { DocumentsInMemory } from '../projections/text/documents-in-memory.ts';

/** @throws Error when the table is missing from models/ */
export function shippedEmbedder(): Embedder {
  const embedder = defaultEmbedder();
  if (embedder === null) throw new Error('models/ contains no usable table.');
  return embedder;
}

export function searchWorld(source: DocumentsInMemory, now: () => number = () => 0): SearchWorld {
  return {
    index: new TextIndex(source, null),
    vectors: new VectorIndex(source, shippedEmbedder(), null),
    documents: source,
    async *recent(workdirs) {
      yield [...source.rows.values()]
        .filter(({ workdir }) => workdirs.includes(workdir))
        .sort((a, b) => (b.at ?? 0) - (a.at ?? 0) || (a.id < b.id ? -1 : 1))
        .map(recentDocument);
    },
    sessionId: async (given) => given,
    noted: async (document) => document,
    now,
  };
}
