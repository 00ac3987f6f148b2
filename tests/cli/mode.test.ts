// `annals mode`: it lists the modes of a home, chooses one and says what is wrong in a file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { call } from './call.ts';

const folder = mkdtempSync(join(tmpdir(), 'annals-mode-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HERON = {
  name: 'heron',
  description: 'Watching birds.',
  types: [{ name: 'sighting', description: 'a bird was seen' }],
  concepts: [],
};
mkdirSync(join(folder, 'modes'), { recursive: true });
writeFileSync(join(folder, 'modes/heron.json'), JSON.stringify(HERON));
writeFileSync(join(folder, 'modes/broken.json'), JSON.stringify({ ...HERON, name: 'broken', types: [] }));

const mode = (...words: readonly string[]) => call(['mode', ...words, '--home', folder]);

test('lists the modes, says which is used, and which cannot be', async () => {
  const { code, stdout } = await mode();
  expect(code).toBe(0);
  expect(stdout).toContain('* code');
  expect(stdout).toMatch(/ {2}heron {2}Watching birds\./);
  expect(stdout).toMatch(/ {2}broken {2}cannot be used: 1 problem/);
  const listed = (await mode('list', '--json')).json();
  expect(listed).toMatchObject({
    folder: join(folder, 'modes'),
    modes: [
      { name: 'code', path: null, used: true },
      { name: 'broken', description: null, problems: [{ field: 'types' }] },
      { name: 'heron', used: false, description: 'Watching birds.', problems: [] },
    ],
  });
});

test('chooses a mode that can be used, and no other', async () => {
  expect((await mode('use', 'heron')).code).toBe(0);
  expect(readFileSync(join(folder, 'config.json'), 'utf8')).toContain('"observer.mode": "heron"');
  expect((await mode('use', 'broken', '--json')).json()).toMatchObject({
    error: { code: 'INPUT_INVALID', message: expect.stringContaining('types') },
  });
  expect((await mode('use', 'osprey')).stderr).toContain('Known: code, broken, heron');
  expect((await mode('use', 'code', '--json')).json()).toEqual({ name: 'code', changed: true });
});

test('says what is wrong in a mode, by its name or its file', async () => {
  const { code, stdout } = await mode('validate', 'broken');
  expect(code).toBe(1);
  expect(stdout).toContain('types: []');
  expect(stdout).toContain('allowed: a list of 1 to 20');
  const path = join(folder, 'osprey.json');
  writeFileSync(path, JSON.stringify({ ...HERON, name: 'osprey', language: 'Deutsch' }));
  expect((await mode('validate', path)).stdout).toContain('normal, in Deutsch');
  expect((await mode('validate', 'heron', '--json')).json()).toEqual({
    ...{ ok: true, problems: [], name: 'heron', types: 1, concepts: 0 },
    ...{ verbosity: 'normal', language: null },
  });
});

test.each([[['use']], [['list', 'heron']], [['prune', 'heron']]])('refuses mode %j', async (words) => {
  expect((await mode(...words)).code).toBe(2);
});
