// The worker as a process that the built command starts, asks and kills.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { captureScript } from '../../src/capture/spool/capture-script.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { readWorkerFile } from '../../src/worker/worker-files.ts';
import { buildCommand, COMMAND, complaintOf } from '../e2e/command.ts';
import { run } from '../helpers/child.ts';
import { asked, used, waiting } from '../helpers/spool.ts';
import { connected, found, testHome, whenChanged } from './homes.ts';
import { lives, pidOf } from './processes.ts';

/** In the burst; the worker is killed after half of them. */
const HOOKS = Number(process.env.ANNALS_TEST_HOOKS ?? 20);

const ROOT = dirname(dirname(COMMAND));

beforeAll(buildCommand);

test('five starts at once on a cold home make one worker, and its stop leaves nothing', async () => {
  const at = testHome();
  const started = await Promise.all(Array.from({ length: 5 }, () => at.run('worker', 'start', '--json')));
  const answers = started.map(({ stdout }) => JSON.parse(stdout));
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  expect(answers.filter(({ outcome }) => outcome === 'started')).toHaveLength(1);
  const { pid } = answers[0];
  expect(JSON.parse((await at.run('worker', '--json')).stdout)).toMatchObject({ running: true, pid });
  expect(JSON.parse((await at.run('status', '--json')).stdout)).toMatchObject({ worker: { pid } });
  expect((await at.run('worker', 'stop')).stdout).toBe('The worker has ended.\n');
  // Its work is done; Node takes some milliseconds to end.
  await expect.poll(() => lives(pid)).toBe(false);
  expect(readdirSync(at.home).sort()).toEqual([
    'capture-token',
    'head.json',
    'log',
    'logs',
    'spool',
    'views',
  ]);
  expect((await at.run('worker')).stdout).toBe('No worker runs.\n');
});

test('a worker starts in a home that does not exist yet, with few allocation arenas', async () => {
  const at = testHome();
  expect(existsSync(at.home)).toBe(false);
  const environment = { ...process.env, ...at.environment };
  const started = await startWorker({ home: at.home, command: COMMAND, environment });
  expect(started).toMatchObject({ outcome: 'started', pid: expect.any(Number) });
  if (process.platform !== 'linux') return;
  const variables = readFileSync(`/proc/${'pid' in started ? started.pid : 0}/environ`, 'latin1').split('\0');
  expect(variables).toContain('MALLOC_ARENA_MAX=2');
});

test('five commands at once on a cold home all answer', async () => {
  const at = testHome();
  const ended = await Promise.all([
    at.run('status', '--json'),
    at.run('search', 'feeding', '--json'),
    at.run('save', '--title', 'At once', '--text', 'five of us', '--json'),
    at.run('log', '--json'),
    at.run('import', join(ROOT, 'examples'), '--json'),
  ]);
  expect(ended.map(({ code, stdout }) => (code === 0 ? 0 : stdout))).toEqual([0, 0, 0, 0, 0]);
  const log = (await at.run('log', '--json')).stdout;
  expect(log).toContain('five of us');
  expect(JSON.parse((await at.run('import', join(ROOT, 'examples'), '--json')).stdout)).toMatchObject({
    prompts: 5,
    appended: 0,
  });
});

test('the start of a session starts the worker, once', async () => {
  const at = testHome();
  mkdirSync(at.home, { mode: 0o700 });
  // The first call opens the log itself. Whatever comes later asks the worker, or waits for it.
  for (let session = 0; session < 2; session++) {
    const hook = await at.run('--home', at.home, 'hook', 'claude-code', 'session-start');
    expect(hook.code).toBe(0);
  }
  expect(JSON.parse((await at.run('worker', 'start', '--json')).stdout)).toMatchObject({
    outcome: 'already',
  });
});

test('SIGKILL in a burst of tool uses loses none of them, and the next worker records them all', async () => {
  const at = testHome();
  await at.run('worker', 'start');
  const script = join(at.folder, 'capture');
  writeFileSync(script, captureScript(at.home, { node: process.execPath, cli: '/nonexistent' }));
  chmodSync(script, 0o755);
  const fire = async (payload: object) =>
    (await run(script, ['claude-code'], { env: process.env, stdin: JSON.stringify(payload) })).code;
  const first = pidOf(at.home);
  const token = readWorkerFile(at.home)?.token;
  await fire(asked('feed the herons'));
  for (let use = 0; use < HOOKS; use++) {
    if (use === HOOKS / 2) process.kill(first, 'SIGKILL');
    expect(await fire(used(`toolu_${use}`, `heron ${use}`))).toBe(0);
  }
  await at.run('worker', 'start');
  // An open page of the viewer goes on with its token.
  expect(readWorkerFile(at.home)?.token).toBe(token);
  const annals = await connected(at.home);
  await whenChanged(annals, async () => (waiting(at.home).length === 0 ? true : null));
  const ids = new Set();
  for await (const { dedupeKey } of annals.log({ type: 'tool.used' })) ids.add(dedupeKey);
  expect(ids.size).toBe(HOOKS);
  expect(await found(annals, 'herons')).not.toBeNull();
  await annals.close();
});

