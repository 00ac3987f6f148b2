// The ready files of session starts: always what the brief says now, or not there.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LogEvent } from '../../log/index.ts';
import { hooks } from '../../src/agents/claude-code/hooks.ts';
import { contextOf } from '../../src/brief/context-of.ts';
import { ReadyFiles } from '../../src/brief/ready-files.ts';
import { startAnswer, startContext } from '../../src/brief/start-answer.ts';
import { forget } from '../../src/forget/index.ts';
import type { Home } from '../../src/home/home.ts';
import { drainOpenHome } from '../../src/import/drain-home.ts';
import { importIntoHome } from '../../src/import/import-paths.ts';
import { openAnnals } from '../../src/index.ts';
import { openParts } from '../../src/open-parts.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';
import { saveMemory } from '../../src/save/save-memory.ts';
import { currentMark, readReady, readyFolder, readyPath } from '../../src/session-start/ready-file.ts';
import { chance } from '../helpers/chance.ts';
import { handOver } from '../helpers/forks.ts';
import { asked, filesWith, leave, stopped, used } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

const FOLDERS = ['/home/u/app', '/home/u/app/sub', '/home/u/bird feeder'];

async function opened(config?: object): Promise<{ home: Home; ready: ReadyFiles; folder: string }> {
  const folder = await testFolder();
  const path = join(folder, 'home');
  await mkdir(path, { mode: 0o700 });
  if (config !== undefined) await writeFile(join(path, 'config.json'), JSON.stringify(config));
  const home = await openParts({ home: path });
  const ready = new ReadyFiles(home);
  onTestFinished(async () => {
    await ready.close();
    await home.runner.close();
    await home.log.close();
  });
  return { home, ready, folder };
}

/** Refreshes until the mark is newer than the log. */
async function settle({ home, ready }: { home: Home; ready: ReadyFiles }): Promise<void> {
  do await ready.refresh();
  while (!existsSync(currentMark(home.paths.home)));
}

async function answerNow(cwd: string, home: Home): Promise<string> {
  await home.runner.catchUp();
  const options = { cwd, kind: 'startup', ...startContext(hooks) } as const;
  return startAnswer(hooks, await contextOf(options, home));
}

async function turn(home: Home, number: number, cwd: string, session = `session-${number}`): Promise<void> {
  const fields = {
    session_id: session,
    cwd,
    prompt_id: `p-${number}`,
    transcript_path: transcriptOf(session),
  };
  leave(
    home.paths.home,
    `c-${number}-0`,
    asked(`Feed the heron number ${number}`, fields),
    1_700_000_000_000 + number * 1e5,
  );
  leave(
    home.paths.home,
    `c-${number}-1`,
    used(`toolu_${number}`, 'two fish', fields),
    1_700_000_010_000 + number * 1e5,
  );
  leave(
    home.paths.home,
    `c-${number}-2`,
    stopped(`Heron ${number} is fed.`, fields),
    1_700_000_020_000 + number * 1e5,
  );
  await drainOpenHome(home);
}

const answerAt = (home: string, folder: string) => readReady(home, folder)?.answer ?? null;

const transcriptOf = (session: string) => `/home/u/.claude/projects/-home-u-app/${session}.jsonl`;

test('a folder has the answer as a file until something is appended, and the new answer afterwards', async () => {
  const world = await opened();
  const { home } = world;
  const at = home.paths.home;
  await turn(home, 1, FOLDERS[0]!);
  expect(answerAt(at, FOLDERS[0]!)).toBeNull();
  await settle(world);
  expect(answerAt(at, FOLDERS[0]!)).toBe(await answerNow(FOLDERS[0]!, home));
  expect(answerAt(at, FOLDERS[0]!)).toContain('Feed the heron number 1');
  expect(answerAt(at, FOLDERS[2]!)).toBeNull();
  await turn(home, 2, FOLDERS[0]!);
  expect(answerAt(at, FOLDERS[0]!)).toBeNull();
  expect(existsSync(readyPath(at, FOLDERS[0]!)!)).toBe(false);
  await settle(world);
  expect(answerAt(at, FOLDERS[0]!)).toContain('Heron 2 is fed');
});

