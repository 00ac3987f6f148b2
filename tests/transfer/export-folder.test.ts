// An export is only accepted if a log could have written it: no content of an export makes a home that cannot be opened
// or read.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ExportedEvent } from '../../log/index.ts';
import { isAnnalsError, restoreAnnals } from '../../src/index.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from '../e2e/homes.ts';
import { type Forged, forged, forgeExport } from '../helpers/forged-export.ts';
import { toolEvent, toolEvents } from '../helpers/new-events.ts';

const folder = sharedFolder('export-folder');
const named = (name: string) => join(folder, name);
const honest = named('honest');

/** Two tool uses, the first one forgotten: three events. */
beforeAll(async () => {
  await withHome(named('home'), async (annals) => {
    await annals.append(toolEvents(2));
    const [first] = await eventsOf(annals);
    await annals.forget({ ids: [first!.id] });
    await annals.export(honest);
  });
});

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return isAnnalsError(error) ? { code: error.code, message: error.message, hint: error.hint } : error;
}

/** A home with events of its own, one of them forgotten. */
async function livedIn(home: string): Promise<void> {
  await withHome(home, async (annals) => {
    await annals.append([toolEvent(8, 'own'), toolEvent(9, 'own')]);
    const [first] = await eventsOf(annals);
    await annals.forget({ ids: [first!.id] });
  });
}

const forgetting = (json: string, header: object = {}) => {
  return ([, whole, said]: readonly ExportedEvent[]): readonly Forged[] => [
    whole!,
    forged(said!, { dedupeKey: 'forged', ...header }, json),
  ];
};
const use = (json: string) => {
  return ([, whole]: readonly ExportedEvent[]): readonly Forged[] => [
    whole!,
    forged(whole!, { dedupeKey: 'forged' }, json),
  ];
};
const lists = '"names":[],"items":[]';

describe('an export is refused, and nothing imported, when it holds', () => {
  const cases: readonly (readonly [
    what: string,
    change: (events: readonly ExportedEvent[]) => readonly Forged[],
    code: string,
    said: RegExp,
  ])[] = [
    [
      'a body that is no JSON',
      use('{"text": oops'),
      'EXPORT_DAMAGED',
      /line 2: the body is not a JSON object/,
    ],
    ['a body that is a number', use('5'), 'EXPORT_DAMAGED', /line 2: the body is not a JSON object/],
    ['a body that is a list', use('[]'), 'EXPORT_DAMAGED', /line 2: the body is not a JSON object/],
    ['a body that ends early', use('{"a":1},"b":{}'), 'EXPORT_DAMAGED', /not a JSON object/],
    ['a body of another form', use('{"toolUseId":7}'), 'EXPORT_DAMAGED', /the form of a tool\.used/],
    ['a forgetting without a choice', forgetting(`{"events":[],${lists}}`), 'EXPORT_DAMAGED', /line 2/],
    ['a forgetting without its lists', forgetting('{"by":"ids"}'), 'EXPORT_DAMAGED', /line 2/],
    [
      'a forgetting whose names are numbers',
      forgetting('{"by":"ids","events":[],"names":[5],"items":[]}'),
      'EXPORT_DAMAGED',
      /line 2: the body does not have the form of a memory\.forgotten/,
    ],
    [
      'a forgetting with invalid ids',
      forgetting(`{"by":"ids","events":[{"agent":"a","session":null,"ids":["xyz"]}],${lists}}`),
      'EXPORT_DAMAGED',
      /line 2/,
    ],
    [
      'a forgetting that only a newer version can read',
      forgetting(`{"by":"ids","events":[],${lists}}`, { v: 999 }),
      'LOG_TOO_NEW',
      /version 999/,
    ],
    ['one event twice', ([, whole]) => [whole!, forged(whole!, {})], 'EXPORT_DAMAGED', /line 2: its id/],
    [
      'a forgetting without its body',
      ([blank, whole, said]) => [whole!, { header: said!.header, body: blank!.body }],
      'EXPORT_DAMAGED',
      /line 2/,
    ],
  ];
  for (const [index, [what, change, code, said]] of cases.entries())
    test(what, async () => {
      const [made, empty, full] = [named(`made-${index}`), named(`empty-${index}`), named(`full-${index}`)];
      forgeExport(honest, made, change);
      const refusal = { code, message: expect.stringMatching(said), hint: expect.any(String) };
      expect(await codeOf(restoreAnnals(made, { home: empty }))).toEqual(refusal);
      expect(existsSync(empty)).toBe(false);
      await withHome(full, async (annals) => {
        expect(await codeOf(annals.import([made]))).toEqual(refusal);
        expect(await eventsOf(annals)).toEqual([]);
      });
    });
});

