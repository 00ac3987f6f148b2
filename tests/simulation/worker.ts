// One process of `npm run simulate`: receives seeds, makes their runs one after the other and replies with the
// results.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DirectoryBacking } from './directory-backing.ts';
import { simulate } from './run.ts';
import { scratchFolder } from './scratch.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { type Rows, Tally } from './tally.ts';

export type Seeds = readonly number[];

export interface Done {
  readonly runs: number;
  readonly rows: Rows;
  /** Lines to print. */
  readonly lines: readonly string[];
}

export interface WorkerOptions {
  readonly onLevelDb: boolean;
  readonly trace: boolean;
  /** In every run; otherwise the seed decides. */
  readonly rewriting: boolean;
}

export function serve({ onLevelDb, trace, rewriting }: WorkerOptions): void {
  const chosen = rewriting ? { rewriting } : {};
  const folder = scratchFolder();
  let workdirs = 0;
  const disk = () =>
    new SimulatedDisk((encoding) => new DirectoryBacking(join(folder, `store-${workdirs++}`), encoding));
  // The parent ends this process, also on an interrupt, so that started runs are counted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => rmSync(folder, { recursive: true, force: true }));
  process.on('message', async (message) => {
    const seeds = message as Seeds;
    const tally = new Tally();
    const lines: string[] = [];
    for (const seed of seeds) {
      const began = process.cpuUsage();
      const outcome = await simulate(seed, onLevelDb ? { disk, ...chosen } : chosen);
      const { user, system } = process.cpuUsage(began);
      tally.add(outcome, (user + system) / 1_000);
      if (trace) lines.push(...outcome.trace);
      const messages = outcome.wrong.map(({ message }) => message).join('; ');
      if (messages !== '') lines.push(`seed ${seed} (${outcome.kind}): ${messages}`);
    }
    process.send!({ runs: seeds.length, rows: tally.rows, lines } satisfies Done);
  });
}
