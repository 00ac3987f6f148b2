// The rows around an item that has the same time as others.
import { expect, onTestFinished, test } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { temporaryFolder } from '../helpers/world.ts';

test('a timeline has as many rows before and after an item as were asked for, however many have its time', async () => {
  const folder = await temporaryFolder();
  const annals = await openAnnals({ home: folder.path });
  onTestFinished(async () => {
    await annals.close();
    await folder.remove();
  });
  const at = Date.UTC(2026, 4, 1);
  await annals.save(
    Array.from({ length: 30 }, (_, number) => ({
      title: `Note ${number}`,
      text: `Note ${number}.`,
      project: 'feeder',
      at,
    })),
  );
  const ids = async (options: Parameters<typeof annals.timeline>[0]) =>
    (await annals.timeline({ project: 'feeder', ...options })).rows.map(({ id }) => id);
  const all = await ids({ limit: 100 });
  expect(all).toHaveLength(30);
  const around = all[15]!;
  expect(await ids({ around, before: 4, after: 0 })).toEqual(all.slice(11, 16));
  expect(await ids({ around, before: 0, after: 4 })).toEqual(all.slice(15, 20));
  expect(await ids({ around, before: 3, after: 3 })).toEqual(all.slice(12, 19));
});
