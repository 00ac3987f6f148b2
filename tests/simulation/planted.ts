// Bugs planted in the product to prove that the simulation finds them. Each replaces one expression of a source
// file while it is bundled; a missing expression is an error, not a pass.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { makeProgram, REPOSITORY } from '../helpers/program.ts';
import type { simulate } from './run.ts';

export interface Bug {
  readonly name: string;
  readonly file: string;
  /** The first seed from 1 on that finds it. */
  readonly seed: number;
  /** Only runs that rewrite the log can find it. */
  readonly rewriting?: true;
  /** The original expression, and its replacement. */
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
    name: 'a checkpoint without a chain hash',
    file: 'projections/engine/contract/checkpoint.ts',
    seed: 8,
    changes: [
      [
        'await log.compareCheckpoint(checkpoint.log)',
        "checkpoint.log.position <= log.head().position ? 'held' : 'ahead'",
      ],
    ],
  },
  {
    name: 'two batches in flight',
    file: 'log/append/append-queue.ts',
    seed: 101,
    changes: [
      [
        '(this.#writing === null ? this.#waiting[0]?.ready : this.#fullBatchWaits())',
        'this.#waiting[0]?.ready',
      ],
      ['this.#writing !== null || this.#prepared === null', 'this.#prepared === null'],
    ],
  },
  {
    name: 'an index that replaces documents instead of removing them',
    file: 'projections/text/text-content.ts',
    seed: 2,
    changes: [['this.#removed[number] = 1;', '']],
  },
  {
    name: 'a cursor that is saved before its events',
    file: 'src/import/import-file.ts',
    seed: 29,
    changes: [
      [
        '.then(() => append(events, { cursors }))',
        '.then(() => append([], { cursors })).then(() => append(events, {}))',
      ],
    ],
  },
  {
    name: 'a checkpoint that is written separately from its rows',
    file: 'projections/engine/store/generation.ts',
    seed: 153,
    changes: [
      [
        'await this.#writing(() => writeBatch(this.#store, withCheckpoint, sync));',
        `const rows = this.#store.batch();
        fill(rows);
        checkpoint = moved(this.#checkpoint);
        await this.#writing(async () => {
          await writeBatch(this.#store, (batch) => { batch.put(CHECKPOINT_KEY, JSON.stringify(checkpoint)); }, sync);
          await rows.write({ sync } as object);
        });`,
      ],
    ],
  },
  {
    name: 'a rewrite whose last batch is not synced',
    file: 'log/rewrite/copy-log.ts',
    rewriting: true,
    seed: 39,
    changes: [['await batch.write(SYNCED);', 'await batch.write();']],
  },
  {
    name: 'the leftovers of a killed rewrite are not removed',
    file: 'log/rewrite/swap-folders.ts',
    rewriting: true,
    seed: 1411,
    changes: [['for (const path of left) await files.remove(path);', '']],
  },
  {
    name: 'a missing log folder is replaced by an empty log',
    file: 'log/rewrite/swap-folders.ts',
    rewriting: true,
    seed: 39,
    changes: [['return guarded(directory, files, () => settle(directory, files), 1);', 'return false;']],
  },
  {
    name: 'a forgetting that was interrupted by a kill is not finished',
    file: 'src/forget/finish-forgetting.ts',
    rewriting: true,
    seed: 49,
    changes: [['if ((await home.log.cursor(UNFINISHED)) === undefined) return;', 'return;']],
  },
  {
    name: 'a forgetting that does not rewrite the views',
    file: 'src/forget/finish-forgetting.ts',
    rewriting: true,
    seed: 1,
    changes: [['await runner.scrub(await forgottenIds(log));', '']],
  },
  {
    name: 'a forgetting that reached the disk although its write failed is ignored',
    file: 'log/opened-log.ts',
    rewriting: true,
    seed: 1419,
    changes: [['await this.#noteForgettings(tail);', '']],
  },
];

/** The source with the bug in it. @throws Error when an expression is not in it exactly once */
export async function sourceWith({ file, changes }: Bug): Promise<string> {
  const source = await readFile(join(REPOSITORY, file), 'utf8');
  return changes.reduce((text, change) => changed(text, file, change), source);
}

/** The simulation over the product with this bug; `outfile` is a path ending in .mjs. */
export async function withBug(bug: Bug, outfile: string): Promise<typeof simulate> {
  const program = await makeProgram('tests/simulation/run.ts', outfile, [planting(bug)]);
  const module = (await import(pathToFileURL(program).href)) as { simulate: typeof simulate };
  return module.simulate;
}

/** esbuild asks once for each file that fits, and reads the others by itself. */
function pathFilter(path: string): RegExp {
  return new RegExp(`^${path.replace(/[^\w/]/g, '\\$&')}$`);
}

function planting(bug: Bug): Plugin {
  const path = join(REPOSITORY, bug.file);
  return {
    name: 'planted-bug',
    setup: (build) => {
      build.onLoad({ filter: pathFilter(path) }, async () => ({
        contents: await sourceWith(bug),
        loader: 'ts',
      }));
    },
  };
}

function changed(source: string, file: string, [right, wrong]: Bug['changes'][number]): string {
  if (source.split(right).length !== 2)
    throw new Error(`${file} does not contain this expression exactly once: ${right}`);
  return source.replace(right, () => wrong);
}
