import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { META_KEY } from '../../log/format/keys.ts';
import { sealValue } from '../../log/format/record.ts';
import { eventId } from '../../log/index.ts';
import { levelStore } from '../../log/store.ts';
import { openTestLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents, workdirEvent } from '../helpers/new-events.ts';
import { temporaryFolder, testFiles, testWorld } from '../helpers/world.ts';

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

test('a reopened log has the same id, head and events', async () => {
  const log = await openTestLog(folder);
  await log.append([workdirEvent('/a'), ...toolEvents(5)], { cursors: [{ key: 'k', value: { at: 1 } }] });
  const head = log.head();
  await log.close();
  const again = await openTestLog(folder, { world: testWorld('another') });
  expect(again.head()).toEqual(head);
  expect(again.origin).toBe(head.logId);
  expect(await again.cursor('k')).toEqual({ at: 1 });
  expect(await again.append([toolEvent(6)])).toMatchObject([{ position: 7 }]);
  expect(await again.verify()).toEqual({ ok: true, events: 7, problems: [] });
  await again.close();
});

test('appends before the schemas are loaded are stored in call order, even when the log is closed at once', async () => {
  const log = await openTestLog(folder);
  const calls = [log.append([toolEvent(1)]), log.append([toolEvent(2)]), log.append([toolEvent(3)])];
  const wrong = log.append([{ ...toolEvent(4), dedupeKey: '' }]);
  const closed = log.close();
  const late = log.append([toolEvent(5)]);
  await expect(wrong).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  await expect(late).rejects.toMatchObject({ code: 'LOG_CLOSED' });
  expect((await Promise.all(calls)).map(([one]) => one?.position)).toEqual([1, 2, 3]);
  await closed;
  const again = await openTestLog(folder);
  const { events } = await again.page({ after: 0 });
  expect(events.map(({ id }) => id)).toEqual([1, 2, 3].map((number) => eventId(toolEvent(number))));
  await again.close();
});

test('the head file is written after an append, and not when the log was only read', async () => {
  const written: string[] = [];
  const files = {
    ...testFiles,
    writeAtomically: (path: string, text: string) => {
      written.push(text);
      return testFiles.writeAtomically(path, text);
    },
  };
  const log = await openTestLog(folder, { files });
  await log.append([toolEvent(1)]);
  await log.close();
  expect(written).toHaveLength(1);
  const reader = await openTestLog(folder, { files });
  await reader.page({ after: 0 });
  await reader.close();
  expect(written).toHaveLength(1);
  const writer = await openTestLog(folder, { files });
  await writer.append([toolEvent(2)]);
  await writer.close();
  expect(written).toHaveLength(2);
  expect(JSON.parse(written[1]!)).toMatchObject({ position: 2 });
});

test('opening a locked log fails at once', async () => {
  const log = await openTestLog(folder);
  await expect(openTestLog(folder)).rejects.toMatchObject({ code: 'HOME_LOCKED' });
  await log.close();
  await (await openTestLog(folder)).close();
});

test.each([
  ['the version to install', { minVersion: '2.3.0' }, 'Install annals 2.3.0 or newer.'],
  ['a general hint when the version is unknown', {}, 'Install the newest annals.'],
])('a log written by a newer version is refused, with %s', async (_, fields, hint) => {
  await (await openTestLog(folder)).close();
  const store = levelStore(join(folder, 'log'));
  const meta = { logId: 'a'.repeat(32), origin: 'a'.repeat(32), format: 9, minReader: 7, ...fields };
  await store.put(META_KEY, sealValue(META_KEY, meta));
  await store.close();
  await expect(openTestLog(folder)).rejects.toMatchObject({
    code: 'LOG_TOO_NEW',
    message: expect.stringContaining('format 7 or newer'),
    hint,
  });
});

test('a newer log that older readers may read is opened', async () => {
  await (await openTestLog(folder)).close();
  const store = levelStore(join(folder, 'log'));
  const meta = { logId: 'a'.repeat(32), origin: 'a'.repeat(32), format: 9, minReader: 1 };
  await store.put(META_KEY, sealValue(META_KEY, meta));
  await store.close();
  await rm(join(folder, 'head.json'));
  const log = await openTestLog(folder);
  expect(log.logId).toBe('a'.repeat(32));
  await log.close();
});

test('a log whose LevelDB cannot be opened is reported as damaged, not as empty', async () => {
  const log = await openTestLog(folder);
  await log.append(toolEvents(5));
  await log.close();
  const manifest = (await readdir(join(folder, 'log'))).find((name) => name.startsWith('MANIFEST'))!;
  await writeFile(join(folder, 'log', manifest), 'no manifest at all');
  await expect(openTestLog(folder)).rejects.toMatchObject({
    code: 'LOG_DAMAGED',
    hint: expect.stringContaining('Keep a copy'),
  });
});

test('a log that lost its tail opens, and reports the loss until it is accepted', async () => {
  const log = await openTestLog(folder);
  await log.append(toolEvents(4744));
  await log.close();
  await cp(join(folder, 'log'), join(folder, 'old'), { recursive: true });
  const later = await openTestLog(folder);
  await later.append(toolEvents(256, 4745));
  await later.close();
  await rm(join(folder, 'log'), { recursive: true });
  await cp(join(folder, 'old'), join(folder, 'log'), { recursive: true });

  const lost = { kind: 'head', position: 5000, message: 'log lost its tail: 4,744 of 5,000' };
  const damaged = await openTestLog(folder);
  expect(damaged.damage).toEqual([lost]);
  expect(await damaged.verify()).toMatchObject({ ok: false, events: 4744, problems: [lost] });
  expect(await damaged.saveHead()).toBe(false);
  await damaged.append(toolEvents(400, 9000));
  await damaged.close();

  const grown = await openTestLog(folder);
  expect(grown.damage).toMatchObject([{ kind: 'head', position: 5000 }]);
  expect(await grown.saveHead({ acceptLoss: true })).toBe(true);
  await grown.close();
  const accepted = await openTestLog(folder);
  expect(accepted.damage).toEqual([]);
  expect(await accepted.verify()).toMatchObject({ ok: true, events: 5144 });
  await accepted.close();
});

test('a missing log with a head file is reported as a loss, not treated as a new log', async () => {
  const log = await openTestLog(folder);
  await log.append(toolEvents(3));
  await log.close();
  await rm(join(folder, 'log'), { recursive: true });
  const empty = await openTestLog(folder, { world: testWorld('another') });
  expect(empty.damage).toMatchObject([{ kind: 'head', position: 3 }]);
  await empty.close();
});

test('an unreadable head file is reported as a problem, not a crash', async () => {
  await (await openTestLog(folder)).close();
  await testFiles.writeAtomically(join(folder, 'head.json'), '{"logId":');
  const log = await openTestLog(folder);
  expect(log.damage).toMatchObject([{ kind: 'head' }]);
  expect((await log.verify()).ok).toBe(false);
  await log.close();
});

test('a log is intact after a crash before the head file was written', async () => {
  const log = await openTestLog(folder);
  await log.append(toolEvents(3));
  await log.saveHead();
  await log.append(toolEvents(3, 4));
  await cp(join(folder, 'log'), join(folder, 'crashed'), { recursive: true });
  await log.close();
  await rm(join(folder, 'log'), { recursive: true });
  await cp(join(folder, 'crashed'), join(folder, 'log'), { recursive: true });
  await testFiles.writeAtomically(join(folder, 'head.json'), JSON.stringify(log.head()));
  const again = await openTestLog(folder);
  expect(again.damage).toEqual([]);
  expect(again.head().position).toBe(6);
  await again.close();
});
