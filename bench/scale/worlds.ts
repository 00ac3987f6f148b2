// The product's two indexes over synthetic records, in files of a folder, and the memory use of this process.
import { MemoryBudget } from '../../projections/project-indexes/index.ts';
import { TextIndex } from '../../projections/text/index.ts';
import { type GraphOptions, VectorIndex } from '../../projections/vectors/index.ts';
import { type SearchWorld, search } from '../../src/search/index.ts';
import { shippedEmbedder } from '../../tests/helpers/search-world.ts';
import { filesIn } from '../../tests/projections/text/documents-in-memory.ts';
import type { SyntheticRecords } from './records.ts';

export function opened(source: SyntheticRecords, folder: string, graphs?: GraphOptions) {
  const text = new TextIndex(source, filesIn(`${folder}/text`));
  const vectors = new VectorIndex(
    source,
    shippedEmbedder(),
    filesIn(`${folder}/vectors`),
    new MemoryBudget(),
    graphs,
  );
  // Every query has words, so the newest rows are never read.
  const world: SearchWorld = {
    ...{ index: text, vectors, documents: source, now: () => 0 },
    async *recent() {},
    sessionId: async (given) => given,
    noted: async (document) => document,
  };
  return { world, text, vectors };
}

export function searching(world: SearchWorld, source: SyntheticRecords) {
  const projects = source.projectIndexes.map((projectIndex) => ({ ...projectIndex, name: projectIndex.id }));
  return async (query: string, limit: number) =>
    (await search(world, projects, query, { limit })).results.map(({ id }) => id);
}

/** Bytes, after garbage collections if Node was started with --expose-gc: arrays are freed by the second. */
export async function resident(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return process.memoryUsage.rss();
}
