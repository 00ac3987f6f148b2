// The figures of `annals receipts`, by project, from what sessions were given and did. They are the same after a rebuild.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentNamed } from '../../src/agents/index.ts';
import { answerToStart } from '../../src/brief/start-answer.ts';
import { openAnnals } from '../../src/index.ts';
import { call } from '../cli/call.ts';
import { fakeAnnals } from '../cli/fake-annals.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';
import { fixedFeeder } from '../projections/context/sessions.ts';

const CWD = '/home/u/app';

test('a session that opens an item counts as a use of it, before and after a rebuild', async () => {
  const folder = await testFolder();
  await mkdir(join(folder, 'transcripts'));
  await writeFile(join(folder, 'transcripts/one.jsonl'), fixedFeeder());
  const annals = await openAnnals({ home: join(folder, 'home') });
  onTestFinished(() => annals.close());
  await annals.import([join(folder, 'transcripts')]);
  const { hooks } = agentNamed('claude-code')!;
  const start = { cwd: CWD, kind: 'startup', id: 'next' } as const;
  const { injection } = await answerToStart({ name: 'claude-code', hooks: hooks! }, start, annals);
  await annals.recordInjection(injection!);
  const id = injection!.items.at(-1)!.id;
  const next = new Script({ session: 'next', start: Date.now() + 60_000 });
  next.prompt('What was wrong with the clock?');
  next.use('toolu_1', 'Bash', { command: `annals show ${id.slice(0, 8)}` });
  next.result('toolu_1', 'It was read in local time.');
  await writeFile(join(folder, 'transcripts/two.jsonl'), next.bytes());
  await annals.import([join(folder, 'transcripts')]);
  const before = await annals.receipts();
  const shown = injection!.items.length;
  expect(before.projects).toMatchObject([
    {
      ...{ project: 'app', injections: 1, unknown: 0, shown, used: 1 },
      tokens: Math.ceil(injection!.text.length / 4),
      occasions: [{ occasion: 'startup', injections: 1, shown, used: 1 }],
      items: { shown, used: 1, neverUsed: shown - 1 },
      mostUsed: [{ id, shown: 1, used: 1, cited: 1, fixed: 0, opened: 0 }],
    },
  ]);
  expect(before.projects[0]!.neverUsed).toHaveLength(shown - 1);
  expect(before.projects[0]!.mostUsed[0]!.title).toEqual((await annals.get(id)).title);
  await annals.rebuild();
  expect(await annals.receipts()).toEqual(before);
  expect(await annals.receipts({ project: 'app', limit: 0 })).toMatchObject({
    projects: [{ injections: 1, mostUsed: [], neverUsed: [] }],
  });
  expect(await annals.receipts({ item: id })).toEqual({
    ...{ projects: [], degraded: [] },
    item: { id, title: (await annals.get(id)).title, shown: 1, used: 1, cited: 1, fixed: 0, opened: 0 },
  });
  expect(await annals.receipts({ item: 'o-unknown' })).toMatchObject({ item: null });
  await expect(annals.receipts({ project: 'elsewhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the command prints them, and says when there are none', async () => {
  const nothing = await call(['receipts']);
  expect([nothing.code, nothing.stderr]).toEqual([
    0,
    expect.stringContaining('No session was given anything'),
  ]);
  const figures = { injections: 2, unknown: 1, tokens: 2_640, ms: 41, shown: 30, used: 1 };
  const item = { id: 'o-q4m2x7c3n5pa', title: 'The clock', shown: 2, used: 1, cited: 1, fixed: 0, opened: 0 };
  const project = {
    ...{ project: 'birdfeeder', ...figures, occasions: [{ occasion: 'startup', ...figures }] },
    items: { shown: 15, used: 1, neverUsed: 14 },
    mostUsed: [item],
    neverUsed: [{ ...item, title: null, used: 0, cited: 0 }],
  };
  const annals = { ...fakeAnnals(), receipts: async () => ({ projects: [project], degraded: [] }) };
  const { stdout } = await call(['receipts'], { annals });
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      '  2 injections · about 2,640 tokens · 41 ms each · 30 shown, 1 used · 1 with unknown items',
      '  15 items: 1 used, 14 never used',
      '      1 of 2  o-q4m2x7c3n5pa  The clock',
      '           2  o-q4m2x7c3n5pa  gone',
    ]),
  );
  expect((await call(['receipts', '--json'], { annals })).json().projects).toEqual([project]);
});
