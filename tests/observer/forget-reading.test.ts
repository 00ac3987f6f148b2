// A model's reply is made from what it read, so it is forgotten with it, and stays forgotten.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventId } from '../../log/index.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from '../e2e/homes.ts';
import { EVENTS, FROST, replied } from '../projections/observer/replies.ts';

const home = join(sharedFolder('forget-reading'), 'home');

test('forgetting one event that a model read forgets its reply, and a later copy of it', async () => {
  const reply = replied('t-unknown', FROST);
  await withHome(home, async (annals) => {
    await annals.append([...EVENTS, reply]);
    const found = (await annals.search('frost chute')).results;
    expect(found.map(({ title }) => title)).toContain('Frost narrowed the chute');
    const prompt = EVENTS.find(({ type }) => type === 'prompt.submitted')!;
    const id = eventId(prompt);
    const plan = await annals.forget({ ids: [id] }, { dryRun: true });
    expect(plan.plan.kinds.map(({ kind }) => kind).sort()).toEqual(['prompt', 'reply of a model']);
    await annals.forget({ ids: [id] });
    expect(await eventsOf(annals, { type: 'observer.replied' })).toEqual([]);
    await annals.append([reply, replied('t-unknown', FROST, { recipe: 'later' })]);
    expect(await eventsOf(annals, { type: 'observer.replied' })).toEqual([]);
    expect(JSON.stringify((await annals.search('frost')).results)).not.toContain('Frost');
    expect(await annals.verify()).toMatchObject(SOUND);
  });
});
