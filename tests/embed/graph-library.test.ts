// The real graph library, if it is installed here or ANNALS_GRAPH_PACKAGES names a folder whose node_modules has it. It
// needs a compiler, so most machines lack it. Its results are compared with the exact scan.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VectorIndex } from '../../projections/vectors/index.ts';
import { graphLibrary } from '../../src/embed/embedders/graph-library.ts';
import { scratchFiles } from '../../src/platform/scratch-file.ts';
import { shippedEmbedder } from '../helpers/search-world.ts';
import { DocumentsInMemory, document, filesIn } from '../projections/text/documents-in-memory.ts';
import { randomDocument, randomNumbers } from '../projections/text/random-documents.ts';

const ALL = [{ id: 'one', workdirs: ['/home/u/one', '/home/u/two'] }];
const RECORDS = 1_500;
const QUERIES = 40;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'annals-graph-library-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A home with the library in its packages, as a person installs it. */
function homeWith(packages: string | undefined): string {
  const home = join(folder, 'home');
  mkdirSync(home);
  if (packages !== undefined) symlinkSync(packages, join(home, 'packages'));
  return home;
}

const probe = mkdtempSync(join(tmpdir(), 'annals-graph-probe-'));
if (process.env.ANNALS_GRAPH_PACKAGES !== undefined)
  symlinkSync(process.env.ANNALS_GRAPH_PACKAGES, join(probe, 'packages'));
const isInstalled = (await graphLibrary(probe)) !== null;
rmSync(probe, { recursive: true, force: true });

describe.skipIf(!isInstalled)('hnswlib-node itself', () => {
  it('finds 98 of 100 of the ten nearest after edits and reading back, as after a new build', async () => {
    const random = randomNumbers(21);
    const source = new DocumentsInMemory(
      Array.from({ length: RECORDS }, (_, n) => randomDocument(`d${n}`, random)),
    );
    const home = homeWith(process.env.ANNALS_GRAPH_PACKAGES);
    const open = (name: string) =>
      new VectorIndex(source, shippedEmbedder(), filesIn(join(folder, name)), undefined, {
        load: () => graphLibrary(home),
        scratch: scratchFiles(() => join(folder, 'scratch')),
        rowsMin: 1_000,
      });
    const asked = Array.from({ length: QUERIES }, (_, n) => source.rows.get(`d${n * 3}`)!.body.slice(0, 60));
    const live = open('live');
    await graphMade(live);
    for (let n = 0; n < 120; n += 1) source.put(randomDocument(`d${n * 5}`, random));
    for (let n = 0; n < 120; n += 1) source.remove(`d${n * 7 + 1}`);
    source.put(document({ id: 'late', body: 'the aardvark of the attic' }));
    expect(await recall(live, source, asked)).toBeGreaterThanOrEqual(0.98);
    expect((await live.search(ALL, () => 'aardvark attic', 10)).nearest[0]!.id).toBe('late');
    await live.close();
    for (const index of [open('live'), open('rebuilt')]) {
      await graphMade(index);
      expect(await recall(index, source, asked)).toBeGreaterThanOrEqual(0.98);
      const { nearest } = await index.search(ALL, () => asked[0]!, 200);
      expect(nearest.filter(({ id }) => !source.rows.has(id))).toEqual([]);
      await index.close();
    }
  });
});

it('A package that was compiled for another platform is ignored', async () => {
  const home = join(folder, 'home');
  const module = join(home, 'packages', 'node_modules', 'hnswlib-node');
  mkdirSync(module, { recursive: true });
  writeFileSync(join(module, 'package.json'), '{"name":"hnswlib-node","main":"index.js"}');
  writeFileSync(join(module, 'index.js'), 'throw new Error("invalid ELF header");');
  expect(await graphLibrary(home)).toBeNull();
});

async function graphMade(index: VectorIndex): Promise<void> {
  for (let asked = 0; asked < 2; asked += 1) await index.search(ALL, () => 'anything', 10);
  await index.graphsSettled();
  expect(await index.hasGraph(ALL)).toBe(true);
}

/** How many of ten results are as near as the ten nearest by the scan. */
async function recall(
  index: VectorIndex,
  source: DocumentsInMemory,
  asked: readonly string[],
): Promise<number> {
  const exact = new VectorIndex(source, shippedEmbedder(), null);
  let found = 0;
  for (const query of asked) {
    const least = (await exact.search(ALL, () => query, 10)).nearest.at(-1)!.score;
    const { nearest } = await index.search(ALL, () => query, 10);
    found += nearest.filter(({ score }) => score >= least - 1e-6).length;
  }
  return found / asked.length / 10;
}
