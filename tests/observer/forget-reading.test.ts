// A model's reply is made from what it read, so it is forgotten with it, and stays forgotten.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventId, type NewEvent } from '../../log/index.ts';
import { eventsOf, SOUND, withHome } from '../e2e/homes.ts';
import { readWhole, Script } from '../helpers/transcripts.ts';
import { EVENTS, FROST, replied, SESSION, START } from '../projections/observer/replies.ts';
import { observedHomes, USAGE } from './observed-home.ts';

const homes = observedHomes('forget-reading');
const home = join(homes.folder, 'home');

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

test('forgetting a turn forgets what a model wrote of a later one when it had read the title of the first', async () => {
  const plan = 'the merger with Zanzibar';
  const script = new Script({ session: SESSION, cwd: '/home/u/feeder', start: START });
  for (const [number, text] of [`Prepare ${plan}`, 'Now widen the chute'].entries()) {
    script.prompt(text, { promptId: text });
    const file_path = `/home/u/feeder/${number}.ts`;
    script.use(`toolu_${number}`, 'Edit', { file_path, old_string: '5', new_string: '9' });
    script.result(`toolu_${number}`, 'The file has been updated.');
    script.reply(`Done with ${number}.`);
  }
  await homes.observed(
    async (annals, observe) => {
      const says = (title: string, narrative: string) => ({
        text: `<observation><title>${title}</title><narrative>${narrative}</narrative></observation>`,
        usage: USAGE,
      });
      homes.server.answers.push(says(`Prepared ${plan}`, 'It is ready.'), says('Wide', `After ${plan}.`));
      expect(await observe()).toMatchObject({ read: 2 });
      expect(homes.server.requests[1]!.text).toContain(`Prepared ${plan}`);
      const { usd } = (await annals.observerCost()).lastDay;
      const [first] = await eventsOf(annals, { type: 'prompt.submitted' });
      expect((await annals.forget({ ids: [first!.id] })).proof).toMatchObject({ ok: true, found: [] });
      expect(JSON.stringify(await annals.list('observation'))).not.toContain('Zanzibar');
      expect((await annals.observerCost()).lastDay).toMatchObject({ usd, calls: 2 });
      // Both are asked about again, without it.
      homes.server.answer = () => says('Wide again', 'Nothing else.');
      expect(await observe()).toMatchObject({ read: 2 });
      expect(homes.server.requests.slice(2).map(({ text }) => text.includes('Zanzibar'))).toEqual([
        false,
        false,
      ]);
    },
    {},
    readWhole(script.bytes()).newEvents,
  );
});

test('what a request cost stays counted when its session is forgotten, once, and another log has it once too', async () => {
  const merged = join(homes.folder, 'merged');
  await homes.observed(async (annals, observe, path) => {
    homes.server.answers.push({ text: FROST, usage: USAGE });
    expect(await observe()).toMatchObject({ read: 1 });
    await annals.export(`${path}-before`);
    const { lastDay, budget, models, projects } = await annals.observerCost();
    expect(projects).toMatchObject([{ project: 'feeder', calls: 1 }]);
    const forgotten = async (cost: Awaited<ReturnType<typeof annals.observerCost>>) => {
      expect(cost).toMatchObject({ lastDay, budget, models });
      expect(cost.projects).toEqual([{ project: 'forgotten', ...lastDay }]);
    };
    const { proof } = await annals.forget({ session: SESSION });
    expect(proof).toMatchObject({ ok: true });
    await forgotten(await annals.observerCost());
    // Only the amount is left, and it is no event of the past that could be forgotten once more.
    expect((await annals.forget({ before: '0s' })).outcome).toBe('nothing');
    const [left] = await eventsOf(annals, { type: 'observer.asked' });
    expect(left).toMatchObject({ session: null, body: { turn: '', covers: [], corpus: null } });
    expect(await annals.verify()).toMatchObject(SOUND);
    await annals.export(`${path}-after`);
    await withHome(merged, async (other) => {
      await other.import([`${path}-before`]);
      await other.import([`${path}-after`]);
      // It did not ask, so it has spent nothing.
      expect((await other.observerCost()).lastDay.calls).toBe(0);
      const all = await eventsOf(other, { type: 'observer.asked' });
      expect(all.map(({ id }) => id)).toEqual([left!.id]);
    });
  }, {});
});
