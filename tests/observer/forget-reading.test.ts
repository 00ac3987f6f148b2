// A model's reply is made from what it read, so it is forgotten with it, and stays forgotten.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventId, type NewEvent } from '../../log/index.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from '../e2e/homes.ts';
import { EVENTS, FROST, replied } from '../projections/observer/replies.ts';

const home = join(sharedFolder('forget-reading'), 'home');

test('forgetting one event that a model read forgets its reply, and a later copy of it', async () => {
  const recipe = 'anthropic/claude-haiku-5-5/code-1f3a9c2b/1';
  const reply = { ...replied('t-unknown', FROST, { recipe }), dedupeKey: 'replied about the turn' };
  const other: NewEvent = {
    ...{ type: 'observer.asked', agent: 'claude-code', session: 'another', channel: 'api', occurredAt: 1 },
    dedupeKey: 'asked about another turn',
    body: {
      ...{ recipe, turn: 't-another', part: 1, parts: 1, covers: [], attempt: 1, settings: 'abcdef01' },
      ...{ provider: 'anthropic', model: 'claude-haiku-5-5', worstUsd: 0.001, worstTokens: 900 },
    },
  };
  await withHome(home, async (annals) => {
    await annals.append([...EVENTS, reply, other]);
    const found = (await annals.search('frost chute')).results;
    expect(found.map(({ title }) => title)).toContain('Frost narrowed the chute');
    const prompt = EVENTS.find(({ type }) => type === 'prompt.submitted')!;
    const id = eventId(prompt);
    const plan = await annals.forget({ ids: [id] }, { dryRun: true });
    expect(plan.plan.kinds.map(({ kind }) => kind).sort()).toEqual(['prompt', 'reply of a model']);
    // A recipe and ids are no text: they may stay in other requests.
    expect((await annals.forget({ ids: [id] })).proof).toMatchObject({ ok: true, found: [] });
    expect(await eventsOf(annals, { type: 'observer.replied' })).toEqual([]);
    await annals.append([reply, replied('t-unknown', FROST, { recipe: 'later' })]);
    expect(await eventsOf(annals, { type: 'observer.replied' })).toEqual([]);
    expect(JSON.stringify((await annals.search('frost')).results)).not.toContain('Frost');
    expect(await annals.verify()).toMatchObject(SOUND);
  });
});
