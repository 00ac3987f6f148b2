// Forgotten data is removed from every answer, every view and every byte below the home, and no later import or hook
// brings it back.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Annals, isAnnalsError } from '../../src/index.ts';
import { fork, sdkFork } from '../helpers/forks.ts';
import { hookCalls } from '../helpers/hooks/hook-generator.ts';
import { importEvent } from '../helpers/new-events.ts';
import { leave, used, waiting } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { digestsOf, eventsOf, SOUND, sharedFolder, withHome } from './homes.ts';
import { scanHome } from './scan.ts';

const folder = sharedFolder('forget');

/** A unique word of fourteen letters. */
const WORD = 'qzxvkjwpmbtrnl';
const KEPT = 'hgfwqpzkvxjtyd';
const SESSION = '11111111-2222-4333-8444-555555555555';

function put(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** A session of three turns; only the second mentions the word. */
function transcript(): Buffer {
  const script = new Script({ session: SESSION, cwd: '/srv/app' });
  script.prompt(`Rename the helper to ${KEPT}, please`);
  script.use('toolu_keep_000001', 'Bash', { command: 'npm test' });
  script.result('toolu_keep_000001', 'Exit code 1\nTypeError: clock is undefined', {}, { is_error: true });
  script.reply(`Renamed it to ${KEPT} because the old name said nothing.`);
  script.prompt(`The password of the cellar is ${WORD}, write it down`);
  script.use('toolu_forget_0001', 'Write', { file_path: '/srv/app/cellar.md', content: `cellar: ${WORD}` });
  script.result('toolu_forget_0001', `File created: cellar.md with ${WORD}`);
  script.use('toolu_forget_0002', 'Bash', { command: `grep -r ${WORD} .` });
  script.result('toolu_forget_0002', `./cellar.md: cellar: ${WORD}`);
  script.reply(`I wrote ${WORD} into cellar.md, because you asked for it.`);
  script.prompt('Now run the tests again');
  script.use('toolu_keep_000002', 'Bash', { command: 'npm test' });
  script.result('toolu_keep_000002', 'All 12 tests passed');
  script.reply('All tests pass now.');
  return script.bytes();
}

async function importSession(annals: Annals, name: string, bytes = transcript()): Promise<string> {
  const path = put(join(folder, name, 'transcripts', `${SESSION}.jsonl`), bytes);
  await annals.import([path]);
  await annals.save({ title: `About ${KEPT}`, text: 'A helper with a new name.', cwd: '/srv/app' });
  return path;
}

const isSound = async (annals: Annals) => {
  expect(await annals.verify({ rebuilt: true })).toMatchObject(SOUND);
  expect((await annals.status()).degraded).toEqual([]);
};

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (error: unknown) => (isAnnalsError(error) ? error.code : String(error)),
  );

const wordsFound = async (home: string) =>
  new Set((await scanHome(home, [WORD, KEPT])).map(({ word }) => word));

async function forgottenEverywhere(annals: Annals): Promise<void> {
  expect(JSON.stringify(await eventsOf(annals))).not.toContain(WORD);
  for (const asked of [WORD, 'cellar password', KEPT]) {
    // The answer repeats the query, which is not stored text.
    const { query: _, ...answer } = await annals.search(asked, { limit: 100 });
    expect(JSON.stringify(answer)).not.toContain(WORD);
  }
  expect((await annals.search(WORD)).results.filter(({ snippet }) => snippet.includes(WORD))).toEqual([]);
  expect(JSON.stringify(await annals.timeline({ limit: 1000 }))).not.toContain(WORD);
  expect((await annals.context({ cwd: '/srv/app' })).text).not.toContain(WORD);
  expect(JSON.stringify(await annals.get(SESSION))).not.toContain(WORD);
  await isSound(annals);
}

