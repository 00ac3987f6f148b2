import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { opencode } from '../../../src/agents/opencode/index.ts';
import { at, failing, SESSION, text } from './session.ts';

const hooks = opencode.hooks!;
const base = { session_id: SESSION, cwd: '/home/u/app' };
const turn = { ...base, prompt_id: 'msg_1' };
const sub = { ...base, agent_id: 'ses_2' };
const time = { start: at(3), end: at(4) };
const answered = { agent_type: 'build', last_assistant_message: 'Done.' };

describe('A payload of the plugin', () => {
  test.each<[string, JsonObject, string, JsonObject]>([
    ['SessionStart', { ...base, source: 'startup' }, 'SessionStart', { ...base, source: 'startup' }],
    [
      'UserPromptSubmit',
      { ...turn, parts: [text('"Write a greeting"')] },
      'UserPromptSubmit',
      { ...turn, prompt: 'Write a greeting' },
    ],
    [
      'UserPromptSubmit',
      { ...turn, parts: [{ type: 'file', mime: 'image/png' }] },
      'UserPromptSubmit',
      { ...turn, prompt: '' },
    ],
    [
      'PostToolUse',
      { ...turn, tool_name: 'bash', call_id: 'call_1', state: failing.state! },
      'PostToolUseFailure',
      {
        ...turn,
        tool_name: 'bash',
        tool_use_id: `call_1@${at(3)}`,
        tool_input: { command: 'cat missing.txt', description: 'run it' },
        error: 'Exit code 1\ncat: missing.txt: No such file or directory\n',
        duration_ms: 1_000,
      },
    ],
    [
      'PostToolUse',
      {
        ...sub,
        tool_name: 'read',
        call_id: 'c',
        state: { status: 'completed', input: {}, output: 'x', time },
      },
      'PostToolUse',
      {
        ...sub,
        ...{
          tool_name: 'read',
          tool_use_id: `c@${at(3)}`,
          tool_input: {},
          tool_response: 'x',
          duration_ms: 1_000,
        },
      },
    ],
    [
      'PostToolUse',
      {
        ...turn,
        ...{ tool_name: 'task', call_id: 'c' },
        state: { status: 'completed', input: {}, output: 'x', time, metadata: { sessionId: 'ses_2' } },
      },
      'PostToolUse',
      {
        ...turn,
        ...{ tool_name: 'task', tool_use_id: `c@${at(3)}`, tool_input: {}, duration_ms: 1_000 },
        tool_response: { status: 'completed', agentId: 'ses_2', content: [{ type: 'text', text: 'x' }] },
      },
    ],
    [
      'PostToolUse',
      {
        ...turn,
        tool_name: 'edit',
        call_id: 'c',
        state: { status: 'error', error: 'Cancelled', input: {}, time },
      },
      'PostToolUseFailure',
      {
        ...turn,
        ...{ tool_name: 'edit', tool_use_id: `c@${at(3)}`, tool_input: {}, duration_ms: 1_000 },
        ...{ error: 'Cancelled', is_interrupt: true },
      },
    ],
    ['Stop', { ...turn, ...answered }, 'Stop', { ...turn, last_assistant_message: 'Done.' }],
    ['Stop', { ...sub, ...answered }, 'SubagentStop', { ...sub, ...answered }],
    [
      'Stop',
      { ...turn, ...answered, error: { name: 'APIError', message: 'Overloaded' } },
      'StopFailure',
      { ...turn, error: 'APIError: Overloaded' },
    ],
  ])('for %s comes in the common form: %j', (event, fields, name, common) => {
    expect(hooks.read({ hook_event_name: event, ...fields })).toEqual({ hook_event_name: name, ...common });
  });

  test.each<[string, JsonObject, string]>([
    ['UserPromptSubmit', { parts: [] }, 'not sent by a person'],
    ['UserPromptSubmit', { parts: [text('A note', { ignored: true })] }, 'not sent by a person'],
    ['PostToolUse', { state: { status: 'running' } }, 'a tool use that has not ended'],
    ['Stop', { error: { name: 'MessageAbortedError' } }, 'interrupted by the person'],
  ])('for %s that is not kept says why: %j', (event, fields, reason) => {
    expect(hooks.read({ hook_event_name: event, ...turn, ...fields })).toBe(reason);
  });

  test('of another event stays as it is', () => {
    for (const payload of [
      {},
      { hook_event_name: 'constructor' },
      { hook_event_name: 'SessionEnd', ...base },
    ])
      expect(hooks.read(payload)).toEqual(payload);
  });

  test('is answered in the form that the plugin reads', () => {
    expect(JSON.parse(hooks.startAnswer('facts', 'hello'))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'facts' },
    });
  });

  test('comes from a plugin where OpenCode looks for one', () => {
    const { settings } = hooks;
    const file = (environment: Record<string, string>) =>
      settings.file({ environment, userHome: '/home/u', windows: false });
    expect(file({})).toBe('/home/u/.config/opencode/plugins/annals.js');
    expect(file({ XDG_CONFIG_HOME: '/data' })).toBe('/data/opencode/plugins/annals.js');
    // The user's own folder is read all the same.
    expect(file({ OPENCODE_CONFIG_DIR: '/data' })).toBe('/home/u/.config/opencode/plugins/annals.js');
  });
});
