// Compares live and rebuilt indexes: a quarter of the records is edited and a tenth forgotten. One pair of indexes was
// loaded before and gets the changes, the other is built from the result. Both must give the same answers, without
// anything forgotten.
import type { DocumentChange } from '../../projections/text/index.ts';
import type { VectorIndex } from '../../projections/vectors/index.ts';
import { graphLibrary } from '../../src/embed/embedders/graph-library.ts';
import { scratchFiles } from '../../src/platform/scratch-file.ts';
import { measured } from '../harness/measure.ts';
import { record, SyntheticRecords } from './records.ts';
import { opened, searching } from './worlds.ts';

const CHANGES_AT_ONCE = 500;
const TOP = 10;
const NEAREST = 200;
const FATE = {
  isEdited: (number: number) => number % 4 === 1,
  isGone: (number: number) => number % 10 === 2,
};

export async function editedAndRebuilt(folder: string, records: number, queries: number) {
  const source = new SyntheticRecords(records, 1);
  const graphs = {
    load: () => graphLibrary(process.env.ANNALS_HOME ?? folder),
    scratch: scratchFiles(() => `${folder}/scratch`),
    rowsMin: 1,
  };
  const live = opened(source, `${folder}/live`, graphs);
  await live.text.refresh(source.projectIndexes);
  await live.vectors.refresh(source.projectIndexes);
  await withGraph(live.vectors, source);
  source.change(FATE);
  const applied = await measured(async () => {
    source.feed = changesOf(records);
    for (const index of [live.text, live.vectors]) while (!(await index.catchUp(CHANGES_AT_ONCE)));
    source.feed = [];
  });
  const rebuilt = opened(source, `${folder}/rebuilt`, graphs);
  const madeText = await measured(() => rebuilt.text.rebuild(source.projectIndexes));
  const madeVectors = await measured(() => rebuilt.vectors.rebuild(source.projectIndexes));
  const gone = new Set<string>();
  for (let number = 0; number < records; number += 1)
    if (FATE.isGone(number)) gone.add(record(number, 1, 0).id);
  let equal = 0;
  let forgotten = 0;
  for (const query of source.queries(queries)) {
    // With no limit it compares every vector; the answers of a graph are judged by recall below.
    const [one, other] = [live, rebuilt].map(({ world, vectors }) =>
      searching({ ...world, vectors: { search: (among, textOf) => vectors.search(among, textOf) } }, source),
    );
    const found = await one!(query, 20);
    if (JSON.stringify(found) === JSON.stringify(await other!(query, 20))) equal += 1;
    const { hits } = await live.text.search(source.projectIndexes, query);
    forgotten += hits.filter(({ id }) => gone.has(id)).length;
  }
  const graph = await withGraph(rebuilt.vectors, source);
  const recall = graph ? await recallOf([live.vectors, rebuilt.vectors], source, queries, gone) : null;
  const { searched } = await live.vectors.search(source.projectIndexes, () => 'anything');
  for (const { content } of searched)
    for (const { ids } of content.chunks) forgotten += [...ids].filter((id) => gone.has(id)).length;
  const digests = [];
  for (const { text, vectors } of [live, rebuilt])
    digests.push(
      `${await text.digest(source.projectIndexes)} ${await vectors.digest(source.projectIndexes)}`,
    );
  return {
    applied: applied.cpuMs,
    text: madeText.cpuMs,
    vectors: madeVectors.cpuMs,
    queries,
    equal,
    forgotten,
    isSame: digests[0] === digests[1],
    recall,
  };
}

function changesOf(records: number): DocumentChange[] {
  const changes: DocumentChange[] = [];
  for (let number = 0; number < records; number += 1) {
    const { id } = record(number, 1, 0);
    if (FATE.isGone(number)) changes.push({ seq: changes.length + 1, id, document: null });
    else if (FATE.isEdited(number))
      changes.push({ seq: changes.length + 1, id, document: record(number, 1, 1) });
  }
  return changes;
}

/** Searches until a graph exists; false if its library is not installed. */
async function withGraph(vectors: VectorIndex, { projectIndexes }: SyntheticRecords): Promise<boolean> {
  for (let asked = 0; asked < 2; asked += 1) await vectors.search(projectIndexes, () => 'anything', 10);
  await vectors.graphsSettled();
  return vectors.hasGraph(projectIndexes);
}

/** How many of ten results of each graph are as near as the ten nearest by the scan, 0…1; and forgotten ids among 200 results. */
async function recallOf(
  indexes: readonly VectorIndex[],
  source: SyntheticRecords,
  queries: number,
  gone: ReadonlySet<string>,
): Promise<{ readonly found: readonly number[]; readonly forgotten: number }> {
  const found = indexes.map(() => 0);
  let forgotten = 0;
  for (const query of source.queries(queries)) {
    const exact = await indexes[0]!.search(source.projectIndexes, () => query);
    const least = exact.nearest[TOP - 1]!.score - 1e-6;
    for (const [index, one] of indexes.entries()) {
      const { nearest } = await one.search(source.projectIndexes, () => query, NEAREST);
      found[index]! += nearest.slice(0, TOP).filter(({ score }) => score >= least).length;
      forgotten += nearest.filter(({ id }) => gone.has(id)).length;
    }
  }
  return { found: found.map((count) => count / (TOP * queries)), forgotten };
}