describe('forgetting a prompt', () => {
  test('lists what holds the same text, and changes nothing with a dry run', async () => {
    const home = join(folder, 'shown', 'home');
    await withHome(home, async (annals) => {
      await importSession(annals, 'shown');
      const [prompt] = (await annals.search(`password cellar ${WORD}`, { kind: 'prompt' })).results;
      const before = await digestsOf(annals);
      const report = await annals.forget({ ids: [prompt!.id] }, { dryRun: true });
      expect(report).toMatchObject({
        outcome: 'shown',
        plan: {
          by: 'ids',
          kinds: [{ kind: 'prompt', count: 1 }],
          things: [{ id: prompt!.id, kind: 'prompt' }],
          copies: { included: false },
        },
      });
      expect(report.plan.copies.kinds.map(({ kind, count }) => [kind, count])).toEqual([
        ['tool use', 2],
        ['answer', 1],
      ]);
      expect(report.plan.derived).toBeGreaterThan(0);
      expect(await annals.forget({ ids: [prompt!.id] }, { confirm: async () => false })).toMatchObject({
        outcome: 'declined',
      });
      expect(await digestsOf(annals)).toEqual(before);
    });
    expect(await wordsFound(home)).toEqual(new Set([WORD, KEPT]));
  });

  test('removes it and all copies from every answer and every byte, and reports it as forgotten', async () => {
    const home = join(folder, 'copies', 'home');
    let id = '';
    await withHome(home, async (annals) => {
      await importSession(annals, 'copies');
      id = (await annals.search(`password cellar ${WORD}`, { kind: 'prompt' })).results[0]!.id;
    });
    expect(await wordsFound(home)).toEqual(new Set([WORD, KEPT]));
    await withHome(home, async (annals) => {
      const steps: string[] = [];
      const report = await annals.forget(
        { ids: [id] },
        { withCopies: true, onStep: (step) => void steps.push(step) },
      );
      expect(report.proof).toMatchObject({ ok: true, found: [], unreadable: 0, control: { found: true } });
      expect(report.proof!.needles).toContain(WORD);
      // The views are rewritten together with the log.
      expect(steps).toContain('scrubbed');
      expect(steps.filter((step) => step !== 'scrubbed')).toEqual([
        'found',
        'spool',
        'forgotten',
        'projected',
        'copied',
        'ready',
        'aside',
        'swapped',
        'opened',
        'cleared',
        'rewritten',
      ]);
      await forgottenEverywhere(annals);
      for (const prefix of [id, id.slice(0, 9)]) {
        expect(await codeOf(annals.get(prefix))).toBe('FORGOTTEN');
        expect(await codeOf(annals.why(prefix))).toBe('FORGOTTEN');
        expect(await codeOf(annals.timeline({ around: prefix }))).toBe('FORGOTTEN');
      }
      expect(await codeOf(annals.get('p-000000000000'))).toBe('NOT_FOUND');
    });
    expect(await wordsFound(home)).toEqual(new Set([KEPT]));
    await withHome(home, forgottenEverywhere);
  });

  test('holds when the transcript is imported again, forked, and forked with new ids', async () => {
    const home = join(folder, 'again', 'home');
    await withHome(home, async (annals) => {
      const path = await importSession(annals, 'again');
      await annals.forget({ query: WORD });
      await forgottenEverywhere(annals);
      const events = (await eventsOf(annals)).length;
      await annals.import([path]);
      // Read from the beginning under another path, as from a backup.
      await annals.import([put(join(folder, 'again', 'backup', `${SESSION}.jsonl`), transcript())]);
      expect((await eventsOf(annals)).length).toBe(events);
      for (const copy of [
        fork(transcript(), 'aaaaaaaa-0000-4000-8000-000000000001'),
        sdkFork(transcript(), 'bbbbbbbb-0000-4000-8000-000000000002'),
      ])
        await annals.import([put(join(folder, 'again', 'forks', copy.fileName), copy.bytes)]);
      await forgottenEverywhere(annals);
      const sessions = new Set((await eventsOf(annals)).map(({ session }) => session));
      expect(sessions.size).toBe(4);
    });
    expect(await wordsFound(home)).toEqual(new Set([KEPT]));
  });

  test('also forgets it in forks that are already imported', async () => {
    const home = join(folder, 'forked', 'home');
    await withHome(home, async (annals) => {
      await importSession(annals, 'forked');
      for (const copy of [
        fork(transcript(), '00000000-0000-4000-8000-000000000001'),
        sdkFork(transcript(), 'bbbbbbbb-0000-4000-8000-000000000002'),
      ])
        await annals.import([put(join(folder, 'forked', 'forks', copy.fileName), copy.bytes)]);
      const [prompt] = (await annals.search(`password cellar ${WORD}`, { kind: 'prompt' })).results;
      const { plan } = await annals.forget({ ids: [prompt!.id] }, { withCopies: true });
      expect(plan.same).toMatchObject({ included: true });
      expect(plan.same.sessions).toBeGreaterThanOrEqual(2);
      await forgottenEverywhere(annals);
    });
    expect(await wordsFound(home)).toEqual(new Set([KEPT]));
  });
});

/** The hook files of that session, with or without the ids of newer versions. */
function leaveHooks(home: string, promptId: boolean): void {
  for (const { payload, receipt } of hookCalls(transcript(), { promptId }))
    leave(home, receipt.spoolName, payload, receipt.receivedAt);
}

