// What one agent did, another is told: hooks of every agent write into one memory, and the start of a session is answered
// in the form of the agent that asks.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { annalsHere } from '../e2e/command.ts';
import { NO_HURRY } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/world.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let project: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  home = join(folder.path, 'home');
  project = join(folder.path, 'feeder');
  mkdirSync(project);
  const codex = { session_id: 's1', turn_id: 't1', cwd: project };
  await hook('codex', { ...codex, hook_event_name: 'UserPromptSubmit', prompt: 'Widen the chute' });
  await hook('codex', {
    ...codex,
    hook_event_name: 'Stop',
    last_assistant_message: 'The chute is 40 mm wide.',
  });
}, 60_000);
afterAll(() => folder.remove());

const hook = (agent: string, payload: object, ...words: readonly string[]) =>
  annalsHere(['hook', agent, ...words], { home, stdin: JSON.stringify(payload), env: NO_HURRY });

const started = (agent: string, payload: object) => hook(agent, payload, 'session-start');

/** What each agent sends when a session starts in the folder. */
const STARTS: { readonly [agent: string]: (cwd: string) => object } = {
  'claude-code': (cwd) => ({
    session_id: 's2',
    cwd,
    hook_event_name: 'SessionStart',
    source: 'startup',
    transcript_path: '/home/u/.claude/projects/-feeder/s2.jsonl',
  }),
  codex: (cwd) => ({ session_id: 's2', cwd, hook_event_name: 'SessionStart', source: 'startup' }),
  'gemini-cli': (cwd) => ({ session_id: 's2', cwd, hook_event_name: 'SessionStart', source: 'startup' }),
  copilot: (cwd) => ({ sessionId: 's2', timestamp: 1, cwd, source: 'new' }),
  cursor: (cwd) => ({ conversation_id: 's2', hook_event_name: 'sessionStart', workspace_roots: [cwd] }),
  'qwen-code': (cwd) => ({ session_id: 's2', cwd, hook_event_name: 'SessionStart', source: 'startup' }),
  opencode: (cwd) => ({ session_id: 's2', cwd, hook_event_name: 'SessionStart', source: 'startup' }),
};

const CLAUDES = (answer: Answer) => answer.hookSpecificOutput?.additionalContext;
const TEXTS: { readonly [agent: string]: (answer: Answer) => string | undefined } = {
  copilot: (answer) => answer.additionalContext,
  cursor: (answer) => answer.additional_context,
};

interface Answer {
  readonly hookSpecificOutput?: { readonly hookEventName: string; readonly additionalContext: string };
  readonly additionalContext?: string;
  readonly additional_context?: string;
}

describe('What Codex did', () => {
  test.each(
    AGENTS.filter(({ name }) => Object.hasOwn(STARTS, name)).map((agent) => [agent.name, agent] as const),
  )('is told to a session of %s in the same folder, in its own form', async (name, { hooks }) => {
    const { stdout, stderr, code } = await started(name, STARTS[name]!(project));
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const text = (TEXTS[name] ?? CLAUDES)(JSON.parse(stdout) as Answer) ?? '';
    expect(text).toContain('Widen the chute');
    expect(text).toContain('The chute is 40 mm wide.');
    expect(Buffer.byteLength(text)).toBeLessThan(hooks!.contextMax);
  });

  test('is not told to Windsurf, whose hooks cannot add to a prompt', async () => {
    const started = {
      trajectory_id: 's2',
      agent_action_name: 'pre_user_prompt',
      tool_info: { cwd: project },
    };
    const { stdout, code } = await hook('windsurf', started, 'session-start');
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
  });

  test('is not told in another folder, nor when the payload is not that of a start', async () => {
    const elsewhere = await hook('gemini-cli', STARTS['gemini-cli']!('/elsewhere'), 'session-start');
    expect(elsewhere.stdout).not.toContain('chute');
    const other = await hook(
      'gemini-cli',
      { session_id: 's3', cwd: project, hook_event_name: 'AfterTool' },
      'session-start',
    );
    expect(other.stdout).toBe('');
  });
});

test('what each agent was given is recorded once, for its session', async () => {
  const { stdout } = await annalsHere(['log', '--type', 'context.injected', '--json'], { home });
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { agent: string; session: string; body: { occasion: string } });
  const given = events.map(({ agent, session, body }) => [agent, session, body.occasion]);
  const expected = AGENTS.filter(({ name }) => Object.hasOwn(STARTS, name));
  expect(given).toEqual(expect.arrayContaining(expected.map(({ name }) => [name, 's2', 'startup'])));
  expect(events.filter(({ session }) => session === 's2')).toHaveLength(expected.length);
});

test('every agent with hooks that start a session is in this table', () => {
  const starting = AGENTS.filter(({ hooks }) => hooks !== null && hooks.contextMax > 0);
  expect(Object.keys(STARTS).sort()).toEqual(starting.map(({ name }) => name).sort());
});

test('a prompt of each agent is in one timeline, with the agent’s name', async () => {
  await hook('gemini-cli', {
    session_id: 's4',
    cwd: project,
    hook_event_name: 'BeforeAgent',
    prompt: 'Paint the chute',
  });
  const { stdout } = await annalsHere(['log', '--json'], { home });
  const prompts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; agent: string; body: { text: string } })
    .filter(({ type }) => type === 'prompt.submitted');
  expect(prompts.map(({ agent, body }) => [agent, body.text])).toEqual([
    ['codex', 'Widen the chute'],
    ['gemini-cli', 'Paint the chute'],
  ]);
});
