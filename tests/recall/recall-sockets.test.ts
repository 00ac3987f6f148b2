import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { hooksOf } from '../../src/agents/hooks.ts';
import type { Injection, RecallOccasion, RecallOptions } from '../../src/api.ts';
import { askedIn } from '../../src/worker/recall-request.ts';
import { RecallSockets } from '../../src/worker/recall-sockets.ts';
import { asked, SESSION } from '../helpers/spool.ts';
import { temporaryFolder } from '../helpers/world.ts';

const PAYLOAD = asked('Why does the chute freeze?');
const OFF = { 'recall.prompt': false, 'recall.error': false, 'recall.edit': false };

describe('The sockets of recall', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let sockets: RecallSockets;
  let answerMs: number;
  const calls: RecallOptions[] = [];
  const injections: Injection[] = [];

  beforeEach(async () => {
    folder = await temporaryFolder();
    answerMs = Number.POSITIVE_INFINITY;
    calls.length = 0;
    injections.length = 0;
    const item = { id: 'o-1', kind: 'observation', turn: 't', events: [], files: [], commands: [] } as const;
    sockets = new RecallSockets({
      home: folder.path,
      get answerMs() {
        return answerMs;
      },
      annals: {
        async recall(options) {
          calls.push(options);
          const isNew = !options.without?.includes('o-1');
          return { text: isNew ? 'frost' : '', tokens: 2, project: 'feeder', items: isNew ? [item] : [] };
        },
        async recordInjection(injection) {
          injections.push(injection);
        },
      },
      onProblem: (text) => expect.unreachable(text),
    });
  });
  afterEach(async () => {
    await sockets.end();
    await folder.remove();
  });

  const ask = (payload: object) =>
    new Promise<string>((resolve, reject) => {
      const socketPath = join(folder.path, 'recall-prompt');
      const sent = request({ socketPath, method: 'POST', path: '/claude-code' }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
      });
      sent.on('error', reject).end(JSON.stringify(payload));
    });

  it('are there while a setting is on', async () => {
    await sockets.apply({ ...OFF, 'recall.prompt': true });
    expect(existsSync(join(folder.path, 'recall-prompt'))).toBe(true);
    await sockets.apply(OFF);
    expect(existsSync(join(folder.path, 'recall-prompt'))).toBe(false);
  });

  it('search nothing for a hook that no longer waits', async () => {
    await sockets.apply({ ...OFF, 'recall.prompt': true });
    answerMs = -1;
    expect(await ask(PAYLOAD)).toBe('');
    expect([calls, injections]).toEqual([[], []]);
  });

  it('load the indexes of a folder once, not again after each file that is recorded', async () => {
    await sockets.apply({ ...OFF, 'recall.prompt': true });
    sockets.warm(['/a', '/b']);
    sockets.warm(['/a']);
    expect(calls.map(({ cwd }) => cwd)).toEqual(['/a', '/b']);
  });

  it("answer in the agent's form, once a session, and record what was given", async () => {
    await sockets.apply({ ...OFF, 'recall.prompt': true });
    expect(JSON.parse(await ask(PAYLOAD))).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'frost' },
    });
    expect(await ask(PAYLOAD)).toBe('');
    expect(await ask({ ...PAYLOAD, session_id: 'another' })).toContain('frost');
    expect(calls[0]).toMatchObject({
      occasion: 'prompt',
      text: 'Why does the chute freeze?',
      session: SESSION,
    });
    expect(injections).toMatchObject([
      { occasion: 'prompt', session: SESSION, text: 'frost', items: [{ id: 'o-1' }] },
      { session: 'another' },
    ]);
  });

  it('say nothing to what is no prompt of a person, and record nothing of it', async () => {
    await sockets.apply({ ...OFF, 'recall.prompt': true });
    for (const prompt of [
      '<private>a secret</private>',
      '/clear',
      '<task-notification>done</task-notification>',
    ])
      expect(await ask({ ...PAYLOAD, prompt })).toBe('');
    expect(await ask({ ...PAYLOAD, cursor_version: '3.1' })).toBe('');
    expect([calls, injections]).toEqual([[], []]);
  });
});

/** Null for a payload that asks nothing. */
async function optionsOf(occasion: RecallOccasion, payload: object) {
  const hooks = (await hooksOf('claude-code'))!;
  const asked = await askedIn('claude-code', hooks, occasion, Buffer.from(JSON.stringify(payload)));
  return asked?.options ?? null;
}

test('An error is asked for only if a command failed by itself', async () => {
  const { prompt: _, ...common } = PAYLOAD;
  const failed = {
    ...{ ...common, hook_event_name: 'PostToolUseFailure', tool_name: 'Bash' },
    ...{ tool_input: { command: 'npm test' }, error: 'Exit code 1\nno week 53' },
  };
  const error = 'Exit code 1\nno week 53';
  expect(await optionsOf('error', failed)).toMatchObject({ command: 'npm test', error });
  expect(await optionsOf('error', { ...failed, is_interrupt: true })).toBeNull();
  expect(await optionsOf('error', { ...failed, tool_input: { file_path: '/a' } })).toBeNull();
  expect(await optionsOf('error', PAYLOAD)).toBeNull();
});

test('A file is asked for with the time at which it changed, and only if it exists', async () => {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'weeks.ts');
  writeFileSync(file, '');
  utimesSync(file, 1_790_000_000, 1_790_000_000);
  const { prompt: _, ...common } = PAYLOAD;
  const used = (file_path: string) => ({
    ...{ ...common, hook_event_name: 'PreToolUse', tool_name: 'Edit' },
    tool_input: { file_path },
  });
  expect(await optionsOf('edit', used(file))).toMatchObject({ file, changedAt: 1_790_000_000_000 });
  for (const other of [`${file}x`, folder.path, 'weeks.ts'])
    expect(await optionsOf('edit', used(other))).toBeNull();
  await folder.remove();
});
