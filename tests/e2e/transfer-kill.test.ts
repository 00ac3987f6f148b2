// SIGKILL during an export or a restore. A killed export leaves the earlier export or none. A home whose restore was
// killed reports that, is empty, or is complete. Running the same command again completes it.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isAnnalsError, type NewEvent, restoreAnnals } from '../../src/index.ts';
import { makeProgram } from '../helpers/program.ts';
import { digestsOf, eventsOf, SOUND, sharedFolder, withHome } from './homes.ts';

const folder = sharedFolder('transfer-kill');
const home = join(folder, 'home');
const backup = join(folder, 'export');
const EVENTS = 300;
const EVENTS_MORE = 270;
let program = '';
let original: { events: unknown; digests: unknown };

/** Long enough for several segments and pages. */
function newEvent(index: number): NewEvent {
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    dedupeKey: `memory-${index}`,
    channel: 'api',
    occurredAt: Date.UTC(2026, 4, 4) + index * 1_000,
    body: { title: `Memory ${index}`, text: 'Seeds.', project: 'birdfeeder', metadata: 'x'.repeat(36_000) },
  };
}

const contents = (of: string) =>
  withHome(of, async (annals) => ({ events: await eventsOf(annals), digests: await digestsOf(annals) }));

beforeAll(async () => {
  program = await makeProgram('tests/e2e/programs/transfer-until-killed.ts', join(folder, 'transfer.mjs'));
  await withHome(home, async (annals) => {
    await annals.append(Array.from({ length: EVENTS }, (_, index) => newEvent(index)));
    expect((await annals.export(backup)).segments).toBeGreaterThan(1);
  });
  original = await contents(home);
}, 120_000);

async function killed(...words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const signal = await new Promise((resolve) => child.once('close', (_, ended) => resolve(ended)));
  if (signal !== 'SIGKILL') throw new Error(`The child was not killed: ${errors}`);
}

async function codeOf(work: Promise<unknown>): Promise<string | null> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return isAnnalsError(error) ? error.code : null;
}

describe('a restore that is killed', () => {
  const points: readonly (readonly [step: string, share: number, opens: string])[] = [
    ['checking', 1, 'RESTORE_UNFINISHED'],
    ['writing', 1, 'RESTORE_UNFINISHED'],
    ['replaying', 0.5, 'complete'],
  ];
  for (const [step, share, opens] of points)
    test(`at ${share * 100} % of ${step} leaves a home that is ${opens}`, async () => {
      const into = join(folder, `${step}-${share}`);
      await killed('restore', into, backup, step, String(share));
      if (opens === 'complete') expect(await contents(into)).toEqual(original);
      else {
        expect(await codeOf(withHome(into, async () => undefined))).toBe(opens);
        await restoreAnnals(backup, { home: into });
        expect(await contents(into)).toEqual(original);
      }
      await withHome(into, async (annals) => expect(await annals.verify()).toMatchObject(SOUND));
      expect(readdirSync(into).filter((name) => /^log(\.|$)/.test(name))).toEqual(['log']);
    });
});

test('a killed export is not an export, and the next one is complete', async () => {
  const into = join(folder, 'export-killed');
  await killed('export', home, into, 'writing', '0.5');
  expect(await codeOf(restoreAnnals(into, { home: join(folder, 'nothing') }))).toBe('INPUT_UNREADABLE');
  await withHome(home, async (annals) => {
    expect(await annals.export(into)).toMatchObject({ events: EVENTS });
  });
  const again = join(folder, 'export-again');
  await restoreAnnals(into, { home: again });
  expect(await contents(again)).toEqual(original);
});

test('an export that is killed while it is continued stays as it was', async () => {
  const [grown, into] = [join(folder, 'grown'), join(folder, 'grown-export')];
  await restoreAnnals(backup, { home: grown });
  await withHome(grown, async (annals) => {
    await annals.export(into);
    await annals.append(Array.from({ length: EVENTS_MORE }, (_, index) => newEvent(10_000 + index)));
  });
  await killed('export', grown, into, 'writing', '0.5');
  const again = join(folder, 'grown-again');
  expect(await restoreAnnals(into, { home: again })).toMatchObject({ events: EVENTS });
  await withHome(grown, async (annals) =>
    expect(await annals.export(into)).toMatchObject({ events: EVENTS + EVENTS_MORE }),
  );
});
