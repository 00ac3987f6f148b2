// Payloads of Codex in the common form, and the settings that install writes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../src/agents/codex/index.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { agentSamples } from '../../helpers/shared-data.ts';

const { read, settings, startAnswer } = codex.hooks!;
const BASE = {
  session_id: 's1',
  turn_id: 't1',
  transcript_path: '/home/u/.codex/sessions/2026/11/22/rollout-1.jsonl',
  cwd: '/home/u/app',
  model: 'gpt-5.5',
  permission_mode: 'default',
};

function used(tool_name: string, fields: JsonObject): JsonObject {
  return {
    ...BASE,
    hook_event_name: 'PostToolUse',
    tool_name,
    tool_use_id: 'call_1',
    tool_input: {},
    ...fields,
  };
}

describe('A payload', () => {
  it.each([
    ['SessionStart', { source: 'fork' }],
    ['SessionEnd', { reason: 'other' }],
    ['Stop', { last_assistant_message: 'Done.' }],
    ['PreCompact', { trigger: 'auto' }],
  ])('of %s keeps its fields, and has the turn as prompt_id', (hook_event_name, fields) => {
    const { turn_id: _, ...common } = BASE;
    expect(read({ ...BASE, hook_event_name, ...fields })).toEqual({
      ...common,
      hook_event_name,
      ...fields,
      prompt_id: 't1',
    });
  });

  it('of a command does not say how the command ended', () => {
    const hook = read(used('Bash', { tool_input: { command: 'npm test' }, tool_response: '1 failed\n' }));
    expect(hook).toMatchObject({
      hook_event_name: 'PostToolUse',
      tool_use_id: 'call_1',
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      tool_response: '1 failed\n',
      outcome_unknown: true,
    });
  });

  it.each([
    ['Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.', 'PostToolUse'],
    ['Exit code: 1\nWall time: 0 seconds\nOutput:\nNo such lines', 'PostToolUseFailure'],
    ['apply_patch verification failed: no such lines', 'PostToolUseFailure'],
  ])('of a patch says how it ended in its text: %s', (tool_response, hook_event_name) => {
    const hook = read(used('apply_patch', { tool_response })) as JsonObject;
    expect(hook.hook_event_name).toBe(hook_event_name);
    expect(hook.outcome_unknown).toBeUndefined();
    expect(hook.error).toBe(hook_event_name === 'PostToolUse' ? undefined : tool_response);
  });

  it('of a tool of a server says whether it failed', () => {
    const name = 'mcp__kit__kit_echo';
    expect(read(used(name, { tool_response: { content: [] } }))).toMatchObject({
      hook_event_name: 'PostToolUse',
    });
    expect(read(used(name, { tool_response: { content: [], isError: true } }))).toMatchObject({
      hook_event_name: 'PostToolUseFailure',
    });
  });

  it('of a sub-agent names no turn: its turn is its own, and no prompt has it', () => {
    const hook = { ...used('Bash', { tool_response: 'x' }), agent_id: 'a1', agent_type: 'default' };
    expect(read(hook)).toMatchObject({ session_id: 's1', agent_id: 'a1', prompt_id: null });
    expect(read({ ...BASE, hook_event_name: 'UserPromptSubmit', agent_id: 'a1', prompt: 'Count' })).toBe(
      'prompt of a sub-agent',
    );
  });

  it('of a prompt has the person’s words only', () => {
    const prompt = (text: string) => read({ ...BASE, hook_event_name: 'UserPromptSubmit', prompt: text });
    expect(prompt('Write a greeting')).toMatchObject({ prompt: 'Write a greeting', prompt_id: 't1' });
    expect(prompt('# Context from my IDE setup:\n\n## My request for Codex:\nRename it')).toMatchObject({
      prompt: 'Rename it',
    });
    expect(prompt('<environment_context>x</environment_context>')).toBe('injected context');
    // An empty prompt would make its turn private.
    expect(prompt('')).toBe('no text');
    expect(prompt('<private>secret</private>')).toMatchObject({ prompt: '<private>secret</private>' });
  });
});

describe('The answer to a session start', () => {
  it('is context for the model and a message for the person', () => {
    expect(JSON.parse(startAnswer('<annals-context>x</annals-context>', 'Annals knows 3 sessions.'))).toEqual(
      {
        systemMessage: 'Annals knows 3 sessions.',
        hookSpecificOutput: {
          hookEventName: 'SessionStart',
          additionalContext: '<annals-context>x</annals-context>',
        },
      },
    );
  });

  it('may be a message only', () => {
    expect(JSON.parse(startAnswer('', 'Nothing yet.'))).toEqual({ systemMessage: 'Nothing yet.' });
  });
});

describe('The settings', () => {
  const command = {
    line: "[ -x 'P' ] && exec 'P' codex; exit 0",
    shLine: 'not for Codex',
    words: ['node', 'C:\\a b\\cli.cjs'],
    windows: false,
  };

  it('are groups in hooks.json of CODEX_HOME', () => {
    if (settings.kind !== 'groups') throw new Error('not groups');
    const machine = { environment: {}, userHome: '/home/u', windows: false };
    expect(settings.file(machine)).toBe(join('/home/u', '.codex', 'hooks.json'));
    expect(settings.file({ ...machine, environment: { CODEX_HOME: '/srv/codex' } })).toBe(
      join('/srv/codex', 'hooks.json'),
    );
    expect(settings.entries.map(({ event, startsSession }) => [event, startsSession])).toEqual([
      ['SessionStart', true],
      ['UserPromptSubmit', false],
      ['PostToolUse', false],
      ['SubagentStop', false],
      ['Stop', false],
      ['SessionEnd', false],
    ]);
  });

  it('have timeouts in seconds, and no asynchronous hook', () => {
    if (settings.kind !== 'groups') throw new Error('not groups');
    const handlers = settings.entries.map((entry) => settings.handler(entry, command));
    expect(handlers.at(-1)).toEqual({ type: 'command', command: command.line, timeout: 3 });
    for (const handler of handlers.slice(0, -1))
      expect(handler).toEqual({ type: 'command', command: command.line, timeout: 10 });
  });

  it('start Node on Windows', () => {
    if (settings.kind !== 'groups') throw new Error('not groups');
    const handler = settings.handler(settings.entries[0]!, { ...command, windows: true });
    expect(handler.command).toBe('"node" "C:\\a b\\cli.cjs"');
  });
});

const samples = agentSamples('codex', '0.169.0');

describe.skipIf(samples === null)('Payloads of the real Codex', () => {
  const names = samples === null ? [] : readdirSync(join(samples, 'hooks'));
  it.each(names)('%s', (name) => {
    const payload = JSON.parse(readFileSync(join(samples!, 'hooks', name), 'utf8')) as JsonObject;
    const hook = read(payload) as JsonObject;
    const { turn_id: turn = null, ...kept } = payload;
    const prompt_id = payload.agent_id === undefined ? turn : null;
    const outcome_unknown = payload.hook_event_name === 'PostToolUse' && payload.tool_name === 'Bash';
    expect(hook).toEqual({ ...kept, prompt_id, ...(outcome_unknown ? { outcome_unknown } : {}) });
  });
});
