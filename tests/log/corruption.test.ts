// Flips single bits all over LevelDB's files and checks that each flip is either noticed or harmless.
// By default LevelDB does not check tables when it reads them, and drops the rest of a damaged write-ahead file, so our
// own checks must notice: chain, body hash, dense positions, index cross-checks and the head file.
import { execFile } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestLog } from '../helpers/logs.ts';
import { toolEvents, workdirEvent } from '../helpers/new-events.ts';
import { makeProgram, REPOSITORY } from '../helpers/program.ts';
import { type TestWorld, temporaryFolder, testWorld } from '../helpers/world.ts';

const FLIPS = Number(process.env.ANNALS_TEST_FLIPS ?? 16);
const SEED = process.env.ANNALS_TEST_SEED ?? 'flips';
const EVENTS = 2100;
const EVENTS_MORE = 150;
const TABLES_MIN = 3;
const WRITE_AHEAD_BYTES_MIN = 10_000;
/** Flips judged in parallel. */
const LANES = 4;
const SMALL_TABLES = { writeBufferBytes: 64 * 1024 };

/** Aborted: LevelDB's own assertions ended the process. Not good, but not silent. */
type Verdict = 'noticed' | 'aborted' | 'harmless' | 'silent';

test(`none of ${FLIPS} flipped bits in all files of the log stays silent (seed ${SEED})`, async () => {
  const folder = await temporaryFolder();
  try {
    const home = join(folder.path, 'home');
    await fill(home);
    const program = await makeProgram('tests/log/programs/judge-flips.ts', join(folder.path, 'judge.mjs'));
    const { lines: digest } = await run(program, [home, join(folder.path, 'copy'), '', '']);
    const undamaged = digest[0]!;
    expect(undamaged).toMatch(/^[0-9a-f]{64}$/);
    const files = await filesOf(join(home, 'log'));
    expect(files.filter(isTable).length).toBeGreaterThanOrEqual(TABLES_MIN);
    const world = testWorld(SEED);
    const table = new Map<string, Record<Verdict, number>>();
    const silent: string[] = [];
    const flips = Array.from({ length: FLIPS }, (_, flip) => ({
      ...choose(files, world, flip),
      bit: world.integer(8),
    }));
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        const mine = flips.filter((_, flip) => flip % LANES === lane);
        for (let next = 0; next < mine.length; ) {
          const rest = mine.slice(next);
          const { lines, aborted } = await run(program, [
            home,
            join(folder.path, `copy-${lane}`),
            undamaged,
            JSON.stringify(rest),
          ]);
          const verdicts = aborted ? [...lines, 'aborted'] : lines;
          expect(verdicts.length).toBeGreaterThan(0);
          for (const [index, verdict] of verdicts.entries()) {
            const { kind, name, offset, bit } = rest[index]!;
            const counts = table.get(kind) ?? { noticed: 0, aborted: 0, harmless: 0, silent: 0 };
            counts[verdict as Verdict] += 1;
            table.set(kind, counts);
            if (verdict === 'silent') silent.push(`bit ${bit} of byte ${offset} in ${name}`);
          }
          next += verdicts.length;
        }
      }),
    );
    console.table(Object.fromEntries(table));
    expect(silent).toEqual([]);
  } finally {
    await folder.remove();
  }
}, 600_000);

/**
 * Writes about two thousand events in several tables, the newest in the write-ahead file. LevelDB merges tables in a
 * background thread, so their number varies: this appends until there are enough.
 */
async function fill(home: string): Promise<void> {
  await mkdir(home);
  for (let from = 1; ; ) {
    const log = await openTestLog(home, SMALL_TABLES);
    const until = from + (from === 1 ? EVENTS : EVENTS_MORE);
    for (; from <= until; from += 50) {
      const cursor = { key: `file/${from % 700}`, value: { offset: from } };
      await log.append([...toolEvents(49, from, `session-${from % 7}`, 110), workdirEvent(`/${from}`)], {
        cursors: [cursor],
      });
    }
    await log.close();
    const files = await filesOf(join(home, 'log'));
    const newest = files.find(({ kind }) => kind === 'write-ahead')?.size ?? 0;
    if (files.filter(isTable).length >= TABLES_MIN && newest > WRITE_AHEAD_BYTES_MIN) return;
  }
}

function isTable({ kind }: Target): boolean {
  return kind === 'table';
}

/** The lines that the program printed; `aborted` when a signal ended it, which only LevelDB does here. */
function run(program: string, args: string[]): Promise<{ lines: string[]; aborted: boolean }> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], { cwd: REPOSITORY }, (error, stdout, stderr) => {
      const aborted = error?.signal === 'SIGABRT' || error?.signal === 'SIGSEGV';
      if (error && !aborted) reject(new Error(stderr));
      else resolve({ lines: stdout.split('\n').slice(0, -1), aborted });
    });
  });
}

interface Target {
  readonly name: string;
  readonly kind: string;
  readonly size: number;
}

async function filesOf(directory: string): Promise<Target[]> {
  const names = (await readdir(directory)).sort();
  const files = await Promise.all(
    names.map(async (name) => ({ name, kind: kindOf(name), size: (await stat(join(directory, name))).size })),
  );
  return files.filter(({ size }) => size > 0);
}

function kindOf(name: string): string {
  if (name.endsWith('.ldb')) return 'table';
  if (name.endsWith('.log')) return 'write-ahead';
  return name.replace(/-.*/, '');
}

/** Half of the flips are spread over bytes, for the large files; half over files, so that each file gets some. */
function choose(files: readonly Target[], world: TestWorld, flip: number): Target & { offset: number } {
  if (flip % 2 === 0) {
    const file = files[(flip / 2) % files.length]!;
    return { ...file, offset: world.integer(file.size) };
  }
  let offset = world.integer(files.reduce((sum, { size }) => sum + size, 0));
  for (const file of files) {
    if (offset < file.size) return { ...file, offset };
    offset -= file.size;
  }
  throw new Error('unreachable');
}
