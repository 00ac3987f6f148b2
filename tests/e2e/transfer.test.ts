// Export, wipe and restore of a home, and two homes that merge each other's exports.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isAnnalsError, type NewEvent, restoreAnnals } from '../../src/index.ts';
import { homePaths } from '../../src/platform/home-paths.ts';
import { restoreLogInto } from '../../src/transfer/restore-log-into.ts';
import { onEachCorpus, skipsLongReal, whyLongRealIsSkipped } from '../helpers/corpus/corpora.ts';
import { hookNewEvents } from '../helpers/hooks/hook-generator.ts';
import { toolEvents } from '../helpers/new-events.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { claudeCodeTranscripts } from '../helpers/shared-data.ts';
import { annals, annalsHere, buildCommand, complaintOf } from './command.ts';
import { digestsOf, eventsOf, lasting, SOUND, sharedFolder, withHome } from './homes.ts';

const folder = sharedFolder('transfer');
const examples = join(REPOSITORY, 'examples/birdfeeder');
const monday = join(examples, '6f1d2c1e-58a4-4b0e-9d3c-2a7be1f0c511.jsonl');
const tuesday = join(examples, 'b02c7a94-13de-4c55-8f6a-7d9e40c2aa18.jsonl');
const memory = { title: 'Seeds', text: 'Sunflower seeds are bought on Mondays.', at: Date.UTC(2026, 4, 4) };
const SLOW_MS = 300_000;

/** Events and digests of a home. */
const contents = (home: string) =>
  withHome(home, async (annals) => ({ events: await eventsOf(annals), digests: await digestsOf(annals) }));

const named = (name: string) => join(folder, name);

let original: { readonly home: string; readonly backup: string };
beforeAll(async () => {
  original = { home: named('original-home'), backup: named('original-export') };
  await withHome(original.home, async (annals) => {
    await annals.import([examples]);
    await annals.save(memory);
    await annals.export(original.backup);
  });
});

/** A home with the example, and its export: copies, which a test may change. */
function exampleExport(name: string): { home: string; backup: string } {
  const [home, backup] = [named(`${name}-home`), named(`${name}-export`)];
  cpSync(original.home, home, { recursive: true });
  cpSync(original.backup, backup, { recursive: true });
  return { home, backup };
}

function segmentOf(backup: string): string {
  return join(backup, readdirSync(backup).find((name) => name.endsWith('.jsonl'))!);
}

async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isAnnalsError(error)) throw error ?? new Error('It did not fail.');
  return { code: error.code, message: error.message, facts: error.facts };
}

