// Filters of `annals log`.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../cli/call.ts';
import { eventsOf, sharedFolder, withHome } from '../e2e/homes.ts';
import { workdirEvent } from '../helpers/new-events.ts';

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
