import { expect, test } from 'vitest';
import type { ShownItem, Stats } from '../../src/api.ts';
import { OPERATORS } from '../../src/search/query/query-tokens.ts';
import { call } from './call.ts';
import { exported, fakeAnnals, report, restored, result, toolEvent } from './fake-annals.ts';

test('import prints its counts as the last line', async () => {
  const { code, json, stdout } = await call(['import', 'a.jsonl', '--json']);
  expect(code).toBe(0);
  expect(json()).toEqual(report);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
});

test('search passes its options on and prints the whole answer', async () => {
  const annals = fakeAnnals({ results: [result] });
  const { json } = await call(
    'search flaky test --json --project birdfeeder --kind prompt --type x --file a.ts --concept gotcha --outcome failed --agent codex --session s --since 7d --until 1d --limit 3'.split(
      ' ',
    ),
    { annals },
  );
  expect(annals.calls[0]).toEqual([
    'search',
    'flaky test',
    {
      project: 'birdfeeder',
      kind: 'prompt',
      type: 'x',
      file: 'a.ts',
      concept: 'gotcha',
      outcome: 'failed',
      agent: 'codex',
      session: 's',
      since: '7d',
      until: '1d',
      limit: 3,
    },
  ]);
  expect(json()).toMatchObject({ results: [result], query: { text: 'flaky test' }, degraded: [], ms: 3 });
});

test.each(OPERATORS)('the operator %s is an option of search, which reaches the library', async (name) => {
  const values: Partial<Record<string, string>> = { kind: 'tool', outcome: 'failed' };
  const value = values[name] ?? '7d';
  const { annals, stderr } = await call(['search', 'clock', `--${name}`, value]);
  expect(stderr).not.toContain('error');
  expect(annals.calls[0]).toEqual(['search', 'clock', { [name]: value }]);
});

test.each([
  [
    ['search', 'clock'],
    ['search', 'clock', {}],
  ],
  [['timeline'], ['timeline', {}]],
  [
    ['log', '--all'],
    ['log', {}],
  ],
  [
    ['log', '--limit', '3'],
    ['log', { last: 3 }],
  ],
  [
    ['log', '--limit', '3', '--after', '7'],
    ['log', { after: 7, limit: 3 }],
  ],
  [
    ['log', '--since', '7d', '--project', 'app'],
    ['log', { since: '7d', project: 'app' }],
  ],
])('global options do not reach the library: %j', async (words, expected) => {
  const { annals } = await call(['--home', 'there', '--no-color', ...words, '--json']);
  expect(annals.calls[0]).toEqual(expected);
});

test('sessions and projects are listed with what names them', async () => {
  const sessions = await call(['sessions', '--project', 'birdfeeder', '--json']);
  expect(sessions.annals.calls[0]).toEqual(['list', 'session', { project: 'birdfeeder' }]);
  expect(Object.keys(sessions.json())).toEqual(['sessions']);
  const stats = { projects: [{ key: 'dir:/w', name: 'w', lastAt: null }] } as unknown as Stats;
  const projects = await call(['projects', '--json'], { annals: fakeAnnals({ stats }) });
  expect(projects.json()).toEqual(stats);
});

const item = {
  ...{
    id: 'o-q4m2x7c3n5pa',
    kind: 'observation',
    title: 'The chute jams',
    text: 'x',
    at: null,
    files: [],
    events: [],
  },
  ...{ type: null, project: 'birdfeeder', session: null, agent: 'claude-code', details: {} },
} as unknown as ShownItem;

test('of several ids those that are known are shown, and the others named', async () => {
  const annals = fakeAnnals({ items: [item] });
  const { code, json } = await call(['show', item.id, 'o-none', '--json'], { annals });
  expect(code).toBe(1);
  expect(json()).toMatchObject({ items: [{ id: item.id }], errors: [{ id: 'o-none', code: 'NOT_FOUND' }] });
  const printed = await call(['show', 'o-none', item.id], { annals });
  expect([printed.code, printed.stderr]).toEqual([1, 'error: Nothing has the id o-none.\n']);
  expect(printed.stdout).toContain(item.title);
});

test('a search that finds nothing exits with 0', async () => {
  const { code, json } = await call(['search', 'nothing', '--json']);
  expect(code).toBe(0);
  expect(json().results).toEqual([]);
});

test('log prints one event per line with its time', async () => {
  const annals = fakeAnnals({ events: Array.from({ length: 30 }, (_, index) => toolEvent(index + 1)) });
  const { stdout } = await call(['log', '--json', '--session', '6f1d2c1e', '--kind', 'tool'], { annals });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(annals.calls[0]).toEqual(['log', { session: '6f1d2c1e', kind: 'tool' }]);
  expect(lines).toHaveLength(30);
  expect(Object.keys(lines[0])).toEqual(
    expect.arrayContaining(['position', 'id', 'type', 'session', 'at', 'recordedAt', 'body', 'channel']),
  );
  expect(lines[0]).toMatchObject({ position: 1, type: 'tool.used', at: '2026-11-17T18:02:51.000Z' });
});

test('save takes its text from standard input and prints the id', async () => {
  const { code, json, annals } = await call(
    'save --json --title Clock --project birdfeeder --session s --type decision --file a.ts --file b.ts --concept time'.split(
      ' ',
    ),
    { stdin: 'Times are UTC.\n' },
  );
  expect(code).toBe(0);
  expect(json()).toEqual({ id: 'm-abcdefghijkl' });
  expect(annals.calls).toEqual([
    [
      'save',
      {
        title: 'Clock',
        text: 'Times are UTC.',
        cwd: '/home/robin/birdfeeder',
        author: 'user',
        project: 'birdfeeder',
        session: 's',
        type: 'decision',
        files: ['a.ts', 'b.ts'],
        concepts: ['time'],
      },
    ],
  ]);
});

