// Run by the rebuild test, as a process of its own because LevelDB aborts on some damage. For each flip, in a
// fresh copy of a home: open, read everything, verify; then open again, rebuild, verify. Prints one line of JSON
// for each. Arguments: home, copy, flips as JSON.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Annals, isAnnalsError, openAnnals } from '../../../src/index.ts';

export interface Flip {
  /** Below the home. */
  readonly name: string;
  readonly offset: number;
  /** null changes nothing: the result of an undamaged home. */
  readonly bit: number | null;
}

export interface FlipResult {
  /** What a person saw: sentences of status, verify and search, and error codes. */
  readonly reported: readonly string[];
  /** Internal errors: a stack would have been shown. */
  readonly bugs: readonly string[];
  readonly equal: boolean | null;
  readonly repaired: boolean;
}

const [home, copy, flips] = process.argv.slice(2) as [string, string, string];
for (const flip of JSON.parse(flips) as Flip[]) {
  rmSync(copy, { recursive: true, force: true });
  cpSync(home, copy, { recursive: true });
  const path = join(copy, flip.name);
  const bytes = readFileSync(path);
  if (flip.bit !== null) bytes[flip.offset]! ^= 1 << flip.bit;
  writeFileSync(path, bytes);
  process.stdout.write(`${JSON.stringify(await check())}\n`);
}

async function check(): Promise<FlipResult> {
  const reported: string[] = [];
  const bugs: string[] = [];
  let equal: boolean | null = null;
  let repaired = false;
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (isAnnalsError(error) && error.code !== 'INTERNAL') reported.push(`${what}: ${error.code}`);
      else bugs.push(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  };
  const inHome = (what: string, work: (annals: Annals) => Promise<void>): Promise<void> =>
    attempt(what, async () => {
      const annals = await openAnnals({ home: copy });
      try {
        await work(annals);
      } finally {
        await annals.close();
      }
    });
  await inHome('open', async (annals) => {
    await attempt('status', async () => {
      reported.push(...(await annals.status()).degraded);
    });
    await attempt('search', async () => {
      const { results, degraded } = await annals.search('part make program', { limit: 1_000 });
      reported.push(...degraded);
      for (const { id } of results) await annals.get(id);
    });
    await attempt('verify', async () => {
      const { views, problems } = await annals.verify({ rebuilt: true });
      reported.push(...problems.map(({ message }) => message));
      equal = views?.every((view) => view.equal) ?? null;
    });
  });
  await inHome('open again', async (annals) => {
    await annals.rebuild();
    repaired = (await annals.verify({ rebuilt: true })).ok && (await annals.status()).degraded.length === 0;
  });
  return { reported, bugs, equal, repaired };
}
