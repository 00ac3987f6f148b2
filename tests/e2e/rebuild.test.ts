// Views are disposable: after deletion, late and unordered events, or damage on disk, a rebuild from the log makes
// them equal again, and all damage is reported.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Annals, NewEvent } from '../../src/index.ts';
import { type Chance, chance } from '../helpers/chance.ts';
import { skipsLongReal, whyLongRealIsSkipped } from '../helpers/corpus/corpora.ts';
import { hookNewEvents } from '../helpers/hooks/hook-generator.ts';
import { makeProgram, REPOSITORY } from '../helpers/program.ts';
import { claudeCodeTranscripts } from '../helpers/shared-data.ts';
import { Script } from '../helpers/transcripts.ts';
import { digestsOf, eventsOf, lasting, SOUND, sharedFolder, withHome } from './homes.ts';
import type { Flip, FlipResult } from './programs/check-view-flips.ts';

const SEED = Number(process.env.ANNALS_TEST_SEED ?? 1);
const FLIPS = Number(process.env.ANNALS_TEST_VIEW_FLIPS ?? 2);
const VIEWS = ['context', 'memory', 'projects', 'receipts', 'text', 'turns', 'vectors'];
const folder = sharedFolder('rebuild');

/** A session of 18 turns; every eighth leaves a tool use without a result. */
function session(
  number: number,
  turns = 18,
): { name: string; bytes: Buffer; openUses: string[]; cwd: string } {
  const id = `${number}2222222-2222-4333-8444-555555555555`;
  const cwd = `/home/u/app-${number}`;
  const script = new Script({ session: id, firstUuid: number * 100_000, cwd });
  const openUses: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    script.prompt(`Please look at part ${turn} of program ${number}`);
    for (let use = 0; use < 3; use++) {
      const tool = `toolu_${number}_${turn}_${use}`;
      script.use(tool, 'Bash', { command: `make part-${turn}-${use}` });
      if (turn % 8 === 7 && use === 1) openUses.push(tool);
      else script.result(tool, `line ${use} of ${turn}\n`.repeat(20));
    }
    script.reply(`Part ${turn} is done.`);
  }
  return { name: `${id}.jsonl`, bytes: script.bytes(), openUses, cwd };
}

function workdir(cwd: string, look: number): NewEvent<'workdir.seen'> {
  const remotes =
    look % 3 === 0 ? [] : [{ name: 'origin', url: `https://example.org/team/app-${look % 2}.git` }];
  return {
    type: 'workdir.seen',
    agent: 'annals',
    session: null,
    dedupeKey: `look-${look}-${cwd}`,
    channel: 'cli',
    occurredAt: Date.UTC(2026, 0, 2) + look * 1_000,
    body: {
      cwd,
      root: cwd,
      commonDir: `${cwd}/.git`,
      remotes,
      proposal: { name: `name ${look % 5}`, subprojects: [] },
    },
  };
}

function memory(number: number, cwd: string): NewEvent<'memory.saved'> {
  const project = number % 4 === 0 ? `app-${number % 3}` : null;
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    dedupeKey: `memory-${number}-${cwd}`,
    channel: 'api',
    occurredAt: Date.UTC(2026, 0, 3) + number * 1_000,
    body: { title: `Lesson ${number}`, text: `What was learned of part ${number}`, cwd, project },
  };
}

function unanswered(toolUseId: string, sessionId: string): NewEvent<'tool.unanswered'> {
  return {
    type: 'tool.unanswered',
    agent: 'claude-code',
    session: sessionId,
    dedupeKey: toolUseId,
    // Not with channel transcript: the reader's later report is then a separate event.
    channel: 'import',
    occurredAt: Date.UTC(2026, 0, 1, 1),
    body: { toolUseId, name: 'Bash', input: { command: `make ${toolUseId}` } },
  };
}

function answered(toolUseId: string, sessionId: string): NewEvent<'tool.used'> {
  const { body, ...newEvent } = unanswered(toolUseId, sessionId);
  return {
    ...newEvent,
    type: 'tool.used',
    body: { toolUseId, name: 'Bash', input: body.input ?? null, outcome: 'ok', result: 'late, but here' },
  };
}

/** Appends events in small pieces; in between the views catch up and the text index is queried. */
async function appendSlowly(annals: Annals, newEvents: readonly NewEvent[], luck: Chance): Promise<number> {
  const before = (await annals.status()).log.events;
  for (const piece of luck.cut(newEvents, 40)) {
    await annals.append(piece);
    if (luck.below(2) === 0) await annals.search('part program lesson late');
  }
  return (await annals.status()).log.events - before;
}

