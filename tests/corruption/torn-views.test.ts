// Truncated or empty tables of a view: the view is rebuilt from the log, and that is reported once.
import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { SOUND, sharedFolder, withHome } from '../e2e/homes.ts';

const folder = sharedFolder('torn-views');
const undamaged = join(folder, 'undamaged');

beforeAll(async () => {
  // Each opening writes tables from the write-ahead files of the one before.
  for (let opening = 0; opening < 3; opening++)
    await withHome(undamaged, async (one) => {
      await one.save({ title: `Lesson ${opening}`, text: 'of the reader', cwd: '/srv/work' });
      await one.search('lesson');
    });
});

/** Paths of all tables of the views, below the home. */
function tables(home: string): string[] {
  return readdirSync(join(home, 'views'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ldb'))
    .map((name) => join('views', name));
}

test.each([
  ['are empty', () => 0],
  ['end in their footers', (size: number) => size - 20],
])('views whose tables %s are rebuilt from the log', async (_, sizeAfter) => {
  const home = join(folder, 'copy');
  rmSync(home, { recursive: true, force: true });
  cpSync(undamaged, home, { recursive: true });
  const torn = tables(home);
  expect(torn).not.toEqual([]);
  for (const name of torn) truncateSync(join(home, name), sizeAfter(statSync(join(home, name)).size));
  await withHome(home, async (one) => {
    const { degraded } = await one.status();
    expect(degraded).toContainEqual(expect.stringMatching('the views were damaged .* from the log'));
    expect((await one.search('lesson')).results).toHaveLength(3);
    expect(await one.verify({ rebuilt: true })).toMatchObject(SOUND);
  });
  for (const name of torn) expect(existsSync(join(home, name))).toBe(false);
});