describe('a home that is exported, wiped and restored', () => {
  const sources: readonly (readonly [what: string, source: string, skips: boolean])[] = [
    ['written transcripts', examples, false],
    ['real transcripts', claudeCodeTranscripts ?? '', skipsLongReal],
  ];
  for (const [what, source, skips] of sources)
    test.skipIf(skips)(
      `of ${what} has the same events in the same chain and the same views${skips ? whyLongRealIsSkipped : ''}`,
      async () => {
        const [home, backup] = [named(`wiped-${what.slice(0, 4)}`), named(`backup-${what.slice(0, 4)}`)];
        const exported = await withHome(home, async (annals) => {
          await annals.import([source]);
          await annals.save(memory);
          return annals.export(backup);
        });
        const before = await contents(home);
        expect(exported).toMatchObject({ after: 0, head: before.events.length, blanked: 0 });
        rmSync(home, { recursive: true });
        const restored = await restoreAnnals(backup, { home });
        expect(restored).toMatchObject({
          events: exported.events,
          chain: exported.chain,
          logId: exported.logId,
        });
        expect(await contents(home)).toEqual(before);
        await withHome(home, async (annals) => {
          expect(await annals.verify({ rebuilt: true })).toMatchObject(SOUND);
          const again = await annals.import([source]);
          expect(again.appended).toBe(0);
        });
      },
      SLOW_MS,
    );

  test('continues with a new origin, and its new events survive the next export', async () => {
    const { backup } = exampleExport('origin');
    const [home, second, third] = [named('origin-2'), named('origin-export-2'), named('origin-3')];
    await restoreAnnals(backup, { home });
    const origins = await withHome(home, async (annals) => {
      await annals.save([memory, memory]);
      await annals.export(second);
      return (await eventsOf(annals)).slice(-3).map(({ origin, originSeq }) => ({ origin, originSeq }));
    });
    expect(origins[0]!.origin).not.toBe(origins[1]!.origin);
    expect(origins.slice(1).map(({ originSeq }) => originSeq)).toEqual([1, 2]);
    await restoreAnnals(second, { home: third });
    expect(await contents(third)).toEqual(await contents(home));
    await withHome(third, async (annals) => {
      await annals.save(memory);
      expect((await eventsOf(annals)).at(-1)).toMatchObject({ originSeq: 1 });
    });
    await withHome(third, async (annals) => {
      await annals.save(memory);
      expect((await eventsOf(annals)).at(-1)).toMatchObject({ originSeq: 2 });
      expect(await annals.verify()).toMatchObject(SOUND);
    });
  });

  test('is refused if the home holds events, and the home stays unchanged', async () => {
    const { home, backup } = exampleExport('taken');
    const before = await contents(home);
    expect(await failureOf(restoreAnnals(backup, { home }))).toMatchObject({ code: 'HOME_NOT_EMPTY' });
    // The state after a rewrite that was killed between its two renames. Refused before the export is read.
    for (const aside of ['log.old', 'log.next']) {
      renameSync(join(home, 'log'), join(home, aside));
      const steps: string[] = [];
      const restoring = restoreAnnals(backup, { home, onProgress: (step) => steps.push(step) });
      expect(await failureOf(restoring)).toMatchObject({ code: 'HOME_NOT_EMPTY' });
      expect(steps).toEqual([]);
      expect(await contents(home)).toEqual(before);
    }
  });

  test('locks the home while the export is being checked', async () => {
    const { backup } = exampleExport('checked');
    const home = named('checked-restored');
    // In this process, because a worker would open it only when the check is over.
    const save = () => withHome(home, (annals) => annals.save(memory), { lockTimeoutMs: 60_000 });
    let opening: Promise<unknown> | null = null;
    await restoreAnnals(backup, {
      home,
      onProgress: (step) => {
        if (step === 'checking') opening ??= failureOf(save());
      },
    });
    expect(await opening).toMatchObject({ code: 'RESTORE_UNFINISHED' });
    await withHome(home, async (annals) => expect(await annals.verify()).toMatchObject(SOUND));
  });

  test('keeps events from a process that opened the home before', async () => {
    const { backup } = exampleExport('meanwhile');
    const [home, other] = [named('meanwhile-restored'), named('meanwhile-other')];
    mkdirSync(home, { mode: 0o700 });
    await withHome(other, (annals) => annals.save(memory));
    const restoring = restoreAnnals(backup, {
      home,
      onProgress: (step) => {
        // The state left by a process that was about to open the home when the restore began.
        if (step === 'checking' && existsSync(join(other, 'log')))
          renameSync(join(other, 'log'), join(home, 'log'));
      },
    });
    expect(await failureOf(restoring)).toMatchObject({ code: 'HOME_NOT_EMPTY', facts: { events: 1 } });
    expect(readdirSync(home)).toEqual(['log']);
    await withHome(home, async (annals) => expect(await eventsOf(annals)).toHaveLength(1));
  });

  test('can have been opened before: a log without events is accepted', async () => {
    const { backup } = exampleExport('opened');
    const home = named('opened-before');
    await withHome(home, async (annals) => annals.status());
    await restoreAnnals(backup, { home });
    await withHome(home, async (annals) =>
      expect((await annals.search('sunflower')).results[0]).toMatchObject({ title: 'Seeds' }),
    );
  });

  test('keeps no view of what a deleted log held beyond its export', async () => {
    const { home, backup } = exampleExport('earlier-views');
    const before = await contents(home);
    await withHome(home, async (annals) => {
      await annals.append(toolEvents(40));
      expect((await annals.search('make')).results).not.toEqual([]);
    });
    rmSync(join(home, 'log'), { recursive: true });
    // As a restore leaves it that is killed before it rebuilds the views.
    await restoreLogInto(homePaths(home), backup, {});
    await withHome(home, async (annals) => expect((await annals.status()).degraded).toEqual([]));
    expect(await contents(home)).toEqual(before);
  });

  test('has no events when the log cannot be put in its place, until the next restore', async () => {
    const { backup } = exampleExport('no-place');
    const home = named('no-place');
    mkdirSync(join(home, 'head.json'), { recursive: true, mode: 0o700 });
    expect(await failureOf(restoreAnnals(backup, { home }))).toMatchObject({
      code: 'HOME_UNWRITABLE',
      message: expect.stringContaining(home),
    });
    rmSync(join(home, 'head.json'), { recursive: true });
    await withHome(home, async (annals) =>
      expect(await annals.verify()).toMatchObject({ ok: true, events: 0 }),
    );
    await restoreAnnals(backup, { home });
    await withHome(home, async (annals) => expect(await annals.verify()).toMatchObject(SOUND));
  });

  test('cannot be opened after an unfinished restore, until a restore completes it', async () => {
    const { backup } = exampleExport('stopped');
    const home = named('stopped');
    mkdirSync(join(home, 'log.restoring'), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, 'log.restoring/CURRENT'), 'MANIFEST-000001');
    expect(await failureOf(withHome(home, async () => undefined))).toMatchObject({
      code: 'RESTORE_UNFINISHED',
    });
    await restoreAnnals(backup, { home });
    await withHome(home, async (annals) => expect(await annals.verify()).toMatchObject(SOUND));
  });
});

