import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TextIndex } from '../../../projections/text/index.ts';
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

  it('answers like the index it was written from, without reading the documents', async () => {
    await saved();
    const source = new DocumentsInMemory(documents);
    const restored = new TextIndex(source, filesIn(folder));
    const fresh = new TextIndex(new DocumentsInMemory(documents), null);
    for (const query of ['walrus carpenter', 'café', '保留', '$HOME', 'carpentre', 'walr', 'absent', 'src'])
      expect(await restored.search([ONE], query)).toEqual(await fresh.search([ONE], query));
    expect(source.reads).toBe(0);
  });

  it('widens misspelt and unfinished words to the same documents as an index in memory', async () => {
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

  it('finds every word by binary search, and widens any misspelling like an index that was never on disk', async () => {
    const random = randomNumbers(11);
    const letter = () => 'abcdeé保😀z'.at(Math.floor(random() * 9))!;
    const word = () => Array.from({ length: 1 + Math.floor(random() * 9) }, letter).join('');
    const words = Array.from({ length: 400 }, word);
    const rows = words.map((_, n) => document({ id: `d${n}`, body: words.slice(n, n + 3).join(' ') }));
    await new TextIndex(new DocumentsInMemory(rows), filesIn(folder)).rebuild([ONE]);
    const restored = new TextIndex(new DocumentsInMemory(rows), filesIn(folder));
    const whole = new TextIndex(new DocumentsInMemory(rows), null);
    for (const query of [...words, ...Array.from({ length: 300 }, word), 'x'.repeat(80)])
      expect(await restored.search([ONE], query), query).toEqual(await whole.search([ONE], query));
  });

  it('of the first format is replaced without a message', async () => {
    const path = await saved();
    const content = '{"format":1,"recipe":1}\n[]\n[]\n\n';
    await writeFile(path, `${'0'.repeat(64)}\n${content}`);
    const index = new TextIndex(new DocumentsInMemory(documents), filesIn(folder));
    const answer = await index.search([ONE], 'walrus');
    expect(answer.hits).toHaveLength(2);
    expect(answer.degraded).toEqual([]);
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

  it('follows changes of other projects, which are read once for all projects', async () => {
    await saved();
    const source = new DocumentsInMemory(documents);
    const before = new TextIndex(source, filesIn(folder));
    await before.refresh([ONE, TWO]);
    await before.save();
    for (let n = 0; n < 20; n += 1)
      source.put(document({ id: `n${n}`, body: 'walrus', workdir: '/home/u/three' }));
    const index = new TextIndex(source, filesIn(folder));
    expect(await found(index, 'walrus', [ONE, TWO])).toEqual(['a', 'b']);
    expect(source.changesRead).toBe(20);
    await index.save();
    const later = new TextIndex(source, filesIn(folder));
    expect(await found(later, 'walrus', [ONE, TWO])).toEqual(['a', 'b']);
    expect(source.changesRead).toBe(20);
    expect(source.reads).toBe(1);
  });

  it('has the same bytes in whatever order its documents were added', async () => {
    const first = await readFile(await saved(), 'utf8');
    const index = new TextIndex(new DocumentsInMemory([...documents].reverse()), filesIn(folder));
    await rm(folder, { recursive: true });
    await index.refresh([ONE]);
    await index.save();
    expect(await readFile(join(folder, (await readdir(folder))[0]!), 'utf8')).toBe(first);
  });

  it('that is damaged anywhere is detected, reported once, and replaced', async () => {
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

  it('that cannot be read is treated as damaged', async () => {
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

  it('is removed when its project no longer exists, and written again by a rebuild', async () => {
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

  it('of other workdirs is not used and makes no message', async () => {
    await saved();
    const source = new DocumentsInMemory([
      ...documents,
      document({ id: 'e', body: 'walrus', workdir: '/home/u/two' }),
    ]);
    const merged = { id: 'one', workdirs: ['/home/u/one', '/home/u/two'] };
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
