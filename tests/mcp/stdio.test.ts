// The built command `annals mcp`, as a client starts it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stopWorker } from '../../src/worker/connect-worker.ts';
import { annals, buildCommand, COMMAND } from '../e2e/command.ts';
import { CLIENT } from '../worker/homes.ts';
import {
  afterwards,
  callTool,
  clientOfCommand,
  type FilledHome,
  filledHome,
  serverEnvironment,
} from './clients.ts';

beforeAll(buildCommand);

describe('both revisions of the protocol', () => {
  test.each([
    ['2025-11-25', false],
    ['2026-07-28', true],
  ])('%s', async (revision, modern) => {
    const client = await clientOfCommand(await filledHome(), { modern });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()?.name).toBe('annals');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('search');
    const { answer } = await callTool(client, 'search', { query: 'frost', project: 'feeder' });
    expect(answer.results.length).toBeGreaterThan(0);
  });

  test('a client that asks which one to use gets the newer one', async () => {
    const client = await clientOfCommand(await filledHome(), { modern: true });
    expect(client.getServerCapabilities()).toMatchObject({ tools: {} });
  });
});

describe('without a worker', () => {
  test('the home is open only while a call runs', async () => {
    const home = await filledHome();
    const one = await clientOfCommand(home);
    const other = await clientOfCommand(home);
    for (const client of [one, other]) {
      const calls = await Promise.all([
        callTool(client, 'search', { query: 'frost' }),
        callTool(client, 'timeline', { limit: 3 }),
      ]);
      expect(calls.map(({ isError }) => isError)).toEqual([false, false]);
      const status = await annals(['status', '--json'], { home: home.home });
      expect(status.code).toBe(0);
    }
  });
});

describe('beside a worker', () => {
  test('the first call starts it, two servers share it, and a call after its end starts the next one', async () => {
    const home = await withWorker();
    const pid = () => JSON.parse(readFileSync(join(home.home, 'worker.json'), 'utf8')).pid;
    const environment = { ANNALS_WORKER: 'on' };
    const one = await clientOfCommand(home, { environment });
    const other = await clientOfCommand(home, { environment, modern: true });
    const calls = () =>
      Promise.all(
        [one, other].map((client) => callTool(client, 'search', { query: 'frost', project: 'feeder' })),
      );
    expect((await calls()).map(({ isError }) => isError)).toEqual([false, false]);
    const first = pid();
    expect((await calls()).map(({ isError }) => isError)).toEqual([false, false]);
    expect(pid()).toBe(first);
    await stopWorker(home.home, CLIENT);
    expect((await calls()).map(({ isError }) => isError)).toEqual([false, false]);
    expect(pid()).not.toBe(first);
  });

  test('a client that only asks what the server can do starts none', async () => {
    const home = await withWorker();
    const client = await clientOfCommand(home, { environment: { ANNALS_WORKER: 'on' } });
    await client.listTools();
    expect((await annals(['worker', '--json'], { home: home.home })).stdout).toContain('"running":false');
  });
});

describe('a cancelled call', () => {
  test('is not answered, and the next one is', async () => {
    const { lines } = await talk(
      await filledHome(),
      [
        ...HANDSHAKE,
        call(1, 'search', { query: 'frost', project: 'feeder' }),
        { method: 'notifications/cancelled', params: { requestId: 1 } },
        call(2, 'search', { query: 'frost', project: 'feeder' }),
      ],
      [0, 2],
    );
    expect(lines.map(({ id }) => id)).toEqual([0, 2]);
  });
});

describe('standard input', () => {
  test('with garbage is answered with errors and does not end the server', async () => {
    const { lines, code } = await talk(
      await filledHome(),
      [
        'this is not JSON',
        '{"jsonrpc":"2.0","id":',
        '[]',
        '"text"',
        '{"jsonrpc":"1.0","id":5,"method":"x"}',
        '\u0000\u001b[2J\ufffd',
        '',
        ...HANDSHAKE,
        { id: 7, method: 'no/such/method' },
        call(8, 'search', { query: 'frost', project: 'feeder' }),
        call(9, 'no such tool', {}),
      ],
      [0, 7, 8, 9],
    );
    expect(lines.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    const errors = lines.filter(({ id }) => id === null).map(({ error }) => error?.code);
    expect(errors).toEqual([-32700, -32700, -32600, -32600, -32600, -32700]);
    const answered = lines.map(({ id }) => id).filter((id) => id !== null);
    expect(answered.sort()).toEqual([0, 7, 8, 9]);
    expect(lines.find(({ id }) => id === 7)?.error?.code).toBe(-32601);
    expect(lines.find(({ id }) => id === 9)?.error?.code).toBe(-32602);
    expect(code).toBe(0);
  });

  test('that closes at once after the requests ends the server when they are answered', async () => {
    const messages = [
      ...HANDSHAKE,
      call(1, 'search', { query: 'frost', project: 'feeder' }),
      call(2, 'search', { query: 'frost', project: 'feeder' }),
      { method: 'notifications/cancelled', params: { requestId: 2 } },
    ];
    const { lines, code } = await talk(await filledHome(), messages, []);
    expect(lines.map(({ id }) => id)).toEqual([0, 1]);
    expect(lines.every(({ error }) => error === undefined)).toBe(true);
    expect(code).toBe(0);
  });

  test('that closes ends the server, also before anything was said', async () => {
    expect(await talk(await filledHome(), [], [])).toEqual({ lines: [], code: 0 });
  });
});

test('a closed standard output ends the server', async () => {
  const { home, folder } = await filledHome();
  const server = spawn(process.execPath, [COMMAND, 'mcp'], {
    cwd: folder,
    env: serverEnvironment(home),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.stdin.on('error', () => {});
  for (const one of HANDSHAKE) server.stdin.write(lineOf(one));
  await new Promise((resolve) => server.stdout.once('data', resolve));
  server.stdout.destroy();
  server.stdin.write(lineOf(call(1, 'search', { query: 'frost', project: 'feeder' })));
  expect(await ended).toBe(0);
});

interface Message {
  readonly jsonrpc: string;
  readonly id?: number | null;
  readonly error?: { readonly code: number };
}

const HANDSHAKE = [
  {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  },
  { method: 'notifications/initialized' },
];

function call(id: number, name: string, input: object) {
  return { id, method: 'tools/call', params: { name, arguments: input } };
}

type Sent = string | { readonly id?: number; readonly method: string; readonly params?: unknown };

function lineOf(message: Sent): string {
  return `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

/** Writes all messages at once, closes standard input when these requests are answered, and returns all that was answered. */
function talk(
  { home, folder }: FilledHome,
  messages: readonly Sent[],
  awaited: readonly number[],
): Promise<{ lines: readonly Message[]; code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [COMMAND, 'mcp'], {
      cwd: folder,
      env: serverEnvironment(home),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let output = '';
    const lines = (): Message[] =>
      output
        .slice(0, output.lastIndexOf('\n') + 1)
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    const look = () => {
      const answered = lines().map(({ id }) => id);
      if (awaited.every((id) => answered.includes(id))) child.stdin.end();
    };
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString('utf8');
      look();
    });
    child.on('exit', (code) => resolve({ lines: lines(), code }));
    for (const one of messages) child.stdin.write(lineOf(one));
    look();
  });
}

/** A home whose worker is stopped at the end. */
async function withWorker(): Promise<FilledHome> {
  const home = await filledHome();
  afterwards(() => stopWorker(home.home, CLIENT));
  return home;
}
