// The product's two indexes over synthetic records, in files of a folder, and what this process takes of memory.
import { MemoryBudget } from '../../projections/partitions/index.ts';
import { TextIndex } from '../../projections/text-index/index.ts';
import { VectorIndex } from '../../projections/vectors/index.ts';
import { type SearchWorld, search } from '../../src/search/index.ts';
import { shippedEmbedder } from '../../tests/helpers/search-world.ts';
import { filesIn } from '../../tests/projections/text-index/documents-in-memory.ts';
import type { SyntheticRecords } from './records.ts';

const NOTHING = { id: 'nothing', places: [] };

export function opened(source: SyntheticRecords, folder: string) {
  const budget = new MemoryBudget();
  const text = new TextIndex(source, filesIn(`${folder}/text`), budget);
  const vectors = new VectorIndex(source, shippedEmbedder(), filesIn(`${folder}/vectors`), budget);
  const world: SearchWorld = { index: text, vectors, documents: source, now: () => 0 };
  /** Lets go of all that is loaded. */
  const letGo = async () => {
    await text.refresh([NOTHING]);
    for (const held of budget.excess(0)) await held.unload();
  };
  return { world, text, vectors, let: letGo };
}

export function searching(world: SearchWorld, source: SyntheticRecords) {
  const projects = source.partitions.map((partition) => ({ ...partition, name: partition.id }));
  return async (query: string, limit: number) =>
    (await search(world, projects, query, { limit })).results.map(({ id }) => id);
}

/** Bytes, after collections where Node was started with --expose-gc: arrays are let go of by the second. */
export async function resident(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return process.memoryUsage.rss();
}