test('what an agent saves with the command is its own', async () => {
  const words = ['save', '--title', 'Clock', '--text', 'Times are UTC.'];
  const { annals } = await call(words, { environment: { CLAUDECODE: '1' } });
  expect(annals.calls).toEqual([['save', expect.objectContaining({ author: 'agent' })]]);
});

test.each([
  ['--as', 'user'],
  ['--author', 'user'],
  ['--project', 'shop'],
  ['--session', '6f1d2c1e'],
])('an agent cannot save as somebody else, or elsewhere: %s', async (option, value) => {
  const words = ['save', '--title', 'Clock', '--text', 'Times are UTC.', option, value];
  const { annals, code } = await call(words, { environment: { GEMINI_CLI: '1' } });
  expect([annals.calls, code]).toEqual([[], 2]);
});

test('status, rebuild, replay, show and why print the answer of the library', async () => {
  expect((await call(['status', '--json'])).json()).toMatchObject({
    home: '/home/robin/.annals',
    log: { events: 61, head: 61, bytes: 48_213 },
    spool: { new: 0, bad: 0, taken: { recorded: 0, private: 0, ignored: {}, bad: 0 } },
    hooks: [
      {
        agent: 'claude-code',
        present: true,
        installed: false,
        elsewhere: false,
        current: false,
        byPlugin: false,
        mcp: 'missing',
      },
    ],
    worker: null,
  });
  const rebuilt = await call(['rebuild', 'turns', '--json']);
  expect(rebuilt.json()).toEqual({ views: [{ name: 'turns', events: 61, ms: 9, digest: 'ab'.repeat(32) }] });
  expect(rebuilt.annals.calls).toEqual([['rebuild', ['turns']]]);
  const replayed = await call(['replay', '--from', '0', '--json']);
  expect(replayed.json()).toMatchObject({ views: [{ name: 'turns', changed: false }] });
  expect(replayed.annals.calls).toEqual([['replay', 0]]);
  expect((await call(['why', 't-1', '--json'])).json()).toMatchObject({ id: 't-1', steps: [], events: [] });
});

test('verify exits with 1 when something is wrong, and prints the problems', async () => {
  const problems = [{ kind: 'chain' as const, position: 4, message: 'The chain breaks here.' }];
  const annals = fakeAnnals({ verification: { ok: false, events: 3, problems } });
  const { code, json } = await call(['verify', '--json'], { annals });
  expect(code).toBe(1);
  expect(json()).toEqual({ ok: false, events: 3, problems });
  expect((await call(['verify'], { annals })).stderr).toContain('annals restore <export> --home <new home>');
});

test('a replay from the beginning exits with 1 when a view differs', async () => {
  const annals = fakeAnnals({ changed: true });
  expect((await call(['replay', '--from', '0', '--json'], { annals })).code).toBe(1);
  expect((await call(['replay', '--json'], { annals })).code).toBe(0);
});

test('an unknown id is a failure with its code', async () => {
  const { code, json, annals } = await call(['show', 'p-nothing', '--json']);
  expect(code).toBe(1);
  expect(json()).toEqual({
    error: { code: 'NOT_FOUND', message: 'Nothing has the id p-nothing.', hint: null },
  });
  expect(annals.closed).toBe(true);
});

test('an internal error prints its stack on stderr and asks for a report', async () => {
  const annals = fakeAnnals();
  annals.status = async () => {
    throw new TypeError('x is not a function');
  };
  const { code, json, stderr } = await call(['status', '--json'], { annals });
  expect(code).toBe(1);
  expect(json()).toMatchObject({ error: { code: 'INTERNAL' } });
  expect(stderr).toContain('    at ');
  expect(annals.closed).toBe(true);
});

test('control characters in JSON are escaped, so that a terminal ignores them', async () => {
  const title = 'a\u001b[2J\u009b2Jb';
  const { stdout, json } = await call(['search', 'x', '--json'], {
    annals: fakeAnnals({ results: [{ ...result, title }] }),
  });
  expect(stdout).not.toMatch(/[\u001b\u009b]/);
  expect(json().results).toMatchObject([{ title }]);
});

test('export takes a folder and a position', async () => {
  const { json, annals } = await call('export backup --since 12 --json'.split(' '));
  expect(annals.calls).toEqual([['export', '/home/robin/birdfeeder/backup', 12]]);
  expect(json()).toEqual(exported);
  expect((await call(['export', 'backup', '--since', 'monday'])).code).toBe(2);
});

test('restore never opens the home that it writes', async () => {
  const { json, opened, annals } = await call('restore backup --home /srv/annals --json'.split(' '));
  expect(opened).toEqual([]);
  expect(annals.calls).toMatchObject([['restore', '/home/robin/birdfeeder/backup', { home: '/srv/annals' }]]);
  expect(json()).toEqual(restored);
});

test('search, timeline, context and show accept --as-of', async () => {
  const annals = fakeAnnals({ items: [] });
  const past = { asOf: '2026-03-25', onProgress: expect.any(Function) };
  await call('search seeds --as-of 2026-03-25 --json'.split(' '), { annals });
  await call('timeline --as-of 2026-03-25 --json'.split(' '), { annals });
  await call('context --as-of 2026-03-25 --json'.split(' '), { annals });
  await call('show p-k3j5 --as-of 2026-03-25 --json'.split(' '), { annals });
  expect(annals.calls).toMatchObject([
    ['search', 'seeds', past],
    ['timeline', past],
    ['context', past],
    ['get', 'p-k3j5', past],
  ]);
});
