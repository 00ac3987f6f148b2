// Items of a plan that a person keeps, and why each item is in it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Annals } from '../../src/index.ts';
import { sharedFolder, withHome } from '../e2e/homes.ts';
import { Script } from '../helpers/transcripts.ts';

const folder = sharedFolder('forget-keep');
const SAID = 'The Straße behind the orchard leads to the pump';
const report = (annals: Annals, text: string) =>
  annals.report({ kind: 'prompt', agent: 'api', session: 'walk', cwd: '/home/u/feeder', text });

test('an item that is kept stays whole, and the rest is proved to be gone', async () => {
  await withHome(join(folder, 'query'), async (annals) => {
    const [one, two] = await annals.save([
      { title: 'The way', text: `${'so '.repeat(60)}${SAID}, ${'then '.repeat(60)}`, project: 'feeder' },
      { title: 'A second way', text: `${SAID}, says the second note only`, project: 'feeder' },
    ]);
    const selection = { query: 'STRASSE behind' };
    const { plan } = await annals.forget(selection, { dryRun: true });
    const { matched } = plan.things.find(({ id }) => id === one!.id)!;
    expect(matched).toMatchObject({
      text: 'Straße behind',
      before: expect.stringMatching(/^….{20,70} The $/),
    });
    expect(matched!.after).toMatch(/^ the orchard leads to the pump, .+…$/);
    expect(plan.things).toHaveLength(2);
    const kept = await annals.forget(selection, { keep: [two!.id], dryRun: true });
    expect(kept.plan).toMatchObject({ events: 1, things: [{ id: one!.id }] });
    const done = await annals.forget(selection, { keep: [two!.id], withCopies: true });
    expect(done).toMatchObject({ outcome: 'forgotten', plan: { events: 1 }, proof: { ok: true } });
    expect((await annals.get(two!.id)).text).toContain(SAID);
    await expect(annals.get(one!.id)).rejects.toMatchObject({ code: 'FORGOTTEN' });
    expect((await annals.verify({ rebuilt: true })).ok).toBe(true);
  });
});

test('later events of a session are recorded if a part of it is kept', async () => {
  await withHome(join(folder, 'session'), async (annals) => {
    await report(annals, 'Oil the squeaking windmill in the yard');
    await report(annals, 'Feed the two geese');
    const { plan } = await annals.forget({ session: 'walk' }, { dryRun: true });
    const geese = plan.things.find(({ title }) => title.includes('geese'))!;
    const { proof } = await annals.forget({ session: 'walk' }, { keep: [geese.id] });
    expect(proof).toMatchObject({ ok: true });
    await report(annals, 'Then count the eggs');
    const { items } = await annals.list('prompt', { session: 'walk' });
    expect(items.map(({ title }) => title).sort()).toEqual(['Feed the two geese', 'Then count the eggs']);
  });
});

test('a copy shows the words that it has in common, and can be kept too', async () => {
  await withHome(join(folder, 'copies'), async (annals) => {
    const [one, copy, other] = await annals.save([
      { title: 'First', text: 'The windmillkeeper sleeps until noon', project: 'feeder' },
      { title: 'Second', text: 'Ask the windmillkeeper after noon', project: 'feeder' },
      { title: 'Third', text: 'No windmillkeeper was seen', project: 'feeder' },
    ]);
    const { plan } = await annals.forget({ ids: [one!.id] }, { dryRun: true });
    expect(plan.copies.things.map(({ matched }) => matched?.text)).toEqual([
      'windmillkeeper',
      'windmillkeeper',
    ]);
    const options = { withCopies: true, keep: [other!.id] };
    expect((await annals.forget({ ids: [one!.id] }, options)).plan.events).toBe(2);
    await expect(annals.get(copy!.id)).rejects.toMatchObject({ code: 'FORGOTTEN' });
    expect((await annals.get(other!.id)).text).toContain('windmillkeeper');
  });
});

test('a common word is no reason to take something for a copy', async () => {
  await withHome(join(folder, 'common'), async (annals) => {
    const [one] = await annals.save([
      { title: 'First', text: 'The implementations of windmillkeepers', project: 'feeder' },
      { title: 'Second', text: 'Our Implementation and its documentation', project: 'feeder' },
      { title: 'Third', text: 'All windmillkeepers know the implementations', project: 'feeder' },
    ]);
    const { plan } = await annals.forget({ ids: [one!.id] }, { dryRun: true });
    expect(plan.copies.things.map(({ title }) => title)).toEqual(['Third']);
  });
});

