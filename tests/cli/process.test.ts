// The built command in a process of its own.
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import Module from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { version } from '../../src/cli/package.ts';
import { sessionStartLimit } from '../../src/cli/session-start.ts';
import { type Annals, openAnnals } from '../../src/index.ts';
import { PROTOCOL } from '../../src/remote/messages.ts';
import { type Ran, run } from '../helpers/child.ts';
import { buildCommand, NO_HURRY } from '../helpers/program.ts';

const root = resolve(import.meta.dirname, '../..');
const command = join(root, 'dist/cli.cjs');
const folder = mkdtempSync(join(tmpdir(), 'annals-cli-'));

beforeAll(buildCommand);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function annalsAt(
  words: readonly string[],
  { stdin = '', env = {} }: { stdin?: string; env?: object } = {},
): Promise<Ran> {
  return run(process.execPath, [command, ...words], {
    ...{ cwd: folder, stdin },
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: folder, ...NO_HURRY, ...env },
  });
}

describe('the built command', () => {
  test.each(['command', 'session-start', 'worker', 'home-thread'])(
    'consists of programs in ASCII whose compiled code V8 accepts: %s',
    (name) => {
      const path = join(root, `dist/${name}.cjs`);
      const script = readFileSync(path);
      expect(script.findIndex((byte) => byte > 127)).toBe(-1);
      const { platform, arch, versions } = process;
      const cachedData = readFileSync(join(root, `dist/${name}-${platform}-${arch}-${versions.v8}.code`));
      const compiled = new Script(Module.wrap(script.toString('latin1')), { filename: path, cachedData });
      expect(compiled.cachedDataRejected).toBe(false);
    },
  );

  test('starts a session with the hooks of the agents, and without LevelDB, the log, redaction or transcripts', () => {
    const { sources } = JSON.parse(readFileSync(join(root, 'dist/session-start.cjs.map'), 'utf8'));
    const parts = (sources as string[]).map((path) => path.replace('../', ''));
    expect(parts.filter((path) => path.endsWith('/hooks.ts')).length).toBeGreaterThan(AGENTS.length);
    const needed =
      /^(src\/(agents|api|brief|capture\/spool|cli|platform|remote|session-start|worker)\/|log\/(errors|index|parse-json)\.ts$)/;
    expect(parts.filter((path) => !needed.test(path))).toEqual([]);
    expect(parts.filter((path) => /transcript|record|agents\/[^/]*\/index/.test(path))).toEqual([]);
  });

  test('is executable and prints its version', async () => {
    expect(statSync(command).mode & 0o111).not.toBe(0);
    expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await annalsAt(['search', '--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('writes nothing to disk for help and wrong use', async () => {
    expect((await annalsAt(['search', '--help'])).code).toBe(0);
    expect((await annalsAt(['serach'])).code).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('says of a home that is a file what it is, also when it only reads', async () => {
    const home = join(folder, 'file');
    writeFileSync(home, '');
    const { code, stderr } = await annalsAt(['status', '--home', home]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('file is not a folder.\n')]);
    rmSync(home);
  });
});

/** Every write to it finds the disk full. */
const FULL = '/dev/full';

describe.skipIf(!existsSync(FULL))('an output that cannot be written', () => {
  const inShell = (line: string) =>
    run('sh', ['-c', line], {
      cwd: folder,
      env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: folder, NODE: process.execPath, C: command },
    });

  test.each(['--version', '--help', 'help search', 'completion bash --json'])(
    'fails with one line: annals %s',
    async (words) => {
      const { code, stderr } = await inShell(`"$NODE" "$C" ${words} > ${FULL}`);
      expect(stderr).toBe('error: Standard output cannot be written: no space left on device.\n');
      expect(code).toBe(1);
    },
  );

  test('for notes only does not end the command', async () => {
    expect((await inShell(`"$NODE" "$C" serach 2> ${FULL}`)).code).toBe(2);
  });
});

describe.each(['without a worker', 'through a worker'])('from the example to an answer, %s', (way) => {
  const home = join(folder, way.replaceAll(' ', '-'));
  const annals = (words: readonly string[], options: { stdin?: string } = {}) =>
    annalsAt(words, { ...options, env: { ANNALS_HOME: home } });
  if (way === 'through a worker') {
    beforeAll(async () => expect((await annals(['worker', 'start'])).code).toBe(0));
    afterAll(async () => expect((await annals(['worker', 'stop'])).stdout).toBe('The worker has ended.\n'));
  }

  test('the worker runs, or not', async () => {
    const { running } = JSON.parse((await annals(['worker', '--json'])).stdout);
    expect(running).toBe(way === 'through a worker');
  });

  test('import, search, show, why and log agree', async () => {
    const imported = await annals(['import', join(root, 'examples'), '--json']);
    // A slow machine shows progress.
    expect(imported.stderr.replace(/^Importing: .*\n/gm, '')).toBe('');
    expect(JSON.parse(imported.stdout)).toMatchObject({
      files: 3,
      sessions: 2,
      prompts: 5,
      parked: 0,
      duplicates: 0,
    });

    const again = JSON.parse((await annals(['import', join(root, 'examples'), '--json'])).stdout);
    expect(again).toMatchObject({ files: 3, sessions: 2, prompts: 5, appended: 0 });

    const { results } = JSON.parse((await annals(['search', 'flaky evening feeding test', '--json'])).stdout);
    expect(results[0]).toMatchObject({ project: 'birdfeeder' });
    const shown = JSON.parse((await annals(['show', results[0].id, '--json'])).stdout);
    expect(shown.items[0].id).toBe(results[0].id);

    const why = JSON.parse((await annals(['why', results[0].id, '--json'])).stdout);
    const events = (await annals(['log', '--json'])).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const { id } of why.events) expect(events.map((event) => event.id)).toContain(id);
    expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
  });

  test('a session that starts is told what is known', async () => {
    const start = { cwd: '/home/robin/birdfeeder', hook_event_name: 'SessionStart', session_id: 'next' };
    const words = ['--home', home, 'hook', 'claude-code', 'session-context'];
    const { stdout } = await annals(words, { stdin: JSON.stringify(start) });
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain('<annals-context');
    expect((await annals(words, { stdin: '{"cwd":' })).stdout).toBe('');
  });

  test('a saved memory is found', async () => {
    const words = ['save', '--json', '--title', 'Quokka rule', '--project', 'birdfeeder'];
    const { id } = JSON.parse((await annals(words, { stdin: 'Feed the quokka at noon.' })).stdout);
    const { results } = JSON.parse((await annals(['search', 'quokka', '--json'])).stdout);
    expect(results[0]).toMatchObject({ id, kind: 'memory', title: 'Quokka rule', project: 'birdfeeder' });
  });

  test('the log verifies and the views equal their rebuild', async () => {
    const verified = await annals(['verify', '--rebuilt', '--json']);
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, problems: [] });
    expect(verified.code).toBe(0);
    expect((await annals(['replay', '--from', '0'])).code).toBe(0);
  });

  test('a reader that closes the pipe ends the command without an error', async () => {
    const child = spawn(process.execPath, [command, 'log', '--json'], {
      cwd: folder,
      env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: folder, ANNALS_HOME: home },
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });
});