describe('a home opens and reads after an export with', () => {
  const cases: readonly (readonly [string, (events: readonly ExportedEvent[]) => readonly Forged[]])[] = [
    [
      'a type named like a property of every object',
      ([, whole]) => [forged(whole!, { type: 'constructor' })],
    ],
    ['a version that only a newer one knows', ([, whole]) => [forged(whole!, { v: 999 }, '{"new":1}')]],
    [
      'an unknown name',
      forgetting('{"by":"ids","events":[],"names":["textNear a b c 1 hook %E0%A4 5"],"items":[]}'),
    ],
  ];
  for (const [index, [what, change]] of cases.entries())
    test(what, async () => {
      const [made, again, lived] = [
        named(`odd-${index}`),
        named(`odd-again-${index}`),
        named(`odd-lived-${index}`),
      ];
      forgeExport(honest, made, change);
      await restoreAnnals(made, { home: again });
      await livedIn(lived);
      await withHome(lived, (annals) => annals.import([made]));
      for (const home of [again, lived])
        await withHome(home, async (annals) => {
          expect(await annals.verify()).toMatchObject(SOUND);
          await annals.search('test');
          await annals.export(named(`odd-${index}-${home === again}`));
        });
    });
});

describe('an event without a body that no event in the export explains', () => {
  /** A partial export whose blank event was forgotten before that part. */
  async function exportPart(name: string): Promise<string> {
    const part = named(`part-${name}`);
    await withHome(named(`there-${name}`), async (annals) => {
      await annals.import([honest]);
      // The forgetting is imported first, so here the event that it blanked comes after it.
      expect(await annals.export(part, { since: 1 })).toMatchObject({ events: 2, blanked: 1 });
    });
    return part;
  }

  test('is explained by a forgetting that a partial export carries', async () => {
    const [part, here] = [await exportPart('carried'), named('here-carried')];
    await withHome(here, async (annals) => {
      const { appended, exports } = await annals.import([part]);
      expect({ appended, exports }).toMatchObject({ appended: 3, exports: [{ forgotten: 0 }] });
    });
    await withHome(here, async (annals) => {
      expect(await annals.append([toolEvent(1)])).toMatchObject([{ outcome: 'forgotten' }]);
      expect(await annals.verify()).toMatchObject(SOUND);
    });
  });

  test('is left out and counted, and the home stays intact', async () => {
    const [part, here] = [await exportPart('bare'), named('here-bare')];
    const { earlier, ...manifest } = JSON.parse(readFileSync(join(part, 'manifest.json'), 'utf8'));
    expect(earlier).toHaveLength(1);
    writeFileSync(join(part, 'manifest.json'), JSON.stringify(manifest));
    await withHome(here, async (annals) => {
      const { appended, exports } = await annals.import([part]);
      expect({ appended, exports }).toMatchObject({ appended: 1, exports: [{ forgotten: 1 }] });
      expect((await annals.search('test')).results).not.toEqual([]);
    });
    await withHome(here, async (annals) => {
      expect(await annals.verify()).toMatchObject(SOUND);
      await annals.import([honest]);
      expect(await annals.verify()).toMatchObject(SOUND);
      expect((await annals.status()).log.head).toBe(3);
    });
  });

  test('cannot be restored: the error names its line', async () => {
    const made = named('unnamed');
    forgeExport(honest, made, ([blank, whole]) => [whole!, blank!]);
    expect(await codeOf(restoreAnnals(made, { home: named('unnamed-again') }))).toMatchObject({
      code: 'EXPORT_DAMAGED',
      message: expect.stringMatching(/line 2: its body is missing, and no event says/),
    });
    expect(existsSync(named('unnamed-again'))).toBe(false);
  });

  test('is forgotten even if the manifest counts no forgetting', async () => {
    const [made, home] = [named('uncounted'), named('uncounted-home')];
    forgeExport(honest, made, (events) => events, { forgettings: 0 });
    await withHome(home, async (annals) => {
      expect(await annals.import([made])).toMatchObject({ appended: 3 });
      expect(await annals.verify()).toMatchObject(SOUND);
    });
  });
});

