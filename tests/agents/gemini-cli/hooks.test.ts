import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { geminiCli } from '../../../src/agents/gemini-cli/index.ts';
import { CHATS, FILE, printed, SESSION } from './session.ts';

const hooks = geminiCli.hooks!;
const machine = { environment: {}, userHome: '/home/u', windows: false };
const base = { session_id: SESSION, transcript_path: FILE, cwd: '/home/u/app' };
const sent = (event: string, fields: JsonObject): JsonObject => ({
  ...base,
  hook_event_name: event,
  timestamp: '2026-11-22T18:14:02.489Z',
  ...fields,
});
const shell = (llmContent: string) => ({
  tool_name: 'run_shell_command',
  tool_input: { command: 'cat x' },
  tool_response: { llmContent, returnDisplay: '' },
});

describe('A hook of Gemini CLI', () => {
  test.each<[string, JsonObject, string, JsonObject]>([
    ['SessionStart', { source: 'startup' }, 'SessionStart', { source: 'startup' }],
    ['SessionEnd', { reason: 'exit' }, 'SessionEnd', { reason: 'exit' }],
    [
      'BeforeAgent',
      { prompt: '<hook_context>old\n</hook_context>\n\nWhat do you know?' },
      'UserPromptSubmit',
      { prompt: 'What do you know?' },
    ],
    ['AfterAgent', { prompt: 'x', prompt_response: 'One.\nTwo.', stop_hook_active: false }, 'Stop', {}],
    [
      'AfterTool',
      shell(printed('one')),
      'PostToolUse',
      { tool_name: 'run_shell_command', tool_input: { command: 'cat x' }, tool_response: 'one' },
    ],
    [
      'AfterTool',
      shell(printed('no', 'Exit Code: 1')),
      'PostToolUseFailure',
      {
        tool_name: 'run_shell_command',
        tool_input: { command: 'cat x' },
        error: 'Exit code 1\nno',
        is_interrupt: false,
      },
    ],
    [
      'AfterTool',
      {
        tool_name: 'mcp_kit_echo',
        tool_input: {},
        tool_response: { llmContent: [{ text: 'a' }], error: {} },
      },
      'PostToolUseFailure',
      { tool_name: 'mcp_kit_echo', tool_input: {}, error: 'a', is_interrupt: false },
    ],
  ])('%s comes in the common form: %j', (event, fields, name, common) => {
    expect(hooks.read(sent(event, fields))).toEqual({ ...base, hook_event_name: name, ...common });
  });

  test.each<[string, string]>([
    ['', 'no text'],
    ['System: Potential loop detected. Details: …', 'not sent by a person'],
    ['<hook_context>a</hook_context>', 'injected context'],
  ])('that reports no prompt of a person says why: %j', (prompt, reason) => {
    expect(hooks.read(sent('BeforeAgent', { prompt }))).toBe(reason);
  });

  test('of another event stays as it is', () => {
    for (const event of ['BeforeTool', 'PreCompress', 'Notification', 'constructor'])
      expect(hooks.read(sent(event, {}))).toEqual(sent(event, {}));
    expect(hooks.read({})).toEqual({});
  });

  test('leads to the transcript that knows the call', () => {
    expect(hooks.transcriptOf!({ transcript_path: FILE }, machine)).toBe(FILE);
    for (const path of ['', 7, 'session-x.jsonl', '/etc/passwd', `${CHATS}/logs.json`])
      expect(hooks.transcriptOf!({ transcript_path: path }, machine)).toBeNull();
  });

  test('answers a start with context', () => {
    expect(JSON.parse(hooks.startAnswer('facts', ''))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'facts' },
    });
    expect(JSON.parse(hooks.startAnswer('facts', 'hello'))).toMatchObject({ systemMessage: 'hello' });
  });

  test('is written to the settings that Gemini CLI reads', () => {
    const { settings } = hooks;
    if (settings.kind === 'file') return expect.fail();
    expect(settings.file(machine)).toBe('/home/u/.gemini/settings.json');
    const moved = { ...machine, environment: { GEMINI_CLI_HOME: '/data' } };
    expect(settings.file(moved)).toBe('/data/.gemini/settings.json');
    const command = { line: 'capture', shLine: 'other', words: ['C:\\node.exe', "it's"], windows: false };
    const handler = (windows: boolean) => settings.handler(settings.entries[0]!, { ...command, windows });
    expect(handler(false)).toEqual({ name: 'annals', type: 'command', command: 'capture', timeout: 10_000 });
    expect(handler(true)).toMatchObject({ command: "& 'C:\\node.exe' 'it''s'" });
  });
});
