// Hooks of agents other than Claude Code: who sent a payload, which call it reports, and what is private.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LogEvent } from '../../../log/index.ts';
import { drainSpool } from '../../../src/capture/spool/drain-spool.ts';
import { spoolFiles, spoolFolders } from '../../../src/capture/spool/spool-files.ts';
import { eachWithSpoolHome, type SpoolHome } from '../../helpers/hooks/spool-home.ts';
import { asked, leave, leaveUnfinished, type Payload, waiting } from '../../helpers/spool.ts';

const NOW = Date.UTC(2026, 10, 22, 18, 14, 30);
const HALF_HOUR = 30 * 60_000;
let { folder, home, log } = {} as SpoolHome;
eachWithSpoolHome((made) => {
  ({ folder, home, log } = made);
});

const machine = () => ({ environment: {}, userHome: folder.path, windows: false });
const drain = (now = NOW, excluded?: (folder: string | null) => boolean) =>
  drainSpool({
    ...{ log, files: spoolFiles, folders: spoolFolders(home), now: () => now, machine: machine() },
    ...(excluded === undefined ? {} : { excluded }),
  });

let files = 0;

/** As the capture script names it. */
function hook(agent: string, content: Payload, at = NOW): string {
  files += 1;
  const name = `${agent}-0000012345-0000678-0-${files}`;
  leave(home, name, content, at);
  return name;
}

async function events(): Promise<readonly LogEvent[]> {
  return (await log.page({ after: 0 })).events as readonly LogEvent[];
}

/** How each agent reports the prompt “Hello”. */
const HELLO: readonly (readonly [agent: string, payload: Payload])[] = [
  ['codex', { session_id: 's1', turn_id: 't1', hook_event_name: 'UserPromptSubmit', prompt: 'Hello' }],
  ['gemini-cli', { session_id: 's1', hook_event_name: 'BeforeAgent', prompt: 'Hello' }],
  ['qwen-code', { session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'Hello' }],
  ['copilot', { sessionId: 's1', prompt: 'Hello' }],
  ['cursor', { conversation_id: 's1', hook_event_name: 'beforeSubmitPrompt', prompt: 'Hello' }],
  [
    'windsurf',
    { trajectory_id: 's1', agent_action_name: 'pre_user_prompt', tool_info: { user_prompt: 'Hello' } },
  ],
];

describe('A hook', () => {
  test.each(HELLO)('of %s is recorded under its name', async (agent, payload) => {
    hook(agent, { cwd: '/home/u/app', ...payload });
    expect(await drain()).toMatchObject({ appended: 1, ignored: {}, bad: 0 });
    expect(await events()).toMatchObject([
      { agent, session: 's1', channel: 'hook', type: 'prompt.submitted', body: { text: 'Hello' } },
    ]);
  });

  test.each(HELLO)('of %s records nothing of what we gave to the session', async (agent, payload) => {
    const given = '"Hello <annals-context>The plover port</annals-context>"';
    const marked = JSON.parse(JSON.stringify(payload).replace('"Hello"', given)) as Payload;
    hook(agent, { cwd: '/home/u/app', ...marked });
    await drain();
    expect(await events()).toMatchObject([
      { agent, type: 'prompt.submitted', body: { text: expect.stringMatching(/^Hello ?$/) } },
    ]);
  });

  test.each([
    ['cursor', { conversation_id: 'c1' }],
    ['codex', { turn_id: 't1' }],
    ['copilot', { timestamp: 1, transcript_path: undefined }],
    ['windsurf', { trajectory_id: 'w1' }],
    ['gemini-cli', { transcript_path: '/home/u/.gemini/tmp/app/chats/session-1.jsonl' }],
  ])('of Claude Code that %s ran is not recorded', async (caller, fields) => {
    hook('claude-code', asked('Hello', fields));
    expect(await drain()).toMatchObject({ appended: 0, ignored: { [`of ${caller}`]: 1 } });
    expect(waiting(home)).toEqual([]);
  });

  test('that reports nothing to keep is counted by its reason', async () => {
    hook('qwen-code', { session_id: 's1', cwd: '/x', hook_event_name: 'UserPromptSubmit', prompt: '' });
    expect(await drain()).toMatchObject({ appended: 0, ignored: { 'a further request of a turn': 1 } });
  });
});

const CHAT = 'tmp/app/chats/session-2026-11-22T18-14-1d8c727f.jsonl';
const time = (second: number) => new Date(Date.UTC(2026, 10, 22, 18, 14, second)).toISOString();
const input = { command: 'npm test' };

function gemini(event: string, fields: Payload = {}): Payload {
  const transcript_path = join(folder.path, '.gemini', CHAT);
  return { session_id: 's1', transcript_path, cwd: '/home/u/app', hook_event_name: event, ...fields };
}

const shell = () =>
  gemini('AfterTool', {
    tool_name: 'run_shell_command',
    tool_input: input,
    tool_response: { llmContent: 'Output: fine', returnDisplay: 'fine' },
  });

