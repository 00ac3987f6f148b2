// Measures what a hook costs: the command line in the settings with the capture script, compared with an empty sh and
// an empty Node, interleaved in one run; with 4 KB and 1 MB on stdin; one at a time and 20 at once. Median and 95th
// percentile of the time from spawn to exit, ms. The goal: at most 3 × an empty sh at the median, 10 ms at the 95th
// percentile. Also the start of a session with a ready file; session-start.bench.ts measures it without one.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureCommand, captureScript, scriptPath } from '../../src/capture/spool/capture-script.ts';
import { currentMark, readyPath, readyText } from '../../src/session-start/ready-file.ts';
import { workerFileText } from '../../src/worker/worker-files.ts';

const ROUNDS = 150;
const folder = mkdtempSync(join(tmpdir(), 'annals-bench-'));
const home = join(folder, 'home');
for (const part of ['bin', 'spool/new']) mkdirSync(join(home, part), { recursive: true, mode: 0o700 });
writeFileSync(scriptPath(home), captureScript(home, { node: process.execPath, cli: 'cli.cjs' }), {
  mode: 0o700,
});

const START = 'start, ready';
const startPayload = join(folder, 'start');
await makeReady();

const contenders: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'sh -c :': ['sh', '-c', ':'],
  capture: ['sh', '-c', captureCommand(home, 'claude-code')],
  [START]: ['sh', '-c', captureCommand(home, 'claude-code', 'session-start')],
  'node -e 0': [process.execPath, '-e', '0'],
};

console.log(`load ${loadavg()[0]?.toFixed(1)} on this machine; ${ROUNDS} rounds, interleaved`);
for (const bytes of [4_000, 1_000_000]) {
  const payload = join(folder, `payload-${bytes}`);
  writeFileSync(
    payload,
    JSON.stringify({ hook_event_name: 'PostToolUse', text: 'abc\n def"'.repeat(bytes / 11) }),
  );
  await alone(payload, bytes);
  await together(payload, bytes);
}
rmSync(folder, { recursive: true, force: true });

async function alone(payload: string, bytes: number): Promise<void> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, words] of Object.entries(contenders)) {
      if (words.some((word) => word.includes('node')) && round % 5 !== 0) continue;
      times.set(name, [
        ...(times.get(name) ?? []),
        await run(words, name === START ? startPayload : payload),
      ]);
      empty();
    }
  print(`${bytes} bytes, one at a time`, times);
}

async function together(payload: string, bytes: number): Promise<void> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS / 10; round++)
    for (const [name, words] of Object.entries(contenders).slice(0, 2)) {
      const twenty = await Promise.all(Array.from({ length: 20 }, () => run(words, payload)));
      times.set(name, [...(times.get(name) ?? []), ...twenty]);
      empty();
    }
  print(`${bytes} bytes, 20 at once`, times);
}

/** A home with a ready file of 9,000 characters, as briefs have. */
async function makeReady(): Promise<void> {
  const ready = readyPath(home, folder);
  if (ready === null) throw new Error(`${folder} can have no ready file`);
  for (const path of [join(home, 'log'), join(ready, '..')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(home, 'log', '000001.log'), '');
  writeFileSync(join(home, 'worker.json'), workerFileText({ pid: process.pid }));
  writeFileSync(
    ready,
    readyText({ folder, gitConfig: '', id: '0123456789abcdef', answer: `${'x'.repeat(9_000)}\n` }),
  );
  // Newer than the log, also in whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  writeFileSync(currentMark(home), '');
  const payload = { session_id: 's', cwd: folder, hook_event_name: 'SessionStart', source: 'startup' };
  writeFileSync(startPayload, JSON.stringify(payload));
}

function run([program, ...words]: readonly [string, ...string[]], payload: string): Promise<number> {
  return new Promise((resolve) => {
    const began = process.hrtime.bigint();
    const stdin = openSync(payload, 'r');
    const child = spawn(program, words, { stdio: [stdin, 'ignore', 'ignore'] });
    closeSync(stdin);
    child.on('exit', () => resolve(Number(process.hrtime.bigint() - began) / 1e6));
  });
}

function empty(): void {
  for (const name of readdirSync(join(home, 'spool/new'))) rmSync(join(home, 'spool/new', name));
}

function print(what: string, times: ReadonlyMap<string, readonly number[]>): void {
  console.log(what);
  const base = quantile(times.get('sh -c :') ?? [], 0.5);
  for (const [name, all] of times) {
    const median = quantile(all, 0.5);
    const ratio = (median / base).toFixed(2);
    console.log(
      `  ${name.padEnd(14)} median ${median.toFixed(2).padStart(7)}  p95 ${quantile(all, 0.95).toFixed(2).padStart(7)}  ${ratio} × sh`,
    );
  }
}

function quantile(values: readonly number[], at: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * at)] ?? Number.NaN;
}
