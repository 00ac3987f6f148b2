// `annals observe` and `annals observer recipes` on a scripted library: what is asked before a second reading, and how two
// readings are shown.
import { expect, test } from 'vitest';
import type { ObserveReport, ReadingsDifference } from '../../src/api.ts';
import { type CallOptions, call } from './call.ts';
import { type FakeAnnals, fakeAnnals } from './fake-annals.ts';

const RECIPE = 'anthropic/claude-sonnet-5-5/code-1f3a9c2b/1';
const REPORT: ObserveReport = {
  ...{ recipe: RECIPE, provider: 'anthropic', model: 'claude-sonnet-5-5', waiting: 2, asked: 2, read: 2 },
  ...{ invalid: 0, failed: 0, usd: 0.004, tokens: 4_200, problem: null, requests: [] },
  ...{ refused: 0, worstUsd: null, expectedUsd: null },
};
const DIFFERENCE: ReadingsDifference = {
  ...{ before: null, after: RECIPE, onlyBefore: 0, onlyAfter: 1 },
  turns: [
    {
      ...{ session: 's', turn: 't-abc', at: '2026-11-18T12:00:00.000Z', request: 'Why does it jam?' },
      before: { recipe: 'rules', usd: 0 },
      after: { recipe: RECIPE, usd: 0.002 },
      items: [
        {
          ...{ kind: 'observation', id: 'o-abc', change: 'changed', title: 'Ice closed the chute' },
          fields: [
            { field: 'title', before: 'It jams', after: 'Ice closed the chute' },
            { field: 'facts', before: ['a', 'b'], after: ['b', 'c'] },
          ],
        },
      ],
    },
    {
      ...{ session: 's', turn: 't-abd', at: null, request: 'And now?', items: [] },
      before: { recipe: 'rules', usd: 0 },
      after: { recipe: RECIPE, usd: 0.002 },
    },
  ],
};

function scripted(): FakeAnnals {
  const fake = fakeAnnals();
  fake.observe = async (options) => {
    fake.calls.push(['observe', options?.dryRun, options?.again, options?.model]);
    return options?.dryRun === 'price' ? { ...REPORT, asked: 0, worstUsd: 0.09, expectedUsd: 0.005 } : REPORT;
  };
  fake.observerCost = async () => ({
    ...{ lastDay: { usd: 0, tokens: 0, calls: 0 }, budget: { usdPerDay: 0.25, left: 0.2 } },
    ...{ days: [], models: [], projects: [] },
  });
  fake.compareReadings = async (options) => {
    fake.calls.push(['compareReadings', options]);
    return DIFFERENCE;
  };
  return fake;
}

const again = (options: CallOptions, ...words: readonly string[]) =>
  call(['observe', '--again', '--model', 'claude-sonnet-5-5', ...words], { annals: scripted(), ...options });

const TERMINAL = { columns: 80 };

test('prints nothing of the log that could control the terminal', async () => {
  const evil = (text: string) => `${text}\u009b31m\u001b\r\u202e`;
  const annals = scripted();
  annals.observe = async () => ({
    ...{ ...REPORT, model: evil('model'), problem: evil('problem') },
    requests: [
      {
        ...{
          session: evil('session'),
          turn: evil('turn'),
          part: 1,
          parts: 1,
          worstUsd: null,
          worstTokens: 1,
        },
        ...{ instructions: evil('instructions'), content: evil('Why\ndoes it jam?') },
      },
    ],
  });
  annals.observerCost = async () => ({
    ...{ lastDay: { usd: 0, tokens: 0, calls: 0 }, budget: { usdPerDay: 0.25, left: 0.2 } },
    days: [{ day: '2026-11-18', usd: 1, tokens: 1, calls: 1 }],
    models: [{ model: evil('model'), usd: 1, tokens: 1, calls: 1 }],
    projects: [{ project: evil('project'), usd: 1, tokens: 1, calls: 1 }],
  });
  for (const words of [['observe', '--dry-run'], ['observe'], ['cost']]) {
    const { stdout, stderr } = await call(words, { annals });
    expect(`${stdout}${stderr}`).toContain('model');
    expect(`${stdout}${stderr}`).not.toMatch(/[\u009b\u001b\r\u202e]/);
    if (words.length === 2) expect(stdout).toContain('Why\ndoes it jam?');
  }
});

test('shows the price of a second reading and asks; then shows how it differs', async () => {
  const { code, stdout, stderr, annals } = await again({
    terminal: TERMINAL,
    answer: 'y',
    environment: { NO_COLOR: '1' },
  });
  expect(code).toBe(0);
  expect(stderr).toContain(
    `2 requests to claude-sonnet-5-5 (${RECIPE}): about $0.0050, at most $0.09. $0.20 of the budget for 24 hours are left.`,
  );
  expect(annals.calls).toEqual([
    ['observe', 'price', true, 'claude-sonnet-5-5'],
    ['observe', undefined, true, 'claude-sonnet-5-5'],
    ['compareReadings', { after: RECIPE }],
  ]);
  const lines = stdout.split('\n').map((line) => line.trim());
  expect(lines).toEqual([
    '2 answers of claude-sonnet-5-5; 4,200 tokens, $0.0040. 0 requests left.',
    '',
    't-abc  2026-11-18  Why does it jam?  ($0 → $0.0020, before: rules)',
    '~ Ice closed the chute  o-abc changed',
    'title',
    '- It jams',
    '+ Ice closed the chute',
    'facts',
    '- a',
    '+ c',
    '',
    '2 turns read by both; they differ in 1.',
    '- what speaks now: $0',
    `+ ${RECIPE}: $0.0040; 1 turn that only it has read`,
    '',
  ]);
});

test('asks nobody when the person declines; without a terminal, or with --yes, it does not ask', async () => {
  const declined = await again({ terminal: TERMINAL, answer: 'n' });
  expect(declined.code).toBe(1);
  expect(declined.annals.calls.filter(([method]) => method === 'observe')).toHaveLength(1);
  expect((await again({ terminal: TERMINAL, answer: 'n' }, '--yes')).code).toBe(0);
  const piped = await again({}, '--json');
  expect(piped.code).toBe(0);
  expect(piped.json()).toMatchObject({ recipe: RECIPE, read: 2, difference: { after: RECIPE } });
});

test.each([
  [['haiku', 'sonnet'], { before: 'haiku', after: 'sonnet', since: '7d' }],
  [['sonnet'], { after: 'sonnet', since: '7d' }],
])('compares %j later without asking', async (recipes, wanted) => {
  const { annals, json } = await call(['observe', '--since', '7d', '--json', '--compare', ...recipes], {
    annals: scripted(),
  });
  expect(annals.calls).toEqual([['compareReadings', wanted]]);
  expect(json()).toEqual(DIFFERENCE);
});

test('lists the recipes', async () => {
  const annals = scripted();
  annals.observerRecipes = async () => ({
    chosen: RECIPE,
    recipes: [
      {
        ...{ recipe: RECIPE, turns: 2, invalid: 1, failed: 0, calls: 3, usd: 0.004, tokens: 4_200 },
        ...{ first: null, last: '2026-11-18T12:00:00.000Z', speaks: 2 },
      },
    ],
    rulesSpeak: 7,
  });
  const { stdout } = await call(['observer', 'recipes'], { annals });
  expect(stdout.split('\n')).toEqual([
    `* ${RECIPE}`,
    '    2 turns read for $0.0040, speaks for 2; 1 answer not readable, last used 2026-11-18',
    '  rules  speak for 7 turns',
    '',
  ]);
});
