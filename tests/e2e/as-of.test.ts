// `--as-of`: answers as of a position equal those of a home whose log ends there; answers as of a time equal those of
// a home that imported the files as they were then.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openLog, restoreLog } from '../../log/index.ts';
import { type Annals, isAnnalsError } from '../../src/index.ts';
import { makeFolder } from '../../src/platform/disk-files.ts';
import { ifRealIsAbsent, skipsLongReal, whyLongRealIsSkipped } from '../helpers/corpus/corpora.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { claudeCodeTranscripts, readsAllTranscripts } from '../helpers/shared-data.ts';
import { cutAt } from '../helpers/transcripts.ts';
import { testFiles, testWorld } from '../helpers/world.ts';
import { sharedFolder, withHome } from './homes.ts';

const folder = sharedFolder('as-of');
const SLOW_MS = 300_000;
/** Where several pages of events are cut. */
const SHARES = readsAllTranscripts ? [0.3, 0.6, 0.9] : [0.6];
/** How many positions and times of a home are looked at. */
const POINTS = readsAllTranscripts ? 10 : 2;
const QUERIES = ['test fails', 'error', 'the clock in src', 'npm', 'file'];

const sources: readonly (readonly [string, string | null])[] = [
  ['written', join(REPOSITORY, 'examples/birdfeeder')],
  [
    'real',
    claudeCodeTranscripts === null ? null : join(claudeCodeTranscripts, 'd-kimuson__claude-code-viewer'),
  ],
];

/** The answers of a home to fixed questions, without times and machine-specific values. */
async function answers(annals: Annals, asOf?: number | string) {
  const past = asOf === undefined ? {} : { asOf };
  const { rows } = await annals.timeline({ limit: 1_000, ...past });
  const found = [];
  for (const query of QUERIES) found.push((await annals.search(query, { limit: 20, ...past })).results);
  const contexts = [];
  for (const project of new Set(rows.map((row) => row.project)))
    contexts.push((await annals.context({ project, ...past })).text);
  const items = [];
  for (const id of new Set(rows.flatMap((row) => [row.id, ...(row.session === null ? [] : [row.session])]))) {
    const { asOf: _, ...item } = await annals.get(id, past);
    items.push(item);
  }
  const lists = [];
  for (const kind of ['session', 'turn', 'observation'] as const)
    lists.push((await annals.list(kind, { limit: 1_000, ...past })).items);
  return { rows, found, contexts, items, lists };
}

/** Makes a home whose log ends at a position. */
async function stoppedAt(home: string, position: number, into: string): Promise<string> {
  const log = await openLog({
    directory: join(home, 'log'),
    headFile: null,
    world: testWorld(),
    files: testFiles,
  });
  const some = async function* () {
    yield (await log.exportPage({ after: 0, limit: position, bytesMax: 1e9 })).events;
  };
  await makeFolder(into);
  await restoreLog({ directory: join(into, 'log'), logId: log.logId, world: testWorld(7) }, some());
  await log.close();
  return into;
}

function cutFiles(source: string, time: number, into: string): string {
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.jsonl')) continue;
    const text = cutAt(readFileSync(join(source, name), 'utf8'), time);
    if (text === '') continue;
    mkdirSync(dirname(join(into, name)), { recursive: true });
    writeFileSync(join(into, name), text);
  }
  mkdirSync(into, { recursive: true });
  return into;
}

for (const [what, source] of sources)
  describe.skipIf(source === null)(
    `a home of ${what} transcripts${source === null ? ifRealIsAbsent : ''}`,
    () => {
      const home = join(folder, what);
      let head = 0;
      let times: number[] = [];
      beforeAll(async () => {
        await withHome(home, async (annals) => {
          await annals.import([source!]);
          head = (await annals.status()).log.head;
          for await (const { occurredAt } of annals.log()) if (occurredAt !== null) times.push(occurredAt);
        });
        times = times.sort((a, b) => a - b);
      }, SLOW_MS);

      test(
        `as of each of ${POINTS} positions answers as one that stopped there`,
        async () => {
          for (let index = 1; index <= POINTS; index++) {
            const position = Math.floor((head * index) / POINTS);
            const stopped = await stoppedAt(home, position, join(folder, `${what}-at-${position}`));
            const then = await withHome(home, (annals) => answers(annals, position));
            expect(then, `position ${position}`).toEqual(
              await withHome(stopped, (annals) => answers(annals)),
            );
          }
        },
        SLOW_MS,
      );

      test(
        `as of each of ${POINTS} times answers as one that was given the files as they were then`,
        async () => {
          for (let index = 1; index <= POINTS; index++) {
            const time = times[Math.floor((times.length * index) / POINTS) - 1]!;
            const files = cutFiles(source!, time, join(folder, `${what}-files-${index}`));
            const then = await withHome(home, (annals) => answers(annals, new Date(time).toISOString()));
            const cut = await withHome(join(folder, `${what}-cut-${index}`), async (annals) => {
              await annals.import([files]);
              return answers(annals);
            });
            expect(then, `time ${index}`).toEqual(cut);
          }
        },
        SLOW_MS,
      );
    },
  );

