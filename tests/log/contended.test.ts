// The log is rewritten while other processes try to open it at every step: none gets it before the rewrite is finished,
// the rewriter keeps it, and every acknowledged event is there once.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Log, SwapFiles } from '../../log/index.ts';
import { exists, identity, list, move, remove } from '../../src/platform/disk-files.ts';
import { openTestLog } from '../helpers/logs.ts';
import { toolEvents } from '../helpers/new-events.ts';
import { makeProgram, REPOSITORY } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/world.ts';

const swap: SwapFiles = { exists, list, rename: move, remove, identity };
const REWRITINGS = 4;
/** A refused open takes a few milliseconds; after two refusals of a process, one of its tries began within this step. */
const REFUSALS_AWAITED = 4;

test('no other process can open a log while it is rewritten', async () => {
  const folder = await temporaryFolder();
  const source = 'tests/log/programs/append-in-turns.ts';
  const program = await makeProgram(source, join(folder.path, 'append.mjs'));
  const others = ['one', 'two'].map((name) => new Other(program, [folder.path, name]));
  let own = 0;
  try {
    await Promise.all(others.map((other) => other.next('appended')));
    for (let round = 0; round < REWRITINGS; round++) {
      const log = await whenFree(() => openTestLog(folder.path, { swap }));
      await log.append(toolEvents(50, round * 50));
      own += 50;
      await log.rewrite({
        async onStep(step) {
          if (step !== 'aside' && step !== 'swapped') return;
          const counts = others.map((other) => other.acknowledged.length);
          for (let refusals = 0; refusals < REFUSALS_AWAITED; refusals++)
            await Promise.all(others.map((other) => other.next('locked')));
          expect(others.map((other) => other.acknowledged.length)).toEqual(counts);
        },
      });
      await log.close();
      await Promise.all(others.map((other) => other.next('appended')));
    }
  } finally {
    await Promise.all(others.map((other) => other.end()));
  }
  const log = await openTestLog(folder.path, { swap });
  const acknowledged = others.flatMap((other) => other.acknowledged);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect((await log.getMany(acknowledged)).includes(undefined)).toBe(false);
  expect(others.map((other) => other.failure)).toEqual(['', '']);
  expect(await log.verify()).toMatchObject({ ok: true, events: acknowledged.length + own, problems: [] });
  await log.close();
  await folder.remove();
}, 120_000);

test('a guard whose holder was killed does not block opening', async () => {
  const folder = await temporaryFolder();
  let log = await openTestLog(folder.path, { swap });
  await log.append(toolEvents(5));
  await log.close();
  // The state after a rewriter was killed between its two renames.
  await move(join(folder.path, 'log'), join(folder.path, 'log.old'));
  const guard = join(folder.path, 'rewriting');
  const holder = spawn(process.execPath, ['-e', HOLD_STORE, guard], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  await expect(openTestLog(folder.path, { swap })).rejects.toMatchObject({ code: 'HOME_LOCKED' });
  const closed = new Promise((resolve) => holder.once('close', resolve));
  holder.kill('SIGKILL');
  await closed;
  log = await openTestLog(folder.path, { swap });
  expect(await log.verify()).toMatchObject({ ok: true, events: 5, problems: [] });
  await log.rewrite();
  await log.close();
  await folder.remove();
});

const HOLD_STORE = `
  import('level').then(async ({ Level }) => {
    await new Level(process.argv[1]).open();
    setTimeout(() => {}, 60_000);
    console.log('open');
  });
`;

/** A process that opens the log repeatedly, and its output. */
class Other {
  readonly acknowledged: string[] = [];
  failure = '';
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  #listeners: ((word: string) => void)[] = [];

  constructor(program: string, args: readonly string[]) {
    this.#process = spawn(process.execPath, [program, ...args], { cwd: REPOSITORY, stdio: 'pipe' });
    this.#ended = new Promise((resolve) => this.#process.once('close', resolve));
    let rest = '';
    this.#process.stderr!.on('data', (data) => {
      this.failure += data;
    });
    this.#process.stdout!.on('data', (data) => {
      const lines = `${rest}${data}`.split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.#onLine(line);
    });
  }

  /** Resolves when the process next prints this word. */
  next(word: string): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.#ended.then(() => reject(new Error(`it ended: ${this.failure}`)));
      const listen = (printed: string): void => {
        if (printed === word) resolve();
        else this.#listeners.push(listen);
      };
      this.#listeners.push(listen);
    });
  }

  async end(): Promise<void> {
    this.#process.stdin!.end();
    await this.#ended;
  }

  #onLine(line: string): void {
    const [word, id] = line.split(' ') as [string, string?];
    if (id !== undefined) this.acknowledged.push(id);
    const waiting = this.#listeners;
    this.#listeners = [];
    for (const listen of waiting) listen(word);
  }
}

async function whenFree(open: () => Promise<Log>): Promise<Log> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if ((error as { code?: string }).code !== 'HOME_LOCKED') throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
