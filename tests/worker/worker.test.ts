// The worker in this process: what it takes in, when it ends, and what it leaves.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { END_MARK } from '../../src/capture/spool/end-mark.ts';
import { openAnnals } from '../../src/index.ts';
import { connectWorker, stopWorker } from '../../src/worker/connect-worker.ts';
import { openThroughWorker } from '../../src/worker/open-home.ts';
import { readWorkerFile, socketOf } from '../../src/worker/worker-files.ts';
import { asked, leave, leaveUnfinished, stopped, used, waiting } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import {
  afterwards,
  CLIENT,
  connected,
  found,
  type TestHome,
  testHome,
  whenChanged,
  workerHere,
} from './homes.ts';

const START = Date.UTC(2026, 2, 1);

function transcript(session: string, ...prompts: readonly string[]): Buffer {
  // Equal ids would make it a copy of another session.
  const number = Number(session.slice(-1));
  const script = new Script({ session, start: START + number * 3_600_000, firstUuid: number * 100 });
  for (const prompt of prompts) {
    script.prompt(prompt);
    script.reply(`Done: ${prompt}`);
  }
  return script.bytes();
}

function left({ home }: TestHome): readonly string[] {
  return readdirSync(home).sort();
}

const LEFT = ['capture-token', 'head.json', 'log', 'logs', 'spool', 'views'];

