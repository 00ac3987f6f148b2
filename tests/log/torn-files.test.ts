// Files of the log that are truncated, empty or missing: the error is LOG_DAMAGED, not a permission problem.
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../log/index.ts';
import { storeError } from '../../log/store.ts';
import { sharedFolder } from '../e2e/homes.ts';
import { openTestLog } from '../helpers/logs.ts';
import { toolEvents } from '../helpers/new-events.ts';

const folder = sharedFolder('torn-files');
const undamaged = join(folder, 'undamaged');
const EVENTS = 300;
let tables: readonly string[];

beforeAll(async () => {
  mkdirSync(undamaged);
  for (let opening = 0; opening < 3; opening++) {
    const log = await openTestLog(undamaged, { writeBufferBytes: 64 * 1024 });
    if (opening < 2) await log.append(toolEvents(EVENTS / 2, opening * EVENTS));
    await log.close();
  }
  tables = readdirSync(join(undamaged, 'log')).filter((name) => name.endsWith('.ldb'));
});

/** Reads everything from a copy of the log in which one file was damaged. */
async function readAfter(
  damage: (path: (name: string) => string) => void,
  original = undamaged,
): Promise<number> {
  const copy = join(folder, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(original, copy, { recursive: true });
  damage((name) => join(copy, 'log', name));
  let log: Log | undefined;
  try {
    log = await openTestLog(copy);
    return (await log.page({ after: 0 })).events.length;
  } finally {
    await log?.close().catch(() => {});
  }
}

const DAMAGED = { code: 'LOG_DAMAGED', hint: expect.stringContaining('restore a backup') };

test('an undamaged copy of the log can be read', async () => {
  expect(tables.length).toBeGreaterThan(1);
  expect(await readAfter(() => {})).toBe(EVENTS);
});

describe.each([
  ['is empty', (path: string) => truncateSync(path, 0)],
  ['ends in the middle', (path: string) => truncateSync(path, statSync(path).size >> 1)],
  ['ends in its footer', (path: string) => truncateSync(path, statSync(path).size - 20)],
  ['lacks its last byte', (path: string) => truncateSync(path, statSync(path).size - 1)],
  ['is missing', (path: string) => rmSync(path)],
  [
    'is a folder',
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])('when a file of the log %s', (_, damage) => {
  test('each table is reported as damage', async () => {
    for (const table of tables)
      await expect(
        readAfter((path) => damage(path(table))),
        table,
      ).rejects.toMatchObject(DAMAGED);
  });
});

test.each(['CURRENT', 'MANIFEST'])('an empty %s is reported as damage', async (name) => {
  const file = readdirSync(join(undamaged, 'log')).find((one) => one.startsWith(name))!;
  await expect(readAfter((path) => truncateSync(path(file), 0))).rejects.toMatchObject(DAMAGED);
});

test('a log whose MANIFEST lost its end is refused before LevelDB removes a table', async () => {
  const whole = join(folder, 'one-opening');
  mkdirSync(whole);
  const log = await openTestLog(whole, { writeBufferBytes: 64 * 1024 });
  for (let from = 0; from < EVENTS; from += 50) await log.append(toolEvents(50, from));
  await log.close();
  const files = readdirSync(join(whole, 'log'));
  const manifest = files.find((name) => name.startsWith('MANIFEST'))!;
  const size = statSync(join(whole, 'log', manifest)).size;
  let refused = 0;
  for (let length = size - 1; length > 0; length -= 16) {
    const read = readAfter((path) => truncateSync(path(manifest), length), whole);
    const events = await read.catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'LOG_DAMAGED' });
      return null;
    });
    if (events === null) refused += 1;
    else expect(events, `${length} of ${size} bytes`).toBe(EVENTS);
    const tablesLeft = readdirSync(join(folder, 'copy/log')).filter((name) => name.endsWith('.ldb'));
    if (events === null) expect(tablesLeft).toEqual(files.filter((name) => name.endsWith('.ldb')));
  }
  expect(refused).toBeGreaterThan(1);
});

test.each([
  ['Permission denied', 'HOME_UNWRITABLE'],
  ['Read-only file system', 'HOME_UNWRITABLE'],
  ['Input/output error', 'HOME_UNWRITABLE'],
  ['No space left on device', 'DISK_FULL'],
])('a table that the system refuses with “%s” is %s', (words, code) => {
  const error = Object.assign(new Error(`IO error: /home/log/000005.ldb: ${words}`), {
    code: 'LEVEL_IO_ERROR',
  });
  expect(storeError(error, 'The log could not be read').code).toBe(code);
});