/** The transcript has these calls; each ended at a second of the minute. */
function chat(...calls: readonly (readonly [id: string, second: number])[]): void {
  const path = join(folder.path, '.gemini', CHAT);
  const result = (id: string) => [
    { functionResponse: { id, name: 'run_shell_command', response: { output: 'fine' } } },
  ];
  const lines = [
    { sessionId: 's1', projectHash: 'h', startTime: time(0), lastUpdated: time(0), kind: 'main' },
    ...calls.map(([id, second]) => ({
      id: `m-${id}`,
      timestamp: time(second),
      type: 'gemini',
      content: '',
      model: 'm',
      toolCalls: [
        {
          id,
          name: 'run_shell_command',
          args: input,
          result: result(id),
          status: 'success',
          timestamp: time(second),
        },
      ],
    })),
  ];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const at = (second: number) => Date.parse(time(second));
const uses = async () =>
  (await events()).filter(({ type }) => type === 'tool.used').map(({ dedupeKey }) => dedupeKey);

describe('A tool use whose hook has no id of the call', () => {
  beforeEach(() => {
    hook('gemini-cli', gemini('BeforeAgent', { prompt: 'Run the tests' }), at(1));
  });

  test('waits until the transcript shows the call, and gets its id', async () => {
    hook('gemini-cli', shell(), at(5));
    expect(await drain(at(6))).toMatchObject({ appended: 1, waiting: 1 });
    chat(['call-of-the-tests-1', 5]);
    expect(await drain(at(7))).toMatchObject({ appended: 1, waiting: 0 });
    expect(await uses()).toEqual(['call-of-the-tests-1']);
  });

  test('gets the nearest of several equal calls, each one once', async () => {
    chat(['call-of-the-tests-1', 5], ['call-of-the-tests-2', 12], ['call-of-the-tests-3', 20]);
    hook('gemini-cli', shell(), at(12));
    hook('gemini-cli', shell(), at(20));
    await drain(at(25));
    expect(await uses()).toEqual(['call-of-the-tests-2', 'call-of-the-tests-3']);
  });

  test('is not a call with another input, or of another time', async () => {
    chat(['call-of-the-tests-1', 5]);
    hook('gemini-cli', { ...shell(), tool_input: { command: 'npm run lint' } }, at(6));
    hook('gemini-cli', shell(), at(5) + 5 * 60_000);
    expect(await drain(at(6) + 6 * 60_000)).toMatchObject({ waiting: 2 });
  });

  test('is recorded under an id of its own when the transcript never shows it', async () => {
    const name = hook('gemini-cli', shell(), at(5));
    expect(await drain(at(6) + HALF_HOUR)).toMatchObject({ appended: 2, waiting: 0 });
    expect(await uses()).toEqual([name]);
  });

  test('is not recorded a second time when only the log still has the call', async () => {
    await log.append([
      {
        agent: 'gemini-cli',
        session: 's1',
        channel: 'transcript',
        occurredAt: at(4),
        type: 'tool.used',
        dedupeKey: 'call-of-the-tests-1',
        body: {
          toolUseId: 'call-of-the-tests-1',
          name: 'run_shell_command',
          input,
          outcome: 'ok',
          endedAt: at(5),
        },
      },
    ]);
    hook('gemini-cli', shell(), at(5));
    const report = await drain(at(6) + HALF_HOUR);
    expect(report).toMatchObject({ waiting: 0, ignored: { 'the transcript has it': 1 } });
    expect(await uses()).toEqual(['call-of-the-tests-1']);
  });
});

describe('An agent whose hooks name no turn', () => {
  const prompt = (text: string, second: number) =>
    hook('qwen-code', qwen('UserPromptSubmit', { prompt: text }), at(second));
  const stop = (second: number) => hook('qwen-code', qwen('Stop'), at(second));
  const use = (id: string, second: number) =>
    hook(
      'qwen-code',
      qwen('PostToolUse', {
        tool_name: 'read_file',
        tool_call_id: id,
        tool_input: { file_path: '/home/u/app/a.txt' },
        tool_response: { llmContent: 'a', returnDisplay: 'a' },
      }),
      at(second),
    );

  test('keeps nothing of a private prompt’s work until the agent stops', async () => {
    prompt('<private>Read the heron file</private>', 1);
    // Typed while the agent works.
    prompt('And then the other file', 3);
    use('call-in-the-private-turn', 4);
    stop(5);
    use('call-in-the-public-turn', 7);
    stop(8);
    expect(await drain(at(10))).toMatchObject({ private: 2, waiting: 0 });
    expect(await uses()).toEqual(['call-in-the-public-turn']);
  });

  test('keeps nothing of it either when the agent stops in a later drain', async () => {
    prompt('<private>Read the heron file</private>', 1);
    await drain(at(2));
    prompt('And then the other file', 3);
    use('call-in-the-private-turn', 4);
    await drain(at(4));
    stop(5);
    await drain(at(6));
    use('call-in-the-public-turn', 7);
    await drain(at(8));
    expect(await uses()).toEqual(['call-in-the-public-turn']);
  });
});

function qwen(event: string, fields: Payload = {}): Payload {
  return { session_id: 'q1', cwd: '/home/u/app', hook_event_name: event, ...fields };
}

test('A command of Codex has no known outcome until its transcript is read', async () => {
  const codex = { session_id: 's1', turn_id: 't1', cwd: '/home/u/app' };
  hook('codex', { ...codex, hook_event_name: 'UserPromptSubmit', prompt: 'Run it' }, NOW - 2);
  hook(
    'codex',
    {
      ...codex,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: 'call_1',
      tool_input: { command: 'false' },
      tool_response: '',
    },
    NOW - 1,
  );
  await drain();
  expect((await events())[1]).toMatchObject({
    type: 'tool.used',
    dedupeKey: 's1/call_1',
    body: { outcome: null },
  });
});

describe('A hook that names no folder', () => {
  const windsurf = (action: string, tool_info: Payload, trajectory_id = 'w1') => ({
    ...{ agent_action_name: action, trajectory_id, execution_id: 'e1', tool_info },
  });
  const excluded = (folder: string | null) => folder?.startsWith('/clients/') ?? true;
  const texts = async () => JSON.stringify((await events()).map(({ body }) => body));

  test('waits until a hook of its session shows the folder', async () => {
    hook('windsurf', windsurf('pre_user_prompt', { user_prompt: 'Look at the walrus' }));
    hook('windsurf', windsurf('pre_user_prompt', { user_prompt: 'Look at the heron' }, 'w2'));
    expect(await drain(NOW, excluded)).toMatchObject({ appended: 0, waiting: 2 });
    hook('windsurf', windsurf('post_read_code', { file_path: '/clients/walrus/a.ts' }));
    hook('windsurf', windsurf('post_read_code', { file_path: '/home/u/app/a.ts' }, 'w2'));
    expect(await drain(NOW, excluded)).toMatchObject({
      ...{ appended: 2, waiting: 0 },
      ignored: { 'of an excluded folder': 2 },
    });
    hook('windsurf', windsurf('post_cascade_response', { response: 'The walrus is read.' }));
    hook('windsurf', windsurf('post_cascade_response', { response: 'The heron is read.' }, 'w2'));
    expect(await drain(NOW, excluded)).toMatchObject({ appended: 1, waiting: 0 });
    expect(await texts()).toContain('The heron is read.');
    expect(await texts()).not.toContain('walrus');
  });

  test('is not kept when none shows it, and recorded at once where nothing is excluded', async () => {
    hook('windsurf', windsurf('pre_user_prompt', { user_prompt: 'Look at the walrus' }));
    expect(await drain(NOW + HALF_HOUR + 1, excluded)).toMatchObject({
      ...{ appended: 0, waiting: 0 },
      ignored: { 'of an unknown folder': 1 },
    });
    hook('windsurf', windsurf('pre_user_prompt', { user_prompt: 'Look at the heron' }));
    expect(await drain(NOW, () => false)).toMatchObject({ appended: 1 });
  });

  test('is not kept when any folder of its workspace is excluded', async () => {
    const cursor = (conversation_id: string, workspace_roots: readonly string[]) => ({
      ...{
        conversation_id,
        hook_event_name: 'beforeSubmitPrompt',
        workspace_roots,
        cwd: '',
        prompt: 'Hello',
      },
    });
    hook('cursor', cursor('c1', ['/home/u/app', '/home/u/lib']));
    hook('cursor', cursor('c2', ['/home/u/app', '/clients/walrus']));
    expect(await drain(NOW, excluded)).toMatchObject({
      appended: 1,
      ignored: { 'of an excluded folder': 1 },
    });
    expect(await events()).toMatchObject([{ session: 'c1', body: { cwd: '/home/u/app' } }]);
  });
});

describe('A prompt without an id that cannot be read', () => {
  const first = { session_id: 'g1', hook_event_name: 'BeforeAgent', cwd: '/home/u/app', prompt: 'Begin' };
  const torn = '{"session_id":"g1","hook_event_name":"BeforeAgent","prompt":"<private>The wal';
  const stop = { session_id: 'g1', hook_event_name: 'AfterAgent', cwd: '/home/u/app' };

  test.each([
    ['torn', leave, NOW],
    ['not written to its end yet', leaveUnfinished, NOW + HALF_HOUR + 2],
  ])('hides what follows, because it may be private: %s', async (_, leaveTorn, decidedAt) => {
    hook('gemini-cli', first, NOW - 3);
    leaveTorn(home, 'gemini-cli-0000012345-0000678-0-torn', torn, NOW - 2);
    hook('gemini-cli', stop, NOW - 1);
    await drain();
    expect(await drain(decidedAt)).toMatchObject({ appended: 0 });
    expect((await events()).map(({ type }) => type)).toEqual(['prompt.submitted']);
    hook('gemini-cli', { ...first, prompt: 'Go on' }, decidedAt);
    hook('gemini-cli', stop, decidedAt + 1);
    expect(await drain(decidedAt + 2)).toMatchObject({ appended: 2 });
  });
});