test('the command exports, restores, merges and reads as of a position', async () => {
  buildCommand();
  const [home, again, backup] = [named('command'), named('command-again'), named('command-export')];
  await annalsHere(['import', monday, tuesday], { home });
  const exported = await annalsHere(['export', backup], { home });
  expect(exported).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Wrote \d+ events in .*\nIt now holds/),
  });
  const restored = await annals(['restore', backup], { home: again });
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored \d+ events[\s\S]*\nturns /),
  });
  const refused = await annalsHere(['restore', backup, '--json'], { home: again });
  expect(refused.code).toBe(1);
  expect(complaintOf(refused)).toMatchObject({ code: 'HOME_NOT_EMPTY' });
  const merged = await annalsHere(['import', backup], { home: again });
  expect(merged).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\d events of log \w{8}, none of them new\./),
  });
  for (const when of ['10', '2026-11-16T18:10']) {
    const past = await annalsHere(['timeline', '--as-of', when], { home: again });
    expect(past).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/As it was .*positions replayed in/),
    });
    expect(past.stdout).not.toBe('');
  }
});

describe('an export', () => {
  test('can be read only by the user', async () => {
    const { backup } = original;
    expect(lstatSync(backup).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(backup)) expect(lstatSync(join(backup, name)).mode & 0o777).toBe(0o600);
  });

  test('is continued with new events, and restores all of them', async () => {
    const [home, backup, again] = [named('grown'), named('grown-export'), named('grown-again')];
    await withHome(home, async (annals) => {
      await annals.import([monday]);
      const first = await annals.export(backup);
      expect(await annals.export(backup)).toMatchObject({ written: 0, head: first.head, segments: 1 });
      await annals.import([tuesday]);
      const next = await annals.export(backup);
      expect(next).toMatchObject({
        after: 0,
        events: next.head,
        written: next.head - first.head,
        segments: 2,
      });
    });
    await restoreAnnals(backup, { home: again });
    expect(await contents(again)).toEqual(await contents(home));
  });

  test('that begins at a later position can be merged but not restored', async () => {
    const [home, start, rest, again] = [
      named('part'),
      named('part-start'),
      named('part-rest'),
      named('part-2'),
    ];
    await withHome(home, async (annals) => {
      await annals.import([monday]);
      const { head } = await annals.export(start);
      await annals.import([tuesday]);
      expect(await annals.export(rest, { since: head })).toMatchObject({ after: head });
      expect(await failureOf(annals.export(named('part-far'), { since: 9_999 }))).toMatchObject({
        code: 'USAGE',
      });
      expect(await failureOf(annals.export(start, { since: head + 1 }))).toMatchObject({ code: 'USAGE' });
      // It has what is before.
      expect(await failureOf(annals.export(start, { since: 1 }))).toMatchObject({ code: 'USAGE' });
    });
    expect(await failureOf(restoreAnnals(rest, { home: again }))).toMatchObject({ code: 'INPUT_INVALID' });
    await restoreAnnals(start, { home: again });
    await withHome(again, async (annals) => expect((await annals.import([rest])).duplicates).toBe(0));
    expect((await contents(again)).digests).toEqual((await contents(home)).digests);
  });

  test('is never written into a folder with other files or with an export of another log', async () => {
    const { home, backup } = exampleExport('other');
    const other = named('other-log');
    const photos = named('photos');
    mkdirSync(photos);
    writeFileSync(join(photos, 'bird.txt'), 'a sparrow');
    await withHome(other, async (annals) => {
      await annals.save(memory);
      expect(await failureOf(annals.export(backup))).toMatchObject({ code: 'USAGE' });
    });
    await withHome(home, async (annals) =>
      expect(await failureOf(annals.export(photos))).toMatchObject({ code: 'INPUT_INVALID' }),
    );
    expect(readdirSync(photos)).toEqual(['bird.txt']);
  });
});