describe('a worker', () => {
  test('listens on a socket that only its user can reach, and leaves nothing behind', async () => {
    const at = testHome();
    const worker = await workerHere(at);
    expect(statSync(worker.state.socket).mode & 0o777).toBe(0o600);
    expect(statSync(join(at.home, 'worker.json')).mode & 0o777).toBe(0o600);
    const annals = await connected(at.home);
    expect((await annals.status()).worker).toEqual({ pid: process.pid });
    expect(await stopWorker(at.home, CLIENT)).toBe(true);
    expect(await worker.ended).toMatchObject({ outcome: 'ended' });
    expect(left(at)).toEqual(LEFT);
    await expect(annals.status()).rejects.toMatchObject({ code: 'WORKER_GONE' });
    expect(await stopWorker(at.home, CLIENT)).toBe(false);
    // Another worker may have the port.
    const lines = at.log().filter((line) => !line.startsWith('Port'));
    expect(lines.map((line) => line.split(':')[0])).toEqual(['Started', 'Stopping', 'Stopped']);
  });

  test('ends on a signal', async () => {
    const at = testHome();
    const { ended } = await workerHere(at);
    process.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toEqual({ outcome: 'ended', reason: 'SIGTERM' });
    expect(left(at)).toEqual(LEFT);
  });

  test('is not started beside another one', async () => {
    const at = testHome();
    await workerHere(at);
    const { runWorker } = await import('../../src/worker/worker.ts');
    const second = runWorker({
      home: at.home,
      userHome: at.folder,
      environment: at.environment,
      program: { node: process.execPath, cli: '/nowhere/cli.cjs' },
      version: '0.1.0',
      build: null,
      endsProcess: false,
      restart: null,
      onReady: () => {},
    });
    expect(await second).toEqual({ outcome: 'already', pid: process.pid });
    expect((await (await connected(at.home)).status()).degraded.join()).not.toContain('start');
  });

  test('puts its socket into a private temporary folder if the path of the home is too long', async () => {
    const at = testHome('h'.repeat(120));
    const { state } = await workerHere(at);
    expect(state.socket.startsWith(at.home)).toBe(false);
    expect(statSync(dirname(state.socket)).mode & 0o777).toBe(0o700);
    await (await connected(at.home)).status();
    await stopWorker(at.home, CLIENT);
    expect(existsSync(dirname(state.socket))).toBe(false);
  });

  test('does not connect to a socket in a folder that others may write', async () => {
    const at = testHome();
    await workerHere(at);
    expect(socketOf(at.home)).not.toBeNull();
    const { chmodSync } = await import('node:fs');
    chmodSync(at.home, 0o770);
    expect(socketOf(at.home)).toBeNull();
    chmodSync(at.home, 0o700);
  });

  test('what a killed worker left is no obstacle', async () => {
    const at = testHome();
    mkdirSync(at.home, { mode: 0o700 });
    const socket = join(at.home, 'worker.sock');
    const { createServer } = await import('node:net');
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(`${socket}.1`, resolve));
    // A socket file without anyone behind it.
    renameSync(`${socket}.1`, socket);
    await new Promise((resolve) => dead.close(resolve));
    writeFileSync(join(at.home, 'worker.json'), JSON.stringify({ pid: 1, socket, version: '0.0.1' }));
    expect(await connectWorker(at.home, CLIENT)).toBeNull();
    const opened = await openThroughWorker({ home: at.home }, CLIENT, openAnnals);
    await opened.close();
    await workerHere(at);
    await (await connected(at.home)).status();
  });

  test('a command that finds neither a worker nor the log free waits, then says so', async () => {
    const at = testHome();
    const holder = await openAnnals({ home: at.home });
    afterwards(() => holder.close());
    const opening = openThroughWorker({ home: at.home, lockTimeoutMs: 100 }, CLIENT, openAnnals);
    await expect(opening).rejects.toMatchObject({ code: 'HOME_LOCKED' });
  });

  test('an older one leaves when a newer command connects; an older command uses a newer one', async () => {
    const at = testHome();
    const old = await workerHere(at, { version: '0.0.9' });
    expect(await connectWorker(at.home, CLIENT)).toBeNull();
    expect(await old.ended).toEqual({ outcome: 'ended', reason: 'asked by a command of version 0.1.0' });
    await workerHere(at, { version: '0.2.0' });
    await (await connected(at.home)).status();
  });

  test('one that would record other folders than the command leaves', async () => {
    const at = testHome();
    const worker = await workerHere(at);
    expect(await connectWorker(at.home, { ...CLIENT, environment: { ANNALS_EXCLUDE: 'secret' } })).toBeNull();
    expect(await worker.ended).toMatchObject({ outcome: 'ended' });
  });

  test('ends when its home is removed, or its socket', async () => {
    const at = testHome();
    const first = await workerHere(at);
    rmSync(first.state.socket);
    expect(await first.ended).toEqual({ outcome: 'ended', reason: 'its socket is gone' });
    const second = await workerHere(at);
    renameSync(at.home, `${at.home}.moved`);
    expect(await second.ended).toMatchObject({ outcome: 'ended', reason: 'its home is gone' });
  });

  test('is not in the way of who removes its home, and does not make it again', async () => {
    const at = testHome();
    mkdirSync(at.home, { mode: 0o700 });
    writeFileSync(join(at.home, 'config.json'), '{"worker.idleMinutes": 20}');
    const { state, ended } = await workerHere(at);
    await (await connected(at.home)).save({ title: 'Heron', text: 'It eats fish.' });
    const parts = ['config.json', 'spool', 'logs', 'worker.json', 'worker.sock'];
    for (const name of parts) rmSync(join(at.home, name), { recursive: true });
    await seen(at.home, () => writeFileSync(join(at.home, 'noise'), ''));
    expect(existsSync(state.socket)).toBe(false);
    expect(left(at).filter((name) => parts.includes(name))).toEqual([]);
    rmSync(at.home, { recursive: true });
    expect(await ended).toEqual({ outcome: 'ended', reason: 'its home is gone' });
    expect(existsSync(at.home)).toBe(false);
  });

  test('serves no copy of its home', async () => {
    const at = testHome();
    await workerHere(at);
    const copy = testHome();
    mkdirSync(copy.home, { mode: 0o700 });
    copyFileSync(join(at.home, 'worker.json'), join(copy.home, 'worker.json'));
    expect(socketOf(at.home)).not.toBeNull();
    expect([socketOf(copy.home), readWorkerFile(copy.home)]).toEqual([null, null]);
    symlinkSync(at.home, `${at.home}.link`);
    expect(socketOf(`${at.home}.link`)).toBe(socketOf(at.home));
  });

  test('that ends while a request runs leaves the next one its files', async () => {
    const at = testHome();
    const first = await workerHere(at);
    const { port, token } = readWorkerFile(at.home)!;
    // Its body is still on its way.
    const request = connect(port!, '127.0.0.1');
    afterwards(() => request.destroy());
    request.on('error', () => {});
    const lines = ['POST /api/save HTTP/1.1', `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`];
    request.write([...lines, 'Content-Type: application/json', 'Content-Length: 100', '', '{'].join('\r\n'));
    // The worker has had it before this one.
    await fetch(`http://127.0.0.1:${port}/api/health`);
    process.emit('SIGTERM', 'SIGTERM');
    const second = await workerHere(at);
    await first.ended;
    expect(readWorkerFile(at.home)).toMatchObject({ startedAt: second.state.startedAt });
    expect(socketOf(at.home)).toBe(second.state.socket);
    await (await connected(at.home)).status();
  });

  test('that is stopped while it applies settings opens nothing any more', async () => {
    const at = testHome();
    const { ended } = await workerHere(at);
    writeFileSync(join(at.home, 'config.json'), '{"recall.prompt": true}');
    await logged(at, 'The settings changed');
    process.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toEqual({ outcome: 'ended', reason: 'SIGTERM' });
    expect(left(at)).toEqual(['capture-token', 'config.json', ...LEFT.slice(1)]);
  });

  test.each([
    ['starts the next one when nobody can connect any more', true],
    ['says that a service manager must start the next one', false],
  ])('that is asked to restart %s', async (_, startsIt) => {
    const at = testHome();
    const atRestart: boolean[] = [];
    const restart = () => void atRestart.push(existsSync(join(at.home, 'worker.json')));
    const { state, ended } = await workerHere(at, { restart: startsIt ? restart : null });
    const { token } = readWorkerFile(at.home)!;
    const address = `http://127.0.0.1:${state.port}/api/restart`;
    await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect(await ended).toEqual(
      startsIt ? { outcome: 'ended', reason: 'asked to restart' } : { outcome: 'restart' },
    );
    expect(atRestart).toEqual(startsIt ? [false] : []);
  });

  test('ends when nothing happened for the time that the settings say', async () => {
    const at = testHome();
    mkdirSync(at.home, { mode: 0o700 });
    writeFileSync(join(at.home, 'config.json'), '{"worker.idleMinutes": 0.001}');
    const { ended } = await workerHere(at);
    expect(await ended).toEqual({ outcome: 'ended', reason: 'nothing happened for a while' });
  });
});

