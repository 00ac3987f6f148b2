// Starts real servers for tests: NATS and PostgreSQL as Debian installs them. Where one is not installed its tests are
// skipped, and their name says so.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestServer {
  readonly url: string;
  readonly folder: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again with the same files, on the same port. */
  start(): Promise<void>;
  /** Kills it and removes its files. */
  end(): Promise<void>;
}

export const natsProgram = firstOf([
  '/usr/sbin/nats-server',
  '/usr/local/bin/nats-server',
  '/usr/bin/nats-server',
]);
const postgresPrograms = postgresFolder();
export const postgresProgram = postgresPrograms === null ? null : join(postgresPrograms, 'postgres');

/** @param configuration more lines of its configuration file */
export async function startNats(configuration = ''): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'annals-nats-'));
  const port = await freePort();
  const file = join(folder, 'nats.conf');
  writeFileSync(
    file,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${join(folder, 'store')}" }\n${configuration}\n`,
  );
  return served({
    folder,
    port,
    url: `nats://127.0.0.1:${port}`,
    start: () => spawn(natsProgram!, ['-c', file]),
  });
}

export async function startPostgres(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'annals-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? userOf('postgres', 'nobody') : null;
  if (user !== null) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  const program = (name: string) => join(postgresPrograms!, name);
  execFileSync(
    program('initdb'),
    ['-D', data, '-U', 'annals', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C'],
    {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    },
  );
  const port = await freePort();
  return served({
    ...{ folder, port, url: `postgres://annals@127.0.0.1:${port}/postgres` },
    start: () =>
      spawn(program('postgres'), ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder], {
        ...user,
        cwd: folder,
      }),
  });
}

interface Program {
  readonly folder: string;
  readonly port: number;
  readonly url: string;
  start(): ChildProcess;
}

async function served({ folder, port, url, start: run }: Program): Promise<TestServer> {
  let child: ChildProcess | null = null;
  const start = async () => {
    const started = run();
    child = started;
    let output = '';
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk) => {
        output = `${output}${String(chunk)}`.slice(-4_000);
      });
    // PostgreSQL listens before it accepts.
    while (!(url.startsWith('postgres') ? /ready to accept/.test(output) : await accepts(port))) {
      if (started.exitCode !== null) throw new Error(`The server ended: ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const kill = async () => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    // PostgreSQL's other processes end with the first one.
    running.kill(url.startsWith('postgres') ? 'SIGQUIT' : 'SIGKILL');
    await ended;
  };
  await start();
  return {
    ...{ url, folder, start, kill },
    end: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function userOf(...names: readonly string[]): { readonly uid: number; readonly gid: number } {
  for (const name of names)
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The next one.
    }
  throw new Error('There is no user to run PostgreSQL as.');
}

function firstOf(paths: readonly string[]): string | null {
  return paths.find(isProgram) ?? null;
}

function postgresFolder(): string | null {
  const versions = '/usr/lib/postgresql';
  try {
    const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
    return (
      newest
        .map((version) => join(versions, version, 'bin'))
        .find((folder) => isProgram(join(folder, 'initdb'))) ?? null
    );
  } catch {
    return null;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
