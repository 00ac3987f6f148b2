// Measures searches during a large import. First in one process: a home with 10,000 records is searched while it imports
// 50,000 more. The goal: the searches' p95 stays within twice the value before. Then from other processes, while `annals
// import` holds the home: how long a session start and `annals search` wait, and what they report. Each measurement has
// its own process, so that memory and caches are its own.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { percentile, type Sample, timing } from '../harness/measure.ts';
import { builtCommand, inFolder, REPOSITORY, runNode, withProgram } from '../harness/process.ts';
import { type Figure, option, type Report, type Size, time } from '../harness/report.ts';
import type { Asked, fill, Outcome } from './searching.ts';
import { cwdOf, writeTranscripts } from './transcripts.ts';

const RECORDS = { small: 200, full: 10_000 } as const;
const IMPORTED = { small: 600, full: 50_000 } as const;
const SEARCHES = { small: 4, full: 200 } as const;
const TIMES = ['idle', 'busy', 'importing', 'vectors', 'after'] as const;
const SAID = {
  idle: 'nothing else to do',
  busy: 'while two other programs are busy',
  importing: 'while it imports',
  vectors: 'while vectors are made',
  after: 'with all of it, nothing else to do',
} as const;
/** How long a search waits for the home before it reports why. */
const HELD_MAX_MS = 5_000;

