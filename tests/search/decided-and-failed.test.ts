// What a session decided and what failed in it, found by operators in a home that read its transcript.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Annals, openAnnals } from '../../src/index.ts';
import { Script } from '../helpers/transcripts.ts';
import { temporaryFolder } from '../helpers/world.ts';

const CWD = '/home/u/app';

describe('An operator finds in a session', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let annals: Annals;
  beforeAll(async () => {
    folder = await temporaryFolder();
    annals = await openAnnals({ home: join(folder.path, 'home') });
    const script = new Script();
    script.prompt('Fix the crash of the export. We decide: column names stay as they are in every export.');
    script.use('t1', 'Bash', { command: 'npm test' });
    script.result('t1', 'Exit code 1\n1 failed', {}, { is_error: true });
    script.use('e1', 'Edit', { file_path: `${CWD}/src/export.ts`, old_string: 'a', new_string: 'b' });
    script.result('e1', 'ok');
    script.use('t2', 'Bash', { command: 'npm test' });
    script.result('t2', '12 passed');
    script.reply(
      'Fixed the crash of the export: an empty table had no header. ' +
        'I kept the empty header row because the import of the archive still expects one.',
    );
    script.prompt('Write the list of feeders into the page');
    script.use('e2', 'Edit', { file_path: `${CWD}/src/page.ts`, old_string: 'a', new_string: 'b' });
    script.result('e2', 'ok');
    script.use('l1', 'Bash', { command: 'ls' });
    script.result('l1', 'page.ts');
    script.use('t3', 'Bash', { command: 'npm test | tail -5' });
    script.result('t3', ' Test Files  1 failed (1)\n      Tests  2 failed | 10 passed (12)');
    script.reply('Wrote the list of feeders into the page.');
    await writeFile(join(folder.path, 'session.jsonl'), script.bytes());
    await annals.import([join(folder.path, 'session.jsonl')]);
  });
  afterAll(async () => {
    await annals.close();
    await folder.remove();
  });

  const found = async (query: string, options = {}) =>
    (await annals.search(query, options)).results.map(({ kind, type, title }) => ({ kind, type, title }));

  const FIX = expect.objectContaining({ kind: 'observation', type: 'bugfix' });
  const LIST = expect.objectContaining({ kind: 'observation', title: expect.stringContaining('feeders') });

  it('a decision also in an observation of another type', async () => {
    expect(await found('type:decision')).toEqual([FIX]);
    expect(await found('column names type:decision')).toEqual([FIX]);
    expect(await found('kind:observation -type:decision')).toEqual([LIST]);
    expect(await found('type:bugfix')).toEqual([FIX]);
  });

  it('what was decided and who decided, with the result that was found for it', async () => {
    const decisions = async (query: string, options = {}) =>
      (await annals.search(query, options)).results.map((result) => result.decisions);
    const rule = { by: 'person', text: 'We decide: column names stay as they are in every export.' };
    const choice = {
      by: 'agent',
      text: 'I kept the empty header row because the import of the archive still expects one.',
    };
    expect(await decisions('type:decision')).toEqual([[rule, choice]]);
    expect(await decisions('', { type: 'Decision' })).toEqual([[rule, choice]]);
    expect(await decisions('archive import type:decision')).toEqual([[choice, rule]]);
    expect(await decisions('type:bugfix')).toEqual([undefined]);
    expect(await decisions('kind:observation -type:decision')).toEqual([undefined]);
  });

  it('the tool uses that failed', async () => {
    const failed = { kind: 'tool', type: 'Bash', title: expect.stringContaining('npm test') };
    expect(await found('outcome:failed')).toEqual([failed, failed]);
    expect(await found('npm test', { outcome: 'failed' })).toHaveLength(2);
    expect(await found('outcome:OK')).toHaveLength(4);
    expect(await found('kind:tool -outcome:ok')).toHaveLength(2);
    expect(await found('outcome:cancelled')).toEqual([]);
  });

  it('the test runs, and those whose tests failed also behind a pipe, newest first', async () => {
    const commands = async (query: string) =>
      (await annals.search(query)).results.map(({ outcome, title }) => `${outcome} ${title}`);
    const [piped, first] = ['failed npm test | tail -5', 'failed npm test'];
    expect(await commands('type:test')).toEqual([piped, 'ok npm test', first]);
    expect(await commands('type:test outcome:failed')).toEqual([piped, first]);
    expect(await commands('type:test outcome:ok')).toEqual(['ok npm test']);
    expect(await commands('outcome:failed')).toEqual([piped, first]);
    expect(await commands('npm test type:test outcome:failed')).toHaveLength(2);
    expect(await commands('kind:tool -type:test')).toHaveLength(3);
  });

  it('the same after the views were made again', async () => {
    await annals.rebuild();
    expect(await found('type:decision')).toEqual([FIX]);
    expect(await found('type:test outcome:failed')).toHaveLength(2);
  });

  it('what a person made of a decision, in their words', async () => {
    const { id } = (await annals.search('type:decision')).results[0]!;
    await annals.act({ act: 'edit', id, text: 'Column names may change in the archive.' });
    const [found] = (await annals.search('type:decision')).results;
    expect(found!.decisions).toEqual([{ by: 'person', text: 'Column names may change in the archive.' }]);
  });

  it('nothing with an outcome that does not exist, and says which there are', async () => {
    await expect(annals.search('outcome:broken')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'There is no outcome “broken”.',
      hint: 'Outcomes are ok, failed, cancelled.',
    });
  });
});
