// Corpora on a real home, with a scripted model behind real HTTP.
import { describe, expect, test } from 'vitest';
import type { Annals } from '../../src/index.ts';
import { digestsOf, eventsOf, SOUND, withHome } from '../e2e/homes.ts';
import { observedHomes, USAGE } from '../observer/observed-home.ts';

const homes = observedHomes('corpus');
const { observed } = homes;

const HERON = 'The heron comes at dawn and empties the feeder.';
const QUESTION = 'When does the heron come?';

/** Two memories about the feeder and one about something else. */
async function withMemories(annals: Annals): Promise<{ readonly heron: string; readonly chute: string }> {
  const save = async (title: string, text: string) =>
    (await annals.save({ title, text, project: 'feeder', type: 'decision' })).id;
  const heron = await save('Heron at dawn', HERON);
  const chute = await save('The chute is 9 cm wide', 'Narrower ones jam at night.');
  await annals.save({ title: 'Invoices are due on Monday', text: 'For the office.', project: 'office' });
  return { heron, chute };
}

const answered = (answer: string | null, citations: readonly string[] = []) => ({
  text: JSON.stringify({ answer, citations }),
  usage: USAGE,
});

async function types(annals: Annals): Promise<readonly string[]> {
  return (await eventsOf(annals)).map(({ type }) => type).filter((type) => /^(observer|corpus)\./.test(type));
}

describe('a corpus', () => {
  test('holds what its query found, until it is built again; deleting it takes nothing else', async () => {
    await observed(async (annals) => {
      const { heron, chute } = await withMemories(annals);
      const built = await annals.buildCorpus('birds', { query: 'project:feeder type:decision' });
      expect(built).toMatchObject({ members: 2, matched: 2, gone: 0, questions: 0, usd: 0 });
      await annals.save({ title: 'A tit was seen', text: 'Blue.', project: 'feeder', type: 'decision' });
      const shown = await annals.corpus('birds');
      expect(shown.items.map(({ id }) => id).sort()).toEqual([heron, chute].sort());
      expect(shown.text).toContain(HERON);
      expect(shown.bytes).toBe(Buffer.byteLength(shown.text));
      expect(await annals.corpora()).toMatchObject([{ name: 'birds', members: 2 }]);

      await expect(annals.buildCorpus('birds', { query: 'tit' })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });
      const twice = ['tit', 'chute'].map((query) => annals.buildCorpus('twice', { query }));
      const outcomes = (await Promise.allSettled(twice)).map(({ status }) => status);
      expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);
      await annals.deleteCorpus('twice');
      expect(await annals.buildCorpus('birds')).toMatchObject({ members: 3, query: built.query });
      expect(await annals.buildCorpus('birds', { limit: 1 })).toMatchObject({
        members: 1,
        matched: 3,
        limit: 1,
      });
      const before = await digestsOf(annals);
      await annals.rebuild();
      expect(await digestsOf(annals)).toEqual(before);
      expect(await annals.deleteCorpus('birds')).toEqual({ name: 'birds' });
      expect(await annals.corpora()).toEqual([]);
      await expect(annals.corpus('birds')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect((await annals.search('project:feeder kind:memory')).results).toHaveLength(3);
    });
  });

  test('holds only what fits its words well, each memory by itself', async () => {
    await observed(async (annals) => {
      const { heron } = await withMemories(annals);
      const built = await annals.buildCorpus('birds', { query: 'heron at dawn' });
      expect(built).toMatchObject({ members: 1, matched: 1 });
      expect((await annals.corpus('birds')).items.map(({ id }) => id)).toEqual([heron]);
    });
  });

  test('that excludes a kind takes in no kind that others do not', async () => {
    await observed(async (annals) => {
      await withMemories(annals);
      for (const [query, kinds] of [
        ['chute', ['memory', 'observation', 'summary']],
        ['chute -kind:summary', ['memory', 'observation']],
      ] as const) {
        await annals.buildCorpus('chutes', { query });
        const { items } = await annals.corpus('chutes');
        expect([...new Set(items.map(({ kind }) => kind))].sort()).toEqual(kinds);
        await annals.deleteCorpus('chutes');
      }
    });
  });

  test.each([
    [{ query: '' }, 'USAGE'],
    [{ query: 'quantum chromodynamics lattice' }, 'INPUT_INVALID'],
    [{ query: 'project:nowhere' }, 'NOT_FOUND'],
    [{ query: 'type:osprey' }, 'INPUT_INVALID'],
    [{ query: 'feeder', limit: 501 }, 'USAGE'],
    [{}, 'NOT_FOUND'],
  ])('is refused for %j', async (options, code) => {
    await observed(async (annals) => {
      await expect(annals.buildCorpus('birds', options)).rejects.toMatchObject({ code });
    });
  });

  test('is not larger than a question may cost', async () => {
    await observed(async (annals) => {
      const text = 'feeder '.repeat(1_000);
      await annals.save(
        Array.from({ length: 30 }, (_, index) => ({ title: `Long ${index}`, text, project: 'feeder' })),
      );
      const { members, matched, bytes } = await annals.buildCorpus('birds', {
        query: 'project:feeder kind:memory',
      });
      expect(matched).toBe(30);
      expect(members).toBeLessThan(30);
      expect(bytes).toBeGreaterThan(70_000);
      expect(bytes).toBeLessThanOrEqual(80_100);
    });
  });
});

