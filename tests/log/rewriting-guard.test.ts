// The guard of a rewrite (an empty store that is only locked) when its own files are damaged.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exists, identity, list, move, remove } from '../../src/platform/disk-files.ts';
import { openTestLog } from '../helpers/logs.ts';
import { toolEvents } from '../helpers/new-events.ts';
import { temporaryFolder } from '../helpers/world.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

test('a rewrite with a damaged guard names the folder to remove, and the log stays usable', async () => {
  const swap = { exists, list, rename: move, remove, identity };
  const log = await openTestLog(folder.path, { swap });
  await log.append(toolEvents(5));
  await log.rewrite();
  const guard = join(folder.path, 'rewriting');
  writeFileSync(join(guard, 'CURRENT'), 'MANIFEST-777777\n');
  await expect(log.rewrite()).rejects.toMatchObject({
    code: 'LOG_DAMAGED',
    message: expect.stringContaining(`${guard}, is damaged.`),
    hint: expect.stringContaining(`remove the folder ${guard}`),
  });
  await log.append(toolEvents(5, 6));
  expect(await log.verify()).toMatchObject({ ok: true, events: 10 });
  rmSync(guard, { recursive: true });
  expect(await log.rewrite()).toMatchObject({ events: 10 });
  await log.close();
});
