// Distributes damages to judges, each a separate process, and collects the verdicts. A judge that dies while reading
// counts as aborted by LevelDB, and is replaced.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeProgram, REPOSITORY } from '../helpers/program.ts';
import { type Amounts, chooseDamages, type Damage } from './damages.ts';
import { homeIn } from './home.ts';
import type { Finding, Question } from './judge.ts';

/** The judge's verdict, or `aborted` when the judge died. */
export interface Judged extends Omit<Finding, 'verdict'> {
  /** Its index among the damages of the seed. */
  readonly number: number;
  readonly damage: Damage;
  readonly verdict: Finding['verdict'] | 'aborted';
}

export interface Corruption extends Amounts {
  readonly events: number;
  /** Damages judged in parallel. */
  readonly lanes: number;
  /** Verdicts of an earlier run on the home in the same folder. */
  readonly before?: readonly Judged[];
  readonly onJudged?: (judged: Judged, done: number, total: number) => void;
  readonly stopped?: () => boolean;
}

const HANGS_AFTER_MS = 600_000;
/** Most damaged homes are queried no further when the first look has reported the damage. */
const THOROUGHLY_EVERY = 8;

export async function corrupt(
  folder: string,
  request: Corruption,
): Promise<{ events: number; judged: Judged[] }> {
  const { home, older, events } = await homeIn(folder, request.events);
  // The judge also opens the log itself and compares classes of errors, so the library is bundled with it.
  const program = await makeProgram('tests/corruption/judge.ts', join(folder, 'judge.mjs'), []);
  const damages = chooseDamages(home, older, request);
  const before = request.before ?? [];
  const judged = [...before];
  const known = new Set(before.map(({ number }) => number));
  const numbers = [...damages.keys()].filter((number) => !known.has(number));
  const lane = async (_: unknown, index: number): Promise<void> => {
    const copies = join(folder, `lane-${index}`);
    mkdirSync(copies, { recursive: true });
    let judge: ChildProcess | null = null;
    while (numbers.length > 0 && request.stopped?.() !== true) {
      const number = numbers.shift()!;
      const thoroughly = number % THOROUGHLY_EVERY === 0;
      const damage = damages[number]!;
      judge ??= fork(program, [home, older, copies], { cwd: REPOSITORY, silent: true });
      const one = { ...(await ask(judge, { damage, thoroughly })), number };
      if (one.verdict === 'aborted') judge = null;
      // A signal that stops us stops the judges too.
      if (one.verdict === 'aborted' && request.stopped?.() === true) break;
      judged.push(one);
      request.onJudged?.(one, judged.length, damages.length);
    }
    judge?.disconnect();
  };
  await Promise.all(Array.from({ length: request.lanes }, lane));
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
      end({ damage, verdict: 'aborted', reports: [], bugs, differs: [] });
    };
    judge.stderr?.on('data', listen);
    judge.on('message', onMessage);
    judge.on('close', onClose);
    judge.send(question);
  });
}
