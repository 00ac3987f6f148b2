// As-of: a log of many pages, imported in any order, shows for a time the same views as an import of the files cut at
// that time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Log, logUntil, type PastLog } from '../../log/index.ts';
import { type Runner, type SessionRow, sessionKeys } from '../../projections/index.ts';
import { fork } from '../helpers/forks.ts';
import { openMemoryLog } from '../helpers/logs.ts';
import { digestsOf, PROJECTORS, viewsOf } from '../helpers/projected.ts';
import { cutAt, readWhole, Script } from '../helpers/transcripts.ts';
import { memoryGenerations, testRunner } from '../helpers/views.ts';

const FIRST = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const PAGE = 9;

/** A session with this many tool uses that begins on a day. Its title has no time, and its last tool use no result. */
function session(number: number, day: number, uses: number): Buffer {
  const id = `${String(number).repeat(8)}-0000-4000-8000-000000000000`;
  const script = new Script({
    session: id,
    cwd: `/home/u/${number % 2}`,
    firstUuid: number * 10_000,
    start: FIRST + day * DAY_MS,
  });
  script.prompt(`Make part ${number} faster`);
  script.meta('custom-title', { customTitle: `Part ${number}` });
  for (let use = 0; use < uses; use++) {
    script.use(`toolu_${number}_${use}`, 'Bash', { command: `make part-${number} STEP=${use}` });
    script.result(`toolu_${number}_${use}`, use % 5 === 4 ? 'Error: no such step' : 'done', {}, {});
    if (use % 4 === 3) script.prompt(`And now step ${use} of part ${number}`);
  }
  script.reply(`Part ${number} is twice as fast now.`);
  script.prompt(`Look at part ${number} once more`);
  script.use(`toolu_${number}_open`, 'Read', { file_path: `/home/u/part-${number}` });
  return script.bytes();
}

const files = [
  session(1, 180, 9),
  session(2, 0, 9),
  session(3, 60, 4),
  session(4, 90, 8),
  fork(session(2, 0, 9), '00000000-0000-4000-8000-000000000009').bytes,
];

const times = files
  .flatMap((bytes) => [...bytes.toString().matchAll(/"timestamp":"([^"]+)"/g)].map((match) => match[1]!))
  .map((time) => Date.parse(time))
  .sort((a, b) => a - b);

async function viewsAt(log: Log, time: number): Promise<Runner> {
  return viewsOn(await logUntil(log, { time }));
}

async function viewsOn(past: Log): Promise<Runner> {
  const runner = await testRunner({
    log: past,
    generations: memoryGenerations(),
    projectors: PROJECTORS,
    pageSize: PAGE,
  });
  await runner.catchUp();
  return runner;
}

/** As a file that grows is read. */
function pieces<T>(newEvents: readonly T[]): T[][] {
  const size = Math.ceil(newEvents.length / 5);
  return [0, 1, 2, 3, 4].map((part) => newEvents.slice(part * size, (part + 1) * size));
}

/** Ten times, with the expected views of the files cut at each. */
async function pasts(): Promise<{ time: number; digests: Record<string, string> }[]> {
  const found = [];
  for (let tenth = 1; tenth <= 10; tenth++) {
    const time = times[Math.floor((times.length * tenth) / 10) - 1]!;
    const cut = files.map((bytes) => readWhole(Buffer.from(cutAt(bytes.toString(), time))).newEvents);
    found.push({ time, digests: await digestsOf(await viewsOf(cut)) });
  }
  return found;
}

const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });

test('as-of views at ten times equal the views of files cut at that time, in any import order', async () => {
  const then = await pasts();
  await fc.assert(
    fc.asyncProperty(order, async (imported) => {
      const log = await openMemoryLog();
      for (const index of imported) await log.append(readWhole(files[index]!).newEvents);
      expect(log.head().position).toBeGreaterThan(5 * PAGE);
      for (const { time, digests } of then)
        expect(await digestsOf(await viewsAt(log, time)), `as of ${time}`).toEqual(digests);
    }),
    { numRuns: 3, seed: 20261122, examples: [[[0, 1, 2, 3, 4]]] },
  );
});

test('a past log says that it changed whenever a new one has other views', async () => {
  const kept = { changed: 0, same: 0 };
  await fc.assert(
    fc.asyncProperty(order, fc.integer({ min: 1, max: 9 }), async (imported, tenth) => {
      const time = times[Math.floor((times.length * tenth) / 10)]!;
      const log = await openMemoryLog();
      let past: PastLog | null = null;
      for (const index of imported)
        for (const newEvents of pieces(readWhole(files[index]!).newEvents)) {
          past ??= await logUntil(log, { time });
          const before = await digestsOf(await viewsOn(past));
          await log.append(newEvents);
          const isCurrent = await past.isCurrent();
          kept[isCurrent ? 'same' : 'changed'] += 1;
          if (isCurrent) expect(await digestsOf(await viewsAt(log, time))).toEqual(before);
          else past = null;
        }
    }),
    { numRuns: 2, seed: 20261124 },
  );
  expect(Math.min(kept.changed, kept.same)).toBeGreaterThan(10);
});

