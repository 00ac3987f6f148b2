import { expect, onTestFinished, test } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { temporaryFolder } from '../helpers/world.ts';

test('the lines that a brief has no room for are listed, and only with both forms', async () => {
  const folder = await temporaryFolder();
  const annals = await openAnnals({ home: `${folder.path}/home` });
  onTestFinished(async () => {
    await annals.close();
    await folder.remove();
  });
  const long = 'says that the hinge needs oil before the frost comes. '.repeat(5);
  for (let number = 100; number < 120; number += 1) {
    await annals.act({ act: 'note', text: `Note ${number} ${long}`, project: 'feeder' });
    const { id } = await annals.save({ title: `Memory ${number}`, text: long, project: 'feeder' });
    await annals.act({ act: 'pin', id });
  }
  const { text, leftOut } = await annals.context({ project: 'feeder', form: 'both', color: false });
  const names = [...text.matchAll(/(?:Note|Memory) 1\d\d/g)].map(([name]) => name);
  const left = leftOut!.map((line) => /(?:Note|Memory) 1\d\d/.exec(line.text)?.[0]);
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((name) => names.includes(name!))).toEqual([]);
  expect(new Set(leftOut!.map(({ section }) => section))).toEqual(new Set(['Pinned by the person']));
  expect(await annals.context({ project: 'feeder' })).not.toHaveProperty('leftOut');
});