test('what changes while an answer is made is in the file of each folder of the project', async () => {
  const { home, ready: first, folder } = await opened();
  await first.close();
  const app = join(folder, 'app');
  const folders = [app, join(app, 'sub')];
  for (const path of [join(app, '.git'), join(app, 'sub'), join(home.paths.home, 'spool', 'new')])
    await mkdir(path, { recursive: true });
  for (const file of ['HEAD', 'config']) await writeFile(join(app, '.git', file), 'ref: refs/heads/main\n');
  const save = async (title: string, cwd: string) => {
    await saveMemory({ title, text: `${title} of the heron.`, cwd }, home, randomBytes);
    await home.runner.catchUp();
  };
  for (const [index, cwd] of folders.entries()) await save(`Lunch ${index}`, cwd);
  let isSaved = false;
  const range: typeof home.views.context.range = async (prefix, options) => {
    const rows = await home.views.context.range<never>(prefix, options);
    if (!isSaved && prefix.includes('/saved/')) {
      isSaved = true;
      await save('Supper', app);
    }
    return rows;
  };
  const changing = { ...home, views: { ...home.views, context: { ...home.views.context, range } } };
  const ready = new ReadyFiles(changing);
  await settle({ home: changing, ready });
  for (const cwd of folders) expect(answerAt(home.paths.home, cwd)).toContain('Supper');
  await ready.close();
});

test('a folder that has the name of a ready file has none, and the others have theirs', async () => {
  const world = await opened();
  const folders = ['/home/u/app', '/home/u/app/ready', '/home/u/app/Ready/sub', '/home/u/app/ready.new'];
  for (const [index, cwd] of folders.entries()) await turn(world.home, index, cwd);
  await settle(world);
  const answers = folders.map((cwd) => answerAt(world.home.paths.home, cwd));
  expect(answers).toEqual([expect.stringContaining('heron'), null, null, null]);
});

test('a home that was removed is not made again', async () => {
  const { home, ready } = await opened();
  await turn(home, 1, FOLDERS[0]!);
  await home.runner.catchUp();
  rmSync(home.paths.home, { recursive: true });
  await ready.refresh();
  expect(existsSync(home.paths.home)).toBe(false);
  // For the log, which says where it ended.
  await mkdir(home.paths.home);
});

test('files that could not be written are made when they can be', async () => {
  const world = await opened();
  const { home, ready } = world;
  const at = home.paths.home;
  await turn(home, 1, FOLDERS[0]!);
  writeFileSync(readyFolder(at), 'in the way');
  await ready.refresh();
  rmSync(readyFolder(at));
  await ready.refresh();
  expect(existsSync(readyPath(at, FOLDERS[0]!)!)).toBe(true);
  await settle(world);
  expect(answerAt(at, FOLDERS[0]!)).toBe(await answerNow(FOLDERS[0]!, home));
});

test('a session that got the file is recorded with what the file shows, also when it has changed since', async () => {
  const world = await opened();
  const { home } = world;
  const at = home.paths.home;
  await turn(home, 1, FOLDERS[0]!);
  await settle(world);
  const { id } = readReady(at, FOLDERS[0]!)!;
  const started = (session: string) => ({
    ...{ session_id: session, transcript_path: transcriptOf(session), cwd: FOLDERS[0] },
    ...{ hook_event_name: 'SessionStart', source: 'startup' },
  });
  leave(at, `claude-code-0000000001-0000001-1-0.${id}`, started('new'), 1_700_000_500_000);
  await turn(home, 2, FOLDERS[0]!);
  await settle(world);
  leave(at, `claude-code-0000000001-0000001-1-1.${'0'.repeat(16)}`, started('newer'), 1_700_000_600_000);
  await drainOpenHome(home);
  const { events } = await home.log.page({ after: 0 });
  const [known, unknown] = events.filter(({ type }) => type === 'context.injected');
  expect(known).toMatchObject({
    ...{ agent: 'claude-code', session: 'new', occurredAt: 1_700_000_500_000 },
    body: { occasion: 'startup', cwd: FOLDERS[0], tokens: expect.any(Number), hash: expect.any(String) },
  });
  const shown = (known as LogEvent<'context.injected'>).body.items!;
  expect(shown.length).toBeGreaterThan(0);
  for (const item of shown) expect(item.events.length).toBeGreaterThan(0);
  expect(unknown).toMatchObject({ session: 'newer', body: { items: null, tokens: null, hash: null } });
});

test('a change in one project leaves the file of another project as it is', async () => {
  const world = await opened();
  const at = world.home.paths.home;
  await turn(world.home, 1, FOLDERS[0]!);
  await turn(world.home, 2, FOLDERS[2]!);
  await settle(world);
  const other = readyPath(at, FOLDERS[2]!)!;
  writeFileSync(other, `${readFileSync(other, 'utf8')} `);
  await turn(world.home, 3, FOLDERS[0]!);
  await settle(world);
  expect(answerAt(at, FOLDERS[0]!)).toContain('Heron 3');
  expect(readFileSync(other, 'utf8').endsWith(' ')).toBe(true);
});

