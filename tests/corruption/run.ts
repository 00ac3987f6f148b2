// Hands damages to judges, each a process of its own, and counts what came of them. A judge that dies of what it
// read is LevelDB's abort, and is replaced.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeProgram, REPOSITORY } from '../helpers/program.ts';
import { type Amounts, chooseDamages, type Damage } from './damages.ts';
import { makeHome } from './home.ts';
import type { Finding } from './judge.ts';

/** As a judge finds it, or because the judge did not come back. */
export interface Judged extends Omit<Finding, 'verdict'> {
  readonly damage: Damage;
  readonly verdict: Finding['verdict'] | 'aborted';
}

export interface Corruption extends Amounts {
  readonly events: number;
  /** Damages looked at side by side. */
  readonly lanes: number;
  readonly onJudged?: (judged: Judged, done: number, total: number) => void;
  readonly stopped?: () => boolean;
}

const HANGS_AFTER_MS = 600_000;

export async function corrupt(
  folder: string,
  asked: Corruption,
): Promise<{ events: number; judged: Judged[] }> {
  const { home, older, events } = await makeHome(folder, asked.events);
  const program = await makeProgram('tests/corruption/judge.ts', join(folder, 'judge.mjs'));
  const damages = chooseDamages(home, older, asked);
  const judged: Judged[] = [];
  let next = 0;
  const lane = async (_: unknown, number: number): Promise<void> => {
    const copies = join(folder, `lane-${number}`);
    mkdirSync(copies);
    let judge: ChildProcess | null = null;
    while (next < damages.length && asked.stopped?.() !== true) {
      const damage = damages[next++]!;
      judge ??= fork(program, [home, older, copies], { cwd: REPOSITORY, silent: true });
      const one = await ask(judge, damage);
      if (one.verdict === 'aborted') judge = null;
      judged.push(one);
      asked.onJudged?.(one, judged.length, damages.length);
    }
    judge?.disconnect();
  };
  await Promise.all(Array.from({ length: asked.lanes }, lane));
  return { events, judged };
}

function ask(judge: ChildProcess, damage: Damage): Promise<Judged> {
  return new Promise((resolve) => {
    let errors = '';
    const listen = (chunk: Buffer): void => {
      errors += chunk.toString('utf8');
    };
    const timer = setTimeout(() => judge.kill('SIGKILL'), HANGS_AFTER_MS);
    const end = (judged: Judged): void => {
      clearTimeout(timer);
      judge.stderr?.off('data', listen);
      judge.off('message', onMessage);
      judge.off('close', onClose);
      resolve(judged);
    };
    const onMessage = (finding: unknown): void => end({ ...(finding as Finding), damage });
    const onClose = (code: number | null, signal: string | null): void => {
      const isLevels = signal === 'SIGABRT' || signal === 'SIGSEGV' || signal === 'SIGBUS';
      const bugs = isLevels ? [] : [`the process ended with ${signal ?? code}: ${errors.slice(-2_000)}`];
      end({ damage, verdict: 'aborted', said: [], bugs, differs: [] });
    };
    judge.stderr?.on('data', listen);
    judge.on('message', onMessage);
    judge.on('close', onClose);
    judge.send(damage);
  });
}