describe('a question', () => {
  test('is answered from the corpus with its passages; the same one again costs nothing', async () => {
    await observed(async (annals) => {
      const { heron, chute } = await withMemories(annals);
      await annals.buildCorpus('birds', { query: 'project:feeder kind:memory' });
      homes.server.answers.push(answered(`At dawn [${heron}].`, [heron]), answered(null));
      const answer = await annals.askCorpus('birds', QUESTION);
      expect(answer).toMatchObject({
        ...{ outcome: 'answered', answer: `At dawn [${heron}].`, refused: [], repeated: false, degraded: [] },
        citations: [
          { id: heron, title: 'Heron at dawn', kind: 'memory', type: 'decision', project: 'feeder' },
        ],
        recipe: 'anthropic/claude-haiku-5-5/corpus/1',
      });
      expect(answer.usd).toBeGreaterThan(0);
      const { system, messages } = homes.server.requests[0]!.body as {
        readonly system: readonly { readonly text: string; readonly cache_control?: unknown }[];
        readonly messages: readonly { readonly content: string }[];
      };
      expect(
        system.map(({ text, cache_control }) => [text.slice(0, 8), cache_control !== undefined]),
      ).toEqual([
        ['You answ', false],
        ['<corpus>', true],
      ]);
      expect(system[1]!.text).toContain(HERON);
      expect(system[1]!.text).toContain(chute);
      expect(system[1]!.text).not.toContain('Invoices');
      expect(messages).toMatchObject([{ content: expect.stringContaining(QUESTION) }]);

      expect(await annals.askCorpus('birds', ` ${QUESTION}\n`)).toEqual({
        ...answer,
        usd: 0,
        repeated: true,
      });
      expect(homes.server.requests).toHaveLength(1);
      expect(await annals.askCorpus('birds', 'Who pays?')).toMatchObject({
        outcome: 'no-answer',
        answer: null,
      });
      expect((homes.server.requests[1]!.body as { system: unknown }).system).toEqual(system);

      expect(await types(annals)).toEqual([
        ...['corpus.built', 'observer.asked', 'observer.replied', 'observer.asked', 'observer.replied'],
      ]);
      const cost = await annals.observerCost();
      expect(cost.lastDay.calls).toBe(2);
      expect(cost.projects).toMatchObject([{ project: 'corpus birds', calls: 2 }]);
      expect(await annals.corpora()).toMatchObject([{ questions: 2, usd: cost.lastDay.usd }]);
      expect((await annals.observerRecipes()).recipes).toEqual([]);
      expect(await annals.verify({ rebuilt: true })).toMatchObject({ ...SOUND, ok: true });
    });
  });

  test('has ids marked that are not in the corpus, and an answer without any passage is shown as such', async () => {
    await observed(async (annals) => {
      const { heron, chute } = await withMemories(annals);
      await annals.buildCorpus('birds', { query: 'heron kind:memory', limit: 1 });
      homes.server.answers.push(
        answered(`At dawn [${heron}, ${chute}], as o-aaaaaaaaaaaa says [o-b4bb].`, ['m-cccccccccccc']),
        answered('At noon.'),
      );
      expect(await annals.askCorpus('birds', QUESTION)).toMatchObject({
        answer: `At dawn [${heron}, ${chute}: not in this corpus], as o-aaaaaaaaaaaa: not in this corpus says [o-b4bb: not in this corpus].`,
        citations: [{ id: heron }],
        refused: [chute, 'o-aaaaaaaaaaaa', 'o-b4bb', 'm-cccccccccccc'],
      });
      expect(await annals.askCorpus('birds', 'And why?')).toMatchObject({
        answer: 'At noon.',
        citations: [],
      });
    });
  });

  test.each([
    ['without a key', {}, 'ANNALS_TEST_KEY', () => delete process.env.ANNALS_TEST_KEY, []],
    ['when the budget is spent', { 'observer.usdPerDay': 0.0001 }, '$0.0001', () => {}, []],
    [
      'when the service fails',
      {},
      'status 500',
      () => homes.server.answers.push({ status: 500, type: 'api_error', message: 'no' }),
      ['observer.asked', 'observer.failed'],
    ],
    [
      'when the answer cannot be read',
      {},
      'cut off',
      () => homes.server.answers.push({ text: '{"answer":"At da', usage: USAGE }),
      ['observer.asked', 'observer.replied'],
    ],
  ])(
    '%s is answered by the passages that fit best, and the reason',
    async (_, settings, reason, prepare, events) => {
      await observed(async (annals) => {
        const { heron } = await withMemories(annals);
        await annals.buildCorpus('birds', { query: 'project:feeder kind:memory' });
        prepare();
        const answer = await annals.askCorpus('birds', QUESTION);
        expect(answer).toMatchObject({ outcome: 'passages', answer: null });
        expect(answer.degraded).toEqual([expect.stringContaining(reason)]);
        expect(answer.passages[0]).toMatchObject({ id: heron, text: HERON });
        expect(answer.passages.map(({ title }) => title)).not.toContain('Invoices are due on Monday');
        expect(await types(annals)).toEqual(['corpus.built', ...events]);
      }, settings);
    },
  );
});

