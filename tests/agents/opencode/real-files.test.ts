// What real versions of OpenCode wrote. Skipped where the shared data are missing; the other tests here have their forms.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { opencode } from '../../../src/agents/opencode/index.ts';
import { exportFormat } from '../../../src/agents/opencode/transcript.ts';
import { countRecords, damaged, recordsOf } from '../../helpers/agents/records.ts';
import { chance } from '../../helpers/chance.ts';
import { agentSamples, agentTranscripts } from '../../helpers/shared-data.ts';
import { exported, failing, firstTurn, SESSION, text, user } from './session.ts';

const transcripts = agentTranscripts('opencode');
const samples = agentSamples('opencode', '1.18.33');
const { recognises } = opencode.transcripts!;

describe.skipIf(transcripts === null)('Real exports of OpenCode', () => {
  // Of the 16 messages that the data's simple rule counts as prompts in the first file, the program wrote 6; the other 10
  // are 4 texts and 6 commands. The prompts of the other files were written for sub-agents; the first of these names its
  // parent, so its title is none of a session.
  test.each<[string, Readonly<Record<string, number>>]>([
    ['ses_30bfbb6f4ffeJ2960akRy1tOR3', { title: 1, prompt: 10, ignored: 6, call: 98, result: 98, reply: 76 }],
    ['ses_3166403d7ffeiuUuXy143266AZ', { ignored: 1, call: 28, result: 28, reply: 17 }],
    ['ses_3221c0f27ffeY91aQeV7dRsmsi', { title: 1, ignored: 1, call: 31, result: 31, reply: 10 }],
    ['ses_32a80639fffeu0l81eN80uraRy', { title: 1, ignored: 1, call: 11, result: 11, reply: 8 }],
    ['ses_32ad4144dffeqmFJLQQpkRui5M', { title: 1, ignored: 1, call: 9, result: 9, reply: 10 }],
    ['ses_32cc4a9f4ffeXqGuUI0gU2qc7T', { title: 1, ignored: 1, call: 18, result: 18, reply: 18 }],
  ])('hold the prompts and tool uses that they are known to hold: %s', (name, counts) => {
    const path = join(transcripts!, 'dayhaysoos__nimbus', `${name}.json`);
    const whole = readFileSync(path, 'utf8');
    expect(recognises({ path, text: whole.slice(0, 65_536), lines: [] })).toBe(true);
    const found = countRecords(recordsOf(exportFormat, whole, path));
    expect(found).toEqual({ session: 1, ...counts });
  });

  test('of an earlier time hold the beginning of a later one', () => {
    const path = join(transcripts!, 'dayhaysoos__nimbus', 'ses_30bfbb6f4ffeJ2960akRy1tOR3.json');
    const { info, messages } = JSON.parse(readFileSync(path, 'utf8')) as {
      info: JsonObject;
      messages: JsonObject[];
    };
    const read = (count: number) =>
      recordsOf(exportFormat, JSON.stringify({ info, messages: messages.slice(0, count) }), path);
    const whole = read(messages.length);
    const random = chance(16);
    for (let round = 0; round < 50; round++) {
      const part = read(random.below(messages.length)).filter(({ kind }) => kind !== 'title');
      expect(part).toEqual(whole.slice(0, part.length));
    }
  });
});

describe.skipIf(samples === null)('Samples of OpenCode 1.18.33', () => {
  test('of an export have two turns and a failing command', () => {
    const path = join(samples!, 'transcripts', 'export-first.json');
    const records = recordsOf(exportFormat, readFileSync(path, 'utf8'), path);
    expect(countRecords(records)).toEqual({ session: 1, title: 1, prompt: 2, reply: 7, call: 6, result: 6 });
    expect(records.flatMap((one) => (one.kind === 'prompt' ? [one.text] : []))).toEqual([
      'Write a greeting',
      'Is it still there?',
    ]);
    expect(
      records.flatMap((one) => (one.kind === 'result' && one.outcome !== 'ok' ? [one.text] : [])),
    ).toEqual(['Exit code 1\ncat: missing.txt: No such file or directory\n']);
  });

  test('of prompts have their texts without the quotation marks of `run`', () => {
    const folder = join(samples!, 'hooks');
    const prompts = readdirSync(folder)
      .filter((file) => file.startsWith('chat.message-'))
      .map((file) => {
        const { output } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { output: JsonObject };
        const hook = opencode.hooks!.read({ hook_event_name: 'UserPromptSubmit', parts: output.parts! });
        return typeof hook === 'string' ? hook : hook.prompt;
      });
    expect(prompts.sort()).toEqual([
      ...['And in the fork?', 'Ask the server', 'Have patience', 'Is it still there?', 'This will be killed'],
      ...['This will be refused', 'Use helpers', 'What do you know?', 'Write a greeting'],
    ]);
  });
});

test('Damaged payloads and exports throw nothing', () => {
  const random = chance(118);
  const common = { session_id: SESSION, cwd: '/a', prompt_id: 'msg_1' };
  const payloads: readonly JsonObject[] = [
    { hook_event_name: 'SessionStart', ...common, source: 'startup' },
    {
      hook_event_name: 'UserPromptSubmit',
      ...common,
      parts: [text('"a b"'), { type: 'subtask', command: 'c' }],
    },
    { hook_event_name: 'PostToolUse', ...common, tool_name: 'bash', call_id: 'c', state: failing.state! },
    { hook_event_name: 'Stop', ...common, last_assistant_message: 'a', error: { name: 'b', message: 'c' } },
  ];
  const documents = [...firstTurn, user('msg_9', 9, [{ type: 'subtask', prompt: 'x' }])];
  for (let round = 0; round < 10_000; round++) {
    opencode.hooks!.read(damaged(payloads[round % payloads.length]!, random));
    const message = damaged(documents[round % documents.length]!, random);
    const document = round % 3 === 0 ? damaged(exported([message]), random) : exported([message]);
    exportFormat.records(document, {}, { offset: 0, path: '/a' });
  }
});
