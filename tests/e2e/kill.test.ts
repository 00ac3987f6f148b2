// SIGKILL at random moments of imports, replays and rebuilds. Acknowledged data is there, the log verifies, nothing is
// reported as damaged, and when the work is finished everything equals an uninterrupted run.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Chance, chance } from '../helpers/chance.ts';
import { skipsLongReal, whyLongRealIsSkipped } from '../helpers/corpus/corpora.ts';
import { makeProgram } from '../helpers/program.ts';
import { claudeCodeTranscripts } from '../helpers/shared-data.ts';
import { Script } from '../helpers/transcripts.ts';
import { digestsOf, eventsOf, lasting, SOUND, sharedFolder, withHome } from './homes.ts';
import { allMarkers } from './programs/markers.ts';

const KILLS = Number(process.env.ANNALS_TEST_KILLS ?? 3);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 1);
/** Shares of the kills; the rest are imports of synthetic transcripts. */
const REAL_IMPORT_KILLS = Math.round(KILLS * 0.4);
const VIEW_KILLS = Math.round(KILLS * 0.2);

const folder = sharedFolder('kill');
let program = '';
beforeAll(async () => {
  program = await makeProgram('tests/e2e/programs/work-until-killed.ts', join(folder, 'work.mjs'));
});

interface Run {
  readonly killed: boolean;
  readonly markers: readonly { readonly position: number; readonly id: string }[];
  readonly filesDone: number;
  readonly ms: number;
}

