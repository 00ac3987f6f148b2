// Law 11: the cost of an event does not grow with what was there before. Three new transcript lines, and one hook file,
// in sessions of different lengths; beside them what an empty Node costs in the same run.
import { join } from 'node:path';
import { median } from '../harness/measure.ts';
import { inFolder, runNode, withProgram } from '../harness/process.ts';
import { type Figure, option, type Report, type Size } from '../harness/report.ts';
import type { Cost, Shape, Stages } from './cost-of.ts';

const TOOL_USES = { small: [5, 40], full: [200, 2_000, 8_000, 50_000] } as const;
const ROUNDS = { small: 2, full: 15 } as const;
const SHAPES: readonly Shape[] = ['turns', 'endless'];
const SAID = { turns: 'turns of 20 tool uses', endless: 'one endless turn' } as const;

/** `--uses 200,2000` measures sessions of other lengths, `--shape endless` one shape. */
export async function liveCostBench(size: Size): Promise<Report[]> {
  const toolUses = option('uses')?.split(',').map(Number) ?? TOOL_USES[size];
  const shapes = SHAPES.filter((shape) => (option('shape') ?? shape) === shape);
  const empty = await emptyNode(ROUNDS[size]);
  return inFolder((workdir) =>
    withProgram('bench/live-cost/cost-alone.ts', async (program) => {
      const reports: Report[] = [];
      for (const shape of shapes) {
        const costs: { readonly uses: number; readonly cost: Cost }[] = [];
        for (const uses of toolUses) {
          const [home, folder] = [`home-${shape}-${uses}`, `files-${shape}-${uses}`].map((name) =>
            join(workdir, name),
          ) as [string, string];
          const { stdout } = await runNode([program, home, folder, shape, `${uses}`, `${ROUNDS[size]}`]);
          costs.push({ uses, cost: JSON.parse(stdout) as Cost });
        }
        for (const what of ['lines', 'hook'] as const)
          reports.push({
            bench: what === 'lines' ? 'three new transcript lines' : 'one hook file',
            data: SAID[shape],
            figures: figuresOf(
              costs.map(({ uses, cost }) => ({ uses, stages: cost[what] })),
              empty,
            ),
            digest: costs.map(({ cost }) => cost.digest).join(' '),
          });
      }
      return reports;
    }),
  );
}

function figuresOf(
  costs: readonly { readonly uses: number; readonly stages: Stages }[],
  empty: number,
): Figure[] {
  const figures: Figure[] = [{ name: 'an empty Node', value: empty, unit: 'ms' }];
  for (const { uses, stages } of costs) {
    const after = `after ${uses.toLocaleString('en-US')} tool uses`;
    const { all, ...parts } = stages;
    figures.push({ name: after, value: all!, unit: 'ms', goal: `≤ ${(empty / 4).toFixed(1)}` });
    for (const [name, value] of Object.entries(parts)) figures.push({ name: `— ${name}`, value, unit: 'ms' });
  }
  const whole = costs.map(({ stages }) => stages.all!);
  figures.push({
    name: 'dearest / cheapest',
    value: Math.max(...whole) / Math.min(...whole),
    unit: 'x',
    goal: '≤ 2',
  });
  return figures;
}

/** Processor time of `node -e 0`. */
async function emptyNode(rounds: number): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) samples.push((await runNode(['-e', '0'])).cpuMs);
  return median(samples);
}
