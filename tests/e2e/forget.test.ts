// What was forgotten is gone: from every answer, from every view, from every byte below the home; and nothing that
// tells it again brings it back.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Annals, isAnnalsError } from '../../src/index.ts';
import { fork, sdkFork } from '../helpers/forks.ts';
import { Script } from '../helpers/transcripts.ts';
import { digestsOf, eventsOf, SOUND, sharedFolder, withHome } from './homes.ts';
import { scanHome } from './scan.ts';

const folder = sharedFolder('forget');

/** Fourteen letters that nobody says by chance. */
const WORD = 'qzxvkjwpmbtrnl';
const KEPT = 'hgfwqpzkvxjtyd';
const SESSION = '11111111-2222-4333-8444-555555555555';

function put(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** A session whose second turn speaks of the word; the first and the third do not. */
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

async function told(annals: Annals, name: string, bytes = transcript()): Promise<string> {
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
  for (const query of [WORD, 'cellar password', KEPT])
    expect(JSON.stringify(await annals.search(query, { limit: 100 }))).not.toContain(WORD);
  expect((await annals.search(WORD)).results.filter(({ snippet }) => snippet.includes(WORD))).toEqual([]);
  expect(JSON.stringify(await annals.timeline({ limit: 1000 }))).not.toContain(WORD);
  expect((await annals.context({ cwd: '/srv/app' })).text).not.toContain(WORD);
  expect(JSON.stringify(await annals.get(SESSION))).not.toContain(WORD);
  await isSound(annals);
}

describe('a prompt that is forgotten', () => {
  test('shows first what carries the same text, and changes nothing with a dry run', async () => {
    const home = join(folder, 'shown', 'home');
    await withHome(home, async (annals) => {
      await told(annals, 'shown');
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

  test('leaves every answer and every byte, with all copies, and says that it was forgotten', async () => {
    const home = join(folder, 'copies', 'home');
    let id = '';
    await withHome(home, async (annals) => {
      await told(annals, 'copies');
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
      expect(steps).toEqual([
        'found',
        'spool',
        'forgotten',
        'projected',
        'scrubbed',
        'copied',
        'ready',
        'aside',
        'swapped',
        'opened',
        'cleared',
        'rewritten',
      ]);
      await forgottenEverywhere(annals);
      for (const call of [
        annals.get(id),
        annals.why(id),
        annals.get(id.slice(0, 9)),
        annals.timeline({ around: id }),
      ])
        expect(await codeOf(call)).toBe('FORGOTTEN');
      expect(await codeOf(annals.get('p-000000000000'))).toBe('NOT_FOUND');
    });
    expect(await wordsFound(home)).toEqual(new Set([KEPT]));
    await withHome(home, forgottenEverywhere);
  });

  test('stays forgotten when the transcript is imported again, forked, and forked with new ids', async () => {
    const home = join(folder, 'again', 'home');
    await withHome(home, async (annals) => {
      const path = await told(annals, 'again');
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

  test('is forgotten in the forks that are there already', async () => {
    const home = join(folder, 'forked', 'home');
    await withHome(home, async (annals) => {
      await told(annals, 'forked');
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
