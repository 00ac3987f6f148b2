import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryDocument } from '../../../projections/memory/document.ts';
import { TextIndex } from '../../../projections/text-index/index.ts';
import { DocumentsInMemory, document, filesIn } from './documents-in-memory.ts';

const ONE = { id: 'one', places: ['/work/one'] };
const TWO = { id: 'two', places: ['/work/two'] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'annals-text-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function found(index: TextIndex, query: string, partitions = [ONE]): Promise<string[]> {
  return (await index.search(partitions, query)).hits.map(({ id }) => id);
}

describe('The text index', () => {
  it('finds a document by its title, its body, its files and the titles of its neighbours, in that order', async () => {
    const source = new DocumentsInMemory([
      document({
        id: 'neighbour',
        title: 'the first',
        body: 'something else',
        neighbours: ['zebra crossing'],
      }),
      document({
        id: 'file',
        title: 'the second',
        body: 'something else',
        files: ['src/zebra.ts', 'src/other.ts'],
      }),
      document({ id: 'body', title: 'the third', body: 'zebra else' }),
      document({ id: 'title', title: 'a zebra', body: 'something else' }),
      document({ id: 'nothing', title: 'the fourth', body: 'nothing of the kind' }),
    ]);
    expect(await found(new TextIndex(source, null), 'zebras')).toEqual([
      'title',
      'body',
      'file',
      'neighbour',
    ]);
  });

  it('finds an identifier by itself first, and by its parts', async () => {
    const source = new DocumentsInMemory([
      document({ id: 'whole', body: 'then canWriteRightBlock is called somewhere in the middle of it' }),
      document({ id: 'parts', body: 'you can write the block on the right' }),
    ]);
    const index = new TextIndex(source, null);
    expect(await found(index, 'canWriteRightBlock')).toEqual(['whole', 'parts']);
    expect(await found(index, 'right block')).toContain('whole');
  });

  it('widens a term to similar ones only when no searched project holds it', async () => {
    const source = new DocumentsInMemory([
      document({ id: 'exact', body: 'receive the parcel' }),
      document({ id: 'similar', body: 'deceive the parcel' }),
      document({ id: 'elsewhere', body: 'recieve with a mistake', place: '/work/two' }),
    ]);
    const index = new TextIndex(source, null);
    expect(await found(index, 'receive')).toEqual(['exact']);
    expect(await found(index, 'recieve')).toContain('exact');
    expect(await found(index, 'recieve', [ONE, TWO])).toEqual(['elsewhere']);
    expect(await found(index, 'parc')).toHaveLength(2);
  });

  it('scores projects as one collection: what is rare in all of them weighs most', async () => {
    const small = [
      document({ id: 'small-1', body: 'common alpha', place: '/work/two' }),
      document({ id: 'small-2', body: 'other words', place: '/work/two' }),
      document({ id: 'small-3', body: 'still other', place: '/work/two' }),
    ];
    const large = Array.from({ length: 50 }, (_, n) => document({ id: `large-${n}`, body: 'common words' }));
    const index = new TextIndex(
      new DocumentsInMemory([...small, ...large, document({ id: 'rare', body: 'quokka words' })]),
      null,
    );
    const { hits } = await index.search([ONE, TWO], 'common quokka');
    expect(hits[0]).toMatchObject({ id: 'rare', partition: 'one' });
    const common = new Map(hits.map((hit) => [hit.id, hit.score]));
    expect(common.get('small-1')! / common.get('large-1')!).toBeLessThan(1.5);
    const alone = await new TextIndex(new DocumentsInMemory(small), null).search([TWO], 'common');
    expect(alone.hits[0]!.score).toBeGreaterThan(common.get('small-1')! * 5);
  });

  it('breaks ties by id and searches only the projects that are asked', async () => {
    const source = new DocumentsInMemory([
      document({ id: 'c', body: 'equal' }),
      document({ id: 'a', body: 'equal' }),
      document({ id: 'b', body: 'equal' }),
      document({ id: 'foreign', body: 'equal', place: '/work/two' }),
    ]);
    expect(await found(new TextIndex(source, null), 'equal')).toEqual(['a', 'b', 'c']);
  });

  it('follows its source: new, changed, moved and deleted documents', async () => {
    const source = new DocumentsInMemory([document({ id: 'a', body: 'walrus' })]);
    const index = new TextIndex(source, null);
    expect(await found(index, 'walrus')).toEqual(['a']);
    source.put(document({ id: 'b', body: 'walrus walrus' }));
    expect(await found(index, 'walrus')).toEqual(['b', 'a']);
    source.put(document({ id: 'a', body: 'penguin' }));
    expect(await found(index, 'walrus')).toEqual(['b']);
    source.put(document({ id: 'b', body: 'walrus walrus', place: '/work/two' }));
    expect(await found(index, 'walrus')).toEqual([]);
    expect(await found(index, 'walrus', [TWO])).toEqual(['b']);
    source.remove('a');
    expect(await found(index, 'penguin')).toEqual([]);
    expect(source.reads).toBe(2);
  });

  it('takes a change once, however often it is told', async () => {
    const source = new DocumentsInMemory([document({ id: 'a', body: 'walrus' })]);
    const index = new TextIndex(source, null);
    await index.refresh([ONE]);
    const change = source.put(document({ id: 'b', body: 'walrus' }));
    await index.apply([change]);
    await index.apply([change]);
    expect(await found(index, 'walrus')).toEqual(['a', 'b']);
    expect(source.reads).toBe(1);
  });

  it('starts again when its source was rebuilt', async () => {
    const source = new DocumentsInMemory([document({ id: 'a', body: 'walrus' })]);
    const index = new TextIndex(source, null);
    await index.refresh([ONE]);
    source.rows.set('a', document({ id: 'a', body: 'penguin' }));
    source.rebuild('two');
    expect(await found(index, 'penguin')).toEqual(['a']);
  });

  it('is built again, and says so, when a change does not fit what it holds', async () => {
    const source = new DocumentsInMemory([document({ id: 'a', body: 'walrus' })]);
    const index = new TextIndex(source, null);
    await index.refresh([ONE]);
    source.rows.set('a', document({ id: 'a', body: 'never told' }));
    source.put(document({ id: 'a', body: 'penguin' }));
    const answer = await index.search([ONE], 'penguin');
    expect(answer.hits.map(({ id }) => id)).toEqual(['a']);
    expect(answer.degraded).toHaveLength(1);
    expect(await index.digest([ONE])).toBe(await new TextIndex(source, null).digest([ONE]));
  });

  it('equals a rebuilt index after 500 random edits and removals, also through snapshots', async () => {
    const random = randomNumbers(20_261_121);
    const source = new DocumentsInMemory(
      Array.from({ length: 300 }, (_, n) => randomDocument(`d${n}`, random)),
    );
    let index = new TextIndex(source, filesIn(folder));
    await index.refresh([ONE, TWO]);
    for (let edit = 0; edit < 500; edit += 1) {
      const id = `d${Math.floor(random() * 330)}`;
      if (random() < 0.3 && source.rows.has(id)) source.remove(id);
      else source.put(randomDocument(id, random));
      if (edit % 7 === 0) await index.refresh([ONE, TWO]);
      if (edit % 100 === 99) {
        await index.save();
        index = new TextIndex(source, filesIn(folder));
      }
    }
    const rebuilt = () => new TextIndex(source, null).digest([ONE, TWO]);
    expect(await index.digest([ONE, TWO])).toBe(await rebuilt());
    source.rows.set('d1', document({ id: 'd1', body: 'changed behind its back' }));
    expect(await index.digest([ONE, TWO])).not.toBe(await rebuilt());
  });
});