test('a title without a time counts from the line before it in the file, not from the last event', async () => {
  const script = new Script({ start: FIRST });
  script.prompt('Make the hatch faster');
  script.message('progress', null, { data: { type: 'hook_progress' } });
  script.attachment({ type: 'todo_reminder' });
  script.meta('custom-title', { customTitle: 'Hatch' });
  script.meta('continued-in', { continuedInSessionId: '22222222-2222-4333-8444-555555555555' });
  script.reply('It is twice as fast now.');
  const bytes = script.bytes();
  const at = [...bytes.toString().matchAll(/"timestamp":"([^"]+)"/g)].map((match) => Date.parse(match[1]!));
  expect(at).toHaveLength(4);
  const log = await openMemoryLog();
  await log.append(readWhole(bytes).newEvents);
  const found = [];
  for (const time of at) {
    const cut = readWhole(Buffer.from(cutAt(bytes.toString(), time))).newEvents;
    const past = await viewsAt(log, time);
    expect(await digestsOf(past), `as of ${time}`).toEqual(await digestsOf(await viewsOf([cut])));
    const [row] = await past.view('turns').range<SessionRow>(sessionKeys.sessions());
    found.push([row?.[1].title, row?.[1].continuedIn.length]);
  }
  expect(found).toEqual([
    [null, 0],
    [null, 0],
    ['Hatch', 1],
    ['Hatch', 1],
  ]);
});

test('a title before the first line with a time counts from that line, even when older lines follow', async () => {
  const script = new Script({ start: FIRST });
  script.prompt('Make the hatch faster');
  script.use('toolu_1', 'Bash', { command: 'make hatch' });
  script.result('toolu_1', 'done', {}, {});
  script.reply('It is twice as fast now.');
  // After a compaction the program writes the title and the queue first, then the older lines that it continues from.
  const session = { sessionId: script.session };
  const queue = { type: 'queue-operation', operation: 'dequeue', ...session };
  const first = [
    { type: 'custom-title', customTitle: 'Hatch', ...session },
    { ...queue, timestamp: new Date(FIRST + DAY_MS).toISOString() },
  ];
  const text = first.map((line) => `${JSON.stringify(line)}\n`).join('') + script.bytes().toString();
  const { newEvents } = readWhole(Buffer.from(text));
  const log = await openMemoryLog();
  await log.append(newEvents);
  const titleOf = async (views: Pick<Runner, 'view'>) =>
    (await views.view('turns').range<SessionRow>(sessionKeys.sessions()))[0]?.[1].title;
  const found = [];
  for (const time of [FIRST + 60_000, FIRST + DAY_MS]) {
    const cut = readWhole(Buffer.from(cutAt(text, time))).newEvents;
    found.push([await titleOf(await viewsAt(log, time)), await titleOf(await viewsOf([cut]))]);
  }
  expect(found).toEqual([
    [null, null],
    ['Hatch', 'Hatch'],
  ]);
});

test('an unanswered tool use counts from the next prompt, a question to the person from its own time', async () => {
  const script = new Script({ start: FIRST });
  script.prompt('Make the hatch faster');
  script.use('toolu_ask', 'AskUserQuestion', { questions: [{ question: 'Which hatch?' }] });
  script.result('toolu_ask', 'The front one', {}, {});
  script.use('toolu_broken_off', 'Bash', { command: 'make hatch' });
  script.reply('I stopped here.');
  script.prompt('Then make the other one faster');
  script.use('toolu_open', 'AskUserQuestion', { questions: [{ question: 'Which other one?' }] });
  const text = script.bytes().toString();
  const log = await openMemoryLog();
  await log.append(readWhole(script.bytes()).newEvents);
  const shown = [];
  for (const [, time] of text.matchAll(/"timestamp":"([^"]+)"/g)) {
    const past = await viewsAt(log, Date.parse(time!));
    const cut = readWhole(Buffer.from(cutAt(text, Date.parse(time!)))).newEvents;
    expect(await digestsOf(past), `as of ${time}`).toEqual(await digestsOf(await viewsOf([cut])));
    shown.push(cut.flatMap(({ type, dedupeKey }) => (type === 'tool.unanswered' ? [dedupeKey] : [])));
  }
  const [ask, brokenOff, open] = ['toolu_ask', 'toolu_broken_off', 'toolu_open'];
  expect(shown).toEqual([[], [ask], [ask], [ask], [ask], [ask, brokenOff], [ask, brokenOff, open]]);
});
