import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProjectIndex } from '../../../projections/text/index.ts';
import { type Embedder, VectorIndex } from '../../../projections/vectors/index.ts';
import { shippedEmbedder } from '../../helpers/search-world.ts';
import { DocumentsInMemory, document, filesIn } from '../text/documents-in-memory.ts';
import { randomDocument, randomNumbers } from '../text/random-documents.ts';

const ONE: ProjectIndex = { id: 'one', workdirs: ['/home/u/one'] };
const TWO: ProjectIndex = { id: 'two', workdirs: ['/home/u/two'] };

/** The shipped embedder, counting the texts it embeds. */
function counting(recipe?: string): Embedder & { texts: number } {
  const embedder = shippedEmbedder();
  return {
    ...embedder,
    ...(recipe === undefined ? {} : { recipe }),
    texts: 0,
    embed(texts) {
      this.texts += texts.length;
      return embedder.embed(texts);
    },
  };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'annals-vectors-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function nearestTo(
  index: VectorIndex,
  query: string,
  projectIndexes = [ONE],
): Promise<string | undefined> {
  const { nearest } = await index.search(projectIndexes, () => query, 1);
  return nearest[0]?.id;
}

describe('The vector index', () => {
  it('finds text of the same meaning in other words, in the searched projects', async () => {
    const source = new DocumentsInMemory([
      document({ id: 'p-1', body: 'SQL server cannot be reached' }),
      document({ id: 'p-2', body: 'paint the kitchen wall blue' }),
      document({ id: 'p-3', body: 'the database connection timed out', workdir: '/home/u/two' }),
    ]);
    const index = new VectorIndex(source, shippedEmbedder(), null);
    expect(await nearestTo(index, 'database is down')).toBe('p-1');
    expect(await nearestTo(index, 'database connection', [ONE, TWO])).toBe('p-3');
  });

  it('has the same bytes live and rebuilt, however its documents were added and removed', async () => {
    const source = new DocumentsInMemory();
    const live = new VectorIndex(source, shippedEmbedder(), null);
    const random = randomNumbers(7);
    const documents = Array.from({ length: 120 }, (_, n) => randomDocument(`x-${n}`, random));
    for (const [turn, one] of documents.entries()) {
      source.put(one);
      if (turn % 4 === 3) source.put({ ...documents[turn - 2]!, body: `edited ${turn} ${one.body}` });
      if (turn % 9 === 8) source.remove(documents[turn - 5]!.id);
      if (turn % 10 === 0) await live.refresh([ONE, TWO]);
    }
    const projectIndexes = [ONE, TWO];
    const digest = await live.digest(projectIndexes);
    expect(digest).toBe(await new VectorIndex(source, shippedEmbedder(), null).digest(projectIndexes));
    source.remove([...source.rows.keys()][0]!);
    expect(await live.digest(projectIndexes)).not.toBe(digest);
  });

  it('copies only the chunk of a changed document, and is the same live, rebuilt and read from disk', async () => {
    const embedder: Embedder = {
      ...{ id: 'random', dim: 16, recipe: 'random' },
      embed: (texts) => texts.map((text) => new Float32Array(16).map(randomNumbers(crc32(text)))),
    };
    const numbered = (n: number, edit = '') =>
      document({ id: `d${n}`, body: `${edit} ${n}`, tokens: n, session: `session-${Math.floor(n / 1_000)}` });
    const source = new DocumentsInMemory(Array.from({ length: 9_000 }, (_, n) => numbered(n)));
    const live = new VectorIndex(source, embedder, filesIn(folder));
    const content = async (index: VectorIndex) =>
      (await index.search([ONE], () => 'anything', 1)).searched[0]!.content;
    const { chunks } = await content(live);
    expect(chunks).toHaveLength(9);
    source.put(numbered(77, 'edited'));
    const changed = await content(live);
    expect(changed.chunks.filter((chunk, at) => chunk !== chunks[at])).toHaveLength(1);
    for (let n = 0; n < 2_000; n += 1) source.remove(`d${n}`);
    for (let n = 9_000; n < 9_500; n += 1) source.put(numbered(n));
    const found = async (index: VectorIndex) => {
      const { nearest, searched } = await index.search([ONE], () => 'anything', 100);
      const { rows, sessions } = searched[0]!.content;
      return { rows, tokens: sessions.tokens, nearest: nearest.map(({ id, score }) => ({ id, score })) };
    };
    const followed = await found(live);
    await live.save();
    for (const files of [null, filesIn(folder)]) {
      const other = new VectorIndex(source, embedder, files);
      expect(await found(other)).toEqual(followed);
      expect(await other.digest([ONE])).toBe(await live.digest([ONE]));
    }
    expect(source.reads).toBe(2);
  });

  it('is read from disk and embeds only documents that changed since', async () => {
    const source = new DocumentsInMemory(
      Array.from({ length: 40 }, (_, n) => document({ id: `p-${n}`, body: `document number ${n} of forty` })),
    );
    const first = new VectorIndex(source, shippedEmbedder(), filesIn(folder));
    await first.refresh([ONE]);
    await first.save();
    source.put(document({ id: 'p-new', body: 'a walrus sleeps on the ice' }));
    const embedder = counting();
    const second = new VectorIndex(source, embedder, filesIn(folder));
    expect(await nearestTo(second, 'sleeping walrus')).toBe('p-new');
    expect(embedder.texts).toBe(2);
    expect(source.reads).toBe(1);
    expect(await second.digest([ONE])).toBe(await new VectorIndex(source, embedder, null).digest([ONE]));
  });

  it('keeps nothing of a removed document', async () => {
    const gone = document({ id: 'p-gone', body: 'the secret walrus', session: 'session-of-the-gone' });
    const source = new DocumentsInMemory([gone, document({ id: 'p-1', body: 'kitchen' })]);
    const index = new VectorIndex(source, shippedEmbedder(), filesIn(folder));
    await index.refresh([ONE]);
    await index.save();
    source.remove('p-gone');
    expect(await nearestTo(index, 'the secret walrus')).toBe('p-1');
    await index.save();
    const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(bytes).toHaveLength(1);
    expect(bytes[0]).not.toContain('p-gone');
    expect(bytes[0]).not.toContain('session-of-the-gone');
  });

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, -100)],
    [
      'flipped',
      (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 9 ? byte ^ 4 : byte))),
    ],
    ['empty', () => Buffer.alloc(0)],
  ])('embeds again when its file is %s, and says so', async (_, damage) => {
    const source = new DocumentsInMemory([document({ id: 'p-1', body: 'kitchen wall' })]);
    const first = new VectorIndex(source, shippedEmbedder(), filesIn(folder));
    const digest = await first.digest([ONE]);
    await first.save();
    const path = join(folder, readdirSync(folder)[0]!);
    writeFileSync(path, damage(readFileSync(path)));
    const second = new VectorIndex(source, shippedEmbedder(), filesIn(folder));
    const { degraded } = await second.search([ONE], () => 'wall');
    expect(degraded).toEqual(['A vector index on disk was damaged; it was rebuilt from the documents.']);
    expect(await second.digest([ONE])).toBe(digest);
  });

  it('embeds again without a message when its vectors have another recipe', async () => {
    const source = new DocumentsInMemory([document({ id: 'p-1', body: 'kitchen wall' })]);
    const first = new VectorIndex(source, counting('older'), filesIn(folder));
    await first.refresh([ONE]);
    await first.save();
    const embedder = counting();
    const second = new VectorIndex(source, embedder, filesIn(folder));
    expect(await second.refresh([ONE])).toEqual([]);
    expect(embedder.texts).toBe(1);
  });
});
