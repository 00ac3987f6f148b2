// Filters of `annals log`.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../cli/call.ts';
import { eventsOf, sharedFolder, withHome } from '../e2e/homes.ts';
import { toolEvent, workdirEvent } from '../helpers/new-events.ts';

const folder = sharedFolder('read-log');

test('every kind that the help names is accepted', async () => {
  const { stdout } = await call(['log', '--help']);
  const kinds = /only one family: ([\w, ]+)/.exec(stdout)![1]!.split(/,\s*/);
  expect(kinds).toContain('workdir');
  await withHome(join(folder, 'kinds'), async (annals) => {
    await annals.append([workdirEvent('/srv/work')]);
    const counts: [string, number][] = [];
    for (const kind of kinds) counts.push([kind, (await eventsOf(annals, { kind })).length]);
    expect(Object.fromEntries(counts)).toMatchObject({ workdir: 1, prompt: 0 });
    await expect(eventsOf(annals, { kind: 'place' })).rejects.toMatchObject({ code: 'USAGE' });
  });
});

test('the events of a session are in log order, also those of two agents', async () => {
  const session = toolEvent(1).session!;
  await withHome(join(folder, 'order'), async (annals) => {
    for (const number of [1, 2, 3]) {
      await annals.append([toolEvent(number)]);
      await annals.save({ title: `Note ${number}`, text: 'kept', session });
    }
    const all = await eventsOf(annals, { session });
    expect(all.map(({ agent }) => agent)).toEqual(
      all.map((_, index) => (index % 2 === 0 ? all[0]!.agent : 'annals')),
    );
    expect(all.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await eventsOf(annals, { session, after: 1, limit: 3 })).map(({ position }) => position)).toEqual(
      [2, 3, 4],
    );
  });
});
