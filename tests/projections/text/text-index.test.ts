import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TextIndex } from '../../../projections/text/index.ts';
import { fieldText } from '../../../projections/text/text-recipe.ts';
import { DocumentsInMemory, document, filesIn } from './documents-in-memory.ts';
import { randomDocument, randomNumbers } from './random-documents.ts';

const ONE = { id: 'one', workdirs: ['/home/u/one'] };
const TWO = { id: 'two', workdirs: ['/home/u/two'] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'annals-text-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function found(index: TextIndex, query: string, projectIndexes = [ONE]): Promise<string[]> {
  return (await index.search(projectIndexes, query)).hits.map(({ id }) => id);
}

describe('The text index', () => {
  it('finds every word of a body that begins with the title, also where the title ends within a word', async () => {
    const body = 'Database migrations must run twice';
    const source = new DocumentsInMemory([
      document({ id: 'begun', title: 'Data', body }),
      document({ id: 'cut', title: 'Database migr…', body }),
      document({ id: 'whole', title: 'Database', body }),
    ]);
    const index = new TextIndex(source, null);
    for (const word of ['database', 'migrations']) expect(await found(index, word), word).toHaveLength(3);
    const unspaced = document({ id: 'unspaced', title: '不用保留…', body: '不用保留吧' });
    expect(fieldText(unspaced, 'body')).toBe('留吧');
  });

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

  it('widens a term to similar ones only when no searched project contains it', async () => {
    const source = new DocumentsInMemory([
      document({ id: 'exact', body: 'receive the parcel' }),
      document({ id: 'similar', body: 'deceive the parcel' }),
      document({ id: 'elsewhere', body: 'recieve with a mistake', workdir: '/home/u/two' }),
    ]);
    const index = new TextIndex(source, null);
    expect(await found(index, 'receive')).toEqual(['exact']);
    expect(await found(index, 'recieve')).toContain('exact');
    expect(await found(index, 'recieve', [ONE, TWO])).toEqual(['elsewhere']);
    expect(await found(index, 'parc')).toHaveLength(2);
  });

  it('scores projects as one collection: terms that are rare in all of them weigh most', async () => {
    const small = [
      document({ id: 'small-1', body: 'common alpha', workdir: '/home/u/two' }),
      document({ id: 'small-2', body: 'other words', workdir: '/home/u/two' }),
      document({ id: 'small-3', body: 'still other', workdir: '/home/u/two' }),
    ];
    const large = Array.from({ length: 50 }, (_, n) => document({ id: `large-${n}`, body: 'common words' }));
    const index = new TextIndex(
      new DocumentsInMemory([...small, ...large, document({ id: 'rare', body: 'quokka words' })]),
      null,
    );
    const { hits } = await index.search([ONE, TWO], 'common quokka');
    expect(hits[0]).toMatchObject({ id: 'rare', projectIndex: 'one' });
    const common = new Map(hits.map((hit) => [hit.id, hit.score]));
    expect(common.get('small-1')! / common.get('large-1')!).toBeLessThan(1.5);
    const alone = await new TextIndex(new DocumentsInMemory(small), null).search([TWO], 'common');
    expect(alone.hits[0]!.score).toBeGreaterThan(common.get('small-1')! * 5);
  });

  it('breaks ties by id and searches only the given projects', async () => {
    const source = new DocumentsInMemory([
      document({ id: 'c', body: 'equal' }),
      document({ id: 'a', body: 'equal' }),
      document({ id: 'b', body: 'equal' }),
      document({ id: 'foreign', body: 'equal', workdir: '/home/u/two' }),
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
    source.put(document({ id: 'b', body: 'walrus walrus', workdir: '/home/u/two' }));
    expect(await found(index, 'walrus')).toEqual([]);
    expect(await found(index, 'walrus', [TWO])).toEqual(['b']);
    source.remove('a');
    expect(await found(index, 'penguin')).toEqual([]);
    expect(source.reads).toBe(2);
  });

  it('applies a change once, however often it is delivered', async () => {
    const source = new DocumentsInMemory([document({ id: 'a', body: 'walrus' })]);
    const index = new TextIndex(source, null);
    await index.refresh([ONE]);
    source.put(document({ id: 'b', body: 'walrus' }));
    const changes = source.changes.bind(source);
    // The whole feed, each time.
    source.changes = (after) => changes({ ...after, seq: 0 });
    await index.catchUp(10);
    await index.catchUp(10);
    expect(await found(index, 'walrus')).toEqual(['a', 'b']);
    expect(source.reads).toBe(1);
  });

  it('catches up in steps, and is loaded again by the next query when the changes are gone', async () => {
    const source = new DocumentsInMemory([document({ id: 'a', body: 'walrus' })]);
    const index = new TextIndex(source, null);
    await index.refresh([ONE]);
    for (const id of ['b', 'c', 'd']) source.put(document({ id, body: 'walrus' }));
    const steps: boolean[] = [];
    while (steps.at(-1) !== true) steps.push(await index.catchUp(2));
    expect([steps, source.reads]).toEqual([[false, false, true], 1]);
    expect(await found(index, 'walrus')).toEqual(['a', 'b', 'c', 'd']);
    source.rebuild('two');
    expect(await index.catchUp(2)).toBe(true);
    expect([index.isLoaded(ONE), source.reads]).toEqual([false, 1]);
    expect(await found(index, 'walrus')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('rebuilds when its source was rebuilt', async () => {
    const source = new DocumentsInMemory([document({ id: 'a', body: 'walrus' })]);
    const index = new TextIndex(source, null);
    await index.refresh([ONE]);
    source.rows.set('a', document({ id: 'a', body: 'penguin' }));
    source.rebuild('two');
    expect(await found(index, 'penguin')).toEqual(['a']);
  });

  it('replaces what it has of a changed document, whatever that is', async () => {
    const source = new DocumentsInMemory([document({ id: 'a', body: 'walrus' })]);
    const index = new TextIndex(source, null);
    await index.refresh([ONE]);
    source.rows.set('a', document({ id: 'a', body: 'never in the feed' }));
    source.put(document({ id: 'a', body: 'penguin' }));
    const answer = await index.search([ONE], 'penguin');
    expect(answer.hits.map(({ id }) => id)).toEqual(['a']);
    expect(answer.degraded).toEqual([]);
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
