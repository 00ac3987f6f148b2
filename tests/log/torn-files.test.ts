// Files of the log that end too early, are empty, or are gone: the log is damaged, and nobody is sent to look for rights.
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../log/index.ts';
import { storeError } from '../../log/store.ts';
import { sharedFolder } from '../e2e/homes.ts';
import { openTestLog } from '../helpers/logs.ts';
import { toolEvents } from '../helpers/new-events.ts';

const folder = sharedFolder('torn-files');
const whole = join(folder, 'whole');
const EVENTS = 300;
let tables: readonly string[];

beforeAll(async () => {
  mkdirSync(whole);
  for (let opening = 0; opening < 3; opening++) {
    const log = await openTestLog(whole, { writeBufferBytes: 64 * 1024 });
    if (opening < 2) await log.append(toolEvents(EVENTS / 2, opening * EVENTS));
    await log.close();
  }
  tables = readdirSync(join(whole, 'log')).filter((name) => name.endsWith('.ldb'));
});

/** Reads everything of a copy of the log in which one file was harmed. */
async function readAfter(harm: (path: (name: string) => string) => void): Promise<number> {
  const copy = join(folder, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(whole, copy, { recursive: true });
  harm((name) => join(copy, 'log', name));
  let log: Log | undefined;
  try {
    log = await openTestLog(copy);
    return (await log.page({ after: 0 })).events.length;
  } finally {
    await log?.close().catch(() => {});
  }
}

const DAMAGED = { code: 'LOG_DAMAGED', hint: expect.stringContaining('restore a backup') };

test('a copy of the log that nobody harmed is read', async () => {
  expect(tables.length).toBeGreaterThan(1);
  expect(await readAfter(() => {})).toBe(EVENTS);
});

describe.each([
  ['is empty', (path: string) => truncateSync(path, 0)],
  ['ends in the middle', (path: string) => truncateSync(path, statSync(path).size >> 1)],
  ['ends in its footer', (path: string) => truncateSync(path, statSync(path).size - 20)],
  ['misses its last byte', (path: string) => truncateSync(path, statSync(path).size - 1)],
  ['is gone', (path: string) => rmSync(path)],
  [
    'is a folder',
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])('where a file of the log %s', (_, harm) => {
  test('each table is reported as damage', async () => {
    for (const table of tables)
      await expect(
        readAfter((path) => harm(path(table))),
        table,
      ).rejects.toMatchObject(DAMAGED);
  });
});

test.each(['CURRENT', 'MANIFEST'])('an empty %s is reported as damage', async (name) => {
  const file = readdirSync(join(whole, 'log')).find((one) => one.startsWith(name))!;
  await expect(readAfter((path) => truncateSync(path(file), 0))).rejects.toMatchObject(DAMAGED);
});

test.each([
  ['Permission denied', 'HOME_UNWRITABLE'],
  ['Read-only file system', 'HOME_UNWRITABLE'],
  ['Input/output error', 'HOME_UNWRITABLE'],
  ['No space left on device', 'DISK_FULL'],
])('a table that the system refuses with “%s” is %s', (words, code) => {
  const said = Object.assign(new Error(`IO error: /home/log/000005.ldb: ${words}`), {
    code: 'LEVEL_IO_ERROR',
  });
  expect(storeError(said, 'The log could not be read').code).toBe(code);
});