test('a question that runs ends when the library closes, and counts', async () => {
  await observed(async (annals, _, home) => {
    await withMemories(annals);
    await annals.buildCorpus('birds', { query: 'project:feeder kind:memory' });
    homes.server.answers.push({ hangs: 'before' });
    const asked = new Promise<void>((resolve) => {
      homes.server.onRequest = () => resolve();
    });
    const answer = expect(annals.askCorpus('birds', QUESTION)).rejects.toMatchObject({ code: 'LOG_CLOSED' });
    await asked;
    await annals.close();
    await answer;
    await withHome(home, async (again) => {
      expect(await types(again)).toEqual(['corpus.built', 'observer.asked']);
      expect((await again.observerCost()).lastDay.usd).toBeGreaterThan(0);
    });
  });
});

test('what is forgotten while the model is asked comes back to nobody', async () => {
  await observed(async (annals) => {
    const { heron } = await withMemories(annals);
    await annals.buildCorpus('birds', { query: 'project:feeder kind:memory' });
    const after = new Promise((resolve) => {
      homes.server.onRequest = () => resolve(annals.forget({ ids: [heron] }));
    });
    homes.server.answers.push({ ...answered(`The heron empties it at dawn [${heron}].`), after });
    const answer = await annals.askCorpus('birds', QUESTION);
    expect(answer).toMatchObject({ outcome: 'passages', answer: null });
    expect(JSON.stringify(answer)).not.toContain('dawn');
    expect(await types(annals)).toEqual(['corpus.built', 'observer.asked']);
  });
});

test('what is forgotten is in no corpus, in no answer and in no file', async () => {
  await observed(async (annals) => {
    const { heron, chute } = await withMemories(annals);
    await annals.buildCorpus('birds', { query: 'project:feeder kind:memory' });
    homes.server.answers.push(answered(`The heron empties it at dawn [${heron}].`));
    await annals.askCorpus('birds', QUESTION);
    const forgotten = await annals.forget({ ids: [heron] });
    expect(forgotten.plan.kinds.map(({ kind }) => kind).sort()).toEqual(['memory', 'reply of a model']);
    expect(forgotten.proof).toMatchObject({ ok: true, found: [] });
    expect(await types(annals)).toEqual(['corpus.built', 'observer.asked']);
    const shown = await annals.corpus('birds');
    expect(shown).toMatchObject({ members: 1, gone: 1, items: [{ id: chute }] });
    expect(JSON.stringify(shown)).not.toContain('dawn');
    homes.server.answers.push(answered(null));
    await annals.askCorpus('birds', QUESTION);
    expect(JSON.stringify(homes.server.requests.at(-1)!.body)).not.toContain('dawn');
    expect(await annals.verify({ rebuilt: true })).toMatchObject({ ok: true, problems: [] });
    // The query of a corpus is text too.
    await annals.forget({ query: 'feeder' });
    expect(await annals.corpora()).toEqual([]);
  });
});