describe.skipIf(skipsLongReal)(`a log of several pages of real transcripts${whyLongRealIsSkipped}`, () => {
  const projects = ['JanDeDobbeleer__oh-my-posh', 'd-kimuson__claude-code-viewer'];
  const orders = [
    ['one order', projects],
    ['the other order', [...projects].reverse()],
  ] as const;
  test.each(orders)(
    'imported in %s, it answers as of a time as one that was given the files as they were then',
    async (order, names) => {
      const home = join(folder, `several pages in ${order}`);
      const times: number[] = [];
      await withHome(home, async (annals) => {
        for (const name of names) await annals.import([join(claudeCodeTranscripts!, name)]);
        expect((await annals.status()).log.head).toBeGreaterThan(2_000);
        for await (const { occurredAt } of annals.log()) if (occurredAt !== null) times.push(occurredAt);
      });
      times.sort((a, b) => a - b);
      for (const share of SHARES) {
        const time = times[Math.floor(times.length * share)]!;
        const cut = join(folder, `${order} ${share}`);
        const then = await withHome(home, (annals) => answers(annals, new Date(time).toISOString()));
        const given = await withHome(join(cut, 'home'), async (annals) => {
          for (const name of names)
            await annals.import([
              cutFiles(join(claudeCodeTranscripts!, name), time, join(cut, 'files', name)),
            ]);
          return answers(annals);
        });
        expect(then, `time ${share}`).toEqual(given);
      }
    },
    SLOW_MS,
  );
});

describe('the past', () => {
  const home = join(folder, 'small');
  const at = (day: number) => Date.UTC(2026, 4, day);
  beforeAll(() =>
    withHome(home, (annals) =>
      annals.save([
        { title: 'Seeds', text: 'Sunflower seeds.', at: at(4), project: 'birdfeeder' },
        { title: 'Water', text: 'The bath is filled.', at: at(2), project: 'birdfeeder' },
      ]),
    ),
  );
  const titles = async (annals: Annals, asOf: number | string) =>
    (await annals.timeline({ asOf })).rows.map(({ title }) => title);

  test('by position follows the order of the log, by time the order of events', async () => {
    await withHome(home, async (annals) => {
      expect(await titles(annals, 0)).toEqual([]);
      expect(await titles(annals, 1)).toEqual(['Seeds']);
      expect(await titles(annals, '2')).toEqual(['Water', 'Seeds']);
      expect(await titles(annals, '2026-05-03')).toEqual(['Water']);
      expect(await titles(annals, new Date(at(2) - 1).toISOString())).toEqual([]);
      expect(await titles(annals, String(at(2)))).toEqual(['Water']);
    });
  });

  test('reports the replayed positions and the time, and writes nothing to disk', async () => {
    await withHome(home, async (annals) => {
      const answer = await annals.search('sunflower', { asOf: 1 });
      expect(answer.results).toHaveLength(1);
      expect(answer.asOf).toEqual({ position: 1, time: null, head: 1, ms: expect.any(Number) });
      expect((await annals.search('bath', { asOf: 1 })).results).toEqual([]);
      expect((await annals.search('bath')).results).toHaveLength(1);
    });
    expect(readdirSync(join(home, 'views')).filter((name) => name.startsWith('rows-'))).toHaveLength(1);
  });

  test('does not know later events, not even by id', async () => {
    await withHome(home, async (annals) => {
      const [water] = (await annals.search('bath')).results;
      await expect(annals.get(water!.id, { asOf: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const later: string[] = [];
      for await (const { id, position } of annals.log()) if (position === 2) later.push(id);
      await expect(annals.get(later[0]!, { asOf: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect((await annals.get(later[0]!, { asOf: 2 })).asOf).toMatchObject({ position: 2 });
    });
  });

  test('ends with the log, and accepts only a position or a time', async () => {
    await withHome(home, async (annals) => {
      for (const asOf of [3, 'one day', '2026-13-45']) {
        const error: unknown = await annals.timeline({ asOf }).catch((thrown: unknown) => thrown);
        expect(isAnnalsError(error) && error.code, String(asOf)).toBe('USAGE');
      }
    });
  });
});

test(
  'questions asked of several pasts at once are each answered by theirs',
  async () => {
    await withHome(join(folder, 'at once'), async (annals) => {
      await annals.import([sources[0]![1]!]);
      const { head } = (await annals.status()).log;
      const positions = Array.from({ length: 12 }, (_, index) => Math.ceil((head * (1 + (index % 4))) / 4));
      const alone = new Map<number, number>();
      for (const position of new Set(positions))
        alone.set(position, (await annals.timeline({ limit: 1_000, asOf: position })).rows.length);
      const asked: Promise<number>[] = [];
      for (const position of positions) {
        asked.push(annals.timeline({ limit: 1_000, asOf: position }).then(({ rows }) => rows.length));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await Promise.all(asked)).toEqual(positions.map((position) => alone.get(position)));
    });
  },
  SLOW_MS,
);
