// Bugs planted in the product, to see that the simulation finds them. Each replaces one expression of a source
// file while it is bundled; when the expression is no longer there, that is an error and not a pass.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { makeProgram, REPOSITORY } from '../helpers/program.ts';
import type { simulate } from './run.ts';

export interface Bug {
  readonly name: string;
  readonly file: string;
  /** The first of the seeds from 1 on that finds it. */
  readonly seed: number;
  /** What stands there, and what stands there instead. */
  readonly changes: readonly (readonly [string, string])[];
}

export const BUGS: readonly Bug[] = [
  {
    name: 'a batch that is acknowledged unsynced',
    file: 'log/store.ts',
    seed: 13,
    changes: [['{ sync: true }', '{ sync: false }']],
  },
  {
    name: 'a checkpoint that is a number without an anchor',
    file: 'projections/anchor.ts',
    seed: 118,
    changes: [
      ['await log.standing(anchor.log)', "anchor.log.position <= log.head().position ? 'held' : 'ahead'"],
    ],
  },
  {
    name: 'two batches in flight',
    file: 'log/append.ts',
    seed: 101,
    changes: [
      ['this.#writing ? this.#fullBatchWaits() : this.#waiting[0]?.ready', 'this.#waiting[0]?.ready'],
      ['this.#writing || this.#prepared === null', 'this.#prepared === null'],
    ],
  },
  {
    name: 'an index that replaces documents instead of removing them',
    file: 'projections/text-index/content.ts',
    seed: 300,
    changes: [['this.#gone[number] = 1;', '']],
  },
  {
    name: 'a cursor that is saved before its events',
    file: 'src/capture/transcripts/import-file.ts',
    seed: 123,
    changes: [
      [
        '.then(() => append(tellings.slice(last), { cursors }))',
        '.then(() => append([], { cursors })).then(() => append(tellings.slice(last), {}))',
      ],
    ],
  },
  {
    name: 'an anchor that is written apart from its rows',
    file: 'projections/kv-view.ts',
    seed: 113,
    changes: [
      [
        'await writeBatch(this.#store, withAnchor, sync);',
        `await writeBatch(this.#store, (batch) => { batch.put(ANCHOR_KEY, JSON.stringify(anchor)); }, sync);
        await writeBatch(this.#store, fill, sync);`,
      ],
    ],
  },
];

/** The simulation over the product with this bug; `outfile` is a path ending in .mjs. */
export async function withBug(bug: Bug, outfile: string): Promise<typeof simulate> {
  const program = await makeProgram('tests/simulation/run.ts', outfile, [planting(bug)]);
  const module = (await import(pathToFileURL(program).href)) as { simulate: typeof simulate };
  return module.simulate;
}

function planting({ file, changes }: Bug): Plugin {
  const path = join(REPOSITORY, file);
  return {
    name: 'planted-bug',
    setup: (build) => {
      build.onLoad({ filter: /\.ts$/ }, async ({ path: loaded }) => {
        if (loaded !== path) return null;
        let source = await readFile(path, 'utf8');
        for (const [right, wrong] of changes) {
          if (source.split(right).length !== 2)
            throw new Error(`${file} does not hold this expression once any more: ${right}`);
          source = source.replace(right, () => wrong);
        }
        return { contents: source, loader: 'ts' };
      });
    },
  };
}
