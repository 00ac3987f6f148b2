// SIGKILL during an export or a restore. A killed export leaves the earlier export or none. A home whose restore was
// killed reports that, is empty, or is complete. Running the same command again completes it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isAnnalsError, type NewEvent, restoreAnnals } from '../../src/index.ts';
import { run } from '../helpers/child.ts';
import { makeProgram } from '../helpers/program.ts';
import { digestsOf, eventsOf, SOUND, sharedFolder, withHome } from './homes.ts';

const folder = sharedFolder('transfer-kill');
/** Of a megabyte each: an export ends its first segment before the last of them. */
const EVENTS_EXPORTED = 10;
let program = '';

function newEvents(first: number, count: number, megabytes: number): NewEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    dedupeKey: `memory-${first + index}`,
    channel: 'api',
    occurredAt: Date.UTC(2026, 4, 4) + (first + index) * 1_000,
    body: {
      title: `Memory ${first + index}`,
      text: 'Seeds.',
      project: 'birdfeeder',
      // Longer texts are cut.
      metadata: Array(30 * megabytes).fill('x'.repeat(32_000)),
    },
  }));
}

async function contents(of: string) {
  return withHome(of, async (annals) => ({
    events: await eventsOf(annals),
    digests: await digestsOf(annals),
    verified: await annals.verify(),
  }));
}

beforeAll(async () => {
  program = await makeProgram('tests/e2e/programs/transfer-until-killed.ts', join(folder, 'transfer.mjs'));
}, 120_000);

async function killed(...words: readonly string[]): Promise<void> {
  const { code, stderr } = await run(process.execPath, [program, ...words], { env: process.env });
  if (code !== null) throw new Error(`The child was not killed: ${stderr}`);
}

async function codeOf(work: Promise<unknown>): Promise<string | null> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return isAnnalsError(error) ? error.code : null;
}

describe('a restore that is killed', () => {
  // Two pages are replayed.
  const points: readonly (readonly [step: string, share: number, opens: string, megabytes: number])[] = [
    ['checking', 1, 'RESTORE_UNFINISHED', 0],
    ['writing', 1, 'RESTORE_UNFINISHED', 0],
    ['replaying', 0.5, 'complete', 1],
  ];
  for (const [step, share, opens, megabytes] of points)
    test(`at ${share * 100} % of ${step} leaves a home that is ${opens}`, async () => {
      const [home, backup, into] = ['home', 'export', 'restored'].map((name) => join(folder, step, name));
      await withHome(home!, async (annals) => {
        await annals.append(newEvents(0, 3, megabytes));
        await annals.export(backup!);
        await annals.append(newEvents(3, 3, megabytes));
        expect((await annals.export(backup!)).segments).toBe(2);
      });
      const original = await contents(home!);
      expect(original).toMatchObject({ verified: SOUND });
      await killed('restore', into!, backup!, step, String(share));
      if (opens !== 'complete') {
        expect(await codeOf(withHome(into!, async () => undefined))).toBe(opens);
        await restoreAnnals(backup!, { home: into! });
      }
      expect(await contents(into!)).toEqual(original);
      expect(readdirSync(into!).filter((name) => /^log(\.|$)/.test(name))).toEqual(['log']);
    });
});

test('a killed export is not an export, the next one is complete, and one that is killed while it is continued stays as it was', async () => {
  const [home, into, again] = [join(folder, 'exported'), join(folder, 'killed'), join(folder, 'again')];
  await withHome(home, (annals) => annals.append(newEvents(0, EVENTS_EXPORTED, 1)));
  await killed('export', home, into, 'writing', '0.5');
  expect(await codeOf(restoreAnnals(into, { home: join(folder, 'nothing') }))).toBe('INPUT_UNREADABLE');
  await withHome(home, async (annals) =>
    expect(await annals.export(into)).toMatchObject({ events: EVENTS_EXPORTED, segments: 2 }),
  );
  const original = await contents(home);
  await withHome(home, (annals) => annals.append(newEvents(EVENTS_EXPORTED, EVENTS_EXPORTED, 1)));
  await killed('export', home, into, 'writing', '0.5');
  expect(await restoreAnnals(into, { home: again })).toMatchObject({ events: EVENTS_EXPORTED });
  expect(await contents(again)).toEqual(original);
  await withHome(home, async (annals) =>
    expect(await annals.export(into)).toMatchObject({ events: 2 * EVENTS_EXPORTED }),
  );
});