test('a plan counts all its items, names the first 200, and says what a step without text is', async () => {
  await withHome(join(folder, 'many'), async (annals) => {
    await annals.save(
      Array.from({ length: 205 }, (_, number) => ({
        ...{ title: `Note ${number}`, text: `Number ${number} on the heronry`, project: 'feeder' },
      })),
    );
    const { plan } = await annals.forget({ query: 'heronry' }, { dryRun: true });
    expect([plan.items, plan.things.length]).toEqual([205, 200]);
    const script = new Script({ session: 'aaaaaaaa-0000-4000-8000-000000000000', cwd: '/home/u/heronry' });
    script.prompt('Where do they nest?');
    script.assistant([{ type: 'thinking', thinking: 'Oaks are high.', signature: 'x' }]);
    script.reply('In the oak.');
    const file = join(folder, 'aaaaaaaa-0000-4000-8000-000000000000.jsonl');
    writeFileSync(file, script.bytes());
    await annals.import([file]);
    const session = await annals.forget({ session: 'aaaaaaaa' }, { dryRun: true });
    const answers = session.plan.things.filter(({ kind }) => kind === 'answer').map(({ title }) => title);
    expect(answers).toEqual(['without text, in /home/u/heronry', 'In the oak.']);
  });
});

test('what the agent did for a forgotten prompt stays in a turn of its own, and goes with that turn', async () => {
  await withHome(join(folder, 'boundary'), async (annals) => {
    const session = 'bbbbbbbb-0000-4000-8000-000000000000';
    const script = new Script({ session, cwd: '/home/u/pond' });
    script.prompt('How deep is the pond?');
    script.reply('The pond is two metres deep.');
    script.prompt('The swan is called Berengaria; where does she nest?');
    script.use('toolu_1', 'Bash', { command: 'ls reeds' });
    script.result('toolu_1', 'nest');
    script.reply('She nests in the reeds.');
    script.prompt('And the heron?');
    script.reply('The heron nests in the oak.');
    const file = join(folder, `${session}.jsonl`);
    writeFileSync(file, script.bytes());
    await annals.import([file]);
    const { head } = (await annals.status()).log;
    const asked = (await annals.list('prompt', { session })).items.find(({ title }) =>
      title.includes('swan'),
    )!;
    expect(await annals.forget({ ids: [asked.id] })).toMatchObject({ proof: { ok: true } });
    await expect(annals.get(asked.id)).rejects.toMatchObject({ code: 'FORGOTTEN' });
    const turns = async (asOf?: number) =>
      (await annals.list('turn', { session, ...(asOf === undefined ? {} : { asOf }) })).items.map(
        ({ prompt, forgotten, counts }) => [prompt?.title ?? null, forgotten, counts.replies],
      );
    const left = [
      ['And the heron?', false, 1],
      [null, true, 1],
      ['How deep is the pond?', false, 1],
    ];
    expect(await turns()).toEqual(left);
    expect(await turns(head)).toEqual(left);
    expect(await annals.get(asked.turn)).toMatchObject({
      title: '[forgotten]',
      details: { items: [{ text: '[forgotten]', id: null }, { kind: 'tool' }, { kind: 'reply' }] },
    });
    expect((await annals.import([file])).appended).toBe(0);
    expect(await turns()).toEqual(left);
    expect((await annals.verify({ rebuilt: true })).ok).toBe(true);
    await annals.forget({ ids: [asked.turn] });
    expect(await turns()).toEqual([left[0], left[2]]);
    await annals.forget({ session });
    expect((await annals.list('session')).items).toEqual([]);
    expect((await annals.verify({ rebuilt: true })).ok).toBe(true);
  });
});

test('what the agent still does in a turn that is forgotten meanwhile does not come under the prompt before', async () => {
  await withHome(join(folder, 'running'), async (annals) => {
    const session = 'cccccccc-0000-4000-8000-000000000000';
    const script = new Script({ session, cwd: '/home/u/pond' });
    script.prompt('How deep is the pond?');
    script.reply('The pond is two metres deep.');
    script.prompt('The swan is called Berengaria; where does she nest?');
    script.use('toolu_1', 'Bash', { command: 'ls reeds' });
    script.result('toolu_1', 'nest');
    const file = join(folder, `${session}.jsonl`);
    writeFileSync(file, script.bytes());
    await annals.import([file]);
    await annals.forget({ ids: [(await annals.list('turn', { session, limit: 1 })).items[0]!.id] });
    const turns = async () =>
      (await annals.list('turn', { session })).items.map(({ forgotten, counts }) => [
        forgotten,
        counts.replies,
      ]);
    expect(await turns()).toEqual([[false, 1]]);
    script.reply('She nests in the reeds.');
    writeFileSync(file, script.bytes());
    await annals.import([file]);
    expect(await turns()).toEqual([
      [true, 1],
      [false, 1],
    ]);
    expect((await annals.verify({ rebuilt: true })).ok).toBe(true);
  });
});
