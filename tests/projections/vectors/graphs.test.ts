// Graphs over large projects, with a fake of hnswlib-node that finds exactly and writes files.
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GraphLibrary, type NativeGraph, VectorIndex } from '../../../projections/vectors/index.ts';
import { scratchFiles } from '../../../src/platform/scratch-file.ts';
import { shippedEmbedder } from '../../helpers/search-world.ts';
import { DocumentsInMemory, filesIn } from '../text/documents-in-memory.ts';
import { randomDocument, randomNumbers } from '../text/random-documents.ts';

const ONE = { id: 'one', workdirs: ['/home/u/one', '/home/u/two'] };
const QUERIES = ['alpha beta', 'error failed build', 'parser index', 'getUserName', 'fuzzy search gamma'];

let built: number;
let folder: string;

class ExactGraph implements NativeGraph {
  #points: number[][] = [];
  initIndex(): void {
    built += 1;
  }
  setEf(): void {}
  addPoint(point: number[], label: number): void {
    this.#points[label] = point;
  }
  searchKnn(query: number[], count: number) {
    const products = this.#points.map((point, label) => ({
      label,
      product: point.reduce((sum, value, column) => sum + value * query[column]!, 0),
    }));
    products.sort((a, b) => b.product - a.product);
    return { neighbors: products.slice(0, count).map(({ label }) => label) };
  }
  async writeIndex(path: string): Promise<boolean> {
    writeFileSync(path, JSON.stringify(this.#points));
    return true;
  }
  async readIndex(path: string): Promise<boolean> {
    this.#points = JSON.parse(readFileSync(path, 'utf8')) as number[][];
    return true;
  }
}

beforeEach(() => {
  built = 0;
  folder = mkdtempSync(join(tmpdir(), 'annals-graphs-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function documents(): DocumentsInMemory {
  const random = randomNumbers(3);
  return new DocumentsInMemory(Array.from({ length: 120 }, (_, n) => randomDocument(`d${n}`, random)));
}

function withGraphs(
  source: DocumentsInMemory,
  library: GraphLibrary | null = { HierarchicalNSW: ExactGraph },
) {
  return new VectorIndex(source, shippedEmbedder(), filesIn(folder), undefined, {
    load: async () => library,
    scratch: scratchFiles(() => join(folder, 'scratch')),
    rowsMin: 100,
  });
}

/** The results of scan and graph. The second search starts building the graph, which later searches use. */
async function expectAlike(index: VectorIndex, source: DocumentsInMemory): Promise<void> {
  const exact = new VectorIndex(source, shippedEmbedder(), null);
  const nearest = async (one: VectorIndex, query: string) =>
    (await one.search([ONE], () => query, 10)).nearest.map(({ id, score }) => ({ id, score }));
  for (const query of QUERIES)
    expect(await nearest(index, query), query).toEqual(await nearest(exact, query));
}

async function graphMade(source: DocumentsInMemory): Promise<VectorIndex> {
  const index = withGraphs(source);
  for (let asked = 0; asked < 2; asked += 1) await index.search([ONE], () => QUERIES[0]!, 10);
  await index.graphsSettled();
  expect(await index.hasGraph([ONE])).toBe(true);
  return index;
}

describe('A graph of many vectors', () => {
  it('gives the results of the scan, also after documents were added, changed and removed', async () => {
    const source = documents();
    const index = await graphMade(source);
    await expectAlike(index, source);
    const random = randomNumbers(8);
    for (let n = 0; n < 10; n += 1) source.put(randomDocument(`d${n * 7}`, random));
    for (let n = 0; n < 10; n += 1) source.remove(`d${n * 5 + 1}`);
    source.put(randomDocument('new', random));
    await expectAlike(index, source);
    expect(built).toBe(1);
  });

  it('is rebuilt when more than a quarter of it is out of date', async () => {
    const source = documents();
    const index = await graphMade(source);
    for (let n = 0; n < 20; n += 1) source.remove(`d${n}`);
    const random = randomNumbers(9);
    for (let n = 20; n < 40; n += 1) source.put(randomDocument(`d${n}`, random));
    await index.search([ONE], () => QUERIES[0]!, 10);
    await index.graphsSettled();
    expect(built).toBe(2);
    await expectAlike(index, source);
  });

  it('is read from its file and used although documents changed since', async () => {
    const source = documents();
    await (await graphMade(source)).close();
    source.put(randomDocument('d3', randomNumbers(10)));
    source.remove('d4');
    const index = await graphMade(source);
    expect(built).toBe(1);
    await expectAlike(index, source);
  });

  it('is rebuilt when its file was truncated, and reports that once', async () => {
    const source = documents();
    await (await graphMade(source)).close();
    const name = readdirSync(folder).find((one) => one.endsWith('.graph'))!;
    truncateSync(join(folder, name), 500);
    const index = await graphMade(source);
    expect(built).toBe(2);
    const { degraded } = await index.search([ONE], () => QUERIES[0]!, 10);
    expect(degraded).toEqual([expect.stringContaining('was damaged; it is being rebuilt')]);
    expect((await index.search([ONE], () => QUERIES[0]!, 10)).degraded).toEqual([]);
    await expectAlike(index, source);
  });

  it('is removed from disk and memory when dropped, until it is built from the current documents', async () => {
    const source = documents();
    const index = await graphMade(source);
    source.remove('d1');
    await index.dropGraphs([ONE]);
    expect(await index.hasGraph([ONE])).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.graph'))).toEqual([]);
    await expectAlike(index, source);
    await index.graphsSettled();
    expect(built).toBe(2);
  });

  it('stays as long as its project exists and is removed with it', async () => {
    const index = await graphMade(documents());
    await index.close();
    const graphs = () => readdirSync(folder).filter((name) => name.endsWith('.graph'));
    await index.prune([ONE]);
    expect(graphs()).toHaveLength(1);
    await index.prune([]);
    expect(graphs()).toEqual([]);
  });

  it('is not needed when its library is not installed: the scan answers without a message', async () => {
    const source = documents();
    const index = withGraphs(source, null);
    expect((await index.search([ONE], () => QUERIES[0]!, 10)).degraded).toEqual([]);
    await index.graphsSettled();
    await expectAlike(index, source);
    expect(await index.hasGraph([ONE])).toBe(false);
  });
});
