// What the commands print in a narrow terminal.
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { ListedSession, ProjectReceipts, Stats, TimelineRow } from '../../src/api.ts';
import { width } from '../../src/terminal-text/plain-text.ts';
import { call } from './call.ts';
import { fakeAnnals, result } from './fake-annals.ts';

const TITLE = 'The evening feeding test fails about one run in ten';

const row: TimelineRow = {
  ...{ id: 'o-q4m2x7c3n5pa', kind: 'observation', type: 'discovery', title: TITLE },
  ...{ project: 'birdfeeder', session: '6f1d2c1e', at: '2026-11-16T18:02:51.000Z' },
};
const figures = { injections: 12_345, unknown: 3, tokens: 1_234_567, ms: 1_234, shown: 4_321, used: 123 };
const item = { id: row.id, title: TITLE, shown: 123, used: 45, cited: 9, fixed: 1, opened: 35 };
const receipts: ProjectReceipts = {
  ...{ ...figures, project: 'birdfeeder', occasions: [{ ...figures, occasion: 'SessionStart' }] },
  ...{ items: { shown: 1_234, used: 234, neverUsed: 1_000 }, mostUsed: [item], neverUsed: [item] },
};

const PINNED = { at: '2026-11-17T18:02:51.000Z' };
const MARKS = { pinned: PINNED, edited: PINNED, superseded: { ...PINNED, by: { id: row.id, title: TITLE } } };
const SESSION = {
  ...{
    id: '6f1d2c1e-58a4-4b0e-9d3c-2a7be1f0c511',
    agent: 'claude-code',
    title: TITLE,
    workdir: '/w',
    turns: 12,
  },
  ...{ project: 'a-project-with-a-long-name', startedAt: row.at, endedAt: null },
} as unknown as ListedSession;
const PROJECT = {
  ...{ key: `dir:/home/robin/${'deep/'.repeat(10)}`, name: 'a-project-with-a-long-name', lastAt: row.at },
  ...{ sessions: 1_200, documents: { observation: 34_567, memory: 12 } },
};

const annals = () => ({
  ...fakeAnnals({
    results: [result, { ...result, id: 'u-1', kind: 'tool', type: 'Bash', outcome: 'failed' }],
    timeline: [row, { ...row, kind: 'prompt', type: null }, { ...row, marks: MARKS }],
    listed: [SESSION],
    stats: { projects: [PROJECT] } as unknown as Stats,
    status: {
      views: ['turns', 'memory', 'text', 'vectors'].map((name) => ({
        name,
        version: 1,
        position: 1,
        lag: 60,
      })),
      projects: [
        { name: 'birdfeeder', sessions: 2, observations: 34, memories: 0 },
        { name: 'a-project-with-a-long-name', sessions: 1_200, observations: 34_567, memories: 0 },
      ],
    },
  }),
  receipts: async () => ({ projects: [receipts], degraded: [] }),
});

test.each([
  [['search', 'feeding']],
  [['search', 'feeding', '--explain']],
  [['timeline']],
  [['timeline', row.id]],
  [['status']],
  [['receipts']],
  [['sessions']],
  [['projects']],
])('%j fits 40 cells, with its tips', async (words) => {
  const options = { annals: annals(), terminal: { columns: 40 } };
  const { stdout, stderr } = await call(words, options);
  expect(stdout).not.toBe('');
  for (const line of stripVTControlCharacters(stdout + stderr).split('\n'))
    expect(width(line), line).toBeLessThanOrEqual(40);
});

test.each([[['search', 'feeding']], [['timeline']], [['receipts']], [['sessions']]])(
  '%j has room for a title there',
  async (words) => {
    const { stdout } = await call(words, { annals: annals(), terminal: { columns: 40 } });
    expect(stripVTControlCharacters(stdout)).toMatch(/^ +The evening feeding test/m);
  },
);

test('without a terminal a long line stays one line', async () => {
  const { stdout } = await call(['status'], { annals: annals() });
  expect(stdout).toContain('turns, memory, text, vectors: 4 of 4 behind\n');
  expect((await call(['receipts'], { annals: annals() })).stdout).toContain('3 with unknown items\n');
});

test('without a terminal COLUMNS says how much room there is', async () => {
  const title = `${TITLE}, and nobody knows why it does so on Mondays and in the rain, but never on a Sunday`;
  const piped = async (environment: Record<string, string>) =>
    (await call(['timeline'], { annals: fakeAnnals({ timeline: [{ ...row, title }] }), environment })).stdout;
  expect(await piped({})).not.toContain(title);
  expect(await piped({ COLUMNS: '250' })).toContain(title);
  expect(await piped({ COLUMNS: 'wide' })).toBe(await piped({}));
});