async function expectRebuildEqual(annals: Annals) {
  const { ok, problems, views } = await annals.verify({ rebuilt: true });
  expect(problems).toEqual([]);
  expect(ok).toBe(true);
  expect(views?.map(({ name }) => name).sort()).toEqual(VIEWS);
  for (const { name, live, rebuilt } of views ?? []) expect(live, name).toBe(rebuilt);
  return Object.fromEntries(views!.map(({ name, live }) => [name, live]));
}

describe('views that were deleted', () => {
  test('are equal again after a rebuild, a replay or a search', async () => {
    const home = join(folder, 'deleted');
    const { bytes, name } = session(1);
    writeFileSync(join(folder, name), bytes);
    const before = await withHome(home, async (annals) => {
      await annals.import([join(folder, name)]);
      await annals.save({ title: 'A lesson', text: 'about part 3', cwd: '/home/u/app-1' });
      const answer = await annals.search('make part lesson');
      expect(answer.results.length).toBeGreaterThan(5);
      return { digests: await expectRebuildEqual(annals), results: answer.results };
    });
    const ways: ((annals: Annals) => Promise<unknown>)[] = [
      (annals) => annals.rebuild(),
      (annals) => annals.replay(),
      (annals) => annals.search('part'),
    ];
    for (const way of ways) {
      rmSync(join(home, 'views'), { recursive: true });
      await withHome(home, async (annals) => {
        await way(annals);
        expect(await digestsOf(annals)).toEqual(before.digests);
        expect((await annals.search('make part lesson')).results).toEqual(before.results);
        expect((await annals.status()).degraded).toEqual([]);
      });
    }
  });
});

describe('500 late and corrected events', () => {
  async function lateAndCorrected(
    name: string,
    files: readonly { name: string; bytes: Buffer; openUses: string[]; cwd: string }[],
  ) {
    const home = join(folder, name);
    const luck = chance(SEED);
    const source = join(folder, `${name}-transcripts`);
    mkdirSync(source);
    const write = (part: (bytes: Buffer) => number) => {
      for (const file of files)
        writeFileSync(join(source, file.name), file.bytes.subarray(0, part(file.bytes)));
    };
    const late = luck.shuffled<NewEvent>([
      ...files.flatMap((file) => hookNewEvents(file.bytes, { promptId: false, loseEvery: 7 })),
      ...files.flatMap((file) => file.openUses.map((use) => answered(use, file.name.replace('.jsonl', '')))),
      ...files.flatMap((file) => Array.from({ length: 20 }, (_, look) => workdir(file.cwd, look))),
      ...files.flatMap((file) => Array.from({ length: 60 }, (_, number) => memory(number, file.cwd))),
      ...files.map(
        (file, index): NewEvent<'project.linked'> => ({
          type: 'project.linked',
          agent: 'annals',
          session: null,
          dedupeKey: `link-${index}`,
          channel: 'cli',
          occurredAt: Date.UTC(2026, 0, 4) + index,
          body: { cwd: file.cwd, project: index === 0 ? 'merged' : 'apart' },
        }),
      ),
    ]);
    const { digests, events } = await withHome(home, async (annals) => {
      write((bytes) => Math.floor(bytes.length * 0.4));
      await annals.import([source]);
      await annals.append(
        files.flatMap((file) => file.openUses.map((use) => unanswered(use, file.name.replace('.jsonl', '')))),
      );
      await annals.search('part program');
      let appended = await appendSlowly(annals, late.slice(0, late.length / 2), luck);
      write((bytes) => Math.floor(bytes.length * 0.7));
      appended += (await annals.import([source])).appended;
      return appended + (await appendSlowly(annals, late.slice(late.length / 2), luck));
    }).then(async (appended) => {
      // A second process continues from the files of the first.
      write((bytes) => bytes.length);
      return withHome(home, async (annals) => {
        const all = appended + (await annals.import([source])).appended;
        expect(all).toBeGreaterThanOrEqual(500);
        console.log(`${name}: ${all} late and corrected events, seed ${SEED}`);
        return { digests: await expectRebuildEqual(annals), events: lasting(await eventsOf(annals)) };
      });
    });
    // The text index on disk, not only the one in memory.
    await withHome(home, async (annals) => expect(await expectRebuildEqual(annals)).toEqual(digests));
    rmSync(join(home, 'views'), { recursive: true });
    await withHome(home, async (annals) => {
      await annals.rebuild();
      expect(await digestsOf(annals)).toEqual(digests);
    });
    // Appended in another order and at once, the rows are the same.
    await withHome(`${home}-at-once`, async (annals) => {
      await annals.append([...late].reverse());
      await annals.import([source]);
      await annals.append(
        files.flatMap((file) => file.openUses.map((use) => unanswered(use, file.name.replace('.jsonl', '')))),
      );
      expect(lasting(await eventsOf(annals))).toEqual(events);
      expect(await digestsOf(annals)).toEqual(digests);
    });
  }

  test('leave views that equal a rebuild, including the text index', async () => {
    await lateAndCorrected('written-late', [session(1), session(2), session(3)]);
  }, 300_000);

  test.skipIf(skipsLongReal)(
    `leave views of real sessions that equal a rebuild, text included${whyLongRealIsSkipped}`,
    async () => {
      const { readFileSync } = await import('node:fs');
      const real = [
        'd-kimuson__claude-code-viewer/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl',
        'JanDeDobbeleer__oh-my-posh/8521e3ab-d00f-4fdc-b013-609c00860cc3.jsonl',
        'entireio__cli/ba517c53-22ac-41fe-8d0b-aad3b421f359.jsonl',
      ].map((path) => {
        const bytes = readFileSync(join(claudeCodeTranscripts ?? '', path));
        const cwd = /"cwd":"([^"]+)"/.exec(bytes.toString('utf8'))?.[1] ?? '/home/u/real';
        return { name: path.split('/')[1]!, bytes, openUses: [], cwd };
      });
      await lateAndCorrected('real-late', [...real, session(4), session(5)]);
    },
    300_000,
  );
});