describe('what hooks leave', () => {
  test('is found without any command, in the order of the files', async () => {
    const at = testHome();
    await workerHere(at);
    const annals = await connected(at.home);
    leave(at.home, 'c-0', asked('feed the heron'));
    await whenChanged(annals, () => found(annals, 'heron'));
    leave(at.home, 'c-1', used('toolu_1', 'two fish'));
    leave(at.home, 'c-2', stopped('The heron is fed'));
    await whenChanged(annals, async () => (waiting(at.home).length === 0 ? true : null));
    const types = [];
    for await (const { type } of annals.log()) types.push(type);
    expect(types.filter((type) => type !== 'workdir.seen')).toEqual([
      'prompt.submitted',
      'tool.used',
      'agent.stopped',
    ]);
  });

  test('is recorded when a file is complete that was read while a hook wrote it', async () => {
    const at = testHome();
    await workerHere(at);
    const annals = await connected(at.home);
    for (let file = 0; file < 5; file++) {
      const path = leaveUnfinished(at.home, `c-${file}`, '');
      // The worker has seen the empty file.
      await annals.status();
      const hook = asked(`feed heron${file}`, { prompt_id: `p-${file}` });
      writeFileSync(path, `${JSON.stringify(hook)}${END_MARK}`);
      await whenChanged(annals, async () => (waiting(at.home).length === 0 ? true : null));
    }
    expect(await found(annals, 'heron4')).not.toBeNull();
  });

  test('before a question is part of its answer', async () => {
    const at = testHome();
    await workerHere(at);
    const annals = await connected(at.home);
    for (let file = 0; file < 20; file++) {
      leave(at.home, `c-${file}`, asked(`feed heron${file}`, { prompt_id: `p-${file}` }));
      expect(await found(annals, `heron${file}`)).not.toBeNull();
    }
  });

  test('before a forgetting or an export is part of it', async () => {
    const at = testHome();
    await workerHere(at);
    const annals = await connected(at.home);
    for (let file = 0; file < 5; file++) {
      leave(at.home, `c-${file}`, asked(`feed heron${file}`, { prompt_id: `p-${file}` }));
      const { plan, outcome } = await annals.forget({ query: `heron${file}` });
      expect([plan.events, outcome]).toEqual([1, 'forgotten']);
    }
    leave(at.home, 'c-9', asked('feed the egret', { prompt_id: 'p-9' }));
    const { events } = await annals.export(join(at.folder, 'backup'));
    expect(events).toBe((await annals.status()).log.events);
  });

  test('is recorded when the worker starts after it', async () => {
    const at = testHome();
    leave(at.home, 'c-0', asked('feed the heron'));
    await workerHere(at);
    expect(await found(await connected(at.home), 'heron')).not.toBeNull();
  });

  test('is recorded again after the folder was removed', async () => {
    const at = testHome();
    await workerHere(at);
    const annals = await connected(at.home);
    rmSync(join(at.home, 'spool'), { recursive: true });
    leave(at.home, 'c-0', asked('feed the heron'));
    expect(await found(annals, 'heron')).not.toBeNull();
    leave(at.home, 'c-1', asked('feed the egret', { prompt_id: 'p-2' }));
    await whenChanged(annals, () => found(annals, 'egret'));
  });

  test('stays in the spool while the settings cannot be read, and is recorded when they can', async () => {
    const at = testHome();
    await workerHere(at);
    const annals = await connected(at.home);
    const config = join(at.home, 'config.json');
    writeFileSync(config, '{');
    await logged(at, 'The settings changed');
    leave(at.home, 'c-0', asked('feed the heron'));
    expect(await found(annals, 'heron')).toBeNull();
    expect(waiting(at.home)).toEqual(['c-0']);
    writeFileSync(config, '{"exclude": ["/home/u/secret"], "http.port": 40000}');
    await whenChanged(annals, () => found(annals, 'heron'));
    // It applies at the next start; nobody has it.
    expect((await annals.status()).degraded.join()).not.toContain('40000');
    leave(at.home, 'c-1', asked('feed the egret', { cwd: '/home/u/secret', prompt_id: 'p-2' }));
    expect(await found(annals, 'egret')).toBeNull();
    expect(waiting(at.home)).toEqual([]);
  });
});

