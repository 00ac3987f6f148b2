// Transcripts are imported while they grow: cut at random bytes, in any order, again and again. In the end the views must
// equal those of one import of the whole files. ANNALS_TEST_CUTS sets how often (default 1, over real transcripts where
// this machine has some), ANNALS_TEST_SEED where.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestsOf, SOUND, sharedFolder, withHome } from '../e2e/homes.ts';
import { chance } from '../helpers/chance.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { someClaudeCodeTranscripts } from '../helpers/shared-data.ts';

const CUTS = Number(process.env.ANNALS_TEST_CUTS ?? 1);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 1);
const STAGES_MAX = 4;

if (someClaudeCodeTranscripts === null)
  process.stdout.write('Skipped: growing real transcripts (none here).\n');

describe.each([
  ['the examples', join(REPOSITORY, 'examples')],
  ['real transcripts', someClaudeCodeTranscripts],
] as const)('Growing transcripts: %s', (name, source) => {
  const folder = sharedFolder('cuts');

  test.skipIf(source === null)(
    'give the views of one import',
    async () => {
      const whole = await withHome(join(folder, `${name}-whole`), async (annals) => {
        await annals.import([source!]);
        return digestsOf(annals);
      });
      const files = readdirSync(source!, { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith('.jsonl'),
      );
      for (let cut = 0; cut < CUTS; cut++) {
        const random = chance(SEED * 1_000 + cut);
        const growing = join(folder, `${name}-${cut}`);
        const home = join(folder, `${name}-${cut}-home`);
        const stages = 1 + random.below(STAGES_MAX);
        for (let stage = 0; stage <= stages; stage++) {
          for (const path of files) {
            const from = join(source!, path);
            const to = join(growing, path);
            mkdirSync(dirname(to), { recursive: true });
            if (stage === stages) copyFileSync(from, to);
            else grow(from, to, random.below(1_000) / 1_000);
          }
          await withHome(home, async (annals) => {
            const paths = random.shuffled(files).map((path) => join(growing, path));
            await annals.import(random.below(2) === 0 ? [growing] : paths);
          });
        }
        await withHome(home, async (annals) => {
          expect({ cut, views: await digestsOf(annals) }).toEqual({ cut, views: whole });
          expect(await annals.verify()).toMatchObject(SOUND);
        });
      }
    },
    60_000 + CUTS * 60_000,
  );
});

/** Writes the file's beginning, at least as long as before. */
function grow(from: string, to: string, share: number): void {
  const bytes = readFileSync(from);
  const before = sizeOf(to);
  const length = before + Math.floor((bytes.length - before) * share);
  writeFileSync(to, bytes.subarray(0, length));
}

function sizeOf(path: string): number {
  try {
    return readFileSync(path).length;
  } catch {
    return 0;
  }
}