/** `--imported <records>` changes the number of imported records. */
export async function liveBench(size: Size): Promise<Report[]> {
  const imported = Number(option('imported') ?? IMPORTED[size]);
  return inFolder(async (workdir) => {
    const [first, more, home] = ['first', 'more', 'home'].map((name) => join(workdir, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [first, more]) mkdirSync(folder);
    const sessions = writeTranscripts(first, RECORDS[size], 0);
    writeTranscripts(more, imported, sessions);
    return withProgram('bench/live/live-alone.ts', async (program) => {
      const run = async <T>(...words: readonly string[]) =>
        JSON.parse((await runNode([program, ...words])).stdout) as T;
      await run('fill', home, first);
      const [asked, unasked, held] = ['asked', 'unasked', 'held'].map((name) => {
        cpSync(home, join(workdir, name), { recursive: true });
        return join(workdir, name);
      }) as [string, string, string];
      const outcome = await run<Outcome>('ask', asked, more, String(SEARCHES[size]));
      const alone = await run<Awaited<ReturnType<typeof fill>>>('fill', unasked, more);
      return [
        oneProcess(outcome, alone, `${RECORDS[size]} records, ${imported} imported`),
        await otherProcesses(held, more, size),
      ];
    });
  });
}

function oneProcess(outcome: Outcome, alone: Sample & { readonly events: number }, data: string): Report {
  const figures: Figure[] = [];
  for (const where of ['project', 'everything'] as const)
    for (const when of TIMES) {
      const samples = outcome[when][where];
      if (samples.length === 0) continue;
      figures.push(time(`search of ${where}, ${SAID[when]}`, timing(samples)));
      figures.push(processor(`— processor, from question to answer`, samples));
    }
  for (const when of ['busy', 'importing', 'vectors'] as const)
    for (const where of ['project', 'everything'] as const) {
      const ratio = (of: Of, idle: 'idle' | 'busy' | 'after') =>
        p95(outcome[when], where, of) / p95(outcome[idle], where, of);
      const name = `p95 ${SAID[when]}, ${where}`;
      figures.push({ name: `${name} / before`, value: ratio('ms', 'idle'), unit: 'x', goal: '≤ 2' });
      figures.push({
        name: '— of the processor time of the main thread',
        value: ratio('cpuMs', 'idle'),
        unit: 'x',
      });
      figures.push({
        name: '— without waiting for a processor',
        value: ratio('unwaited', 'idle'),
        unit: 'x',
      });
      if (when === 'busy') continue;
      // After the import there is more to search, so the figures are also compared with those.
      figures.push({ name: '— / after it', value: ratio('ms', 'after'), unit: 'x' });
      figures.push({ name: '— / while two programs are busy', value: ratio('ms', 'busy'), unit: 'x' });
    }
  for (const when of TIMES)
    figures.push(
      { name: `longest pause, ${SAID[when]}`, value: outcome[when].pauseMs, unit: 'ms' },
      {
        name: '— without waiting for a processor',
        value: outcome[when].stretchMs,
        unit: 'ms',
        goal: '≤ 100',
      },
    );
  figures.push(
    { name: 'searches that said that an import is running', value: outcome.importing.behind, unit: '' },
    time('the import, with searches', timing([outcome.import])),
    time('the import without searches', timing([alone])),
  );
  // Results during the import depend on its progress; results before and after it do not.
  const digest = digestOf([outcome.idle.found, outcome.after.found, outcome.events, alone.events]);
  return { bench: 'live', data: `${data}; a search every 50 ms`, figures, digest };
}

/** `unwaited`: the elapsed time without what the main thread waited for a processor. */
type Of = 'ms' | 'cpuMs' | 'unwaited';

function p95(asked: Asked, where: 'project' | 'everything', of: Of): number {
  const samples = asked[where].map(({ ms, cpuMs, waitedMs }) => ({ ms, cpuMs, unwaited: ms - waitedMs }));
  return samples.length === 0
    ? 0
    : percentile(
        samples.map((sample) => sample[of]),
        0.95,
      );
}

function processor(name: string, samples: readonly Sample[]): Figure {
  const { ms, p95Ms } = timing(samples.map(({ cpuMs }) => ({ ms: cpuMs, cpuMs })));
  return { name, value: ms, unit: 'ms', p95: p95Ms };
}

/** Repeats a session start and a search, from the moment the import holds the home until it ends. */
async function otherProcesses(home: string, folder: string, size: Size): Promise<Report> {
  const cli = builtCommand();
  const importing = run([cli, '--home', home, 'import', folder]);
  let isOver = false;
  void importing.then(() => {
    isOver = true;
  });
  const starts: Ended[] = [];
  const searches: Ended[] = [];
  const payload = JSON.stringify({
    hook_event_name: 'SessionStart',
    session_id: 'bench',
    source: 'startup',
    cwd: cwdOf(0),
  });
  for (let round = 0; !isOver && (size === 'full' || round < 1); round++) {
    starts.push(await run([cli, '--home', home, 'hook', 'claude-code', 'session-context'], payload));
    if (isOver) break;
    searches.push(await run([cli, '--home', home, 'search', 'reader', '--json']));
  }
  await importing;
  const timed = (name: string, ended: readonly Ended[], goal: string) =>
    time(name, timing((ended.length === 0 ? [{ ms: 0 }] : ended).map(({ ms }) => ({ ms, cpuMs: 0 }))), goal);
  const share = (ended: readonly Ended[], is: (one: Ended) => boolean) => ended.filter(is).length;
  return {
    bench: 'live, other processes',
    data: `while annals import holds the home: ${starts.length} session starts, ${searches.length} searches`,
    figures: [
      timed('session start', starts, '≤ 2,500'),
      { name: 'of them with exit code 0', value: share(starts, ({ code }) => code === 0), unit: '' },
      { name: 'of them with a brief', value: share(starts, ({ stdout }) => stdout !== ''), unit: '' },
      timed('annals search', searches, `≤ ${HELD_MAX_MS.toLocaleString('en-US')} and Node`),
      { name: 'of them answered', value: share(searches, ({ code }) => code === 0), unit: '' },
      {
        name: 'of them refused because the home is locked',
        value: share(
          searches,
          ({ code, stderr, stdout }) => code === 1 && /HOME_LOCKED|held by another/.test(stderr + stdout),
        ),
        unit: '',
      },
    ],
    digest: digestOf((await importing).code),
  };
}

interface Ended {
  readonly ms: number;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(words: readonly string[], input = ''): Promise<Ended> {
  return new Promise((ended, failed) => {
    const began = performance.now();
    const child = spawn(process.execPath, words, { cwd: REPOSITORY, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      output.stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += String(chunk);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', failed);
    child.once('close', (code) => ended({ ms: performance.now() - began, code, ...output }));
  });
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