describe('a damaged export', () => {
  const damages: readonly (readonly [string, (backup: string) => void, RegExp])[] = [
    [
      'a changed letter',
      (backup) => edit(segmentOf(backup), (text) => text.replace('Sunflower seeds', 'Sunflower weeds')),
      /events-\d{12}-[0-9a-f]{8}\.jsonl, line \d+: it was changed/,
    ],
    [
      'a missing line',
      (backup) => edit(segmentOf(backup), (text) => text.split('\n').toSpliced(4, 1).join('\n')),
      /line 5: event 6 is in the place of event 5/,
    ],
    [
      'a cut end',
      (backup) => edit(segmentOf(backup), (text) => text.slice(0, -30)),
      /line \d+: the line is cut off/,
    ],
    [
      'an end that is cut between lines',
      (backup) =>
        edit(segmentOf(backup), (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`),
      /it ends after \d+ of \d+ events/,
    ],
    ['a missing segment', (backup) => rmSync(segmentOf(backup)), /it is missing/],
    [
      'a manifest with another count',
      (backup) => edit(join(backup, 'manifest.json'), (text) => text.replace(/"events": \d+/, '"events": 7')),
      /the stated number of events/,
    ],
    [
      'half a manifest',
      (backup) => edit(join(backup, 'manifest.json'), (text) => text.slice(0, text.length / 2)),
      /it is not the manifest/,
    ],
  ];
  for (const [index, [what, damage, pattern]] of damages.entries())
    test(`with ${what} is refused, and nothing is written`, async () => {
      const { backup } = exampleExport(`damaged-${index}`);
      damage(backup);
      const [empty, full] = [named(`damaged-empty-${index}`), named(`damaged-full-${index}`)];
      const refused = await failureOf(restoreAnnals(backup, { home: empty }));
      expect(refused).toMatchObject({ code: 'EXPORT_DAMAGED', message: expect.stringMatching(pattern) });
      expect(existsSync(empty)).toBe(false);
      await withHome(full, async (annals) => {
        await annals.save(memory);
        expect(await failureOf(annals.import([backup]))).toMatchObject({ code: 'EXPORT_DAMAGED' });
        expect(await eventsOf(annals)).toHaveLength(1);
      });
    });
});

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

describe('two homes with overlapping sessions that merge each other’s exports', () => {
  /** Two homes: each has events of its own, and one of them has half of a session of the other. */
  async function twoHomes(name: string): Promise<readonly [string, string]> {
    const half = named(`${name}-half`);
    mkdirSync(half);
    const lines = readFileSync(tuesday, 'utf8').split('\n');
    cpSync(tuesday, join(half, 'b02c7a94-13de-4c55-8f6a-7d9e40c2aa18.jsonl'));
    writeFileSync(
      join(half, 'b02c7a94-13de-4c55-8f6a-7d9e40c2aa18.jsonl'),
      `${lines.slice(0, Math.floor(lines.length / 2)).join('\n')}\n`,
    );
    const homes = [named(`${name}-a`), named(`${name}-b`)] as const;
    await withHome(homes[0], async (annals) => {
      await annals.import([examples.concat('/6f1d2c1e-58a4-4b0e-9d3c-2a7be1f0c511.jsonl'), half]);
      await annals.save(memory);
    });
    await withHome(homes[1], async (annals) => {
      await annals.save({ ...memory, title: 'Water', text: 'The bath is filled every day.' });
      await annals.import([tuesday, join(examples, '6f1d2c1e-58a4-4b0e-9d3c-2a7be1f0c511')]);
    });
    return homes;
  }

  test('hold the same events and the same views, in either order', async () => {
    const [first, second] = [await twoHomes('first'), await twoHomes('second')];
    await exchange(first, 'first');
    await exchange([second[1], second[0]], 'second');
    const all = await Promise.all([...first, ...second].map(contents));
    for (const home of [first, second])
      for (const one of home)
        await withHome(one, async (annals) =>
          expect(await annals.verify({ rebuilt: true })).toMatchObject(SOUND),
        );
    expect(lasting(all[0]!.events)).toEqual(lasting(all[1]!.events));
    expect(all[0]!.digests).toEqual(all[1]!.digests);
    expect(lasting(all[2]!.events)).toEqual(lasting(all[3]!.events));
    expect(all[2]!.digests).toEqual(all[3]!.digests);
  });

  test('keep the origin of each event, and count events that both had', async () => {
    const { home, backup } = exampleExport('twice');
    const other = named('twice-other');
    const before = await contents(home);
    await withHome(other, async (annals) => {
      await annals.save({ ...memory, title: 'Other' });
      expect(await annals.import([backup])).toMatchObject({ appended: before.events.length, parked: 0 });
      const again = await annals.import([backup]);
      expect(again).toMatchObject({ appended: 0, duplicates: before.events.length, sessions: 2, prompts: 5 });
    });
    const workdir = ({ id, origin, originSeq }: { id: string; origin: string; originSeq: number }) => [
      id,
      origin,
      originSeq,
    ];
    expect((await contents(other)).events.slice(1).map(workdir)).toEqual(before.events.map(workdir));
  });
});

/** The first home exports into the second, which then exports into the first. */
async function exchange([one, other]: readonly [string, string], name: string): Promise<void> {
  const [there, back] = [named(`${name}-there`), named(`${name}-back`)];
  await withHome(one, (annals) => annals.export(there));
  await withHome(other, async (annals) => {
    const report = await annals.import([there]);
    expect(report.duplicates).toBeGreaterThan(0);
    expect(report.exports).toMatchObject([{ differing: 0, appended: report.appended }]);
    await annals.export(back);
  });
  await withHome(one, async (annals) => expect((await annals.import([back])).appended).toBeGreaterThan(0));
}

/** One folder of each corpus. */
const EXCHANGED = { real: 'd-kimuson__claude-code-viewer', synthetic: 'robin__kite-log' };

onEachCorpus('two homes that are given the same sessions', (corpus) => {
  test(
    'hold the same, where one heard of them by hooks and by halves of the transcripts',
    async () => {
      const source = join(corpus.folder, EXCHANGED[corpus.name]);
      const half = named(`${corpus.name}-half`);
      const hooks: NewEvent[] = [];
      for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.jsonl')) continue;
        const bytes = readFileSync(join(source, name));
        mkdirSync(dirname(join(half, name)), { recursive: true });
        writeFileSync(join(half, name), bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length / 2) + 1));
        if (!name.includes('subagents')) hooks.push(...hookNewEvents(bytes, { promptId: true }));
      }
      const homes = [named(`${corpus.name}-a`), named(`${corpus.name}-b`)] as const;
      await withHome(homes[0], async (annals) => {
        await annals.append(hooks);
        await annals.import([half]);
      });
      await withHome(homes[1], (annals) => annals.import([source]));
      await exchange(homes, corpus.name);
      const [one, other] = [await contents(homes[0]), await contents(homes[1])];
      expect(lasting(one.events)).toEqual(lasting(other.events));
      expect(one.digests).toEqual(other.digests);
      for (const home of homes)
        await withHome(home, async (annals) => expect(await annals.verify()).toMatchObject(SOUND));
    },
    SLOW_MS,
  );
});
