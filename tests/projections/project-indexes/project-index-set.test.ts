// What text and vectors share: unloading under a memory budget, snapshots written concurrently, and equality with
// rebuilt indexes after many changes.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Upstream } from '../../../projections/engine/index-view.ts';
import { key } from '../../../projections/engine/store/row-keys.ts';
import { memoryKeys } from '../../../projections/memory/memory-projector.ts';
import { VectorView } from '../../../projections/memory-indexes/vector-view.ts';
import { ViewSource } from '../../../projections/memory-indexes/view-source.ts';
import {
  byScoreThenId,
  MemoryBudget,
  ProjectIndexSet,
  TopK,
} from '../../../projections/project-indexes/index.ts';
import { TextIndex } from '../../../projections/text/index.ts';
import { TEXT_KIND } from '../../../projections/text/text-kind.ts';
import { VectorIndex } from '../../../projections/vectors/index.ts';
import { MemoryView } from '../../helpers/memory-view.ts';
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

/** Waits until all background work is done. */
async function settled(index: TextIndex): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resume) => setImmediate(resume));
  await index.settled();
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resume) => setImmediate(resume));
}

describe('Projects in memory', () => {
  it('are unloaded when they take too much memory, least recently used first, and later answer the same', async () => {
    const source = many(60);
    const budget = new MemoryBudget(1);
    const index = new TextIndex(source, filesIn(folder), budget);
    const first = (await index.search([ONE], 'parser')).hits;
    const alone = index.bytes();
    await index.search([TWO], 'parser');
    await settled(index);
    // Only the most recently used of the two stays.
    expect(index.bytes()).toBeLessThan(alone);
    const reads = source.reads;
    expect((await index.search([ONE], 'parser')).hits).toEqual(first);
    // It was saved before it was unloaded: nothing was indexed again.
    expect(source.reads).toBe(reads);
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  });

  it('are scrubbed on disk where they have a snapshot; others get none, and unknown ones are removed', async () => {
    const source = many(60);
    const before = new TextIndex(source, filesIn(folder));
    await before.refresh([ONE, { ...TWO, id: 'unknown' }]);
    await before.save();
    const names = readdirSync(folder);
    const [gone] = [...source.rows.values()].filter(({ workdir }) => ONE.workdirs.includes(workdir));
    source.remove(gone!.id);
    const index = new TextIndex(source, filesIn(folder));
    await index.scrub([ONE, TWO]);
    const left = readdirSync(folder);
    expect([names.length, left.length]).toEqual([2, 1]);
    expect(readFileSync(join(folder, left[0]!)).includes(gone!.id)).toBe(false);
    expect(index.isLoaded(TWO)).toBe(false);
  });

  it('catch up together from snapshots of different ages', async () => {
    const source = new DocumentsInMemory([
      document({ id: 'a' }),
      document({ id: 'b', workdir: '/home/u/two' }),
    ]);
    const saved = async (project: typeof ONE) => {
      const index = new TextIndex(source, filesIn(folder));
      await index.refresh([project]);
      await index.save();
    };
    source.put(document({ id: 'a1' }));
    await saved(ONE);
    source.put(document({ id: 'b1', title: 'parser', workdir: '/home/u/two' }));
    await saved(TWO);
    source.put(document({ id: 'b2', title: 'parser', workdir: '/home/u/two' }));
    // The feed gives the changes of whole pages, all with the position of the page's end.
    const changes = source.changes.bind(source);
    source.changes = async (after) => {
      const found = await changes(after);
      return found && { ...found, changes: found.changes.map((change) => ({ ...change, seq: found.seq })) };
    };
    const index = new TextIndex(source, filesIn(folder));
    const { hits, degraded } = await index.search([ONE, TWO], 'parser');
    expect([degraded, hits.length]).toEqual([[], 2]);
    // Both snapshots were used.
    expect(source.reads).toBe(2);
  });

  it('stay when there is no storage for snapshots', async () => {
    const source = many(60);
    const index = new TextIndex(source, null, new MemoryBudget(1));
    await index.search([ONE], 'parser');
    await index.search([TWO], 'parser');
    await settled(index);
    await index.search([ONE], 'parser');
    expect(source.reads).toBe(2);
  });

  it('take changes and answer while a consistent snapshot is being written', async () => {
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

  it('are compacted once, however many calls end while they are fragmented', async () => {
    const source = many(40);
    let compactions = 0;
    const kind: typeof TEXT_KIND = {
      ...TEXT_KIND,
      isFragmented: ({ changes }) => changes > 20,
      compact(content, pause) {
        compactions += 1;
        return TEXT_KIND.compact(content, pause);
      },
    };
    const index = new ProjectIndexSet(kind, source, null);
    await index.refresh([ONE]);
    for (let n = 0; n < 30; n += 1) source.put(document({ id: `new-${n}` }));
    await Promise.all(Array.from({ length: 5 }, () => index.refresh([ONE])));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resume) => setImmediate(resume));
    await index.settled();
    expect(compactions).toBe(1);
  });

  it('read the feed in steps, each of its entries once, also those that are of no document', async () => {
    const vectors = Array.from({ length: 100 }, (_, n) => key('vector', 'recipe', `d${n}`));
    let read = 0;
    const upstreamAt = (seq: number): Upstream => ({
      ...{ name: 'memory', version: 1, position: seq, rows: new MemoryView() },
      ...{ feedPosition: { generation: 'one', seq }, reaches: () => true, all: async function* () {} },
      async changes(after, limit) {
        const keys = vectors.slice(after.seq, Math.min(seq, after.seq + limit));
        read += keys.length;
        return { keys, seq: after.seq + keys.length };
      },
    });
    const source = new ViewSource();
    source.upstream = upstreamAt(0);
    const index = new TextIndex(source, null);
    await index.refresh([ONE]);
    source.upstream = upstreamAt(vectors.length);
    expect([await index.catchUp(16), read]).toEqual([false, 16]);
    while (!(await index.catchUp(16)));
    await index.search([ONE], 'walrus');
    expect(read).toBe(vectors.length);
  });

  it('wait for vectors if a snapshot is of other folders, so that no search makes many', async () => {
    const rows = new MemoryView();
    for (const workdir of ONE.workdirs) rows.put(memoryKeys.workdir(workdir), { prompt: 2 });
    const upstream: Upstream = {
      ...{ name: 'memory', version: 1, position: 0, rows, feedPosition: { generation: 'one', seq: 0 } },
      ...{ reaches: () => true, changes: async () => ({ keys: [], seq: 0 }), all: async function* () {} },
    };
    const opened = () => {
      const options = { files: filesIn(folder), projectIndexes: async () => [ONE] };
      const view = new VectorView({ ...options, embedder: shippedEmbedder });
      view.at(upstream);
      return view;
    };
    expect(await opened().waiting(upstream, [ONE], 1)).toEqual([ONE]);
    await opened().settle(upstream);
    expect(await opened().waiting(upstream, [ONE], 1)).toEqual([]);
    const more = { ...ONE, workdirs: [...ONE.workdirs, '/home/u/more'] };
    expect(await opened().waiting(upstream, [more], 1)).toEqual([more]);
  });

  it('at different positions of the feed each get the changes they lack', async () => {
    const source = many(20);
    const index = new TextIndex(source, null);
    await index.refresh([ONE, TWO]);
    source.put(document({ id: 'early', workdir: TWO.workdirs[0]!, body: 'walrus' }));
    await index.refresh([ONE]);
    source.put(document({ id: 'late', workdir: ONE.workdirs[0]!, body: 'walrus' }));
    const { hits } = await index.search([ONE, TWO], 'walrus');
    expect(hits.map(({ id }) => id).sort()).toEqual(['early', 'late']);
  });

  it('are equal live and rebuilt after a quarter was edited and a tenth forgotten, and contain nothing forgotten', async () => {
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
    const nearest = async (index: VectorIndex, query: string) =>
      (await index.search(both, () => query)).nearest.map(({ place: _, ...near }) => near);
    const rows = [...source.rows.values()];
    for (let n = 0; n < QUERIES; n += 1) {
      const query = rows[(n * 37) % rows.length]!.body.split(' ').slice(0, 3).join(' ') || 'parser';
      const found = await live.text.search(both, query);
      expect(found, query).toEqual(await rebuilt.text.search(both, query));
      const near = await nearest(live.vectors, query);
      expect(near, query).toEqual(await nearest(rebuilt.vectors, query));
      for (const { id } of [...found.hits, ...near]) expect(gone.has(id)).toBe(false);
    }
    expect(await live.text.digest(both)).toBe(await rebuilt.text.digest(both));
    expect(await live.vectors.digest(both)).toBe(await rebuilt.vectors.digest(both));
  });
});

describe('TopK', () => {
  it.each([1, 7, 100, 5_000, Number.POSITIVE_INFINITY])('%d are those that sorting all finds', (depth) => {
    const random = randomNumbers(1);
    const all = Array.from({ length: 1_000 }, (_, n) => ({ id: `i${n}`, score: Math.floor(random() * 50) }));
    const best = new TopK<(typeof all)[number]>(depth);
    for (const one of all) if (one.score >= best.least) best.offer(one);
    expect(best.sorted()).toEqual([...all].sort(byScoreThenId).slice(0, depth));
  });
});
