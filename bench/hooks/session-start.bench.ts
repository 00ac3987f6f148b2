// Measures what a person waits for at session start: the command line that drains the spool and prints the brief,
// compared with an empty Node in the same rounds. Once with an empty spool, once with 60 waiting hook calls of one
// session. The goal: 80 ms at the median, 150 at the 95th percentile. If Node itself takes longer, the time above
// Node's counts.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureCommand, captureScript, scriptPath } from '../../src/capture/spool/capture-script.ts';
import { END_MARK } from '../../src/capture/spool/end-mark.ts';
import { interleaved, median, percentile, type Sample, timing } from '../harness/measure.ts';
import { builtCommand, inFolder, REPOSITORY, runNode } from '../harness/process.ts';
import { print, time } from '../harness/report.ts';

const ROUNDS = 25;
const CALLS = 60;
const CWD = '/home/robin/birdfeeder';

const cli = builtCommand();
await inFolder(async (folder) => {
  const home = join(folder, 'home');
  await runNode([cli, '--home', home, 'import', join(REPOSITORY, 'examples')]);
  const line = captureCommand(home, 'claude-code', 'session-start');
  mkdirSync(join(home, 'bin'), { recursive: true, mode: 0o700 });
  writeFileSync(scriptPath(home), captureScript(home, { node: process.execPath, cli }), { mode: 0o700 });
  let output = '';
  const start = async (): Promise<Sample> => {
    const { ms, stdout } = await run('sh', ['-c', line], JSON.stringify(payload('SessionStart', 0)));
    output = stdout;
    return { ms, cpuMs: 0 };
  };
  const samples = await interleaved(ROUNDS, {
    node: async () => ({ ms: (await run(process.execPath, ['-e', '0'], '')).ms, cpuMs: 0 }),
    idle: start,
    behind: (round) => {
      leaveSession(home, round);
      return start();
    },
  });
  const above = (name: 'idle' | 'behind') =>
    samples[name].map(({ ms }, round) => ms - samples.node[round]!.ms);
  const difference = (name: string, values: readonly number[]) => ({
    name,
    value: median(values),
    unit: 'ms',
    p95: percentile(values, 0.95),
  });
  const wall = (name: string, of: keyof typeof samples, goal?: string) => {
    const { cpu: _, ...figure } = time(name, timing(samples[of]), goal);
    return figure;
  };
  print([
    {
      bench: 'session start',
      data: `the example sessions; ${ROUNDS} rounds, interleaved; spawn to exit`,
      figures: [
        wall('node -e 0', 'node'),
        wall('session start, nothing waits', 'idle', '≤ 80'),
        difference('— above an empty Node', above('idle')),
        wall(`session start, ${CALLS} hook calls wait`, 'behind'),
        difference('— above an empty Node', above('behind')),
      ],
      digest: createHash('sha256')
        .update(String(output.includes('<annals-context')))
        .digest('hex')
        .slice(0, 12),
      notes: [`the last start printed ${output.length} characters`],
    },
  ]);
});

function payload(event: string, round: number, fields: object = {}): object {
  const session = `bench-${round}`;
  return {
    session_id: session,
    transcript_path: `/home/robin/.claude/projects/-home-robin-birdfeeder/${session}.jsonl`,
    cwd: CWD,
    prompt_id: `p-${round}`,
    hook_event_name: event,
    ...(event === 'SessionStart' ? { source: 'startup' } : {}),
    ...fields,
  };
}

function leaveSession(home: string, round: number): void {
  const folder = join(home, 'spool/new');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let call = 0; call < CALLS; call++) {
    const one =
      call === 0
        ? payload('UserPromptSubmit', round, {
            prompt: `Look at part ${round} of the feeder.`,
            source: 'user',
          })
        : payload('PostToolUse', round, {
            tool_name: 'Bash',
            tool_use_id: `toolu_${round}_${call}`,
            tool_input: { command: `npm test -- part-${call}` },
            tool_response: { stdout: `line of part ${call}\n`.repeat(100), stderr: '', interrupted: false },
            duration_ms: 12,
          });
    writeFileSync(join(folder, `claude-code-${round}-${call}`), JSON.stringify(one) + END_MARK, {
      mode: 0o600,
    });
  }
}

function run(
  program: string,
  words: readonly string[],
  input: string,
): Promise<{ ms: number; stdout: string }> {
  return new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(program, words, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, ANNALS_WORKER: 'off' },
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('close', () => resolve({ ms: performance.now() - began, stdout }));
  });
}
