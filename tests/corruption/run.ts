// Hands damages to judges, each a process of its own, and counts what came of them. A judge that dies of what it
// read is LevelDB's abort, and is replaced.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeProgram, REPOSITORY } from '../helpers/program.ts';
import { type Amounts, chooseDamages, type Damage } from './damages.ts';
import { homeIn } from './home.ts';
import type { Finding, Question } from './judge.ts';

/** As a judge finds it, or because the judge did not come back. */
export interface Judged extends Omit<Finding, 'verdict'> {
  /** Its place among the damages that the seed gives. */
  readonly number: number;
  readonly damage: Damage;
  readonly verdict: Finding['verdict'] | 'aborted';
}

export interface Corruption extends Amounts {
  readonly events: number;
  /** Damages looked at side by side. */
  readonly lanes: number;
  /** Judged before, on the home that stands in the folder already. */
  readonly before?: readonly Judged[];
  readonly onJudged?: (judged: Judged, done: number, total: number) => void;
  readonly stopped?: () => boolean;
}

const HANGS_AFTER_MS = 600_000;
/** The others are asked no more once the first look has told what is wrong with them. */
const THOROUGHLY_EVERY = 8;

export async function corrupt(
  folder: string,
  asked: Corruption,
): Promise<{ events: number; judged: Judged[] }> {
  const { home, older, events } = await homeIn(folder, asked.events);
  const program = await makeProgram('tests/corruption/judge.ts', join(folder, 'judge.mjs'));
  const damages = chooseDamages(home, older, asked);
  const before = asked.before ?? [];
  const judged = [...before];
  const known = new Set(before.map(({ number }) => number));
  const numbers = [...damages.keys()].filter((number) => !known.has(number));
  const lane = async (_: unknown, index: number): Promise<void> => {
    const copies = join(folder, `lane-${index}`);
    mkdirSync(copies, { recursive: true });
    let judge: ChildProcess | null = null;
    while (numbers.length > 0 && asked.stopped?.() !== true) {
      const number = numbers.shift()!;
      const thoroughly = number % THOROUGHLY_EVERY === 0;
      const damage = damages[number]!;
      judge ??= fork(program, [home, older, copies], { cwd: REPOSITORY, silent: true });
      const one = { ...(await ask(judge, { damage, thoroughly })), number };
      if (one.verdict === 'aborted') judge = null;
      // What stops us stops the judges too.
      if (one.verdict === 'aborted' && asked.stopped?.() === true) break;
      judged.push(one);
      asked.onJudged?.(one, judged.length, damages.length);
    }
    judge?.disconnect();
  };
  await Promise.all(Array.from({ length: asked.lanes }, lane));
  return { events, judged };
}

function ask(judge: ChildProcess, question: Question): Promise<Omit<Judged, 'number'>> {
  const { damage } = question;
  return new Promise((resolve) => {
    let errors = '';
    const listen = (chunk: Buffer): void => {
      errors += chunk.toString('utf8');
    };
    const timer = setTimeout(() => judge.kill('SIGKILL'), HANGS_AFTER_MS);
    const end = (judged: Omit<Judged, 'number'>): void => {
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
    judge.send(question);
  });
}