test('after five failed starts it stays down and says why, until somebody starts it', async () => {
  const at = testHome();
  mkdirSync(at.home, { mode: 0o700 });
  // No log can be opened here.
  writeFileSync(join(at.home, 'log'), 'not a folder');
  const environment = { ...at.environment, PATH: process.env.PATH, HOME: at.folder };
  const start = () => startWorker({ home: at.home, command: COMMAND, environment });
  const codes = [];
  for (let attempt = 0; attempt < 5; attempt++)
    codes.push(await start().catch((error: { code: string }) => error.code));
  expect(new Set(codes).size).toBe(1);
  expect(codes[0]).toMatch(/^[A-Z_]+$/);
  expect(await start()).toMatchObject({ outcome: 'off' });
  rmSync(join(at.home, 'log'));
  const { degraded } = JSON.parse((await at.run('status', '--json')).stdout);
  expect(degraded.join('\n')).toContain('its last 5 starts failed');
  expect((await at.run('worker')).stderr).toContain('its last 5 starts failed');
  expect((await at.run('worker', 'start')).code).toBe(0);
  expect((await at.run('status', '--json')).stdout).not.toContain('starts failed');
});

test('a home that cannot be made is reported by the start', async () => {
  const at = testHome();
  writeFileSync(at.home, 'a file');
  const ended = await at.run('worker', 'start', '--json');
  expect(ended.code).toBe(1);
  expect(complaintOf(ended).code).toBe('HOME_INVALID');
});

test('in the foreground it runs until a signal, and a second one is refused', async () => {
  const at = testHome();
  const here = spawn(process.execPath, [COMMAND, 'worker', 'run', '--json'], {
    env: { PATH: process.env.PATH, HOME: at.folder, ANNALS_HOME: at.home, ...at.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) =>
    here.stdout.once('data', (bytes) => resolve(String(bytes))),
  );
  expect(JSON.parse(line)).toMatchObject({ running: true, pid: here.pid });
  const second = await at.run('worker', 'run', '--json');
  expect(complaintOf(second).code).toBe('WORKER_FAILED');
  const closed = new Promise((resolve) => here.once('close', resolve));
  here.kill('SIGINT');
  expect(await closed).toBe(0);
  expect(existsSync(join(at.home, 'worker.json'))).toBe(false);
});

test.each([
  ['a terminal: the next one runs in the background', {}, 0],
  ['a service: it ends so that the manager starts it again', { ANNALS_IN_SERVICE: '1' }, 75],
])('a restart over HTTP in %s', async (_, variables, code) => {
  const at = testHome();
  const here = spawn(process.execPath, [COMMAND, '--home', at.home, 'worker', 'run', '--json'], {
    env: { PATH: process.env.PATH, HOME: at.folder, ...at.environment, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(here.stdout, 'data');
  const { port, token } = readWorkerFile(at.home)!;
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`http://127.0.0.1:${port}/api/restart`, { method: 'POST', headers });
  expect(await once(here, 'close')).toEqual([code, null]);
  if (code === 0) await expect.poll(() => existsSync(join(at.home, 'worker.json'))).toBe(true);
  const { outcome, pid } = JSON.parse((await at.run('worker', 'start', '--json')).stdout);
  expect([outcome, pid === here.pid]).toEqual([code === 0 ? 'already' : 'started', false]);
});

test('a worker whose program was replaced by an update says so to the first request and ends, and the next one works', async () => {
  const { folder, home, environment, log } = testHome();
  const installed = join(folder, 'installed');
  cpSync(dirname(COMMAND), join(installed, 'dist'), {
    recursive: true,
    filter: (path) => !/\.map$|\/(chunks|types|viewer)$/.test(path),
  });
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
  const start = () =>
    execFileSync(process.execPath, [join(installed, 'dist/cli.cjs'), '--home', home, 'worker', 'start'], {
      env: { ...process.env, ...environment },
    });
  const capture = async () => {
    const { port } = JSON.parse(readFileSync(join(home, 'worker.json'), 'utf8'));
    const answer = await fetch(`http://127.0.0.1:${port}/hooks/claude-code`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${readFileSync(join(home, 'capture-token'), 'utf8').trim()}`,
        'content-type': 'application/json',
        // The next worker may have the same port.
        connection: 'close',
      },
      body: JSON.stringify(asked('Widen the chute')),
    });
    return { status: answer.status, body: await answer.json() };
  };
  start();
  const rest = join(installed, 'dist/worker-rest.cjs');
  const text = readFileSync(rest);
  const compiled = readdirSync(dirname(rest)).filter((name) => /^worker-rest-.*\.code$/.test(name));
  for (const name of compiled) rmSync(join(dirname(rest), name));
  writeFileSync(rest, 'module.exports = {};\n');
  expect(await capture()).toEqual({
    status: 503,
    body: { error: expect.objectContaining({ code: 'INTERNAL', hint: expect.stringContaining('updated') }) },
  });
  await expect.poll(() => existsSync(join(home, 'worker.json'))).toBe(false);
  expect(log().join('\n')).toContain('its program is not the one that was started');
  writeFileSync(rest, text);
  start();
  expect(await capture()).toEqual({ status: 200, body: {} });
});
