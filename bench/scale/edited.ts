// Live beside rebuilt: a quarter of the records edited and a tenth forgotten, told to indexes that were loaded
// before, beside indexes made from the records as they then are. Both must answer alike, and hold nothing forgotten.
import type { DocumentChange } from '../../projections/partitions/index.ts';
import { measured } from '../harness/measure.ts';
import { record, SyntheticRecords } from './records.ts';
import { opened, searching } from './worlds.ts';

const QUERIES = 200;
const CHANGES_AT_ONCE = 500;
const FATE = {
  isEdited: (number: number) => number % 4 === 1,
  isGone: (number: number) => number % 10 === 2,
};

export async function editedAndRebuilt(folder: string, records: number) {
  const before = new SyntheticRecords(records, 1);
  const after = new SyntheticRecords(records, 1, FATE);
  const live = opened(before, `${folder}/live`);
  await live.text.refresh(before.partitions);
  await live.vectors.refresh(before.partitions);
  const told = await measured(async () => {
    const changes = changesOf(records);
    for (let from = 0; from < changes.length; from += CHANGES_AT_ONCE) {
      await live.text.apply(changes.slice(from, from + CHANGES_AT_ONCE));
      await live.vectors.apply(changes.slice(from, from + CHANGES_AT_ONCE));
    }
  });
  await live.text.settled();
  const rebuilt = opened(after, `${folder}/rebuilt`);
  const madeText = await measured(() => rebuilt.text.rebuild(after.partitions));
  const madeVectors = await measured(() => rebuilt.vectors.rebuild(after.partitions));
  const gone = new Set<string>();
  for (let number = 0; number < records; number += 1)
    if (FATE.isGone(number)) gone.add(record(number, 1, 0).id);
  let equal = 0;
  let forgotten = 0;
  for (const query of before.queries(QUERIES)) {
    const [one, other] = [live, rebuilt].map(({ world }) => searching({ ...world, documents: after }, after));
    const found = await one!(query, 20);
    if (JSON.stringify(found) === JSON.stringify(await other!(query, 20))) equal += 1;
    const { hits } = await live.text.search(after.partitions, query);
    const { nearest } = await live.vectors.search(after.partitions, () => query, 1_000);
    forgotten += [...hits, ...nearest].filter(({ id }) => gone.has(id)).length;
  }
  const digests = [];
  for (const { text, vectors } of [live, rebuilt])
    digests.push(`${await text.digest(after.partitions)} ${await vectors.digest(after.partitions)}`);
  return {
    told: told.cpuMs,
    text: madeText.cpuMs,
    vectors: madeVectors.cpuMs,
    queries: QUERIES,
    equal,
    forgotten,
    sameBytes: digests[0]!.split(' ')[1] === digests[1]!.split(' ')[1],
  };
}

function changesOf(records: number): DocumentChange[] {
  const changes: DocumentChange[] = [];
  for (let number = 0; number < records; number += 1) {
    const before = record(number, 1, 0);
    if (FATE.isGone(number)) changes.push({ seq: changes.length + 1, before, after: null });
    else if (FATE.isEdited(number))
      changes.push({ seq: changes.length + 1, before, after: record(number, 1, 1) });
  }
  return changes;
}
