// A second reading of history beside the first: its price, both kept, how they differ, the choice between them and back.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Annals } from '../../src/index.ts';
import { digestsOf, eventsOf, SOUND } from '../e2e/homes.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { FROST } from '../projections/observer/replies.ts';
import { observedHomes, USAGE } from './observed-home.ts';

const homes = observedHomes('readings');
const { observed } = homes;
const HAIKU = 'claude-haiku-5-5';
const SONNET = 'claude-sonnet-5-5';
/** A request to Sonnet may cost six cents. */
const DEARER = { 'observer.usdPerCall': 0.1 };

const ICE = `<observation><type>bugfix</type><title>Ice closed the chute</title><narrative>It froze.</narrative>
<facts><fact>9 cm is enough</fact><fact>Ice grows inwards</fact></facts></observation>
<observation><type>decision</type><title>The chute is heated from November on</title></observation>
<summary><learned>Frost builds up.</learned><completed>The chute is wider.</completed></summary>`;

/** What people see: everything but the view that holds the requests and the choices themselves. */
async function seen(annals: Annals): Promise<Record<string, string>> {
  const { turns: _, ...others } = await digestsOf(annals);
  return others;
}

async function titles(annals: Annals): Promise<readonly string[]> {
  return (await annals.list('observation')).items.map(({ title }) => title ?? '').sort();
}

const OF_HAIKU = ['Frost narrowed the chute', 'Nights are colder than days'];
const OF_SONNET = ['Ice closed the chute', 'The chute is heated from November on'];

