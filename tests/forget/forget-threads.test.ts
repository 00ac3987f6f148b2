// In a large home the proof runs in threads of the built command.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { annals, buildCommand } from '../e2e/command.ts';
import { sharedFolder, withHome } from '../e2e/homes.ts';

const WORD = 'qzxvkjwpmbtrnl';
const folder = sharedFolder('forget-threads');

test('the proof of a large home finds a text in a file that nothing rewrites', async () => {
  buildCommand();
  const home = join(folder, 'home');
  await withHome(home, (library) => library.save({ title: 'One', text: `about ${WORD}`, cwd: '/srv/app' }));
  writeFileSync(join(home, 'large'), Buffer.alloc(40 * 1024 * 1024));
  writeFileSync(join(home, 'small'), `a copy of ${WORD}`);
  const { stdout } = await annals(['forget', '--query', WORD, '--yes', '--json'], { home });
  const { proof } = JSON.parse(stdout);
  expect(proof).toMatchObject({ ok: false, unreadable: 0, control: { found: true } });
  expect(new Set(proof.found.map(({ file }: { file: string }) => file))).toEqual(new Set(['small']));
});
