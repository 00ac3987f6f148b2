import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type JsonObject, objectOf } from '../../../src/agents/common/json-fields.ts';
import { opencode } from '../../../src/agents/opencode/index.ts';
import { type HookedAgent, planInstall } from '../../../src/install/installation.ts';
import { hooksTarget } from '../../helpers/installed-hooks.ts';
import { CHAT, created, type PluginOptions, type RunningPlugin, runPlugin } from './running-plugin.ts';
import { answer, at, failing, SESSION, text, tool } from './session.ts';

const root = mkdtempSync(join(tmpdir(), 'annals-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let runs = 0;
const start = (options: Omit<PluginOptions, 'folder'> = {}) =>
  runPlugin({ folder: join(root, String(++runs)), ...options });

const CONTEXT = opencode.hooks!.startAnswer('<annals-context>UTC</annals-context>', '');
const SUBAGENT = 'ses_2';
const turn = { session_id: SESSION, cwd: '/home/u/app', prompt_id: 'msg_1' };
const messageOf = (message: JsonObject): JsonObject => ({ sessionID: SESSION, info: message.info! });
const partOf = (part: JsonObject, messageID = 'msg_2', sessionID = SESSION): JsonObject => ({
  part: { ...part, messageID, sessionID },
});

/** The events of an answer that consists of these parts. */
async function answers(plugin: RunningPlugin, message: JsonObject): Promise<void> {
  const info = message.info as JsonObject;
  const { completed: _, ...time } = info.time as JsonObject;
  const { finish: _finish, error: _error, ...begun } = info;
  await plugin.event('message.updated', { info: { ...begun, time } });
  for (const part of message.parts as readonly JsonObject[])
    await plugin.event('message.part.updated', partOf(part, info.id as string, info.sessionID as string));
  await plugin.event('message.updated', messageOf(message));
}

const said = (words: string, id: string) => text(words, { id, time: { start: at(2), end: at(3) } });

// Windows has no sh to write down what is reported.
describe.skipIf(process.platform === 'win32')('The plugin of OpenCode', () => {
  test('reports a turn of a new session', async () => {
    const plugin = await start();
    await plugin.event('session.created', created());
    await plugin.prompt(SESSION, 'msg_1', [text('"Read the file"'), text('Content', { synthetic: true })]);
    const first = answer('msg_2', 2, 'msg_1', [said('I read it.', 'prt_a'), failing], {
      finish: 'tool-calls',
    });
    await answers(plugin, first);
    const parts = [said('There is', 'prt_b'), said('There is none.', 'prt_b'), said('Stop.', 'prt_c')];
    const last = answer('msg_3', 5, 'msg_1', parts);
    await answers(plugin, last);
    await plugin.event('message.updated', messageOf(last));
    const { input, output, time } = failing.state as JsonObject;
    const reports = await plugin.reports(4);
    expect(reports).toHaveLength(4);
    const [onStart, others] = [reports.slice(0, 1), reports.slice(1)];
    expect(onStart).toEqual([
      {
        words: 'opencode session-start',
        payload: {
          hook_event_name: 'SessionStart',
          session_id: SESSION,
          cwd: '/home/u/app',
          source: 'startup',
        },
      },
    ]);
    expect(others.map(({ words }) => words)).toEqual(['opencode', 'opencode', 'opencode']);
    expect(others.map(({ payload }) => payload)).toEqual([
      { hook_event_name: 'UserPromptSubmit', ...turn, parts: [{ type: 'text', text: '"Read the file"' }] },
      {
        ...{ hook_event_name: 'PostToolUse', ...turn, tool_name: 'bash', call_id: 'call_1' },
        state: { status: 'completed', input, output, time, metadata: { exit: 1 } },
      },
      {
        ...{ hook_event_name: 'Stop', ...turn, agent_type: 'build' },
        last_assistant_message: 'There is none.\n\nStop.',
      },
    ]);
  });

  test('gives every request of the chat the same context, and none to titles and summaries', async () => {
    const plugin = await start({ answer: CONTEXT });
    await plugin.event('session.created', created());
    const title = ['You are a title generator.'];
    expect(await plugin.system(SESSION, title)).toEqual(title);
    const chat = [...CHAT, '<annals-context>UTC</annals-context>'];
    expect(await plugin.system(SESSION)).toEqual(chat);
    expect(await plugin.system(SESSION)).toEqual(chat);
    expect(await plugin.reports(1)).toHaveLength(1);
  });

  test('reports a prompt when the context is made, and before the model is asked', async () => {
    const plugin = await start({
      answer: CONTEXT,
      before: '[ "$2" != session-start ] || while [ -e "$0" ] && [ ! -e "$0.go" ]; do sleep 0.01; done',
    });
    await plugin.event('session.created', created());
    await plugin.prompt(SESSION, 'msg_1', [text('one')]);
    await plugin.event('message.part.updated', partOf(failing));
    expect((await plugin.reports(1)).map(({ payload }) => payload.hook_event_name)).toEqual(['PostToolUse']);
    plugin.release();
    await plugin.system(SESSION);
    expect((await plugin.reports(3)).map(({ payload }) => payload.hook_event_name)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PostToolUse',
    ]);
  });

  test('starts a session that is continued once, after looking it up', async () => {
    const asked: string[] = [];
    const known = async (id: string) => {
      asked.push(id);
      return created().info as JsonObject;
    };
    const plugin = await start({ answer: CONTEXT, known });
    const both = ['msg_1', 'msg_2'].map((id) => plugin.prompt(SESSION, id, [text('Go on')]));
    await Promise.all(both);
    await plugin.prompt(SESSION, 'msg_3', [text('Go on')]);
    expect(await plugin.system(SESSION)).toHaveLength(2);
    const reports = await plugin.reports(4);
    expect(reports.map(({ payload }) => payload.source ?? payload.prompt_id).sort()).toEqual([
      ...['msg_1', 'msg_2', 'msg_3', 'resume'],
    ]);
    expect(asked).toEqual([SESSION, SESSION]);
  });

  test('reports the work of a sub-agent under the session that launched it', async () => {
    const known = async (id: string) =>
      created(id === SUBAGENT ? { id, parentID: SESSION } : { id }).info as JsonObject;
    const plugin = await start({ answer: CONTEXT, known });
    await plugin.event('session.created', created({ id: SUBAGENT, parentID: SESSION }));
    await plugin.prompt(SUBAGENT, 'msg_1', [text('Count the files')]);
    expect(await plugin.system(SUBAGENT)).toEqual(CHAT);
    const done = answer('msg_2', 2, 'msg_1', [said('Two.', 'prt_a'), failing], {
      ...{ sessionID: SUBAGENT, agent: 'general' },
    });
    await answers(plugin, done);
    const reports = (await plugin.reports(2)).map(({ payload }) => opencode.hooks!.read(payload));
    const ids = { session_id: SESSION, agent_id: SUBAGENT, cwd: '/home/u/app' };
    expect(reports).toMatchObject([
      { hook_event_name: 'PostToolUseFailure', ...ids },
      { hook_event_name: 'SubagentStop', ...ids, agent_type: 'general', last_assistant_message: 'Two.' },
    ]);
  });

  test.each<[string, boolean]>([
    ['created', true],
    ['continued', false],
  ])(
    'reports the work of a sub-agent of a sub-agent under the main session when they are %s',
    async (_, isNew) => {
      const infos = [
        created(),
        created({ id: SUBAGENT, parentID: SESSION }),
        created({ id: 'ses_3', parentID: SUBAGENT }),
      ];
      const known = async (id: string) =>
        infos.map(({ info }) => info as JsonObject).find((info) => info.id === id);
      const plugin = await start(isNew ? {} : { known });
      if (isNew) for (const info of infos) await plugin.event('session.created', info);
      await plugin.prompt('ses_3', 'msg_1', [text('Count the files')]);
      // After the session, whenever that was continued.
      const used = tool('call_1', 'bash', 3, { time: { start: 9e15, end: 9e15 } });
      await plugin.event('message.part.updated', partOf(used, 'msg_2', 'ses_3'));
      const reports = await plugin.reports(isNew ? 2 : 1);
      expect(reports.at(-1)?.payload).toMatchObject({
        ...{ hook_event_name: 'PostToolUse', session_id: SESSION, agent_id: 'ses_3' },
      });
    },
  );

  test('reports nothing of a sub-agent whose main session cannot be found', async () => {
    const info = created({ id: 'ses_3', parentID: SUBAGENT });
    const plugin = await start({
      known: async (id) => (id === 'ses_3' ? (info.info as JsonObject) : undefined),
    });
    await plugin.event('session.created', info);
    await plugin.prompt('ses_3', 'msg_1', [text('Count the files')]);
    await plugin.event('message.part.updated', partOf(failing, 'msg_2', 'ses_3'));
    await plugin.event('session.created', created());
    expect((await plugin.reports(1)).map(({ payload }) => payload.session_id)).toEqual([SESSION]);
  });

  test('reports nothing of what a fork copies, a program writes, or a compaction sums up', async () => {
    const plugin = await start();
    await plugin.event('session.created', created({ time: { created: at(60) } }));
    await answers(plugin, answer('msg_2', 2, 'msg_1', [said('Old.', 'prt_a'), failing]));
    await plugin.prompt(SESSION, 'msg_3', [text('A task has ended', { synthetic: true })]);
    await answers(plugin, answer('msg_4', 70, 'msg_3', [said('## Goal', 'prt_b')], { summary: true }));
    const pruned = tool('call_2', 'read', 70, { time: { start: at(70), end: at(71), compacted: at(80) } });
    await plugin.event('message.part.updated', partOf(pruned));
    await plugin.event('message.part.updated', partOf(tool('call_3', 'read', 70, { status: 'running' })));
    await plugin.prompt(SESSION, 'msg_5', [text('Go on')]);
    const reports = await plugin.reports(2);
    expect(reports.map(({ payload }) => payload.hook_event_name).sort()).toEqual([
      'SessionStart',
      'UserPromptSubmit',
    ]);
  });

  test('keeps the turn of an answer, whatever was sent meanwhile', async () => {
    const plugin = await start();
    await plugin.event('session.created', created());
    await plugin.prompt(SESSION, 'msg_1', [text('one')]);
    await plugin.prompt(SESSION, 'msg_2', [text('two')]);
    await answers(
      plugin,
      answer('msg_3', 3, 'msg_1', [tool('call_1', 'read', 3, {})], { finish: 'tool-calls' }),
    );
    await answers(
      plugin,
      answer('msg_5', 6, 'msg_4', [tool('call_2', 'read', 6, {})], { finish: 'tool-calls' }),
    );
    const tools = (await plugin.reports(5)).filter(({ payload }) => payload.call_id !== undefined);
    expect(Object.fromEntries(tools.map(({ payload }) => [payload.call_id, payload.prompt_id]))).toEqual({
      call_1: 'msg_1',
      // Its parent is a message of the program.
      call_2: 'msg_2',
    });
  });

  test('names the error of a turn that failed', async () => {
    const plugin = await start();
    await plugin.event('session.created', created());
    const error = { name: 'APIError', data: { message: 'Overloaded', responseBody: 'x' } };
    await answers(plugin, answer('msg_2', 2, 'msg_1', [], { error, finish: null }));
    const stop = (await plugin.reports(2)).find(({ payload }) => payload.hook_event_name === 'Stop');
    expect(stop?.payload.error).toEqual({ name: 'APIError', message: 'Overloaded' });
  });

  test('reports large results whole', async () => {
    const plugin = await start();
    await plugin.event('session.created', created());
    const output = 'x'.repeat(2_000_000);
    await plugin.event('message.part.updated', partOf(tool('call_1', 'bash', 3, { output })));
    const outputs = (await plugin.reports(2)).map(({ payload }) => objectOf(payload.state)?.output ?? null);
    expect(outputs.map((text) => text === output)).toEqual([false, true]);
  });

  test.each<[string, Omit<PluginOptions, 'folder'>]>([
    ['the script is missing', { before: 'rm -f "$0"; exit 1', replace: ['/capture"', '/none"'] }],
    ['it fails', { before: 'exit 1' }],
    ['it prints something else', { answer: 'command not found' }],
    ['it takes long', { before: 'sleep 3', replace: ['contextMs = 2600', 'contextMs = 50'] }],
    ['the session is not known', { known: () => Promise.reject(new Error('no server')) }],
    [
      'the server does not answer',
      { known: () => new Promise(() => {}), replace: ['lookUpMs = 1000', 'lookUpMs = 50'] },
    ],
  ])('neither disturbs the agent nor adds anything when %s', async (_, options) => {
    const plugin = await start(options);
    if (options.known === undefined) await plugin.event('session.created', created());
    await plugin.prompt(SESSION, 'msg_1', [text('one')]);
    expect(await plugin.system(SESSION)).toEqual(CHAT);
    await answers(plugin, answer('msg_2', 2, 'msg_1', [failing]));
  });

  test('starts Node where there is no sh', async () => {
    const { settings } = opencode.hooks!;
    if (settings.kind !== 'file') return expect.fail();
    const userHome = join(root, 'none');
    const program = { node: '/opt/node', cli: '/opt/annals/dist/cli.cjs' };
    const commandOn = async (windows: boolean) => {
      const machine = { environment: {}, userHome, windows };
      const request = { home: join(userHome, "it's"), program, machine };
      const { text } = await planInstall(hooksTarget(opencode as HookedAgent, request), request);
      return settings.commandIn(text ?? '');
    };
    const { node, cli } = program;
    expect(await commandOn(true)).toEqual([node, cli, '--home', join(userHome, "it's"), 'hook', 'opencode']);
    // It does not name Node, so that another Node changes nothing in it.
    expect(await commandOn(false)).toEqual([join(userHome, "it's/bin/capture"), 'opencode']);
    expect(settings.commandIn('const capture = ["a", 1];')).toBeNull();
  });

  test('throws nothing, whatever it is told', async () => {
    const plugin = await start({ before: 'exit 0' });
    await plugin.event('session.created', created());
    for (const strange of [
      undefined,
      null,
      7,
      '',
      [],
      {},
      { info: null },
      { part: {} },
      { sessionID: SESSION },
    ]) {
      for (const type of ['session.created', 'message.updated', 'message.part.updated', 'other'])
        await plugin.event(type, strange as JsonObject);
      await plugin.hook('chat.message', strange, strange);
      await plugin.hook('experimental.chat.system.transform', strange, strange);
    }
  });
});
