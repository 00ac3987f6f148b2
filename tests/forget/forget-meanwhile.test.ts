// What is recorded about an item while a person is asked is forgotten with it, in the same batch.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Annals, ForgetReport, ForgetSelection } from '../../src/api.ts';
import { openAnnals } from '../../src/index.ts';
import { eventsOf } from '../e2e/homes.ts';
import { embeddingService, reply, status, wordCounts } from '../helpers/embedding-service.ts';
import { testFolder } from '../helpers/views.ts';

const WORD = 'zqxjvkwpfgh';
const CWD = '/home/u/feeder';

async function opened(settings: object = {}): Promise<Annals> {
  const home = join(await testFolder(), 'home');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  const annals = await openAnnals({ home });
  onTestFinished(() => annals.close());
  return annals;
}

const save = (annals: Annals, text: string) => annals.save({ title: text, text, cwd: CWD, type: 'decision' });

/** Forgets, and does something else while it asks. */
function forgetWhile(
  annals: Annals,
  selection: ForgetSelection,
  work: () => Promise<unknown>,
): Promise<ForgetReport> {
  return annals.forget(selection, {
    confirm: async () => {
      await work();
      return true;
    },
  });
}

async function expectGone(annals: Annals, report: ForgetReport): Promise<void> {
  expect(report).toMatchObject({ outcome: 'forgotten', proof: { ok: true } });
  expect(JSON.stringify(await eventsOf(annals))).not.toContain(WORD);
  expect((await annals.search(WORD)).results).toEqual([]);
  expect(await annals.verify({ rebuilt: true })).toMatchObject({ ok: true });
  expect((await annals.status()).degraded).toEqual([]);
}

describe('Recorded while a forgetting asks, and forgotten with it', () => {
  const acts: Readonly<Record<string, (annals: Annals, id: string, other: string) => Promise<unknown>>> = {
    'a pin': (annals, id) => annals.act({ act: 'pin', id }),
    'an edit': (annals, id) =>
      annals.act({ act: 'edit', id, text: `Edited ${WORD} words, and more of them` }),
    'a supersession': (annals, id, by) => annals.act({ act: 'supersede', id, by }),
    'a proposal': (annals, id) => annals.act({ act: 'pin', id, author: 'agent' }),
  };
  for (const [name, act] of Object.entries(acts))
    test(name, async () => {
      const annals = await opened();
      const { id } = await save(annals, `The chute ${WORD} is nine wide`);
      const other = await save(annals, 'The door is painted green');
      const report = await forgetWhile(annals, { ids: [id] }, () => act(annals, id, other.id));
      expect(report.plan.events).toBe(2);
      await expectGone(annals, report);
    });

  test('a memory with the words of a query', async () => {
    const annals = await opened();
    await save(annals, `The chute ${WORD} is nine wide`);
    const report = await forgetWhile(annals, { query: WORD }, () =>
      save(annals, `Again ${WORD}, of the chute`),
    );
    expect(report.plan.events).toBe(2);
    await expectGone(annals, report);
  });

  test('an injection; one that is reported later is not stored', async () => {
    const annals = await opened();
    const { id } = await save(annals, `The chute ${WORD} is nine wide`);
    const other = await save(annals, 'The door is painted green');
    const record = (id: string, session: string) =>
      annals.recordInjection({
        ...{ agent: 'claude-code', session, occasion: 'prompt', cwd: CWD, text: 'The chute' },
        items: [{ id, events: [], files: [], commands: [] }],
      });
    const report = await forgetWhile(annals, { ids: [id] }, () => record(id, 'session-1'));
    await record(id, 'session-2');
    await record(other.id, 'session-3');
    await expectGone(annals, report);
    const injected = (await eventsOf(annals)).filter(({ type }) => type === 'context.injected');
    expect(injected.map(({ session }) => session)).toEqual(['session-3']);
  });
});

describe('Vectors of a model', () => {
  const TEXTS = ['The chute is nine wide', 'The door is painted green', 'The roof leaks in the rain'];

  async function withVectors() {
    const service = await embeddingService();
    const annals = await opened({ embedder: 'remote', 'embedder.url': service.url, 'embedder.model': 'm' });
    const ids: string[] = [];
    service.misbehave = (_, response) => status(response, 401);
    for (const text of TEXTS) ids.push((await save(annals, text)).id);
    const embed = () => {
      service.misbehave = () => false;
      return annals.embed();
    };
    const kept = async () =>
      (await eventsOf(annals)).flatMap((event) =>
        event.type === 'vectors.computed' ? event.body.documents.map((one) => one.id) : [],
      );
    return { annals, service, ids, embed, kept };
  }

  test('that are recorded while a forgetting asks are forgotten with it, and those of others stay', async () => {
    const { annals, ids, embed, kept } = await withVectors();
    const report = await forgetWhile(annals, { ids: [ids[0]!] }, embed);
    expect(report.proof?.ok).toBe(true);
    expect((await kept()).sort()).toEqual(ids.slice(1).sort());
  });

  test('that a model answers after its text was forgotten are not stored, even before the views know', async () => {
    const { annals, service, ids, embed, kept } = await withVectors();
    const waiting: (() => void)[] = [];
    let answering = false;
    const embedded = embed();
    service.misbehave = ({ input }, response) => {
      const data = input.map((text, index) => ({ index, embedding: wordCounts(text, service.dim) }));
      const answer = () => reply(response, { data, usage: { total_tokens: 1 } });
      if (answering) answer();
      else waiting.push(answer);
      return true;
    };
    await expect.poll(() => waiting.length).toBe(1);
    await annals.forget(
      { ids: [ids[0]!] },
      {
        async onStep(step) {
          if (step !== 'forgotten') return;
          answering = true;
          for (const answer of waiting) answer();
          await embedded;
        },
      },
    );
    expect((await kept()).sort()).toEqual(ids.slice(1).sort());
  });

  test('are not recorded again by a second forgetting that was planned before the first', async () => {
    const { annals, ids, embed, kept } = await withVectors();
    await embed();
    expect(await kept()).toHaveLength(3);
    const reports = await Promise.all([annals.forget({ ids: [ids[0]!] }), annals.forget({ ids: [ids[1]!] })]);
    expect(reports).toMatchObject([{ proof: { ok: true } }, { proof: { ok: true } }]);
    expect(await kept()).toEqual([ids[2]]);
  });
});
