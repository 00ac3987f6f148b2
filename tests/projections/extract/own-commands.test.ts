// A command that the program does by itself is not remembered: hooks do not tell of it, so a memory of it would depend on
// whether the transcript was imported. One that the agent answers is.
import { expect, test } from 'vitest';
import type { MemoryDocument } from '../../../projections/index.ts';
import { viewsOf } from '../../helpers/projected.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

const command = (name: string) =>
  `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args></command-args>`;

test('only commands that something followed are remembered', async () => {
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
