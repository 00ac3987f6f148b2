// A command that the agent's program handles itself makes no document: hooks do not report it, so the result would depend
// on whether the transcript was imported. A command that the agent answers does.
import { expect, test } from 'vitest';
import type { MemoryDocument } from '../../../projections/index.ts';
import { viewsOf } from '../../helpers/projected.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

const command = (name: string) =>
  `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args></command-args>`;

test('only commands that the agent answered make documents', async () => {
  const script = new Script();
  script.prompt('go');
  script.reply('gone, all of it, and the tests pass');
  script.prompt(command('compact'));
  script.prompt(command('review'));
  script.reply('reviewed, and there is nothing to say');
  script.prompt('<bash-input>ls</bash-input>');
  script.prompt(command('exit'));
  const runner = await viewsOf([readWhole(script.bytes()).newEvents]);
  const documents = await runner.view('memory').range<MemoryDocument>('document/');
  const prompts = documents.flatMap(([, { kind, title }]) => (kind === 'prompt' ? [title] : []));
  expect(prompts.sort()).toEqual(['!ls', '/review', 'go']);
});