describe('A snapshot of the text index', () => {
  const documents = [
    document({ id: 'a', title: 'walrus', body: 'the walrus and the carpenter' }),
    document({ id: 'b', body: 'carpenter café 保留 $HOME', files: ['src/walrus.ts'] }),
    document({ id: 'c', body: 'nothing' }),
  ];

  async function saved(): Promise<string> {
    const index = new TextIndex(new DocumentsInMemory(documents), filesIn(folder));
    await index.refresh([ONE]);
    await index.save();
    return join(folder, (await readdir(folder))[0]!);
  }

  it('answers like the index it was made from, without reading the documents', async () => {
    await saved();
    const source = new DocumentsInMemory(documents);
    const restored = new TextIndex(source, filesIn(folder));
    const fresh = new TextIndex(new DocumentsInMemory(documents), null);
    for (const query of ['walrus carpenter', 'café', '保留', '$HOME', 'carpentre', 'walr', 'absent', 'src'])
      expect(await restored.search([ONE], query)).toEqual(await fresh.search([ONE], query));
    expect(source.reads).toBe(0);
  });

  it('widens misspelt and unfinished words to the same documents as a whole index', async () => {
    const random = randomNumbers(7);
    const rows = Array.from({ length: 100 }, (_, n) => randomDocument(`d${n}`, random));
    const first = new TextIndex(new DocumentsInMemory(rows), filesIn(folder));
    await first.refresh([ONE]);
    await first.save();
    const restored = new TextIndex(new DocumentsInMemory(rows), filesIn(folder));
    for (const word of [
      'alpah',
      'gama',
      'faield',
      'parsre',
      'sear',
      'fuzyz',
      'nidex',
      'bulid',
      'getUserNam',
      'eror',
    ])
      expect(await restored.search([ONE], word)).toEqual(await first.search([ONE], word));
    expect((await restored.search([ONE], 'faield')).hits.length).toBeGreaterThan(0);
  });

  it('catches up with what changed since', async () => {
    await saved();
    const source = new DocumentsInMemory(documents);
    source.put(document({ id: 'd', body: 'walrus' }));
    source.remove('a');
    const index = new TextIndex(source, filesIn(folder));
    expect(await found(index, 'walrus')).toEqual(['d', 'b']);
    expect(source.reads).toBe(0);
    expect(await index.digest([ONE])).toBe(await new TextIndex(source, null).digest([ONE]));
  });

  it('has the same bytes whatever order its documents came in', async () => {
    const first = await readFile(await saved(), 'utf8');
    const index = new TextIndex(new DocumentsInMemory([...documents].reverse()), filesIn(folder));
    await rm(folder, { recursive: true });
    await index.refresh([ONE]);
    await index.save();
    expect(await readFile(join(folder, (await readdir(folder))[0]!), 'utf8')).toBe(first);
  });

  it('that is damaged anywhere is noticed, said once, and replaced', async () => {
    const path = await saved();
    const good = await readFile(path);
    for (let at = 0; at < good.length; at += 7) {
      const bad = Buffer.from(good);
      bad[at]! ^= 1;
      await writeFile(path, bad);
      const index = new TextIndex(new DocumentsInMemory(documents), filesIn(folder));
      const answer = await index.search([ONE], 'walrus');
      expect(answer.hits.map(({ id }) => id)).toEqual(['a', 'b']);
      expect(answer.degraded).toHaveLength(1);
      expect((await index.search([ONE], 'walrus')).degraded).toEqual([]);
      await index.save();
      expect(await readFile(path)).toEqual(good);
    }
  });

  it.each(['', 'x', '\n\n\n'])('that holds only %j is damaged too', async (content) => {
    await writeFile(await saved(), content);
    const answer = await new TextIndex(new DocumentsInMemory(documents), filesIn(folder)).search(
      [ONE],
      'walrus',
    );
    expect(answer.hits).toHaveLength(2);
    expect(answer.degraded).toHaveLength(1);
  });

  it('that cannot be read is like a damaged one', async () => {
    const path = await saved();
    await rm(path);
    await mkdir(path);
    const answer = await new TextIndex(new DocumentsInMemory(documents), filesIn(folder)).search(
      [ONE],
      'walrus',
    );
    expect(answer.hits).toHaveLength(2);
    expect(answer.degraded).toHaveLength(1);
  });

  it('goes when its project is no more, and is made anew by a rebuild', async () => {
    await saved();
    const source = new DocumentsInMemory(documents);
    const index = new TextIndex(source, filesIn(folder));
    await index.prune([ONE, TWO]);
    expect(await readdir(folder)).toHaveLength(1);
    await index.prune([TWO]);
    expect(await readdir(folder)).toEqual([]);
    await index.rebuild([ONE]);
    expect(await readdir(folder)).toHaveLength(1);
    expect(source.reads).toBe(1);
  });

  it('of other places is not used, without a word', async () => {
    await saved();
    const source = new DocumentsInMemory([
      ...documents,
      document({ id: 'e', body: 'walrus', place: '/work/two' }),
    ]);
    const merged = { id: 'one', places: ['/work/one', '/work/two'] };
    const answer = await new TextIndex(source, filesIn(folder)).search([merged], 'walrus');
    expect(answer.hits.map(({ id }) => id)).toContain('e');
    expect(answer.degraded).toEqual([]);
  });

  it('of an empty project is possible', async () => {
    const index = new TextIndex(new DocumentsInMemory(), filesIn(folder));
    expect(await found(index, 'walrus')).toEqual([]);
    await index.save();
    expect(await found(new TextIndex(new DocumentsInMemory(), filesIn(folder)), 'walrus')).toEqual([]);
  });
});

const WORDS =
  'alpha beta gamma delta parse parsing parser getUserName user_name error failed build index search fuzzy 保留 café'.split(
    ' ',
  );

function randomDocument(id: string, random: () => number): MemoryDocument {
  const words = (most: number) =>
    Array.from(
      { length: Math.floor(random() * most) },
      () => WORDS[Math.floor(random() * WORDS.length)]!,
    ).join(' ');
  return document({
    id,
    title: words(6),
    body: words(60),
    files: random() < 0.3 ? [`src/${words(2)}.ts`] : [],
    neighbours: [words(4), words(4)],
    place: random() < 0.7 ? '/work/one' : '/work/two',
  });
}

/** Mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
