// The summary of a compaction is found as what it is, and is no answer to a prompt.
import { expect, test } from 'vitest';
import type { MemoryDocument } from '../../../projections/index.ts';
import { figuresOf, viewsOf } from '../../helpers/projected.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

test('a compaction’s summary is a document of its own type; prompts, observations and answers stay as they are', async () => {
  const documents = async (isCompacted: boolean) => {
    const script = new Script();
    script.prompt('Widen the chute');
    script.use('toolu_1', 'Edit', { file_path: '/home/u/app/chute.ts', old_string: '5', new_string: '9' });
    script.result('toolu_1', 'The file has been updated.');
    script.reply('The chute is 9 cm wide.');
    if (isCompacted) script.prompt('Summary: the heron wants fish.', { isCompactSummary: true });
    const runner = await viewsOf([readWhole(script.bytes()).newEvents]);
    const rows = (await runner.view('memory').range<MemoryDocument>('document/')).map(([, row]) => row);
    return { rows, prompts: (await figuresOf(runner)).prompts };
  };
  const before = await documents(false);
  const after = await documents(true);
  expect(after.prompts).toBe(before.prompts);
  const account = after.rows.filter(({ body }) => body.includes('heron'));
  expect(account).toMatchObject([
    { kind: 'answer', type: 'compaction', title: expect.stringContaining('summary of the session') },
  ]);
  const others = after.rows.filter(({ type }) => type !== 'compaction');
  const shown = ({ id, title, body }: MemoryDocument) => [id, title, body];
  expect(others.map(shown)).toEqual(before.rows.map(shown));
});