describe('a second reading', () => {
  test('is kept beside the first, shown against it, chosen and taken back', async () => {
    homes.server.answers.push({ text: FROST, usage: USAGE }, { text: ICE, usage: USAGE });
    await observed(async (annals, observe) => {
      const rules = await seen(annals);
      const first = await observe();
      const withFirst = await seen(annals);
      expect(await observe({ again: true })).toMatchObject({ waiting: 0, recipe: first.recipe });

      const price = await observe({ again: true, model: SONNET, dryRun: 'price' });
      expect(price).toMatchObject({ waiting: 1, asked: 0, model: SONNET, requests: [] });
      const second = await observe({ again: true, model: SONNET });
      expect(second).toMatchObject({ asked: 1, read: 1, problem: null });
      expect(second.recipe).toContain(SONNET);
      expect(homes.server.requests.map(({ body }) => (body as { model: string }).model)).toEqual([
        HAIKU,
        SONNET,
      ]);
      expect(price.expectedUsd).toBeGreaterThan(0);
      expect(second.usd).toBeLessThanOrEqual(price.worstUsd!);
      expect(price.expectedUsd).toBeLessThan(price.worstUsd!);

      // Both are kept, and memory speaks from the first one.
      const replies = await eventsOf(annals, { type: 'observer.replied' });
      expect(replies.map(({ body }) => (body as { again: boolean }).again)).toEqual([false, true]);
      expect(await seen(annals)).toEqual(withFirst);

      const difference = await annals.compareReadings({ after: 'sonnet' });
      expect(difference).toMatchObject({ before: null, after: second.recipe, onlyBefore: 0, onlyAfter: 0 });
      const [turn] = difference.turns;
      expect(turn).toMatchObject({
        before: { recipe: first.recipe, usd: first.usd },
        after: { recipe: second.recipe, usd: second.usd },
        request: expect.stringContaining('Why does the feeder jam'),
      });
      expect(turn!.items.map(({ kind, change, title }) => [kind, change, title])).toEqual([
        ['observation', 'changed', 'Ice closed the chute'],
        ['observation', 'gone', 'Nights are colder than days'],
        ['observation', 'added', 'The chute is heated from November on'],
        ['summary', 'changed', expect.any(String)],
      ]);
      expect(turn!.items[0]!.fields).toEqual([
        { field: 'title', before: 'Frost narrowed the chute', after: 'Ice closed the chute' },
        { field: 'facts', before: ['9 cm is enough'], after: ['9 cm is enough', 'Ice grows inwards'] },
      ]);
      expect(turn!.items[3]!.fields).toEqual([
        { field: 'completed', before: null, after: 'The chute is wider.' },
        { field: 'nextSteps', before: ['Heat the chute.'], after: null },
      ]);

      expect(await titles(annals)).toEqual(OF_HAIKU);
      expect(await annals.chooseRecipe('sonnet')).toEqual({
        ...{ recipe: second.recipe, before: 'latest', changed: true },
      });
      expect(await titles(annals)).toEqual(OF_SONNET);
      const withSecond = await seen(annals);
      expect(withSecond).not.toEqual(withFirst);
      // The comparison does not depend on the choice.
      expect(await annals.compareReadings({ before: 'haiku', after: 'sonnet' })).toMatchObject({
        before: first.recipe,
        turns: difference.turns,
      });
      expect((await annals.compareReadings({ after: 'sonnet' })).turns).toEqual(difference.turns);

      const [ice] = (await annals.search('ice closed')).results;
      expect((await annals.why(ice!.id)).steps).toEqual(
        expect.arrayContaining([
          expect.stringContaining(`its words were written by a model: ${second.recipe} ($0.00`),
          expect.stringMatching(`other readings of this turn: ${first.recipe} .*--compare`),
        ]),
      );

      await annals.chooseRecipe('rules');
      expect(await seen(annals)).toEqual(rules);
      expect((await annals.why(ice!.id)).steps).toEqual(
        expect.arrayContaining([
          'its words are those of the rules',
          expect.stringMatching(`other readings of this turn: ${second.recipe} .*, ${first.recipe} `),
        ]),
      );
      await annals.chooseRecipe(second.recipe!);
      expect(await seen(annals)).toEqual(withSecond);
      expect(await annals.chooseRecipe('latest')).toEqual({
        ...{ recipe: 'latest', before: second.recipe, changed: true },
      });
      expect(await seen(annals)).toEqual(withFirst);
      expect(await annals.chooseRecipe('latest')).toMatchObject({ recipe: 'latest', changed: false });
      const before = await digestsOf(annals);
      await annals.rebuild();
      expect(await digestsOf(annals)).toEqual(before);
      expect(await annals.verify()).toMatchObject(SOUND);
      expect(homes.server.requests).toHaveLength(2);
    }, DEARER);
  });

  test('of the same model in another mode is another recipe; each is listed with what it read and cost', async () => {
    homes.server.answers.push({ text: FROST, usage: USAGE }, { text: ICE, usage: USAGE });
    await observed(async (annals, observe, home) => {
      mkdirSync(join(home, 'modes'));
      cpSync(join(REPOSITORY, 'examples/modes/deutsch.json'), join(home, 'modes/deutsch.json'));
      const first = await observe();
      const second = await observe({ again: true, mode: 'deutsch' });
      expect(JSON.stringify(homes.server.requests[1]!.body)).toContain('Write in Deutsch');
      expect(await annals.observerRecipes()).toEqual({
        chosen: 'latest',
        recipes: [
          expect.objectContaining({ recipe: second.recipe, turns: 1, calls: 1, usd: second.usd, speaks: 0 }),
          expect.objectContaining({ recipe: first.recipe, turns: 1, usd: first.usd, speaks: 1 }),
        ],
        rulesSpeak: 0,
      });
      await annals.chooseRecipe('deutsch');
      expect(await annals.observerRecipes()).toMatchObject({
        chosen: second.recipe,
        recipes: [{ speaks: 1 }, { speaks: 0 }],
      });
      await expect(annals.chooseRecipe('osprey')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(annals.chooseRecipe(HAIKU)).rejects.toMatchObject({ code: 'USAGE' });
      expect(await observe({ again: true, mode: 'osprey' })).toMatchObject({
        asked: 0,
        problem: expect.stringContaining('“osprey”'),
      });
    });
  });

  test('says against which rules it was compared where no other model has read the turn', async () => {
    homes.server.answers.push({ text: ICE, usage: USAGE });
    await observed(async (annals, observe) => {
      const { recipe } = await observe({ again: true, model: SONNET });
      const { turns } = await annals.compareReadings({ after: recipe! });
      expect(turns).toMatchObject([{ before: { recipe: 'rules', usd: 0 }, after: { recipe } }]);
    }, DEARER);
  });

  test('says before it is paid for that its requests may cost too much', async () => {
    await observed(async (_, observe) => {
      expect(await observe({ again: true, model: SONNET, dryRun: 'price' })).toMatchObject({
        ...{ waiting: 1, refused: 1, asked: 0 },
        problem: expect.stringContaining('observer.usdPerCall'),
      });
    });
  });

  test('costs what its own model costs: a price of the settings is not that of another model', async () => {
    await observed(
      async (_, observe) => {
        const price = (model?: string) =>
          observe({ again: true, dryRun: 'price', ...(model === undefined ? {} : { model }) });
        const [cheap, known, unknown] = [await price(), await price(SONNET), await price('heron-7b')];
        expect(known.worstUsd!).toBeGreaterThan(100 * cheap.worstUsd!);
        expect(unknown.worstUsd).toBeNull();
        expect(await observe({ again: true, model: 'heron-7b' })).toMatchObject({
          asked: 0,
          problem: expect.stringContaining('price'),
        });
      },
      { 'observer.inputPrice': 0.001, 'observer.outputPrice': 0.001 },
    );
  });
});
