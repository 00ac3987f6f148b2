// Measures recall on a prompt as an agent sees it: the hook's command line from spawn to exit, and how many of the hooks
// were answered within their time, one at a time and several at once, each in a session of its own. Every hook leaves a
// file, so the worker records and folds beside the answers. Memories of the bench are added to the real transcripts, or to
// the examples. `--against=<cli.cjs>` compares with another build, on a copy of the home and in the same rounds;
// `--busy=<n>` keeps n processes busy meanwhile, `--rounds=<n>` says how often.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureCommand, captureScript, scriptPath } from '../../src/capture/spool/capture-script.ts';
import { connectWorker } from '../../src/worker/connect-worker.ts';
import { claudeCodeTranscripts, moreClaudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import { asked } from '../../tests/helpers/spool.ts';
import { median, percentile } from '../harness/measure.ts';
import { builtCommand, inFolder, REPOSITORY } from '../harness/process.ts';
import { type Figure, option, print } from '../harness/report.ts';

const ROUNDS = Number(option('rounds') ?? 20);
const BUSY = Number(option('busy') ?? 0);
const AT_ONCE = [1, 3, 6];
const PAUSE_MS = 100;
const CWD = '/home/robin/birdfeeder';
const CLIENT = { version: '0.1.0', build: null, environment: {} };
const RARE = 'walnut harbour lantern copper meadow glacier pepper orchid thimble quartz'.split(' ');
const MEMORIES = RARE.map(
  (name, index) =>
    `The ${name} hatch of the ${RARE[(index + 3) % 10]} silo jams below ${RARE[(index + 6) % 10]} pressure`,
);

interface Fired {
  readonly ms: number;
  readonly isAnswered: boolean;
}

interface Side {
  readonly name: string;
  readonly fire: () => Promise<Fired>;
  readonly stop: () => Promise<void>;
}

await inFolder(async (folder) => {
  const environment = { PATH: process.env.PATH, HOME: folder };
  const built = builtCommand();
  const first = makeHome(join(folder, 'home'), built, environment);
  const other = option('against');
  if (other !== null) cpSync(first, join(folder, 'other'), { recursive: true });
  const sides = [await start('', built, first, environment)];
  const busy: ChildProcess[] = [];
  try {
    if (other !== null)
      sides.push(await start('the other build, ', other, join(folder, 'other'), environment));
    for (let one = 0; one < BUSY; one++)
      busy.push(spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }));
    const figures = await measure(sides);
    print([{ bench: 'recall by hooks', data: `${BUSY} busy processes beside`, figures, digest: '' }]);
  } finally {
    for (const one of busy) one.kill('SIGKILL');
    for (const side of sides) await side.stop();
  }
});

function makeHome(home: string, command: string, environment: NodeJS.ProcessEnv): string {
  const annals = (...words: string[]) =>
    execFileSync(process.execPath, [command, '--home', home, ...words], {
      env: { ...environment, ANNALS_WORKER: 'off' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const real = [claudeCodeTranscripts, moreClaudeCodeTranscripts].filter((one) => one !== null);
  annals('import', join(REPOSITORY, 'examples'), ...real);
  for (const title of MEMORIES) annals('save', '--project', CWD, '--title', title, '--text', 'Warm it.');
  annals('config', 'set', 'recall.prompt', 'true');
  annals('rebuild', 'vectors');
  return home;
}

async function start(
  name: string,
  command: string,
  home: string,
  environment: NodeJS.ProcessEnv,
): Promise<Side> {
  mkdirSync(join(home, 'bin'), { recursive: true, mode: 0o700 });
  writeFileSync(scriptPath(home), captureScript(home, { node: process.execPath, cli: command }), {
    mode: 0o700,
  });
  const worker = spawn(process.execPath, [command, '--home', home, 'worker', 'run'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('exit', () => reject(new Error(`The worker of ${command} has ended.`)));
  });
  const annals = (await connectWorker(home, CLIENT))!;
  await annals.search('hatch');
  await annals.close();
  const line = captureCommand(home, 'claude-code', 'prompt');
  let count = 0;
  const fire = (): Promise<Fired> => {
    const index = count++;
    const payload = asked(`why: ${MEMORIES[index % MEMORIES.length]}?`, {
      ...{ session_id: `bench-${index}`, prompt_id: `p-${index}`, cwd: CWD },
      transcript_path: `/home/robin/.claude/projects/-home-robin-birdfeeder/bench-${index}.jsonl`,
    });
    return runHook(line, payload, environment);
  };
  for (let warm = 0; warm < 3; warm++) await fire();
  const stop = async () => {
    const over = new Promise((resolve) => worker.once('exit', resolve));
    worker.kill('SIGTERM');
    await over;
  };
  return { name, fire, stop };
}

function runHook(line: string, payload: object, env: NodeJS.ProcessEnv): Promise<Fired> {
  return new Promise((resolve) => {
    const began = performance.now();
    const child = spawn('sh', ['-c', line], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.on('close', () => resolve({ ms: performance.now() - began, isAnswered: output !== '' }));
    child.stdin.end(JSON.stringify(payload));
  });
}

async function measure(sides: readonly Side[]): Promise<Figure[]> {
  const fired = new Map(sides.map((side) => [side, AT_ONCE.map((): Fired[] => [])]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, number] of AT_ONCE.entries())
      for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
        fired.get(side)![index]!.push(...(await Promise.all(Array.from({ length: number }, side.fire))));
        await pause(PAUSE_MS);
      }
  return AT_ONCE.flatMap((number, index) =>
    sides.flatMap((side): Figure[] => {
      const all = fired.get(side)![index]!;
      const times = all.map(({ ms }) => ms);
      const answered = all.filter(({ isAnswered }) => isAnswered).length;
      const name = `${side.name}${number} at once`;
      return [
        {
          name: `${name}: answered (${answered} of ${all.length})`,
          value: (100 * answered) / all.length,
          unit: '%',
        },
        { name: `${name}: the hook`, value: median(times), unit: 'ms', p95: percentile(times, 0.95) },
      ];
    }),
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