test('an endless line is refused before it is loaded completely', async () => {
  const made = named('endless');
  forgeExport(honest, made, (events) => events);
  const manifest = JSON.parse(readFileSync(join(made, 'manifest.json'), 'utf8'));
  const bytes = Buffer.alloc(65 * 1024 * 1024, 'a');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  Object.assign(manifest.segments[0], { bytes: bytes.length, sha256 });
  writeFileSync(join(made, manifest.segments[0].name), bytes);
  writeFileSync(join(made, 'manifest.json'), JSON.stringify(manifest));
  expect(await codeOf(restoreAnnals(made, { home: named('endless-home') }))).toMatchObject({
    code: 'EXPORT_DAMAGED',
    message: expect.stringMatching(/line 1: the line is longer than 67108864 bytes/),
  });
});

test('an export of a different history of the same log is not continued', async () => {
  const [one, other] = [named('one course'), named('other course')];
  await withHome(one, (annals) => annals.append(toolEvents(2)));
  cpSync(one, other, { recursive: true });
  const into = named('of one course');
  await withHome(one, async (annals) => {
    await annals.append([toolEvent(11)]);
    await annals.export(into);
  });
  await withHome(other, async (annals) => {
    await annals.append([toolEvent(21), toolEvent(22)]);
    expect(await codeOf(annals.export(into))).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('a different history'),
    });
  });
  await withHome(one, async (annals) => {
    await annals.append([toolEvent(12)]);
    expect(await annals.export(into)).toMatchObject({ written: 1, events: 4 });
  });
});

test('a manifest does not repeat a forgetting that is in the export itself', async () => {
  const home = named('forgetful');
  const earlierIn = (export_: string) =>
    (JSON.parse(readFileSync(join(export_, 'manifest.json'), 'utf8')) as { earlier?: unknown[] }).earlier;
  await withHome(home, async (annals) => {
    await annals.append(toolEvents(3));
    const events = await eventsOf(annals);
    await annals.forget({ ids: [events[2]!.id] });
    await annals.export(named('since one'), { since: 1 });
  });
  expect(earlierIn(named('since one'))).toBeUndefined();
});

test('an event that an import already has is counted as differing by its body, but not across versions', async () => {
  const home = named('differing');
  await withHome(home, (annals) => annals.append(toolEvents(2)));
  const { body } = toolEvent(2);
  const other = JSON.stringify({ ...body, result: 'another result' });
  const differingOf = async (name: string, header: { v?: number }) => {
    forgeExport(honest, named(name), ([, whole]) => [forged(whole!, header, other)]);
    const { exports } = await withHome(home, (annals) => annals.import([named(name)]));
    return exports?.map(({ duplicates, differing }) => ({ duplicates, differing }));
  };
  expect(await differingOf('differing-body', {})).toEqual([{ duplicates: 1, differing: 1 }]);
  expect(await differingOf('differing-version', { v: 999 })).toEqual([{ duplicates: 1, differing: 0 }]);
});

test('an export into the home is refused: what is deleted or forgotten there would take it along, or miss it', async () => {
  const home = named('exporting');
  await withHome(home, async (annals) => {
    await annals.append([toolEvent(1, 'own')]);
    const link = named('linked-home');
    symlinkSync(home, link);
    for (const inside of [home, join(home, 'backup'), join(home, 'views', 'backup'), join(link, 'backup')])
      expect(await codeOf(annals.export(inside))).toMatchObject({
        code: 'USAGE',
        message: `${inside} is in the home that would be exported.`,
      });
    expect(readdirSync(home)).not.toContain('backup');
  });
});
