// From a hook on one machine to the search result on another one, with two workers as the built command runs them and a
// real server, and what sharing costs a worker in memory. `--only=nats` or `--only=postgres` measures one server.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureScript } from '../../src/capture/spool/capture-script.ts';
import type { RemoteAnnals } from '../../src/remote/remote-annals.ts';
import { connectWorker } from '../../src/worker/connect-worker.ts';
import type { WorkerState } from '../../src/worker/worker.ts';
import { asked } from '../../tests/helpers/spool.ts';
import { reply } from '../../tests/share/machines.ts';
import {
  natsProgram,
  postgresProgram,
  startNats,
  startPostgres,
  type TestServer,
} from '../../tests/share/servers.ts';
import { median, percentile } from '../harness/measure.ts';
import { builtCommand, inFolder } from '../harness/process.ts';
import { type Figure, option, print, type Report } from '../harness/report.ts';

const isSmall = process.argv.includes('--small');
const HOOKS = isSmall ? 5 : 100;
/** That the second machine takes in before its memory is measured again. */
const EVENTS = isSmall ? 500 : 20_000;
const BATCH = 500;
const REST_MS = 3_000;
/** The thread that opens events ends after five seconds without any. */
const LONG_REST_MS = 8_000;
const CLIENT = { version: '0.1.0', build: null, environment: {} };

interface Worker {
  readonly home: string;
  readonly annals: RemoteAnnals;
  end(): Promise<void>;
}

const SERVERS: Readonly<Record<string, (() => Promise<TestServer>) | null>> = {
  nats: natsProgram === null ? null : startNats,
  postgres: postgresProgram === null ? null : startPostgres,
};
const command = builtCommand();

print(await inFolder(liveBench));

async function liveBench(folder: string): Promise<Report[]> {
  const reports: Report[] = [];
  const repository = join(folder, 'app');
  mkdirSync(repository);
  const git = (...words: string[]) => execFileSync('git', words, { cwd: repository });
  git('init', '-q', '.');
  git('remote', 'add', 'origin', 'git@github.com:acme/app.git');
  for (const [name, start] of Object.entries(SERVERS)) {
    if (start === null || ![null, name].includes(option('only'))) continue;
    const server = await start();
    try {
      const figures = await liveFigures(join(folder, name), repository, server.url);
      reports.push({
        bench: `live exchange, ${name}`,
        data: `${HOOKS} hooks, ${EVENTS} events`,
        digest: '',
        figures,
      });
    } finally {
      await server.end();
    }
  }
  return reports;
}

async function liveFigures(folder: string, repository: string, url: string): Promise<readonly Figure[]> {
  mkdirSync(folder);
  const [one, other] = [await worker(join(folder, 'one')), await worker(join(folder, 'other'))];
  const apart = await worker(join(folder, 'apart'));
  try {
    await one.annals.save({ title: 'The first one', text: 'So that the project is known.', cwd: repository });
    const alone = await memoryOf(other);
    await one.annals.shareJoin({ url, name: 'one' });
    await one.annals.shareProject(repository, { withHistory: true });
    const { invitation } = await one.annals.shareInvite({ name: 'other' });
    await other.annals.shareAccept(invitation);
    await foundOn(other, 'first', 'The first one');
    const sharing = await memoryOf(other);
    const found = await hookToSearch(one, other, repository);
    await captureEvents(one, repository);
    await foundOn(other, `"answer ${EVENTS - 1}"`, `answer ${EVENTS - 1} `);
    const after = await memoryOf(other);
    const rested = await memoryOf(other, LONG_REST_MS);
    await captureEvents(apart, repository);
    await foundOn(apart, `"answer ${EVENTS - 1}"`, `answer ${EVENTS - 1} `);
    const apartAfter = await memoryOf(apart);
    const apartRested = await memoryOf(apart, LONG_REST_MS);
    return [
      {
        ...figure('hook on one machine, found on the other', median(found), 'ms', '≤ 300'),
        p95: percentile(found, 0.95),
      },
      figure('memory of a worker that shares nothing', alone, 'MiB'),
      figure('memory of a worker that shares', sharing, 'MiB'),
      figure(`memory after ${EVENTS} events came from the other one`, after, 'MiB'),
      figure('the same after a longer rest', rested, 'MiB'),
      figure(`memory after ${EVENTS} events of its own, shares nothing`, apartAfter, 'MiB'),
      figure('the same after a longer rest', apartRested, 'MiB'),
    ];
  } finally {
    for (const each of [one, other, apart]) await each.end();
  }
}

async function captureEvents({ annals }: Worker, repository: string): Promise<void> {
  for (let at = 0; at < EVENTS; at += BATCH)
    await annals.append(
      Array.from({ length: BATCH }, (_, index) => reply(`s${at % 40}`, at + index, repository)),
    );
}

function figure(name: string, value: number, unit: string, goal?: string): Figure {
  return { name, value, unit, ...(goal !== undefined && { goal }) };
}

async function hookToSearch(one: Worker, other: Worker, repository: string): Promise<number[]> {
  const script = `${one.home}-capture`;
  writeFileSync(script, captureScript(one.home, { node: process.execPath, cli: command }));
  chmodSync(script, 0o755);
  const times: number[] = [];
  for (let number = 0; number < HOOKS; number++) {
    const word = `heron${number}x`;
    const found = foundOn(other, word, word);
    const child = spawn(script, ['claude-code'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const over = new Promise((resolve) => child.once('exit', resolve));
    child.stdin!.end(
      JSON.stringify(asked(`feed the ${word}`, { prompt_id: `p-${number}`, cwd: repository })),
    );
    await over;
    const end = performance.now();
    times.push((await found) - end);
  }
  return times;
}

/** When a search finds it: at once, or after a change. */
function foundOn({ annals }: Worker, words: string, title: string): Promise<number> {
  return new Promise((resolve) => {
    const look = async () => {
      const { results } = await annals.search(words);
      if (!results.some((result) => result.title.includes(title) || result.snippet.includes(title))) return;
      stop();
      resolve(performance.now());
    };
    const stop = annals.onChange(({ head, projected }) => void (projected >= head && look()));
    void look();
  });
}

async function memoryOf({ annals }: Worker, rest = REST_MS): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, rest));
  return ((await annals.control('worker.status')) as WorkerState).memory / 2 ** 20;
}

async function worker(home: string): Promise<Worker> {
  const child: ChildProcess = spawn(process.execPath, [command, '--home', home, 'worker', 'run'], {
    env: { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: join(home, 'claude') },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await new Promise((resolve) => child.once('message', resolve));
  const annals = await connectWorker(home, CLIENT);
  return {
    home,
    annals: annals!,
    async end() {
      await annals!.close();
      const over = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await over;
    },
  };
}
