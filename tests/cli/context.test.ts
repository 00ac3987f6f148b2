import { expect, test } from 'vitest';
import { call } from './call.ts';
import { fakeAnnals } from './fake-annals.ts';

const answer = {
  text: 'birdfeeder: what earlier sessions left',
  tokens: 12,
  project: 'birdfeeder',
  items: [],
  degraded: [],
  pausedBecause: null,
};

test('context prints the text for the next session in the width of the terminal', async () => {
  const annals = fakeAnnals({ context: answer });
  const { stdout } = await call(['context'], { annals, terminal: { columns: 72 } });
  expect(stdout).toBe(`${answer.text}\n`);
  expect(annals.calls[0]).toEqual([
    'context',
    { cwd: '/home/robin/birdfeeder', form: 'person', width: 72, color: true },
  ]);
});

test('context passes its options on and prints the agent’s whole text as JSON', async () => {
  const annals = fakeAnnals({ context: answer });
  const words = 'context --json --project shop --kind compact --session 6f1d2c1e'.split(' ');
  const { json } = await call(words, { annals });
  expect(json()).toEqual(answer);
  expect(annals.calls[0]![1]).toMatchObject({
    project: 'shop',
    kind: 'compact',
    session: '6f1d2c1e',
    form: 'agent',
  });
});

test('context says when it knows nothing, and refuses an unknown kind', async () => {
  const nothing = await call(['context', '--agent']);
  expect([nothing.code, nothing.stdout]).toEqual([0, '']);
  expect(nothing.stderr).toContain('There is nothing yet to tell a new session of birdfeeder.');
  expect((await call(['context', '--kind', 'monday'])).code).toBe(2);
});

test('timeline groups rows by day and project and marks the thing in the middle', async () => {
  const row = {
    id: 'o-q4m2x7c3n5pa',
    kind: 'observation' as const,
    type: 'bugfix',
    title: 'Keep the clock in UTC',
    project: 'birdfeeder',
    session: '6f1d2c1e',
    at: '2026-11-16T12:02:51.000Z',
  };
  const prompt = {
    ...row,
    id: 'p-k3j5h2l6a7bc',
    kind: 'prompt' as const,
    type: null,
    title: 'Why does it flake?',
  };
  const annals = fakeAnnals({ timeline: [prompt, row] });
  const { stdout } = await call(['timeline', 'o-q4m2', '--limit', '2', '--project', 'birdfeeder'], {
    annals,
  });
  expect(annals.calls[0]).toEqual(['timeline', { around: 'o-q4m2', limit: 2, project: 'birdfeeder' }]);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe('16 Nov · birdfeeder');
  expect(lines[1]).toMatch(/^ {2}\d\d:\d\d {2}p-k3j5h2l6a7bc {2}prompt +Why does it flake\?$/);
  expect(lines[2]).toMatch(/^> \d\d:\d\d {2}o-q4m2x7c3n5pa {2}bugfix +Keep the clock in UTC$/);
});
