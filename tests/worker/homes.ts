// Homes with a worker, in this process or as the built command starts it. All are stopped and removed after each test.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ChangeState } from '../../src/api.ts';
import type { RemoteAnnals } from '../../src/remote/remote-annals.ts';
import { connectWorker, stopWorker, type WorkerClient } from '../../src/worker/connect-worker.ts';
import { runWorker, type WorkerEnd, type WorkerOptions, type WorkerState } from '../../src/worker/worker.ts';
import { annals, type Ended } from '../e2e/command.ts';

/** At the end of the test, the last one first. */
export function afterwards(work: () => unknown): void {
  onTestFinished(async () => void (await work()));
}

export interface TestHome {
  readonly folder: string;
  readonly home: string;
  /** Claude Code's transcripts. */
  readonly projects: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The built command. */
  run(...words: string[]): Promise<Ended>;
  /** The lines of the worker's log, without times. */
  log(): readonly string[];
}

export function testHome(name = 'home'): TestHome {
  const folder = mkdtempSync(join(tmpdir(), 'annals-worker-test-'));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, name);
  const claude = join(folder, 'claude');
  mkdirSync(join(claude, 'projects'), { recursive: true });
  const environment = { CLAUDE_CONFIG_DIR: claude, ANNALS_WORKER: 'on' };
  afterwards(() => stopWorker(home, CLIENT));
  return {
    folder,
    home,
    projects: join(claude, 'projects'),
    environment,
    run: (...words) => annals(words, { home, cwd: folder, env: environment }),
    log: () =>
      readFileSync(join(home, 'logs/worker.log'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(25)),
  };
}

export const CLIENT: WorkerClient = { version: '0.1.0', build: null, environment: {} };

export interface RunningWorker {
  readonly state: WorkerState;
  readonly ended: Promise<WorkerEnd>;
}

/** A worker in this process. */
export async function workerHere(
  { home, folder, environment }: TestHome,
  { version = '0.1.0', restart = null }: Partial<Pick<WorkerOptions, 'version' | 'restart'>> = {},
): Promise<RunningWorker> {
  return new Promise((resolve, reject) => {
    const ended = runWorker({
      home,
      userHome: folder,
      environment,
      program: { node: process.execPath, cli: '/nowhere/cli.cjs' },
      version,
      build: null,
      endsProcess: false,
      restart,
      onReady: (state) => resolve({ state, ended }),
    });
    void ended.then((end) => {
      if (end.outcome === 'failed') reject(end.error);
    });
  });
}

export async function connected(home: string, client: Partial<WorkerClient> = {}): Promise<RemoteAnnals> {
  const annals = await connectWorker(home, { ...CLIENT, ...client });
  expect(annals).not.toBeNull();
  return annals!;
}

/** Resolves when a query, asked again after each change, has its answer. */
export function whenChanged<T>(annals: RemoteAnnals, ask: () => Promise<T | null>): Promise<T> {
  return new Promise((resolve, reject) => {
    let asking: Promise<void> = Promise.resolve();
    const look = () => {
      asking = asking.then(async () => {
        const answer = await ask();
        if (answer === null) return;
        stop();
        resolve(answer);
      });
      asking.catch(reject);
    };
    const stop = annals.onChange((_state: ChangeState) => look());
    look();
  });
}

/** The titles with this word that a search for it finds; null when there are none. */
export async function found(annals: RemoteAnnals, word: string): Promise<readonly string[] | null> {
  const { results } = await annals.search(word);
  const titles = results.map(({ title }) => title).filter((title) => title.includes(word));
  return titles.length === 0 ? null : titles;
}
