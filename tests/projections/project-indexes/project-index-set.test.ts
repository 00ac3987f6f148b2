// What text and vectors share: memory that is let go of, snapshots that are written beside everything else, and
// indexes that went through much being the same as indexes that did not.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { byScoreThenId, MemoryBudget, TopK } from '../../../projections/project-indexes/index.ts';
import { TextIndex } from '../../../projections/text/index.ts';
import { VectorIndex } from '../../../projections/vectors/index.ts';
import { shippedEmbedder } from '../../helpers/search-world.ts';
import { DocumentsInMemory, document, filesIn } from '../text/documents-in-memory.ts';
import { randomDocument, randomNumbers } from '../text/random-documents.ts';

const ONE = { id: 'one', workdirs: ['/home/u/one'] };
const TWO = { id: 'two', workdirs: ['/home/u/two'] };
const QUERIES = 200;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'annals-partitions-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function many(count: number): DocumentsInMemory {
  const random = randomNumbers(count);
  return new DocumentsInMemory(Array.from({ length: count }, (_, n) => randomDocument(`d${n}`, random)));
}

/** Everything that goes on beside answers is done. */
async function settled(index: TextIndex): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resume) => setImmediate(resume));
  await index.settled();
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resume) => setImmediate(resume));
}

describe('Projects in memory', () => {
  it('are let go of when they take too much, longest unused first, and answer the same when asked again', async () => {
    const source = many(60);
    const budget = new MemoryBudget(1);
    const index = new TextIndex(source, filesIn(folder), budget);
    const first = (await index.search([ONE], 'parser')).hits;
    const alone = index.bytes();
    await index.search([TWO], 'parser');
    await settled(index);
    // Of both together no more than the one used last is left.
    expect(index.bytes()).toBeLessThan(alone);
    const reads = source.reads;
    expect((await index.search([ONE], 'parser')).hits).toEqual(first);
    // It was saved before it went: nothing was indexed again.
    expect(source.reads).toBe(reads);
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  });

  it('stay when there is no place to keep them', async () => {
    const source = many(60);
    const index = new TextIndex(source, null, new MemoryBudget(1));
    await index.search([ONE], 'parser');
    await index.search([TWO], 'parser');
    await settled(index);
    await index.search([ONE], 'parser');
    expect(source.reads).toBe(2);
  });

  it('take changes and answer while their snapshot is being written, which is of one moment', async () => {
    const source = many(1_500);
    const files = filesIn(folder);
    const index = new TextIndex(source, files);
    await index.refresh([ONE, TWO]);
    for (let n = 0; n < 400; n += 1) source.put(randomDocument(`d${n}`, randomNumbers(n + 7)));
    await index.refresh([ONE, TWO]);
    let isSaved = false;
    const saving = index.save().then(() => {
      isSaved = true;
    });
    let answered = 0;
    for (let n = 0; !isSaved && n < 2_000; n += 1) {
      source.put(document({ id: `late-${n}`, body: `latecomer number ${n}` }));
      if (n % 3 === 2) source.remove(`late-${n - 1}`);
      expect((await index.search([ONE], 'latecomer')).hits.length).toBe(n + 1 - Math.floor((n + 1) / 3));
      answered += 1;
      await new Promise((resume) => setImmediate(resume));
    }
    await saving;
    expect(answered).toBeGreaterThan(1);
    const digest = await new TextIndex(source, null).digest([ONE, TWO]);
    expect(await index.digest([ONE, TWO])).toBe(digest);
    expect(await new TextIndex(source, files).digest([ONE, TWO])).toBe(digest);
  });

  it('that stand at different places of the feed are each given what they lack', async () => {
    const source = many(20);
    const index = new TextIndex(source, null);
    await index.refresh([ONE, TWO]);
    source.put(document({ id: 'early', workdir: TWO.workdirs[0]!, body: 'walrus' }));
    await index.refresh([ONE]);
    source.put(document({ id: 'late', workdir: ONE.workdirs[0]!, body: 'walrus' }));
    const { hits } = await index.search([ONE, TWO], 'walrus');
    expect(hits.map(({ id }) => id).sort()).toEqual(['early', 'late']);
  });

  it('are the same live and rebuilt after a quarter was edited and a tenth forgotten, and hold nothing forgotten', async () => {
    const source = many(400);
    const live = {
      text: new TextIndex(source, filesIn(join(folder, 'text'))),
      vectors: new VectorIndex(source, shippedEmbedder(), filesIn(join(folder, 'vectors'))),
    };
    const both = [ONE, TWO];
    await live.text.refresh(both);
    await live.vectors.refresh(both);
    const random = randomNumbers(5);
    const gone = new Set<string>();
    for (let n = 0; n < 400; n += 1) {
      if (n % 4 === 1) source.put(randomDocument(`d${n}`, random));
      if (n % 10 !== 2) continue;
      source.remove(`d${n}`);
      gone.add(`d${n}`);
    }
    const rebuilt = {
      text: new TextIndex(source, null),
      vectors: new VectorIndex(source, shippedEmbedder(), null),
    };
    const rows = [...source.rows.values()];
    for (let n = 0; n < QUERIES; n += 1) {
      const query = rows[(n * 37) % rows.length]!.body.split(' ').slice(0, 3).join(' ') || 'parser';
      const found = await live.text.search(both, query);
      expect(found, query).toEqual(await rebuilt.text.search(both, query));
      const near = await live.vectors.search(both, () => query);
      expect(near.nearest, query).toEqual((await rebuilt.vectors.search(both, () => query)).nearest);
      for (const { id } of [...found.hits, ...near.nearest]) expect(gone.has(id)).toBe(false);
    }
    expect(await live.text.digest(both)).toBe(await rebuilt.text.digest(both));
    expect(await live.vectors.digest(both)).toBe(await rebuilt.vectors.digest(both));
  });
});

describe('The best of many', () => {
  it.each([1, 7, 100, 5_000, Number.POSITIVE_INFINITY])('%d are those that sorting all finds', (depth) => {
    const random = randomNumbers(1);
    const all = Array.from({ length: 1_000 }, (_, n) => ({ id: `i${n}`, score: Math.floor(random() * 50) }));
    const best = new TopK<(typeof all)[number]>(depth);
    for (const one of all) if (best.admits(one.score)) best.offer(one);
    expect(best.sorted()).toEqual([...all].sort(byScoreThenId).slice(0, depth));
  });
});