describe('hooks of a forgotten turn', () => {
  test.each([true, false])('are not stored when they arrive later (prompt ids: %s)', async (promptId) => {
    const home = join(folder, `hooks-${promptId}`, 'home');
    await withHome(home, async (annals) => {
      await importSession(annals, `hooks-${promptId}`);
      await annals.forget({ query: WORD });
    });
    leaveHooks(home, promptId);
    await withHome(home, async (annals) => {
      await forgottenEverywhere(annals);
      expect(JSON.stringify(await eventsOf(annals))).toContain('"channel":"hook"');
    });
    expect(await wordsFound(home)).toEqual(new Set([KEPT]));
  });

  test('prevent a transcript of it from being stored when it is imported later', async () => {
    const home = join(folder, 'hooks-first', 'home');
    leaveHooks(home, false);
    await withHome(home, async (annals) => {
      const { plan } = await annals.forget({ query: WORD });
      expect(plan.kinds.map(({ kind }) => kind).sort()).toEqual(['answer', 'prompt', 'tool use']);
      await importSession(annals, 'hooks-first');
      await forgottenEverywhere(annals);
    });
    expect(await wordsFound(home)).toEqual(new Set([KEPT]));
  });

  test('leave waiting and unusable files, of which only those with the text are deleted', async () => {
    const home = join(folder, 'spool', 'home');
    await withHome(home, (annals) => importSession(annals, 'spool'));
    const now = Date.now();
    leave(
      home,
      'held-with.json',
      used('toolu_held_1', `nobody knows the turn of ${WORD}`, { prompt_id: 'unknown' }),
      now,
    );
    leave(
      home,
      'held.json',
      used('toolu_held_2', 'nobody knows the turn of this', { prompt_id: 'unknown' }),
      now,
    );
    const torn = (text: string) => `{"session_id":"x-1","tool_name":"Bash","tool_response":"${text}`;
    leave(home, 'torn-with.json', torn(`${WORD} and then it`), now);
    leave(home, 'torn.json', torn('this was cut too'), now);
    await withHome(home, async (annals) => {
      expect([waiting(home), waiting(home, 'bad')].flat().length).toBe(4);
      const { plan, proof } = await annals.forget({ query: WORD });
      expect(plan.spoolFiles).toBe(2);
      expect(proof).toMatchObject({ ok: true });
    });
    expect([waiting(home), waiting(home, 'bad')].flat().sort()).toEqual(['held.json', 'torn.json']);
    expect(await wordsFound(home)).toEqual(new Set([KEPT]));
  });
});

/** Two projects, three sessions; only the first session mentions the word. */
async function threeSessions(annals: Annals, name: string): Promise<void> {
  await importSession(annals, name);
  for (const [session, cwd, firstUuid, start] of [
    ['22222222-0000-4000-8000-000000000002', '/srv/app', 500, Date.UTC(2026, 1, 1)],
    ['33333333-0000-4000-8000-000000000003', '/srv/other', 900, Date.UTC(2026, 2, 1)],
  ] as const) {
    const script = new Script({ session, cwd, firstUuid, start });
    script.prompt(`A question in ${cwd} about ${KEPT}`);
    script.use(`toolu_${session}`, 'Bash', { command: 'make all' });
    script.result(`toolu_${session}`, 'made');
    script.reply('Everything is made.');
    await annals.import([put(join(folder, name, 'transcripts', `${session}.jsonl`), script.bytes())]);
  }
}

const sessionsOf = async (annals: Annals) =>
  [...new Set((await eventsOf(annals)).map(({ session }) => session))]
    .filter((session) => session !== null)
    .sort();