describe('transcripts', () => {
  test('that are there are imported at the start, and what an agent adds is imported as it is written', async () => {
    const at = testHome();
    const folder = join(at.projects, '-home-u-app');
    mkdirSync(folder);
    const file = join(folder, 'aaaaaaaa-0000-4000-8000-000000000001.jsonl');
    const session = 'aaaaaaaa-0000-4000-8000-000000000001';
    const [whole, part] = [
      transcript(session, 'feed the heron', 'feed the egret'),
      transcript(session, 'feed the heron'),
    ];
    writeFileSync(file, part);
    await workerHere(at);
    const annals = await connected(at.home);
    await whenChanged(annals, () => found(annals, 'heron'));
    // Half a line first.
    writeFileSync(file, whole.subarray(part.length, part.length + 40), { flag: 'a' });
    writeFileSync(file, whole.subarray(part.length + 40), { flag: 'a' });
    await whenChanged(annals, () => found(annals, 'egret'));
    const other = join(at.projects, '-home-u-other');
    mkdirSync(join(other, 'deep/subagents'), { recursive: true });
    writeFileSync(
      join(other, 'aaaaaaaa-0000-4000-8000-000000000002.jsonl'),
      transcript('aaaaaaaa-0000-4000-8000-000000000002', 'feed the ibis'),
    );
    await whenChanged(annals, () => found(annals, 'ibis'));
    expect(at.log().join('\n')).toMatch(/\d new events in 1 transcript$/m);
  });

  test('that move, shrink, are replaced or deleted are read once and lose nothing', async () => {
    const at = testHome();
    const folder = join(at.projects, '-home-u-app');
    mkdirSync(folder);
    const name = (session: number) => `aaaaaaaa-0000-4000-8000-00000000000${session}`;
    const path = (session: number) => join(folder, `${name(session)}.jsonl`);
    writeFileSync(path(1), transcript(name(1), 'feed the heron', 'feed the egret'));
    writeFileSync(path(2), transcript(name(2), 'feed the ibis'));
    await workerHere(at);
    const annals = await connected(at.home);
    await whenChanged(annals, () => found(annals, 'ibis'));
    const before = (await annals.status()).log.events;
    mkdirSync(join(at.projects, '-home-u-moved'));
    renameSync(path(2), join(at.projects, '-home-u-moved', `${name(2)}.jsonl`));
    writeFileSync(path(1), transcript(name(1), 'feed the heron'));
    writeFileSync(path(3), transcript(name(3), 'feed the stork'));
    await whenChanged(annals, () => found(annals, 'stork'));
    rmSync(path(1));
    rmSync(join(at.projects, '-home-u-moved'), { recursive: true });
    writeFileSync(path(4), transcript(name(4), 'feed the crane'));
    await whenChanged(annals, () => found(annals, 'crane'));
    for (const bird of ['heron', 'egret', 'ibis', 'stork', 'crane'])
      expect(await found(annals, bird), bird).not.toBeNull();
    const prompts = [];
    for await (const { type } of annals.log({ after: before }))
      if (type === 'prompt.submitted') prompts.push(type);
    expect(prompts).toHaveLength(2);
  });

  test('of an agent that is installed later are imported too', async () => {
    const at = testHome();
    rmSync(at.projects, { recursive: true });
    await workerHere(at);
    const annals = await connected(at.home);
    const folder = join(at.projects, '-home-u-app');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'aaaaaaaa-0000-4000-8000-000000000001.jsonl'),
      transcript('aaaaaaaa-0000-4000-8000-000000000001', 'feed the heron'),
    );
    leave(at.home, 'c-0', asked('feed the egret'));
    await whenChanged(annals, () => found(annals, 'heron'));
  });
});

/** Resolves when the system has reported what `change` does in the folder, to every watcher. */
async function seen(folder: string, change: () => void): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(folder, () => {
      watcher.close();
      setImmediate(resolve);
    });
    change();
  });
}

/** Resolves when the worker's log has a line that begins so. */
async function logged(at: TestHome, beginning: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!at.log().some((line) => line.startsWith(beginning))) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(join(at.home, 'logs'), look);
    look();
  });
}