describe('a flipped byte below views/', () => {
  test(`crashes nothing, is reported or harmless, and a rebuild repairs it (${FLIPS} flips, seed ${SEED})`, async () => {
    const home = join(folder, 'flipped');
    const files = [session(1, 8), session(2, 8)];
    for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes);
    for (const { name } of files) await withHome(home, (annals) => annals.import([join(folder, name)]));
    const events = await withHome(home, eventsOf);
    const program = await makeProgram('tests/e2e/programs/check-view-flips.ts', join(folder, 'check.mjs'));
    const control = { name: 'head.json', offset: 0, bit: null };
    const untouched = await check(program, home, [control]);
    expect(untouched.lines.map((line) => JSON.parse(line))).toEqual([
      { reported: [], bugs: [], equal: true, repaired: true },
    ]);
    const flips = chooseFlips(home, chance(SEED));
    const results: (FlipResult | 'aborted')[] = [];
    while (results.length < flips.length) {
      const { lines, errors } = await check(program, home, flips.slice(results.length));
      results.push(...lines.map((line) => JSON.parse(line) as FlipResult));
      if (results.length < flips.length) {
        expect(errors, 'ended by LevelDB itself or not at all').not.toMatch(/^\s+at /m);
        results.push('aborted');
      }
    }
    const outcomes = results.map((result, index) => ({ ...flips[index]!, result }));
    const finished = outcomes.flatMap(({ result }) => (result === 'aborted' ? [] : [result]));
    const count = (of: (result: FlipResult) => boolean) => finished.filter(of).length;
    console.log(
      `${FLIPS} flips below views/: ${count(({ reported }) => reported.length > 0)} reported, ${count(({ reported, equal }) => reported.length === 0 && equal === true)} harmless, ${results.length - finished.length} aborted`,
    );
    expect(outcomes.filter(({ result }) => result !== 'aborted' && result.bugs.length > 0)).toEqual([]);
    expect(
      outcomes.filter(
        ({ result }) => result !== 'aborted' && result.reported.length === 0 && result.equal !== true,
      ),
    ).toEqual([]);
    expect(outcomes.filter(({ result }) => result !== 'aborted' && !result.repaired)).toEqual([]);
    expect(outcomes.filter(({ result }) => result === 'aborted')).toEqual([]);
    expect(await withHome(home, (annals) => annals.verify())).toMatchObject({
      ...SOUND,
      events: events.length,
    });
  }, 600_000);
});

/** Flips spread over all files below views/, large or small. LOCK and LOG are never read. */
function chooseFlips(home: string, luck: Chance): Flip[] {
  const files = readdirSync(join(home, 'views'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(home, 'views', name))
    .filter((path) => statSync(path).isFile() && statSync(path).size > 0 && !/\/LO(CK|G|G\.old)$/.test(path))
    .sort();
  const names = luck.shuffled(files);
  return Array.from({ length: FLIPS }, (_, flip) => {
    const path = names[flip % names.length]!;
    return { name: relative(home, path), offset: luck.below(statSync(path).size), bit: luck.below(8) };
  });
}

function check(
  program: string,
  home: string,
  flips: readonly Flip[],
): Promise<{ lines: string[]; errors: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, home, `${home}-copy`, JSON.stringify(flips)],
      { cwd: REPOSITORY, maxBuffer: 1e8 },
      (_, stdout, errors) => resolve({ lines: stdout.split('\n').filter((line) => line !== ''), errors }),
    );
  });
}
