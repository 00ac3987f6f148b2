// Lines of transcripts of agents with a format of records, in a valid file.
import { Rollout, START, uuidAt } from '../../agents/codex/rollout.ts';
import { failing, head, model, user } from '../../agents/gemini-cli/session.ts';
import type { Fields } from './hostile-json.ts';

export interface AgentFile {
  readonly agent: string;
  /** The name of a file with this number. */
  name(file: number): string;
  /** Begins a file. */
  head(file: number): readonly Fields[];
  prompt(id: string, text: string): readonly Fields[];
  /** What may stand in between. */
  readonly lines: readonly Fields[];
}

const time = '2026-11-22T18:16:22.827Z';
let made = 0;
const copilotLine = (type: string, data: Fields, more: Fields = {}): Fields => ({
  type,
  data,
  id: `l${++made}`,
  timestamp: time,
  parentId: null,
  ...more,
});

const qwenLine = (uuid: string, type: string, parts: unknown, fields: Fields = {}): Fields => ({
  uuid,
  sessionId: 's1',
  timestamp: time,
  type,
  cwd: '/home/u/app',
  version: '0.24.4',
  message: { parts },
  ...fields,
});

export const AGENT_FILES: readonly AgentFile[] = [
  {
    agent: 'codex',
    name: (file) => `rollout-2026-11-22T18-00-0${file}-${uuidAt(START, file)}.jsonl`,
    head: (file) => new Rollout().meta({ id: uuidAt(START, file) }).turn().lines,
    prompt: (id, text) => new Rollout().prompted(text, id).lines,
    lines: new Rollout()
      .prompted('Why?')
      .called('call_1', 'exec_command', { cmd: 'ls' })
      .answered('call_1', 'Output:\na\nExit code: 1')
      .command('call_2')
      .patched('call_3', '*** Begin Patch\n*** Add File: a\n+a\n*** End Patch')
      .said('Because.', 'm1').lines,
  },
  {
    agent: 'gemini-cli',
    name: (file) => `session-2026-11-22T18-14-1d8c727${file}.jsonl`,
    head: (file) => [head({ sessionId: `s${file}` })],
    prompt: (id, text) => [user(id, 2, text)],
    lines: [
      user('u1', 3, 'Why?'),
      model('g1', 4, 'I read it.', { toolCalls: [failing] }),
      { $set: { lastUpdated: time } },
      model('g2', 5, 'Because.'),
    ],
  },
  {
    agent: 'copilot',
    name: (file) => `events-${file}.jsonl`,
    head: (file) => [
      copilotLine('session.start', {
        sessionId: `s${file}`,
        producer: 'copilot-agent',
        copilotVersion: '1.0.102',
        context: { cwd: '/home/u/app' },
      }),
    ],
    prompt: (id, text) => [copilotLine('user.message', { content: text, interactionId: id }, { id })],
    lines: [
      copilotLine('user.message', { content: 'Why?', interactionId: 'i1' }),
      copilotLine('assistant.message', { content: 'I do.', apiCallId: 'a1', interactionId: 'i1' }),
      copilotLine('tool.execution_start', {
        toolCallId: 'c1',
        toolName: 'bash',
        arguments: { command: 'ls' },
      }),
      copilotLine('tool.execution_complete', { toolCallId: 'c1', success: true, result: { content: 'a' } }),
      copilotLine('assistant.message', { content: 'Because.' }),
    ],
  },
  {
    agent: 'qwen-code',
    name: (file) => `chat-${file}.jsonl`,
    head: () => [],
    prompt: (id, text) => [qwenLine(id, 'user', [{ text }], { provenance: 'real_user' })],
    lines: [
      qwenLine('u1', 'user', [{ text: 'Why?' }], { provenance: 'real_user' }),
      qwenLine('a1', 'assistant', [
        { text: 'I read.' },
        { functionCall: { id: 'c1', name: 'run_shell_command', args: { command: 'ls' } } },
      ]),
      qwenLine(
        'r1',
        'tool_result',
        [{ functionResponse: { id: 'c1', name: 'run_shell_command', response: { output: 'a' } } }],
        { toolCallResult: { callId: 'c1', status: 'success', durationMs: 5 } },
      ),
      qwenLine('a2', 'assistant', [{ text: 'Because.' }]),
    ],
  },
];