describe('what can be forgotten', () => {
  test('a whole session, including events of it that arrive later', async () => {
    const home = join(folder, 'session', 'home');
    await withHome(home, async (annals) => {
      await threeSessions(annals, 'session');
      const { plan, proof } = await annals.forget({ session: SESSION.slice(0, 13) });
      expect(plan).toMatchObject({ by: 'session', sessions: 1 });
      expect(proof).toMatchObject({ ok: true });
      expect(await sessionsOf(annals)).toEqual([
        '22222222-0000-4000-8000-000000000002',
        '33333333-0000-4000-8000-000000000003',
      ]);
      expect(await codeOf(annals.get(SESSION))).toBe('FORGOTTEN');
      const later = new Script({ session: SESSION, firstUuid: 7_000 });
      later.prompt(`One more thing about ${WORD}`);
      const again = await annals.import([
        put(
          join(folder, 'session', 'transcripts', `${SESSION}.jsonl`),
          Buffer.concat([transcript(), later.bytes()]),
        ),
      ]);
      expect(again).toMatchObject({ appended: 0, duplicates: 0 });
      expect(again.forgotten).toBeGreaterThan(0);
      expect((await sessionsOf(annals)).length).toBe(2);
      await isSound(annals);
    });
    expect(await wordsFound(home)).toEqual(new Set([KEPT]));
    expect(await scanHome(home, ['cellar.md', 'Renamed it to'])).toEqual([]);
  });

  test('a project with its sessions, memories and workdirs, but no other project', async () => {
    const home = join(folder, 'project', 'home');
    await withHome(home, async (annals) => {
      await threeSessions(annals, 'project');
      await annals.append([
        importEvent('kept elsewhere', { cwd: '/srv/app', title: 'Cellar', text: `The cellar is ${WORD}.` }),
        importEvent('of the other', { cwd: '/srv/other', title: 'Attic', text: `The attic is ${KEPT}.` }),
      ]);
      const { plan } = await annals.forget({ project: 'app' });
      expect(plan).toMatchObject({ by: 'project', events: expect.any(Number) });
      expect(await sessionsOf(annals)).toEqual(['33333333-0000-4000-8000-000000000003']);
      expect((await annals.status()).projects.map(({ name }) => name)).toEqual(['other']);
      expect(await eventsOf(annals, { type: 'import.memory' })).toMatchObject([{ body: { title: 'Attic' } }]);
      await isSound(annals);
    });
    expect(await scanHome(home, [WORD, '/srv/app', 'A helper with a new name'])).toEqual([]);
  });

  test('everything before a time, and nothing after it', async () => {
    const home = join(folder, 'before', 'home');
    await withHome(home, async (annals) => {
      await threeSessions(annals, 'before');
      await annals.forget({ before: '2026-01-15' });
      expect((await sessionsOf(annals)).length).toBe(2);
      await annals.forget({ before: Date.UTC(2026, 1, 15) });
      expect(await sessionsOf(annals)).toEqual(['33333333-0000-4000-8000-000000000003']);
      await isSound(annals);
    });
  });

  test('a turn, a tool use, a memory and an event by id', async () => {
    const home = join(folder, 'kinds', 'home');
    await withHome(home, async (annals) => {
      await importSession(annals, 'kinds');
      const { id: memory } = await annals.save({ title: 'Where', text: `Behind ${WORD}`, cwd: '/srv/app' });
      const idOf = async (query: string, kind: 'prompt' | 'tool') =>
        (await annals.search(query, { kind })).results[0]!.id;
      // Each is in a turn of its own, so that none is forgotten with another.
      const turn = (await idOf('run the tests again', 'prompt')).replace('p-', 't-');
      const tool = await idOf('grep', 'tool');
      const event = (await annals.why(await idOf('password cellar', 'prompt'))).events[0]!.id;
      for (const id of [memory, turn, tool, event]) {
        const report = await annals.forget({ ids: [id] });
        expect(report, id).toMatchObject({
          outcome: 'forgotten',
          proof: { found: [], unreadable: 0, control: { found: true } },
        });
        expect(await codeOf(annals.get(id)), id).toBe('FORGOTTEN');
      }
      await isSound(annals);
    });
  });

  test('an observation or a summary with the events it was made from', async () => {
    const home = join(folder, 'derived', 'home');
    await withHome(home, async (annals) => {
      await importSession(annals, 'derived');
      const { rows } = await annals.timeline({ limit: 100 });
      const derived = rows.find(({ kind }) => kind === 'observation' || kind === 'summary')!;
      const { events } = await annals.get(derived.id);
      await annals.forget({ ids: [derived.id] });
      expect(await codeOf(annals.get(derived.id))).toBe('FORGOTTEN');
      for (const event of events) expect(await codeOf(annals.get(event))).toBe('FORGOTTEN');
      await isSound(annals);
    });
  });

  test('but not nothing, two selections at once, or an unknown id', async () => {
    await withHome(join(folder, 'refused', 'home'), async (annals) => {
      await importSession(annals, 'refused');
      expect(await codeOf(annals.forget({}))).toBe('USAGE');
      expect(await codeOf(annals.forget({ ids: ['p-1234'], query: WORD }))).toBe('USAGE');
      expect(await codeOf(annals.forget({ query: 'abc' }))).toBe('USAGE');
      expect(await codeOf(annals.forget({ ids: ['p-zzzzzzzz'] }))).toBe('NOT_FOUND');
      expect(await codeOf(annals.forget({ project: 'nobody' }))).toBe('NOT_FOUND');
      expect(await annals.forget({ query: 'said by nobody at all' })).toMatchObject({ outcome: 'nothing' });
    });
  });
});

describe('compacting', () => {
  test('changes only the files', async () => {
    const home = join(folder, 'compacted', 'home');
    await withHome(home, async (annals) => {
      await importSession(annals, 'compacted');
      const before = { events: await eventsOf(annals), digests: await digestsOf(annals) };
      expect(await annals.compact()).toMatchObject({ bytesBefore: expect.any(Number) });
      expect({ events: await eventsOf(annals), digests: await digestsOf(annals) }).toEqual(before);
      await isSound(annals);
    });
  });
});
