// Earlier states are kept while what came since does not change them, and a replay that nobody waits for stops.
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Annals } from '../../src/index.ts';
import { sharedFolder, withHome } from '../e2e/homes.ts';

const folder = sharedFolder('past-views');
const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 4, 1);

afterEach(() => {
  vi.useRealTimers();
});

const titles = async (annals: Annals, asOf: number | string) => {
  const { items, asOf: report } = await annals.list('memory', { asOf });
  return { titles: items.map(({ title }) => title).sort(), head: report!.head };
};
const note = (title: string, day: number) => ({
  title,
  text: `About ${title}`,
  at: FIRST + day * DAY_MS,
  cwd: '/srv',
});

describe('An earlier state', () => {
  test('is kept when a later event arrives, and read again when an event of that time does', async () => {
    await withHome(join(folder, 'kept'), async (annals) => {
      await annals.save([note('one', 0), note('two', 5)]);
      const first = await titles(annals, '2026-05-03');
      expect(first.titles).toEqual(['one']);
      await annals.save(note('three', 9));
      expect(await titles(annals, '2026-05-03')).toEqual(first);
      await annals.save(note('late', 1));
      const again = await titles(annals, '2026-05-03');
      expect(again.titles).toEqual(['late', 'one']);
      expect(again.head).toBeGreaterThan(first.head);
    });
  });

  test('says of what came later that it is there now', async () => {
    await withHome(join(folder, 'later'), async (annals) => {
      const { id } = await annals.save(note('one', 0));
      const later = { code: 'NOT_FOUND', message: expect.stringMatching(/ as of \S+\. It is there now\.$/) };
      await expect(annals.get(id, { asOf: '2026-04-01' })).rejects.toMatchObject(later);
      const project = (await annals.list('memory')).items[0]!.project!;
      await expect(annals.context({ project, asOf: '2026-04-01' })).rejects.toMatchObject(later);
      await expect(annals.get('m-zzzzzzzzzzzz', { asOf: '2026-04-01' })).rejects.toThrow(/”\.$/);
    });
  });

  test('is read again when something was forgotten, also by position', async () => {
    await withHome(join(folder, 'forgotten'), async (annals) => {
      await annals.save([note('one', 0), note('two', 1), note('three', 2)]);
      const { head } = (await annals.status()).log;
      for (const asOf of ['2026-05-02', head]) await annals.list('memory', { asOf });
      const [lost] = (await annals.list('memory')).items.filter(({ title }) => title === 'one');
      await annals.forget({ ids: [lost!.id] });
      expect((await titles(annals, '2026-05-02')).titles).toEqual(['two']);
      expect((await titles(annals, head)).titles).toEqual(['three', 'two']);
    });
  });

  test('is kept beside the two that were asked for before it', async () => {
    await withHome(join(folder, 'several'), async (annals) => {
      await annals.save([note('one', 0), note('two', 5)]);
      const days = ['2026-05-01', '2026-05-02', '2026-05-06'];
      const heads = [];
      for (const day of days) heads.push((await titles(annals, day)).head);
      await annals.save(note('three', 20));
      for (const [index, day] of days.entries()) expect((await titles(annals, day)).head).toBe(heads[index]);
      await titles(annals, '2026-05-07');
      expect((await titles(annals, days[0]!)).head).toBeGreaterThan(heads[0]!);
    });
  });

  test('tells every call that waits for it how far it is, in both steps', async () => {
    await withHome(join(folder, 'progress'), async (annals) => {
      await annals.save(Array.from({ length: 1_500 }, (_, number) => note(`note ${number}`, 0)));
      const { head } = (await annals.status()).log;
      const told: string[][] = [[], []];
      await Promise.all(
        told.map((texts) =>
          annals.list('memory', {
            asOf: '2026-05-03',
            onProgress: (done, total, step) => void texts.push(`${step} ${done} of ${total}`),
          }),
        ),
      );
      const all = ['dates', 'replay'].flatMap((step) =>
        [0, 1_000, head].map((done) => `${step} ${done} of ${head}`),
      );
      expect(told[0]).toEqual(all);
      expect(all).toEqual(expect.arrayContaining(told[1]!));
      expect(told[1]!.at(-1)).toBe(all.at(-1));
    });
  });

  test('is not read to its end when nobody waits for it any more', async () => {
    await withHome(join(folder, 'abandoned'), async (annals) => {
      await annals.save(Array.from({ length: 2_500 }, (_, number) => note(`note ${number}`, 0)));
      const gone = new AbortController();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const done: number[] = [];
      const asked = annals.list('memory', {
        asOf: '2026-05-03',
        signal: gone.signal,
        onProgress(events, _, step) {
          if (step === 'dates') return;
          done.push(events);
          if (events === 1_000) gone.abort();
        },
      });
      await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
      vi.advanceTimersByTime(10_000);
      vi.useRealTimers();
      const again: number[] = [];
      await annals.list('memory', {
        asOf: '2026-05-03',
        onProgress: (events, _, step) => void (step === 'replay' && again.push(events)),
      });
      expect(done.at(-1)).toBeLessThan(2_500);
      expect(again.slice(0, 3)).toEqual([0, 1_000, 2_000]);
    });
  });
});
