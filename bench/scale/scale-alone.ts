// One side of the scale bench in its own process, so that memory and caches are its own:
// `<side> <folder> <records> <projects> <queries>`. Sides:
//   build    both indexes from the records, saved in the folder
//   search   both indexes from their files, searched
//   fts5     SQLite's full text search in memory, with the same queries
//   edited   live after edits and removals, compared with rebuilt
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { VectorIndex } from '../../projections/vectors/index.ts';
import { folderBytes } from '../../src/platform/disk-files.ts';
import { measured, type Sample } from '../harness/measure.ts';
import { fts5Porter } from '../recall/rivals.ts';
import { editedAndRebuilt } from './edited.ts';
import { record, SyntheticRecords } from './records.ts';
import { opened, resident, searching } from './worlds.ts';

const LIMIT = 10;
const CHANGES = 100;

const [side, folder = '', ...counts] = process.argv.slice(2);
const [records = 0, projects = 1, queries = 0] = counts.map(Number);
const sides: Readonly<Record<string, () => Promise<unknown>>> = {
  build,
  search,
  fts5,
  edited: () => editedAndRebuilt(folder, records, queries),
};
process.stdout.write(`${JSON.stringify(await sides[side!]!())}\n`);

async function build() {
  const source = new SyntheticRecords(records, projects);
  mkdirSync(folder, { recursive: true });
  const { text, vectors } = opened(source, folder);
  const madeText = await measured(() => text.rebuild(source.projectIndexes));
  const madeVectors = await measured(() => vectors.rebuild(source.projectIndexes));
  const bytes = await folderBytes(folder);
  source.store(folder);
  return { text: madeText.cpuMs, vectors: madeVectors.cpuMs, bytes };
}

async function search() {
  const source = new SyntheticRecords(records, projects);
  const asking = source.queries(queries);
  source.stored(folder);
  const before = await resident();
  const { world, text, vectors } = opened(source, folder);
  const { ms, cpuMs } = await measured(() => searching(world, source)(asking[0]!, LIMIT));
  const lexical = await asked(
    (query) => searching({ ...world, vectors: null }, source)(query, LIMIT),
    asking,
  );
  const hybrid = await asked((query) => searching(world, source)(query, LIMIT), asking);
  const loaded = await resident();
  const changed = await changedOneByOne(vectors, source);
  text.release();
  vectors.release();
  const unloaded = await resident();
  const digest = createHash('sha256')
    .update(JSON.stringify([lexical.found, hybrid.found]))
    .digest('hex');
  return {
    first: { ms, cpuMs },
    lexical: lexical.samples,
    hybrid: hybrid.samples,
    changed,
    before,
    loaded,
    unloaded,
    digest: digest.slice(0, 16),
  };
}

/** Edits records, as agents at work do: the index follows after each. */
async function changedOneByOne(vectors: VectorIndex, source: SyntheticRecords): Promise<Sample[]> {
  const samples: Sample[] = [];
  const { length } = source.projectIndexes;
  for (let seq = 1; seq <= CHANGES; seq += 1) {
    const document = record((seq * 7_919) % source.count, length, 1);
    source.feed = [{ seq, id: document.id, document }];
    const { ms, cpuMs } = await measured(() => vectors.catchUp(1));
    samples.push({ ms, cpuMs });
  }
  source.feed = [];
  return samples;
}

async function fts5() {
  const source = new SyntheticRecords(records, 1);
  const asking = source.queries(queries);
  const before = await resident();
  const documents = [];
  for (let number = 0; number < records; number += 1) documents.push(source.record(number)!);
  const ask = fts5Porter(documents);
  documents.length = 0;
  const { samples } = await asked(async (query) => (await ask(query, LIMIT)).map(([id]) => id!), asking);
  return { fts5: samples, before, loaded: await resident() };
}

/** The first fifty queries warm up, then each is measured. */
async function asked(
  ask: (query: string) => Promise<readonly string[]>,
  queries: readonly string[],
): Promise<{ readonly samples: readonly Sample[]; readonly found: readonly (readonly string[])[] }> {
  for (const query of queries.slice(0, 50)) await ask(query);
  const samples: Sample[] = [];
  const found: (readonly string[])[] = [];
  for (const query of queries) {
    const { ms, cpuMs, value } = await measured(() => ask(query));
    samples.push({ ms, cpuMs });
    found.push(value);
  }
  return { samples, found };
}
