// `annals corpus` on a scripted library: how an answer, its sources and what is wrong with them are shown.
import { expect, test } from 'vitest';
import type { CorpusAnswer, CorpusInfo } from '../../src/api.ts';
import { call } from './call.ts';
import { type FakeAnnals, fakeAnnals } from './fake-annals.ts';

const INFO: CorpusInfo = {
  ...{ name: 'clock', query: 'utc', limit: 200, builtAt: '2026-11-18T12:00:00.000Z', matched: 3, members: 2 },
  ...{ gone: 1, bytes: 1_200, questions: 2, usd: 0.004 },
};
const ITEM = {
  ...{ id: 'm-x7c3n5paq4m2', kind: 'memory', type: 'decision', title: 'Feeding times are UTC' },
  ...{ project: 'birdfeeder', at: '2026-04-02T12:00:00.000Z' },
};
const ANSWER: CorpusAnswer = {
  ...{
    corpus: 'clock',
    question: 'why?',
    outcome: 'answered',
    answer: 'Local time broke.',
    citations: [ITEM],
  },
  ...{ refused: [], passages: [], recipe: 'r', model: 'claude-haiku-5-5', usd: 0.002 },
  ...{ repeated: false, degraded: [] },
};

function scripted(answer: Partial<CorpusAnswer> = {}): FakeAnnals {
  const fake = fakeAnnals();
  const noted =
    <T>(method: string, result: T) =>
    async (...args: readonly unknown[]) => {
      fake.calls.push([method, ...args]);
      return result;
    };
  fake.buildCorpus = noted('buildCorpus', INFO);
  fake.corpora = noted('corpora', [INFO]);
  fake.corpus = noted('corpus', { ...INFO, items: [ITEM], text: '<corpus>\n</corpus>' });
  fake.deleteCorpus = noted('deleteCorpus', { name: 'clock' });
  fake.askCorpus = noted('askCorpus', { ...ANSWER, ...answer });
  return fake;
}

const corpus = (words: readonly string[], annals = scripted()) => call(['corpus', ...words], { annals });
const LINE = 'clock  2 memories, 1.2 kB, of 2026-11-18, 1 memory gone since, 2 questions for $0.0040: utc\n';

test.each([
  [
    ['build', 'clock', 'utc', 'type:decision', '--limit', '5'],
    ['buildCorpus', 'clock', { query: 'utc type:decision', limit: 5 }],
    LINE,
  ],
  [['rebuild', 'clock'], ['buildCorpus', 'clock', {}], LINE],
  [[], ['corpora'], LINE],
  [['show', 'clock'], ['corpus', 'clock'], `${LINE}<corpus>\n</corpus>\n`],
  [['delete', 'clock'], ['deleteCorpus', 'clock'], 'Deleted the corpus clock. Its memories stay.\n'],
])('corpus %j', async (words, wanted, printed) => {
  const { code, stdout, annals } = await corpus(words);
  expect({ code, stdout, calls: annals.calls }).toEqual({ code: 0, stdout: printed, calls: [wanted] });
});

test('prints an answer and what it cites', async () => {
  const { stdout, stderr, annals } = await corpus(['ask', 'clock', 'why', 'UTC?', '--model', 'sonnet']);
  expect(annals.calls).toEqual([['askCorpus', 'clock', 'why UTC?', { model: 'sonnet' }]]);
  expect(stdout).toBe(
    'Local time broke.\n\nm-x7c3n5paq4m2  2026-04-02  decision  Feeding times are UTC  birdfeeder\n',
  );
  expect(stderr).toBe('');
});

test('says what of an answer cannot be relied on', async () => {
  const { stderr } = await corpus(
    ['ask', 'clock', 'why?'],
    scripted({ citations: [], refused: ['o-aaaaaaaaaaaa'] }),
  );
  expect(stderr).toContain('It names no passage of the corpus');
  expect(stderr).toContain('Not in this corpus: o-aaaaaaaaaaaa.');
});

test('prints the passages and the reason when no model answered', async () => {
  const annals = scripted({
    ...{ outcome: 'passages', answer: null, citations: [], passages: [{ ...ITEM, text: 'It broke.' }] },
    degraded: ['No key for a model is set.'],
  });
  const { stdout, stderr } = await corpus(['ask', 'clock', 'why?'], annals);
  expect(stderr).toBe(
    'No key for a model is set.\nNo model answered. These passages fit the question best:\n',
  );
  expect(stdout.split('\n').slice(1)).toEqual(['    It broke.', '']);
});

test.each([[['ask']], [['prune', 'x']], [['list', 'x']], [['show', 'a', 'b']]])(
  'refuses corpus %j',
  async (words) => {
    expect((await corpus(words)).code).toBe(2);
  },
);