/** Runs the program and kills it `afterMs` after it began to open the home; null lets it end. */
async function run(
  home: string,
  work: string,
  paths: readonly string[],
  afterMs: number | null,
): Promise<Run> {
  const child = spawn(process.execPath, [program, home, work, ...paths], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const markers: { position: number; id: string }[] = [];
  let filesDone = 0;
  let began = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [what, number, position, id] = line.split(' ');
    if (what === 'opening') {
      began = performance.now();
      if (afterMs !== null) setTimeout(() => child.kill('SIGKILL'), afterMs);
    }
    // A line that the kill cut short has no complete id.
    if (what === 'marker' && id?.length === 32) markers.push({ position: Number(position), id });
    if (what === 'file') filesDone = Number(number);
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (...ended) => resolve(ended)),
  );
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The child failed: ${errors}`);
  return { killed: signal === 'SIGKILL', markers, filesDone, ms: performance.now() - began };
}

interface Undisturbed {
  readonly digests: Record<string, string>;
  readonly events: readonly object[];
  /** Ids in the log after each number of files. */
  readonly idsAfter: readonly (readonly string[])[];
  readonly ms: number;
}

async function undisturbed(home: string, files: readonly string[]): Promise<Undisturbed> {
  const idsAfter: string[][] = [[]];
  await withHome(home, async (annals) => {
    // In the order of the import.
    for (const file of [...files].sort()) {
      await annals.import([file]);
      idsAfter.push((await eventsOf(annals)).map(({ id }) => id));
    }
  });
  const timed = await run(`${home}-timed`, 'import', files, null);
  return { ...(await finished(home, files)), idsAfter, ms: timed.ms };
}

/** Finishes the import and returns the digests of the home. */
async function finished(home: string, files: readonly string[]) {
  return withHome(home, async (annals) => {
    await annals.append(allMarkers());
    await annals.import(files);
    const verified = await annals.verify({ rebuilt: true });
    expect(verified).toMatchObject(SOUND);
    const digests = Object.fromEntries(verified.views!.map(({ name, live }) => [name, live]));
    return { digests, events: lasting(await eventsOf(annals)) };
  });
}

async function expectSound(
  home: string,
  acknowledged: ReadonlyMap<string, number | null>,
  thorough: boolean,
) {
  await withHome(home, async (annals) => {
    const events = await eventsOf(annals);
    const positions = new Map(events.map(({ id, position }) => [id, position]));
    expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
    const missing = [...acknowledged].filter(([id, position]) =>
      position === null ? !positions.has(id) : positions.get(id) !== position,
    );
    expect(missing).toEqual([]);
    expect(await annals.verify({ rebuilt: thorough })).toMatchObject(SOUND);
    if (thorough) expect((await annals.status()).degraded).toEqual([]);
  });
}

/** Kills imports of these files; then finishes each home's import and compares it. */
async function killImports(name: string, files: readonly string[], kills: number, luck: Chance) {
  const expected = await undisturbed(join(folder, `${name}-undisturbed`), files);
  let killed = 0;
  let homes = 0;
  let acknowledgements = 0;
  for (let round = 0; killed < kills; round++) {
    const home = join(folder, `${name}-${round}`);
    const acknowledged = new Map<string, number | null>();
    for (let done = false; !done && killed < kills; ) {
      const outcome = await run(home, 'import', files, luck.below(Math.ceil(expected.ms)));
      for (const id of expected.idsAfter[outcome.filesDone] ?? [])
        acknowledged.set(id, acknowledged.get(id) ?? null);
      for (const { id, position } of outcome.markers) acknowledged.set(id, position);
      await expectSound(home, acknowledged, luck.below(3) === 0);
      done = !outcome.killed;
      if (outcome.killed) killed += 1;
    }
    acknowledgements += acknowledged.size;
    const { digests, events } = await finished(home, files);
    expect(digests).toEqual(expected.digests);
    expect(events).toEqual(expected.events);
    rmSync(home, { recursive: true });
    homes += 1;
  }
  console.log(
    `${name}: ${killed} kills in ${homes} homes of ${expected.events.length} events, ${acknowledgements} acknowledgements checked, seed ${SEED}`,
  );
  expect(acknowledgements).toBeGreaterThan(0);
}

/** Kills replays into an empty views folder, or rebuilds of a full one. */
async function killViews(name: string, files: readonly string[], kills: number, luck: Chance) {
  const home = join(folder, `${name}-views`);
  const expected = await finished(home, files);
  for (const work of ['replay', 'rebuild']) {
    const forget = () => {
      if (work === 'replay') rmSync(join(home, 'views'), { recursive: true, force: true });
    };
    forget();
    const { ms } = await run(home, work, [], null);
    let killed = 0;
    while (killed < kills / 2) {
      if (luck.below(2) === 0) forget();
      const outcome = await run(home, work, [], luck.below(Math.ceil(ms)));
      if (!outcome.killed) continue;
      killed += 1;
      const thorough = luck.below(3) === 0;
      await withHome(home, async (annals) => {
        expect((await annals.status()).degraded).toEqual([]);
        if (thorough) expect(await annals.verify({ rebuilt: true })).toMatchObject(SOUND);
        expect(await digestsOf(annals)).toEqual(expected.digests);
      });
    }
    console.log(`${name}: ${killed} kills of ${work}, seed ${SEED}`);
  }
}

/** About 700 KB, so that an import needs several pages and appends. */
function writtenTranscripts(): string[] {
  return [1, 2, 3].map((number) => {
    const session = `${number}1111111-2222-4333-8444-555555555555`;
    const script = new Script({ session, firstUuid: number * 100_000, cwd: `/home/u/app-${number}` });
    for (let turn = 0; turn < 12; turn++) {
      script.prompt(`Please look at part ${turn} of the ${number}th program`);
      for (let use = 0; use < 3; use++) {
        const id = `toolu_${number}_${turn}_${use}`;
        script.use(id, 'Bash', { command: `make part-${turn}-${use}` });
        if (turn % 9 !== 8 || use !== 2) script.result(id, `line ${use} of ${turn}\n`.repeat(300));
      }
      script.reply(`Part ${turn} is done.`);
    }
    const path = join(folder, 'written', `${session}.jsonl`);
    mkdirSync(join(folder, 'written'), { recursive: true });
    writeFileSync(path, script.bytes());
    return path;
  });
}

describe('killed at random moments', () => {
  test('imports of synthetic transcripts lose nothing and end like uninterrupted ones', async () => {
    const kills = KILLS - (skipsLongReal ? 0 : REAL_IMPORT_KILLS) - VIEW_KILLS;
    await killImports('written', writtenTranscripts(), kills, chance(SEED));
  }, 1_200_000);

  test('replays and rebuilds leave views that are complete or can be completed', async () => {
    await killViews('written', writtenTranscripts(), VIEW_KILLS, chance(SEED + 1));
  }, 1_200_000);

  test.skipIf(skipsLongReal)(
    `imports of real transcripts lose nothing and end as if nothing had happened${whyLongRealIsSkipped}`,
    async () => {
      // 3 MB of four projects.
      const files = [
        'd-kimuson__claude-code-viewer/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl',
        'entireio__cli/bc3bf53b-19fe-4209-b30a-a1acffaf6703.jsonl',
        'entireio__cli/ba517c53-22ac-41fe-8d0b-aad3b421f359.jsonl',
        'JanDeDobbeleer__oh-my-posh/8521e3ab-d00f-4fdc-b013-609c00860cc3.jsonl',
        'JanDeDobbeleer__oh-my-posh/69d8706c-d098-4239-8a99-f89c153822c3.jsonl',
        'Mai0313__VibeCodingTracker/claude_code.jsonl',
        'd-kimuson__claude-code-viewer/fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl',
        'entireio__cli/f736da47-b2ca-4f86-bb32-a1bbe582e464.jsonl',
      ].map((name) => join(claudeCodeTranscripts ?? '', name));
      await killImports('real', files, REAL_IMPORT_KILLS, chance(SEED + 2));
    },
    1_200_000,
  );
});
