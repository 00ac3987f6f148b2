// Transcripts of Cursor. The lines are made by hand in the shape that it wrote in April 2026.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { cursor } from '../../../src/agents/cursor/index.ts';
import { openAnnals } from '../../../src/index.ts';
import { countRecords, recordsOf } from '../../helpers/agents/records.ts';
import { agentTranscripts } from '../../helpers/shared-data.ts';
import { leave } from '../../helpers/spool.ts';
import { testFolder } from '../../helpers/views.ts';
import { line, sample } from './sample.ts';

const format = cursor.transcripts!.format!;
const textOf = (lines: readonly JsonObject[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join('');
const read = (lines: readonly JsonObject[], path = sample.path) => recordsOf(format, textOf(lines), path);

describe('A line of a person', () => {
  test.each([
    ['in its block', '<user_query>\nRun it\n</user_query>', 'Run it'],
    [
      'behind a page that names the block too',
      '<external_links>\n<user_query>\nx\n</user_query>\n</external_links>\n<user_query>\nRun it\n</user_query>',
      'Run it',
    ],
    ['that names the block', '<user_query>\nWhat is <user_query>?\n</user_query>', 'What is <user_query>?'],
  ])('is a prompt %s', (_case, text, typed) => {
    expect(read([line('user', text)])).toMatchObject([{ kind: 'prompt', id: '@0', text: typed }]);
  });

  test.each([
    ['<system_reminder>\nx\n</system_reminder>'],
    ['<user_query>\nunclosed'],
    ['<user_query>\n \n</user_query>'],
  ])('is no prompt if nobody typed in it: %j', (text) =>
    expect(read([line('user', text)])).toMatchObject([{ kind: 'ignored', reason: 'not typed by a person' }]),
  );
});

test('Nothing of a sub-agent is read, and other roles are counted', () => {
  const path = '/home/u/.cursor/projects/home-u-app/agent-transcripts/s1/subagents/s2.jsonl';
  expect(read([line('user', '<user_query>\nCount\n</user_query>')], path)).toMatchObject([
    { kind: 'ignored', reason: 'line of a sub-agent' },
  ]);
  expect(read([line('judge', 'x')])).toMatchObject([{ kind: 'unknown', name: 'judge' }]);
});

test('A session that hooks reported is not read again from its transcript', async () => {
  const folder = await testFolder();
  const home = join(folder, 'home');
  const path = (session: string) => join(folder, `${session}.jsonl`);
  for (const session of ['hooked', 'older']) writeFileSync(path(session), textOf(sample.lines));
  const hook = {
    conversation_id: 'hooked',
    hook_event_name: 'beforeSubmitPrompt',
    prompt: 'Run the tests',
    workspace_roots: [folder],
  };
  leave(home, 'cursor-1795372034-0000001-1', hook);
  const annals = await openAnnals({ home });
  try {
    await annals.import([folder]);
    const prompts = [];
    for await (const { session, channel } of annals.log({ type: 'prompt.submitted' }))
      prompts.push([session, channel]);
    expect(prompts.sort()).toEqual([
      ['hooked', 'hook'],
      ['older', 'transcript'],
    ]);
  } finally {
    await annals.close();
  }
});

const folder = agentTranscripts('cursor');
test.skipIf(folder === null)(
  'A real transcript has the known counts (skipped without the shared data)',
  () => {
    const [name] = readdirSync(folder!, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.jsonl'),
    );
    const path = join(folder!, name!);
    expect(countRecords(recordsOf(format, readFileSync(path, 'utf8'), path))).toEqual({
      prompt: 5,
      reply: 51,
    });
  },
);
