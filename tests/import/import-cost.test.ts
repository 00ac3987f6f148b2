// What an import reads of the views does not grow with the sessions that its files belong to.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sessionKeys, type ViewReader } from '../../projections/index.ts';
import { importIntoHome } from '../../src/import/import-paths.ts';
import { openParts } from '../../src/open-parts.ts';
import { searchMemory } from '../../src/search/search-home.ts';
import { asked, leave, SESSION } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

const AGENT = 'claude-code';
const PRIVATE = '<private>nothing to keep</private>';

/** Keys and prefixes below a session's turns that are read while `work` runs. */
async function readsOfTurns(turns: ViewReader, work: () => Promise<unknown>): Promise<string[]> {
  const reads: string[] = [];
  const session = sessionKeys.turns(AGENT, SESSION);
  const view = turns as { -readonly [name in keyof ViewReader]: ViewReader[name] };
  const { range } = view;
  view.range = (prefix, ...options) => {
    if (prefix.startsWith(session)) reads.push(prefix);
    return range.call(turns, prefix, ...options) as never;
  };
  await work();
  view.range = range;
  return reads;
}

it('an import of new lines reads no rows of the turns that its session had before', async () => {
  const root = await testFolder();
  const home = join(root, 'home');
  const path = join(root, `${SESSION}.jsonl`);
  const script = new Script({ session: SESSION, start: Date.now() - 3_600_000 });
  script.prompt('go', { promptId: 'p-1' });
  script.use('toolu_1');
  script.result('toolu_1', 'ok');
  script.prompt(PRIVATE, { promptId: 'p-2' });
  script.reply('hidden');
  const written = script.bytes();
  writeFileSync(path, written);
  script.prompt('once more', { promptId: 'p-3' });
  script.use('toolu_2');
  script.result('toolu_2', 'ok');
  script.use('toolu_3');
  const added = script.bytes().subarray(written.length);

  mkdirSync(home, { mode: 0o700 });
  // In a session with hooks, stored reports may prove private.
  leave(home, 'c-0', asked('go'), Date.now() - 3_600_000);
  const parts = await openParts({ home });
  try {
    const first = await importIntoHome([path], {}, parts);
    expect(first).toMatchObject({ sessions: 1, prompts: 2, toolUses: 1 });
    appendFileSync(path, added);
    const reads = await readsOfTurns(parts.views.turns, async () => {
      const second = await importIntoHome([path], {}, parts);
      expect(second).toMatchObject({ sessions: 1, prompts: 3, toolUses: 3 });
    });
    expect(reads).toEqual([]);
  } finally {
    await parts.embedding.close();
    await parts.runner.close();
    await parts.log.close();
  }
});

/** Name and bytes of every file in a folder. */
function filesIn(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'latin1')]);
}

it('a small import does not write the indexes of its project again, and a search finds it', async () => {
  const root = await testFolder();
  const path = join(root, `${SESSION}.jsonl`);
  const script = new Script({ session: SESSION });
  script.prompt('Where do the lanterns hang?');
  script.reply('They hang below the roof of the harbour office, on the side of the water.');
  const written = script.bytes();
  writeFileSync(path, written);
  script.prompt('Who lights them?');
  script.reply('The keeper of the harbour lights every quokka at dusk.');
  const added = script.bytes().subarray(written.length);
  const parts = await openParts({ home: join(root, 'home') });
  try {
    await importIntoHome([path], {}, parts);
    const { text, vectors } = parts.paths;
    const before = [...filesIn(text), ...filesIn(vectors)];
    expect(before).toHaveLength(2);
    appendFileSync(path, added);
    await importIntoHome([path], {}, parts);
    expect([...filesIn(text), ...filesIn(vectors)]).toEqual(before);
    const { results } = await searchMemory('quokka', {}, parts);
    expect(results.map(({ snippet }) => snippet).join()).toContain('quokka');
  } finally {
    await parts.embedding.close();
    await parts.runner.close();
    await parts.log.close();
  }
});
