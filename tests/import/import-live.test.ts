// Searches during an import: results come before it ends, report how far behind they are, and include the same caller's
// own writes. Afterwards the views and indexes equal those of an undisturbed import.

import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Annals, type OpenOptions, openAnnals } from '../../src/index.ts';
import { buildCommand } from '../e2e/command.ts';
import { threadedLibrary } from '../helpers/threaded-library.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

const FILES = 6;
/** Of each file: several pages of the views. */
const PROMPTS = 180;
const PROMPTS_COMPARED = 60;

/** Sessions of two projects. Every prompt is about lanterns. */
async function transcripts({ root, prompts = PROMPTS }: { root?: string; prompts?: number } = {}) {
  root ??= await testFolder();
  const folder = join(root, 'transcripts');
  await mkdir(folder);
  for (let file = 0; file < FILES; file++) {
    const session = `session-${String(file).padStart(2, '0')}`;
    const script = new Script({
      session,
      cwd: `/home/u/${file % 2 === 0 ? 'app' : 'lib'}`,
      firstUuid: file * 1_000 + 1,
    });
    for (let number = 0; number < prompts; number++) {
      script.prompt(`Question ${number} of ${session} about lanterns`);
      script.reply(`Answer ${number}`);
    }
    await writeFile(join(folder, `${session}.jsonl`), script.bytes());
  }
  return { folder, home: join(root, 'home') };
}

/** Runs an action whenever a file is read, and returns what it gave before the import was over. */
async function whileImporting<T>(annals: Annals, folder: string, ask: (filesDone: number) => Promise<T>) {
  const answers: Promise<{ readonly filesDone: number; readonly isOver: boolean; readonly value: T }>[] = [];
  let isSearchable = false;
  let last = 0;
  await annals.import([folder], {
    onProgress: ({ filesDone }) => {
      if (filesDone <= last) return;
      last = filesDone;
      answers.push(ask(filesDone).then((value) => ({ filesDone, isOver: isSearchable, value })));
    },
    onSearchable: () => {
      isSearchable = true;
    },
  });
  return Promise.all(answers);
}

/** What an import without searches leaves. */
async function importUndisturbed() {
  const { folder, home } = await transcripts({ root: library, prompts: PROMPTS_COMPARED });
  const annals = await openAnnals({ home });
  await annals.import([folder]);
  const { views } = await annals.replay();
  await annals.close();
  return { folder, digests: views.map(({ name, digest }) => [name, digest]) };
}

const library = mkdtempSync(join(tmpdir(), 'annals-threaded-'));
let openThreaded: (options: OpenOptions) => Promise<Annals>;
let undisturbed: Awaited<ReturnType<typeof importUndisturbed>>;
beforeAll(async () => {
  buildCommand();
  openThreaded = await threadedLibrary(library);
  undisturbed = await importUndisturbed();
});
afterAll(() => rmSync(library, { recursive: true, force: true }));

describe.each([
  ['in one thread', (options: OpenOptions) => openAnnals(options)],
  ['with a thread that writes', (options: OpenOptions) => openThreaded(options)],
])('During an import %s', (_, openAnnals) => {
  it('a search returns before it ends, finds more and more, and reports how far behind it is', async () => {
    const { folder, home } = await transcripts();
    const annals = await openAnnals({ home });
    await annals.save({ title: 'Lanterns of old', text: 'They were there before.', project: 'app' });
    await annals.search('lanterns');
    const answers = await whileImporting(annals, folder, () => annals.search('lanterns', { limit: 1_000 }));
    const early = answers.filter(({ isOver }) => !isOver).map(({ value }) => value);
    const after = await annals.search('lanterns', { limit: 1_000 });
    await annals.close();
    expect(early.length).toBeGreaterThan(FILES / 2);
    for (const { results, degraded } of early) {
      expect(results.length).toBeGreaterThan(0);
      expect(degraded.join('\n')).toMatch(
        /An import is running, \d+ of 6 files so far: (?:[\d,]+ events? read so far cannot be found yet|everything read so far can be found)\./,
      );
    }
    const found = early.map(({ results }) => results.length);
    expect(Math.max(...found)).toBeGreaterThan(Math.min(...found));
    expect(after.results.length).toBeGreaterThanOrEqual(Math.min(1_000, FILES * PROMPTS));
    expect(after.degraded).toEqual([]);
  });

  it('what the same caller saved is found at once', async () => {
    const { folder, home } = await transcripts({ prompts: 40 });
    const annals = await openAnnals({ home });
    const answers = await whileImporting(annals, folder, async (filesDone) => {
      await annals.save({ title: `Zebra${filesDone}`, text: 'Kept in between.', project: 'app' });
      return (await annals.search(`zebra${filesDone}`)).results.map(({ title }) => title);
    });
    await annals.close();
    for (const { filesDone, value } of answers) expect(value[0]).toBe(`Zebra${filesDone}`);
  });

  it('views and indexes do not depend on searches made meanwhile', async () => {
    const { folder, digests } = undisturbed;
    const annals = await openAnnals({ home: join(await testFolder(), 'home') });
    await whileImporting(annals, folder, () => annals.search('lanterns'));
    const report = await annals.verify({ rebuilt: true });
    await annals.close();
    expect(report.views?.map(({ name, equal }) => [name, equal])).toEqual(
      ['turns', 'projects', 'memory', 'receipts', 'context', 'text', 'vectors'].map((name) => [name, true]),
    );
    expect(report.views?.map(({ name, live }) => [name, live])).toEqual(digests);
  });
});

describe('After an import that failed', () => {
  it('its events are found while another import runs, although nothing else updates the views for them', async () => {
    const { folder, home } = await transcripts();
    const other = join(folder, '..', 'other.jsonl');
    const script = new Script({ session: 'other', cwd: '/home/u/app', firstUuid: 90_001 });
    script.prompt('Where do walruses sleep?');
    await writeFile(other, script.bytes());
    const annals = await openAnnals({ home });
    let isOver = false;
    const importing = annals.import([folder]).then(() => {
      isOver = true;
    });
    // It begins at the views' position, and ends before they have moved.
    const failing = annals.import([other], {
      onProgress: ({ filesDone }) => {
        if (filesDone === 1) throw new Error('Nobody listens any more.');
      },
    });
    await expect(failing).rejects.toThrow('Nobody listens any more.');
    const { results } = await annals.search('walruses');
    expect(isOver).toBe(false);
    await importing;
    await annals.close();
    expect(results[0]?.title).toMatch(/walruses/);
  });
});
