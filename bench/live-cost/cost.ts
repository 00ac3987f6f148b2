// The cost of an event does not grow with what was there before: three new transcript lines, one hook file and an import of
// three lines in sessions of different lengths; next to them what an empty Node costs in the same run. The first lines after
// a restart do grow: they read their session.
import { join } from 'node:path';
import { median } from '../harness/measure.ts';
import { inFolder, runNode, withProgram } from '../harness/process.ts';
import { type Figure, option, type Report, type Size } from '../harness/report.ts';
import type { Cost, Shape, Stages } from './cost-of.ts';

const TOOL_USES = { small: [40], full: [200, 2_000, 8_000, 50_000] } as const;
const ROUNDS = { small: 2, full: 15 } as const;
/** LevelDB goes on sorting its tables on threads of its own, whose time would count. */
const SETTLE_MS = { small: 0, full: 1_000 } as const;
const SHAPES: readonly Shape[] = ['turns', 'endless', 'fork'];
const SHAPE_NAMES = {
  turns: 'turns of 20 tool uses',
  endless: 'one endless turn',
  fork: 'a fork of turns of 20 tool uses',
} as const;
const WORK_NAMES = {
  lines: 'three new transcript lines',
  hook: 'one hook file',
  import: 'an import of three new lines',
  restart: 'the first three lines after a restart',
} as const;
const WORK = Object.keys(WORK_NAMES) as readonly (keyof typeof WORK_NAMES)[];

/** `--uses 200,2000` measures sessions of other lengths, `--shape endless` one shape. */
export async function liveCostBench(size: Size, chosen = SHAPES): Promise<Report[]> {
  const toolUses = option('uses')?.split(',').map(Number) ?? TOOL_USES[size];
  const shapes = chosen.filter((shape) => (option('shape') ?? shape) === shape);
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
          const { stdout } = await runNode([
            program,
            home,
            folder,
            shape,
            `${uses}`,
            `${ROUNDS[size]}`,
            `${SETTLE_MS[size]}`,
          ]);
          costs.push({ uses, cost: JSON.parse(stdout) as Cost });
        }
        for (const what of WORK)
          reports.push({
            bench: WORK_NAMES[what],
            data: SHAPE_NAMES[shape],
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
