// One side of the scale bench in a process of its own, so that memory and warmth are its own:
//   build <folder> <records> <projects>      both indexes from the records, saved
//   search <folder> <records> <projects>     both indexes from their files, asked
//   fts5 <records>                           SQLite's full text search in memory, asked the same
//   edited <folder> <records>                live after edits and removals beside rebuilt
import { folderBytes } from '../../src/platform/files.ts';
import { measured, type Sample } from '../harness/measure.ts';
import { fts5Porter } from '../recall/rivals.ts';
import { editedAndRebuilt } from './edited.ts';
import { SyntheticRecords } from './records.ts';
import { opened, resident, searching } from './worlds.ts';

const QUERIES = 200;
const LIMIT = 10;

const [what, ...words] = process.argv.slice(2);
const outcome =
  what === 'build'
    ? await build(words[0]!, Number(words[1]), Number(words[2]))
    : what === 'search'
      ? await search(words[0]!, Number(words[1]), Number(words[2]))
      : what === 'fts5'
        ? await fts5(Number(words[0]))
        : await editedAndRebuilt(words[0]!, Number(words[1]));
process.stdout.write(`${JSON.stringify(outcome)}\n`);

async function build(folder: string, records: number, projects: number) {
  const source = new SyntheticRecords(records, projects);
  const { text, vectors } = opened(source, folder);
  const madeText = await measured(() => text.rebuild(source.partitions));
  const madeVectors = await measured(() => vectors.rebuild(source.partitions));
  const bytes = await folderBytes(folder);
  source.store(folder);
  return { text: madeText.cpuMs, vectors: madeVectors.cpuMs, bytes };
}

async function search(folder: string, records: number, projects: number) {
  const source = new SyntheticRecords(records, projects);
  const queries = source.queries(QUERIES);
  source.stored(folder);
  const before = await resident();
  const { world, text, vectors, let: go } = opened(source, folder);
  const first = await measured(() => searching(world, source)(queries[0]!, LIMIT));
  const lexical = await asked(
    (query) => searching({ ...world, vectors: null }, source)(query, LIMIT),
    queries,
  );
  const hybrid = await asked((query) => searching(world, source)(query, LIMIT), queries);
  const loaded = await resident();
  const bytes = text.bytes() + vectors.bytes();
  await go();
  return {
    first,
    lexical,
    hybrid,
    before,
    loaded,
    bytes,
    left: text.bytes() + vectors.bytes(),
    unloaded: await resident(),
  };
}

async function fts5(records: number) {
  const source = new SyntheticRecords(records, 1);
  const queries = source.queries(QUERIES);
  const before = await resident();
  const documents = [];
  for (let number = 0; number < records; number += 1) documents.push(source.record(number)!);
  const ask = fts5Porter(documents);
  documents.length = 0;
  const samples = await asked(async (query) => ask(query, LIMIT), queries);
  return { fts5: samples, before, loaded: await resident() };
}

/** Every query once to warm up, then each measured. */
async function asked(
  ask: (query: string) => Promise<unknown>,
  queries: readonly string[],
): Promise<Sample[]> {
  for (const query of queries.slice(0, 50)) await ask(query);
  const samples: Sample[] = [];
  for (const query of queries) {
    const { ms, cpuMs } = await measured(() => ask(query));
    samples.push({ ms, cpuMs });
  }
  return samples;
}
