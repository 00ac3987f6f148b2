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

test('the log can be narrowed to a project and to a time', async () => {
  await withHome(join(folder, 'narrowed'), async (annals) => {
    const events = [toolEvent(1), { ...toolEvent(2), session: 'another', dedupeKey: 'other' }];
    const at = Date.UTC(2026, 2, 1);
    const [here, elsewhere] = events.map((event, index) => ({
      ...event,
      occurredAt: at + index * 86_400_000,
      body: { ...event.body, cwd: index === 0 ? '/srv/pond' : '/srv/mill' },
    }));
    const hook = { channel: 'hook' as const };
    await annals.append([
      { ...here!, ...hook },
      { ...elsewhere!, ...hook },
    ]);
    await annals.save({ title: 'Ducks', text: 'There are ducks.', project: 'pond' });
    const positions = async (options: Parameters<typeof eventsOf>[1]) =>
      (await eventsOf(annals, options)).map(({ position }) => position);
    expect(await positions({ project: 'pond' })).toEqual([1, 3]);
    expect(await positions({ project: 'pond', last: 1 })).toEqual([3]);
    expect(await positions({ until: at })).toEqual([1]);
    expect(await positions({ since: at + 1, until: '2026-03-03' })).toEqual([2]);
    await expect(positions({ project: 'lake' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(positions({ since: 'often' })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