test('a batch of cursors alone outdates the files until the mark is set again', async () => {
  const world = await opened();
  const { home } = world;
  await turn(home, 1, FOLDERS[0]!);
  await settle(world);
  await home.log.append([], { cursors: [{ key: 'a cursor', value: 1 }] });
  expect(existsSync(currentMark(home.paths.home))).toBe(false);
  await settle(world);
  expect(answerAt(home.paths.home, FOLDERS[0]!)).toBe(await answerNow(FOLDERS[0]!, home));
});

test.each([1, 2, 3, 4, 5, 6])(
  'whatever is appended, a file says what the brief says now (seed %i)',
  async (seed) => {
    const world = await opened();
    const { home, folder } = world;
    const random = chance(seed);
    const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
    const script = (number: number) => {
      const one = new Script({ session: `script-${number}`, cwd: pick(FOLDERS), firstUuid: number * 100 });
      one.prompt(`Mend the hatch ${number}`);
      one.use(`use-${number}`, 'Edit', {
        file_path: `${pick(FOLDERS)}/hatch.ts`,
        old_string: 'a',
        new_string: 'b',
      });
      one.result(`use-${number}`, 'done');
      one.reply(`The hatch ${number} opens. We decided to oil it because it jams.`);
      return one.bytes();
    };
    const scripts: Buffer[] = [];
    for (let step = 1; step <= 10; step++) {
      const act = random.below(5);
      if (act <= 1) await turn(home, step, pick(FOLDERS), `session-${random.below(3)}`);
      else if (act === 2)
        await saveMemory(
          {
            title: `Note ${step}`,
            text: `Note ${step}: never oil the heron.`,
            cwd: pick(FOLDERS),
            type: 'decision',
          },
          home,
          randomBytes,
        );
      else {
        const copy =
          act === 4 && scripts.length > 0 ? handOver(pick(scripts), `copy-${step}`, 2).next.bytes : null;
        const bytes = copy ?? script(step);
        if (copy === null) scripts.push(bytes);
        const path = join(folder, `${step}.jsonl`);
        await writeFile(path, bytes);
        await importIntoHome([path], {}, home);
      }
      if (random.below(2) === 0) continue;
      await settle(world);
      for (const cwd of FOLDERS) {
        const answer = answerAt(home.paths.home, cwd);
        if (answer !== null) expect(answer, `step ${step}, ${cwd}`).toBe(await answerNow(cwd, home));
      }
    }
  },
);

test('forgetting removes the files first, and leaves nothing in them', async () => {
  const world = await opened();
  const { home } = world;
  await turn(home, 1, FOLDERS[0]!);
  await settle(world);
  const { id } = (await saveMemory(
    { title: 'Zanzibar', text: 'the zanzibar note', cwd: FOLDERS[0]! },
    home,
    randomBytes,
  )) as {
    id: string;
  };
  await settle(world);
  expect(await answerNow(FOLDERS[0]!, home)).toContain('zanzibar');
  expect(answerAt(home.paths.home, FOLDERS[0]!)).toContain('zanzibar');
  const seen: boolean[] = [];
  const onStep = (): void => void seen.push(existsSync(readyFolder(home.paths.home)));
  await forget({ ids: [id] }, { onStep }, home, randomBytes);
  expect(seen[0]).toBe(true);
  expect(seen.slice(1).every((isThere) => !isThere)).toBe(true);
  expect(filesWith(home.paths.home, ['zanzibar'])).toEqual([]);
  await settle(world);
  expect(answerAt(home.paths.home, FOLDERS[0]!)).toContain('heron');
});

test('an excluded folder and a home whose settings cannot be read have no files', async () => {
  const world = await opened();
  await turn(world.home, 1, FOLDERS[0]!);
  await world.ready.close();
  const excluding = { ...world.home, excluded: () => true };
  const ready = new ReadyFiles(excluding);
  await settle({ home: excluding, ready });
  expect(answerAt(world.home.paths.home, FOLDERS[0]!)).toBeNull();
  await ready.close();
  const paused = new ReadyFiles({ ...world.home, pausedBecause: 'is not JSON' });
  await paused.refresh();
  expect(existsSync(currentMark(world.home.paths.home))).toBe(false);
  await paused.close();
});

test('a worker’s library removes what another process left, and keeps its own files when it closes', async () => {
  const folder = join(await testFolder(), 'home');
  const stale = readyPath(folder, FOLDERS[0]!)!;
  await mkdir(join(stale, '..'), { recursive: true, mode: 0o700 });
  await writeFile(stale, 'stale');
  await (await openAnnals({ home: folder })).close();
  expect(existsSync(stale)).toBe(true);
  const annals = await openAnnals({ home: folder, readyFiles: true });
  expect(existsSync(stale)).toBe(false);
  await annals.close();
});
