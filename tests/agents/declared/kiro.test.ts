// examples/agents/kiro.json, on a conversation made by hand in the form of Kiro CLI, and on a real one. The real one was
// redacted: it has no ids, times, folders and results. Skipped where the shared data are missing.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDescription } from '../../../src/agents/declared/check-description.ts';
import { agentTranscripts } from '../../helpers/shared-data.ts';
import { readInParts } from '../common/read-in-parts.ts';
import { bytesOf, example, WORLD } from './world.ts';

const entry = (second: number, content: object, assistant: object) => ({
  user: {
    env_context: { env_state: { current_working_directory: '/home/u/app' } },
    content,
    timestamp: `2026-11-22T18:00:0${second}+01:00`,
  },
  assistant,
});
const results = (status: string, content: object) => ({
  ToolUseResults: { tool_use_results: [{ tool_use_id: 't1', content: [content], status }] },
});
const conversation = (status: string, content: object) => ({
  conversation_id: 'k1',
  history: [
    entry(
      1,
      { Prompt: { prompt: 'Run the tests' } },
      {
        ToolUse: {
          message_id: 'm1',
          content: 'I run them.',
          tool_uses: [{ id: 't1', name: 'execute_bash', args: { command: 'npm test' } }],
        },
      },
    ),
    entry(2, results(status, content), { Response: { message_id: 'm2', content: 'One test fails.' } }),
  ],
});

test.each([
  ['Error', { Text: '1 failed' }, 'failed', '1 failed'],
  ['Success', { Json: { exit_status: '1', stdout: '1 failed', stderr: '' } }, 'failed', '1 failed'],
  ['Success', { Json: { exit_status: '0', stdout: 'ok', stderr: '' } }, 'ok', 'ok'],
])('a conversation with a result %s %j', (status, content, outcome, result) => {
  const { events } = readInParts(example('kiro').agent, bytesOf([conversation(status, content)]));
  expect(events.map(({ type, session }) => [type, session])).toEqual(
    ['session.started', 'prompt.submitted', 'agent.replied', 'tool.used', 'agent.replied'].map((type) => [
      type,
      'k1',
    ]),
  );
  const of = (type: string) => events.filter((event) => event.type === type);
  expect(of('prompt.submitted')).toMatchObject([
    { occurredAt: Date.UTC(2026, 10, 22, 17, 0, 1), body: { text: 'Run the tests', cwd: '/home/u/app' } },
  ]);
  expect(of('tool.used')).toMatchObject([
    { body: { name: 'execute_bash', input: { command: 'npm test' }, outcome, result } },
  ]);
});

test('a cancelled tool use, with what the person typed in its place', () => {
  const cancelled = (prompt: string) => {
    const { history, ...rest } = conversation('Error', {});
    const content = { CancelledToolUses: { prompt, tool_use_results: [{ tool_use_id: 't1', content: [] }] } };
    const last = entry(2, content, { Response: { message_id: 'm2', content: 'Stopped.' } });
    return readInParts(example('kiro').agent, bytesOf([{ ...rest, history: [history[0]!, last] }])).events;
  };
  const texts = (prompt: string) =>
    cancelled(prompt).flatMap(({ type, body }) =>
      type === 'prompt.submitted' && 'text' in body ? [body.text] : [],
    );
  expect(texts('Run only one')).toEqual(['Run the tests', 'Run only one']);
  expect(texts('The user interrupted the tool execution.')).toEqual(['Run the tests']);
  expect(cancelled('Stop').find(({ type }) => type === 'tool.used')).toMatchObject({
    body: { outcome: 'cancelled' },
  });
});

const folder = agentTranscripts('kiro');
test.skipIf(folder === null)('a real conversation has the known counts', async () => {
  const files = readdirSync(folder!, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  );
  const found = await checkDescription(
    example('kiro'),
    files.map((name) => join(folder!, name)),
    WORLD.machine,
  );
  expect(found).toMatchObject({
    ...{ files: 1, sessions: 1, prompts: 1, replies: 4, toolUses: 0, callsWithoutResult: 1 },
    ...{ parked: 0, unknown: {}, resultsWithoutCall: 0, withoutTime: 5, withoutFolder: 5 },
  });
});
