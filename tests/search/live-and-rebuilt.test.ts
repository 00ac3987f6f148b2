// A search gives the same answer from indexes that lived through many changes, indexes read from their snapshots, and
// indexes built from the current documents.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TextIndex } from '../../projections/text/index.ts';
import { VectorIndex } from '../../projections/vectors/index.ts';
import { type SearchWorld, search } from '../../src/search/index.ts';
import { searchWorld, shippedEmbedder } from '../helpers/search-world.ts';
import { DocumentsInMemory, filesIn } from '../projections/text/documents-in-memory.ts';
import { randomDocument, randomNumbers } from '../projections/text/random-documents.ts';

const DOCUMENTS = 200;
const QUERIES = 100;
const PROJECTS = ['one', 'two'].map((name) => ({ id: name, name, workdirs: [`/home/u/${name}`] }));

/** A word that only this document has, in letters only, so that no similar term matches it. */
function ownWord(number: number): string {
  return `walrus${String(number)
    .padStart(3, '0')
    .replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)]!.repeat(3))}`;
}

describe('After a quarter of the documents was edited and a tenth forgotten', () => {
  let folder: string;
  let worlds: Readonly<Record<'live' | 'reopened' | 'rebuilt', SearchWorld>>;
  let source: DocumentsInMemory;
  const forgotten: number[] = [];

  function indexes() {
    return {
      index: new TextIndex(source, filesIn(join(folder, 'text'))),
      vectors: new VectorIndex(source, shippedEmbedder(), filesIn(join(folder, 'vectors'))),
    };
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'annals-rebuilt-'));
    const random = randomNumbers(5);
    const made = (number: number) => {
      const one = randomDocument(`d${number}`, random);
      return {
        ...one,
        body: `${one.body} ${ownWord(number)}`,
        session: `session-${number % 23}`,
        tokens: 30,
      };
    };
    source = new DocumentsInMemory(Array.from({ length: DOCUMENTS }, (_, number) => made(number)));
    const live = indexes();
    await live.index.refresh(PROJECTS);
    await live.vectors.refresh(PROJECTS);
    for (let number = 0; number < DOCUMENTS; number += 1) {
      if (number % 4 === 1) source.put(made(number));
      if (number % 10 !== 2) continue;
      source.remove(`d${number}`);
      forgotten.push(number);
      // Some changes are applied at once, others together.
      if (number % 50 === 2) await search({ ...searchWorld(source), ...live }, PROJECTS, 'parser');
    }
    await live.index.refresh(PROJECTS);
    await live.vectors.refresh(PROJECTS);
    await live.index.save();
    await live.vectors.save();
    worlds = {
      live: { ...searchWorld(source), ...live },
      reopened: { ...searchWorld(source), ...indexes() },
      rebuilt: searchWorld(source),
    };
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('100 searches by words and vectors have the same results, scores and shares', async () => {
    const rows = [...source.rows.values()];
    let found = 0;
    for (let turn = 0; turn < QUERIES; turn += 1) {
      const words = rows[(turn * 37) % rows.length]!.body.split(' ');
      const query = [words.at(-1), ...words.slice(turn % 5, (turn % 5) + 3)].join(' ');
      const options = { limit: 20, explain: true };
      const [live, reopened, rebuilt] = await Promise.all(
        [worlds.live, worlds.reopened, worlds.rebuilt].map((world) =>
          search(world, PROJECTS, query, options),
        ),
      );
      expect(JSON.stringify(live), query).toBe(JSON.stringify(rebuilt));
      expect(JSON.stringify(reopened), query).toBe(JSON.stringify(rebuilt));
      found += rebuilt!.results.length;
    }
    expect(found).toBeGreaterThan(QUERIES);
  });

  it('nothing forgotten is found by words or meaning, or is in a snapshot', async () => {
    const gone = new Set(forgotten.map((number) => `d${number}`));
    for (const number of forgotten)
      for (const world of [worlds.live, worlds.reopened]) {
        const { hits } = await world.index.search(PROJECTS, ownWord(number));
        expect(hits.filter(({ id }) => gone.has(id))).toEqual([]);
        const { results } = await search(world, PROJECTS, ownWord(number), { limit: 200 });
        expect(results.filter(({ id }) => gone.has(id))).toEqual([]);
      }
    const { searched } = await worlds.live.vectors!.search(PROJECTS, () => 'parser');
    expect(
      searched
        .flatMap(({ content }) => content.chunks.flatMap(({ ids }) => [...ids]))
        .filter((id) => gone.has(id)),
    ).toEqual([]);
    const snapshots = ['text', 'vectors'].flatMap((name) =>
      readdirSync(join(folder, name)).map((file) => readFileSync(join(folder, name, file), 'latin1')),
    );
    expect(snapshots).toHaveLength(4);
    for (const number of forgotten)
      for (const bytes of snapshots) expect(bytes.includes(ownWord(number))).toBe(false);
    // A document that stayed is in the snapshots: the words are stored in the form searched for.
    expect(snapshots.some((bytes) => bytes.includes(ownWord(0)))).toBe(true);
  });
});
