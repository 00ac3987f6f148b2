// A home whose thread writes gives the same answers as one in a single thread, also while generations are replaced, and
// forgets as thoroughly.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Annals, type OpenOptions, openAnnals } from '../../src/index.ts';
import { buildCommand } from '../e2e/command.ts';
import { scanHome } from '../e2e/scan.ts';
import { threadedLibrary } from '../helpers/threaded-library.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

const WORD = 'qzxvkjwpmbtrnl';
const library = mkdtempSync(join(tmpdir(), 'annals-threaded-'));
let open: (options: OpenOptions) => Promise<Annals>;
beforeAll(async () => {
  buildCommand();
  open = await threadedLibrary(library);
});
afterAll(() => rmSync(library, { recursive: true, force: true }));

/** A transcript about lanterns. One turn mentions the word. */
async function transcript(): Promise<{ readonly root: string; readonly path: string }> {
  const root = await testFolder();
  const path = join(root, 'session-1.jsonl');
  const script = new Script({ session: 'session-1', cwd: '/home/u/app' });
  for (let number = 0; number < 40; number++) {
    script.prompt(number === 20 ? `The lantern of ${WORD}` : `Question ${number} about lanterns`);
    script.reply(`Answer ${number}`);
  }
  writeFileSync(path, script.bytes());
  return { root, path };
}

const ids = async (annals: Annals) =>
  (await annals.search('lanterns', { limit: 100 })).results.map(({ id }) => id).sort();

it('Answers equal those of a home in one thread, and what was acknowledged is found at once', async () => {
  const { root, path } = await transcript();
  const [threaded, single] = [
    await open({ home: join(root, 'threaded') }),
    await openAnnals({ home: join(root, 'single') }),
  ];
  for (const annals of [threaded, single]) {
    await annals.import([path]);
    await annals.save({
      title: 'Lanterns burn oil',
      text: 'All of them.',
      cwd: '/home/u/app',
      at: 1_767_300_000_000,
    });
  }
  const answers = await Promise.all(
    [threaded, single].map(async (annals) => {
      const { results, degraded } = await annals.search('lanterns burn', { limit: 100 });
      const { text } = await annals.context({ cwd: '/home/u/app' });
      const saved = results[0]!.title;
      const found = results.slice(1).map(({ id, score, snippet }) => ({ id, score, snippet }));
      return { saved, found, degraded, text: text.replaceAll(/\bm-\w+/g, 'm') };
    }),
  );
  expect(answers[0]!.saved).toBe('Lanterns burn oil');
  expect(answers[0]).toEqual(answers[1]);
  await threaded.close();
  await single.close();
});

it('Searches go on while the views are rebuilt again and again', async () => {
  const { root, path } = await transcript();
  const annals = await open({ home: join(root, 'home') });
  await annals.import([path]);
  const before = await ids(annals);
  expect(before.length).toBeGreaterThan(30);
  let isOver = false;
  const rebuilding = (async () => {
    for (let round = 0; round < 3; round++) await annals.rebuild();
    isOver = true;
  })();
  let asked = 0;
  for (; !isOver; asked++) expect(await ids(annals)).toEqual(before);
  await rebuilding;
  expect(asked).toBeGreaterThan(3);
  expect(await annals.verify({ rebuilt: true })).toMatchObject({ ok: true });
  await annals.close();
});

it('What is forgotten is in no answer and no file, also after an index with it was in memory', async () => {
  const { root, path } = await transcript();
  const home = join(root, 'home');
  const annals = await open({ home });
  await annals.import([path]);
  expect((await annals.search(WORD)).results[0]?.snippet).toContain(WORD);
  const { outcome, proof } = await annals.forget({ query: WORD });
  expect([outcome, proof?.ok]).toEqual(['forgotten', true]);
  const { results } = await annals.search(WORD);
  expect(JSON.stringify(results)).not.toContain(WORD);
  await annals.compact();
  await annals.close();
  expect(await scanHome(home, [WORD])).toEqual([]);
});

it('A home that another process or library holds is refused with the reason, and opens when it is free', async () => {
  const { root } = await transcript();
  const home = join(root, 'home');
  const first = await open({ home });
  await expect(open({ home, lockTimeoutMs: 50 })).rejects.toMatchObject({ code: 'HOME_LOCKED' });
  await first.close();
  const second = await open({ home });
  await second.save({ title: 'Still here', text: 'Yes.' });
  await second.close();
  await second.close();
  const late = [second.search('still'), second.recall({ occasion: 'prompt', text: 'still', cwd: root })];
  for (const call of late) await expect(call).rejects.toMatchObject({ code: 'LOG_CLOSED' });
});

it('Indexes that were lost, and views that were lost, are built again', async () => {
  const { root, path } = await transcript();
  const home = join(root, 'home');
  const first = await open({ home });
  await first.import([path]);
  const before = await ids(first);
  await first.close();
  for (const lost of ['views/text', 'views/vectors', 'views']) {
    rmSync(join(home, lost), { recursive: true });
    const annals = await open({ home });
    expect(await ids(annals)).toEqual(before);
    await annals.close();
  }
});

it('Closing does not wait for an import that runs: it ends at a page, and the next one does the rest', async () => {
  const { root, path } = await transcript();
  const home = join(root, 'home');
  const first = await open({ home });
  const running = first.import([path], { onProgress: () => void closing() });
  let closed: Promise<void> | null = null;
  const closing = () => {
    closed ??= first.close();
  };
  await running.catch(() => undefined);
  await closed;
  const second = await open({ home });
  await second.import([path]);
  expect((await ids(second)).length).toBeGreaterThan(30);
  await second.close();
});