async function filled(home: string): Promise<Annals> {
  const annals = await openAnnals({ home });
  await annals.import([join(root, 'examples')]);
  return annals;
}

test('a session whose worker goes away while it starts gets its context from the command', async () => {
  const home = join(folder, 'worker-gone');
  await (await filled(home)).close();
  // It says hello, and ends when it is asked for the context.
  const worker = createServer((socket) => {
    const facts = { pid: 1, build: null, environment: { ANNALS_EXCLUDE: '' } };
    const hello = { type: 'hello', protocol: PROTOCOL, version: version(), home, facts };
    socket.once('data', () => {
      socket.write(`${JSON.stringify(hello)}\n`);
      socket.once('data', () => {
        worker.close();
        socket.destroy();
      });
    });
  });
  await new Promise<void>((resolve) => worker.listen(join(home, 'worker.sock'), resolve));
  const start = { cwd: '/home/robin/birdfeeder', hook_event_name: 'SessionStart', session_id: 'next' };
  const words = ['--home', home, 'hook', 'claude-code', 'session-context'];
  const { stdout } = await annalsAt(words, { stdin: JSON.stringify(start) });
  expect(stdout).toContain('<annals-context');
});

test('a session that starts while another process holds the log waits for it', async () => {
  const home = join(folder, 'held');
  const holder = await filled(home);
  const start = { cwd: '/home/robin/birdfeeder', hook_event_name: 'SessionStart', session_id: 'next' };
  const words = ['--home', home, 'hook', 'claude-code', 'session-context'];
  const hook = annalsAt(words, { stdin: JSON.stringify(start) });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await holder.close();
  expect((await hook).stdout).toContain('<annals-context');
});

test.each([
  [{}, 2_500],
  [{ ANNALS_SESSION_START_MS: '500' }, 500],
  [{ ANNALS_SESSION_START_MS: 'soon' }, 2_500],
])('a session that starts waits as long as %j says', (environment, limit) => {
  expect(sessionStartLimit(environment)).toBe(limit);
});

test('a session that starts while another process holds the log is not held up for long, and is told nothing', async () => {
  const home = join(folder, 'held-longer');
  const holder = await openAnnals({ home });
  const start = { cwd: '/home/robin/birdfeeder', hook_event_name: 'SessionStart', session_id: 'next' };
  const ended = await annalsAt(['--home', home, 'hook', 'claude-code', 'session-context'], {
    stdin: JSON.stringify(start),
    env: { ANNALS_SESSION_START_MS: '500' },
  });
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  await holder.close();
});

test('annals up and import without a path read the transcripts of Claude Code without changing them', async () => {
  const config = join(folder, 'claude');
  mkdirSync(join(config, 'projects'), { recursive: true });
  cpSync(join(root, 'examples/birdfeeder'), join(config, 'projects/-home-robin-birdfeeder'), {
    recursive: true,
  });
  const before = readdirSync(config, { recursive: true }).sort();
  const env = { ANNALS_HOME: join(folder, 'up-own'), CLAUDE_CONFIG_DIR: config };
  const { code, stdout, stderr } = await annalsAt(['up'], { env });
  expect(code).toBe(0);
  expect(stderr).toContain(join(config, 'projects'));
  expect(stdout).toContain('2 sessions, 5 prompts');
  expect(stdout).toMatch(/Try\n {2}annals search /);
  const elsewhere = { ...env, ANNALS_HOME: join(folder, 'import-own') };
  const imported = await annalsAt(['import'], { env: elsewhere });
  expect(imported.stdout).toContain('2 sessions, 5 prompts');
  expect(readdirSync(config, { recursive: true }).sort()).toEqual(before);
});
