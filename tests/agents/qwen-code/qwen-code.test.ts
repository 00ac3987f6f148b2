import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { qwenCode } from '../../../src/agents/qwen-code/index.ts';
import { countRecords, damaged, recordsOf } from '../../helpers/agents/records.ts';
import { chance } from '../../helpers/chance.ts';
import { agentSamples } from '../../helpers/shared-data.ts';
import { answered, FAILED, FILE, line, session } from './sample.ts';

const { recognises } = qwenCode.transcripts!;
const format = qwenCode.transcripts!.format!;
const hooks = qwenCode.hooks!;
const textOf = (lines: readonly JsonObject[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join('');
const read = (lines: readonly JsonObject[], cuts: readonly number[] = []) =>
  recordsOf(format, textOf(lines), FILE, cuts);

describe('A transcript of Qwen Code', () => {
  test('becomes records', () => {
    expect(read(session)).toMatchObject([
      { kind: 'session', session: 's1', cwd: '/home/u/app', branch: 'main', agentVersion: '0.24.4' },
      { kind: 'prompt', id: 'u1', text: 'Read x' },
      {
        kind: 'reply',
        id: 'a1',
        text: 'I read.',
        usage: { input: 30, output: 37, cacheRead: 20 },
        goesOn: true,
      },
      { kind: 'call', id: 'c1', name: 'run_shell_command', input: { command: 'cat x' }, messageId: 'a1' },
      { kind: 'result', id: 'c1', outcome: 'failed', text: 'Exit code 1\nno', durationMs: 5 },
      { kind: 'ignored', reason: 'task note' },
    ]);
  });

  test('of a sub-agent belongs to its session, and its task is no prompt', () => {
    const own = { agentId: 'Explore-c9', isSidechain: true };
    const launch = line('r2', 'tool_result', answered('c9', 'agent', { output: 'launched' }), {
      toolCallResult: {
        status: 'success',
        resultDisplay: { type: 'task_execution', subagentName: 'Explore' },
      },
    });
    expect(read([launch]).at(-1)).toMatchObject({ outcome: 'ok', launchedAgentId: 'Explore-c9' });
    const lines = [
      line('u', 'user', [{ text: 'Count' }], own),
      line('r', 'tool_result', answered('c2', 'run_shell_command', { error: FAILED }), own),
    ];
    expect(read(lines)).toMatchObject([
      { kind: 'session', session: 's1', parentSession: 's1', agentId: 'Explore-c9' },
      { kind: 'ignored', reason: 'prompt of a sub-agent', agentId: 'Explore-c9' },
      { kind: 'result', outcome: 'failed', agentId: 'Explore-c9' },
    ]);
  });

  test('is told from others by its parts', () => {
    expect(recognises({ path: '/x', text: '', lines: session })).toBe(true);
    const claude = { uuid: 'u', sessionId: 's', message: { content: 'x' } };
    expect(recognises({ path: '/x', text: '', lines: [claude] })).toBe(false);
  });

  const samples = agentSamples('qwen-code', '0.24.4');
  test.skipIf(samples === null)(
    'holds nothing unknown in the samples (skipped without the shared data)',
    () => {
      const folder = join(samples!, 'transcripts/.qwen/projects');
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.jsonl'),
      );
      const counts = countRecords(
        names.flatMap((name) =>
          recordsOf(format, readFileSync(join(folder, name), 'utf8'), join(folder, name)),
        ),
      );
      expect(counts).toMatchObject({ session: 9, prompt: 8, result: 16, ignored: 3 });
      expect(counts.unknown).toBeUndefined();
    },
  );
});

describe('A hook of Qwen Code', () => {
  const sent = (event: string, fields: JsonObject): JsonObject => ({
    ...{ session_id: 's1', transcript_path: FILE, cwd: '/home/u/app', prompt_id: 's1########0' },
    hook_event_name: event,
    ...fields,
  });

  test('names no turn, the path only when it is one, and the id that the transcript knows', () => {
    expect(hooks.read(sent('SessionStart', { transcript_path: 's1.jsonl' }))).not.toHaveProperty('prompt_id');
    expect(hooks.read(sent('SessionStart', { transcript_path: 's1.jsonl' }))).toMatchObject({
      transcript_path: null,
    });
    const tool = {
      tool_name: 'run_shell_command',
      tool_use_id: 'toolu_1',
      tool_call_id: 'c1',
      tool_input: {},
    };
    expect(hooks.read(sent('PostToolUseFailure', { ...tool, error: FAILED }))).toMatchObject({
      hook_event_name: 'PostToolUseFailure',
      tool_use_id: 'c1',
      error: 'Exit code 1\nno',
    });
    const tool_response = { llmContent: 'Output: yes\nProcess Group PGID: 1', returnDisplay: 'yes' };
    expect(hooks.read(sent('PostToolUse', { ...tool, tool_response }))).toMatchObject({
      hook_event_name: 'PostToolUse',
      tool_use_id: 'c1',
      tool_response: 'yes',
    });
  });

  test('is written to the settings that Qwen Code reads', () => {
    const { settings } = hooks;
    if (settings.kind === 'file') return expect.fail();
    const machine = { environment: {}, userHome: '/home/u', windows: false };
    expect(settings.file(machine)).toBe('/home/u/.qwen/settings.json');
    expect(settings.file({ ...machine, environment: { QWEN_HOME: '/data' } })).toBe('/data/settings.json');
    const command = { line: 'capture', shLine: 'other', words: [], windows: false };
    expect(settings.handler(settings.entries[0]!, command)).toEqual({
      type: 'command',
      command: 'capture',
      timeout: 10,
    });
  });

  test('that reports no prompt of a person says why', () => {
    expect(hooks.read(sent('UserPromptSubmit', { prompt: 'Hello' }))).toMatchObject({ prompt: 'Hello' });
    expect(hooks.read(sent('UserPromptSubmit', { prompt: '' }))).toBe('a further request of a turn');
    expect(hooks.read(sent('UserPromptSubmit', { prompt: '<task-notification>\n' }))).toBe('task note');
  });

  test('throws nothing when it is damaged', () => {
    const random = chance(24);
    const payload = sent('', {
      prompt: 'p',
      tool_call_id: 'c',
      error: FAILED,
      tool_response: { llmContent: [{ text: 'x' }] },
    });
    const events = ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop'];
    for (let round = 0; round < 10_000; round++) {
      hooks.read(damaged({ ...payload, hook_event_name: events[round % 4]! }, random));
    }
  });
});
