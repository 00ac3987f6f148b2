// What this machine offers: optional packages, and what a hook costs here.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureScript, type Program, scriptPath, sourcedCommand } from '../capture/spool/capture-script.ts';
import { findPackage, packageFolders } from '../embed/embedders/packages.ts';
import { timedRun } from '../platform/timed-run.ts';
import { currentMark, readyPath, readyText } from '../session-start/ready-file.ts';
import { workerFileText } from '../worker/worker-files.ts';
import type { Check, Finding } from './check.ts';

const PACKAGES: readonly (readonly [name: string, use: string])[] = [
  ['hnswlib-node', 'searches projects with more than 200,000 vectors faster'],
  ['@huggingface/transformers', 'runs the embedder minilm'],
];
const ROUNDS = 21;
/** Of an empty `sh -c :`. */
const BUDGET = 3;
/** Below this no person notices a hook, whatever an empty shell takes. */
const UNNOTICED_MS = 5;

export function optionalPackages(home: string): Check {
  return {
    name: 'packages',
    async look() {
      const folders = packageFolders(home);
      return PACKAGES.map(([name, use]) => {
        const isThere = findPackage(name, folders) !== null;
        return {
          state: 'ok',
          message: `${name} is ${isThere ? '' : 'not '}installed (optional: it ${use}).`,
        };
      });
    },
  };
}

/** Measures the installed command lines with a home of their own, so that nothing of it is recorded. */
export function hookCost(program: Program, windows: boolean): Check {
  return {
    name: 'hook cost',
    async look() {
      if (windows) return [{ state: 'ok', message: 'Not measured on Windows, where each hook starts Node.' }];
      const folder = mkdtempSync(join(tmpdir(), 'annals-doctor-'));
      try {
        return await measured(folder, program);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

async function measured(folder: string, program: Program): Promise<readonly Finding[]> {
  const home = join(folder, 'home');
  for (const path of ['bin', 'spool/new', 'log'])
    mkdirSync(join(home, path), { recursive: true, mode: 0o700 });
  writeFileSync(scriptPath(home), captureScript(home, program), { mode: 0o700 });
  const log = join(home, 'log', '000001.log');
  writeFileSync(log, '');
  writeFileSync(join(home, 'worker.json'), workerFileText({ pid: process.pid }));
  const ready = readyPath(home, folder);
  if (ready !== null) {
    mkdirSync(join(ready, '..'), { recursive: true });
    writeFileSync(ready, readyText({ folder, gitConfig: '', id: '', answer: `${'x'.repeat(9_000)}\n` }));
    // The log must be older than the mark.
    utimesSync(log, 0, 0);
    writeFileSync(currentMark(home), '');
  }
  const payload = JSON.stringify({ session_id: 's', cwd: folder, source: 'startup' });
  const lines: Readonly<Record<string, string>> = {
    sh: ':',
    capture: sourcedCommand(home, 'claude-code'),
    start: sourcedCommand(home, 'claude-code', 'session-start'),
  };
  const times: Record<string, number[]> = { sh: [], capture: [], start: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, line] of Object.entries(lines)) {
      const { ms } = await timedRun('sh', ['-c', line], payload);
      times[name]!.push(ms);
      rmSync(join(home, 'spool/new'), { recursive: true });
      mkdirSync(join(home, 'spool/new'), { mode: 0o700 });
    }
  return [
    costFinding('A hook', times.capture!, times.sh!),
    costFinding('A session start from a ready file', times.start!, times.sh!),
  ];
}

export function costFinding(what: string, times: readonly number[], shell: readonly number[]): Finding {
  const median = quantile(times, 0.5);
  const p95 = quantile(times, 0.95);
  const shellMs = quantile(shell, 0.5);
  const ratio = median / shellMs;
  const message = `${what} takes ${median.toFixed(1)} ms (p95 ${p95.toFixed(1)}), ${ratio.toFixed(1)} times an empty shell; the budget is ${BUDGET}.`;
  const figures = { p50Ms: median, p95Ms: p95, shellMs };
  if (ratio <= BUDGET || median <= UNNOTICED_MS) return { state: 'ok', message, figures };
  return {
    state: 'warning',
    message,
    figures,
    advice: 'A slow disk, a virus scanner, or a busy machine; measure again when it is idle.',
  };
}

function quantile(values: readonly number[], at: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * at)] ?? Number.NaN;
}
