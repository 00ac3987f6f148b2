// The first run: `annals up` imports the example into an empty HOME, or the transcripts of Claude Code if there are
// any, without changing their bytes, times or names.
import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { skipsLongReal, whyLongRealIsSkipped } from '../helpers/corpus/corpora.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { claudeCodeTranscripts } from '../helpers/shared-data.ts';
import { annals, annalsHere, buildCommand } from './command.ts';
import { SOUND, sharedFolder } from './homes.ts';

const folder = sharedFolder('fresh');
const examples = join(REPOSITORY, 'examples');
beforeAll(buildCommand);

/** Runs `up` with no environment but HOME. */
async function up(userHome: string, words: readonly string[] = ['up', '--json']) {
  return annals(words, { home: '', cwd: userHome, env: { HOME: userHome, ANNALS_HOME: '' } });
}

/** The state of a folder: names, bytes, modes and times, except access times. */
function listing(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const found = lstatSync(join(root, name), { bigint: true });
      const bytes = found.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(root, name)))
            .digest('hex')
        : '';
      return `${name} ${found.mode} ${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.ino} ${bytes}`;
    });
}

describe('annals up with an empty HOME', () => {
  test('imports the example into ~/.annals, readable only by the user, and suggests commands', async () => {
    const userHome = join(folder, 'empty');
    mkdirSync(userHome);
    const { code, stdout } = await up(userHome);
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({
      example: true,
      imported: { files: 3, sessions: 2, prompts: 5, parked: 0 },
    });
    expect(found.suggestions).toHaveLength(3);
    expect(readdirSync(userHome)).toEqual(['.annals']);
    expect(lstatSync(join(userHome, '.annals')).mode & 0o777).toBe(0o700);
    const home = join(userHome, '.annals');
    for (const { line } of found.suggestions) {
      const tried = await annalsHere(line.split(' '), { home });
      expect(tried.code, line).toBe(0);
      expect(tried.stdout, line).not.toBe('');
    }
    const again = await up(userHome, ['up']);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('Try\n');
    const verified = await annalsHere(['verify', '--rebuilt', '--json'], { home });
    expect(JSON.parse(verified.stdout)).toMatchObject(SOUND);
  });

  test('imports the example if ~/.claude/projects is empty', async () => {
    const userHome = join(folder, 'nothing-yet');
    mkdirSync(join(userHome, '.claude/projects'), { recursive: true });
    const { code, stdout } = await up(userHome);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ example: true });
    expect(
      readdirSync(userHome, { recursive: true })
        .filter((name) => !String(name).startsWith('.annals'))
        .sort(),
    ).toEqual(['.claude', '.claude/projects']);
  });
});

describe('annals up with transcripts in ~/.claude/projects', () => {
  const sources: readonly (readonly [what: string, source: string, skips: boolean])[] = [
    ['written ones', examples, false],
    ['real ones', join(claudeCodeTranscripts ?? '', 'marot__spotter'), skipsLongReal],
  ];
  for (const [what, source, skips] of sources)
    test.skipIf(skips)(
      `imports ${what} and changes nothing of them${skips ? whyLongRealIsSkipped : ''}`,
      async () => {
        const userHome = join(folder, what.replace(' ', '-'));
        const claude = join(userHome, '.claude');
        cpSync(source, join(claude, 'projects/-home-robin-birdfeeder'), { recursive: true });
        writeFileSync(join(claude, 'settings.json'), '{}\n');
        // A transcript that is still being written: its last line is torn.
        const torn = join(claude, 'projects/-home-robin-birdfeeder/torn.jsonl');
        const example = join(examples, 'birdfeeder/b02c7a94-13de-4c55-8f6a-7d9e40c2aa18.jsonl');
        writeFileSync(torn, readFileSync(example).subarray(0, -40));
        utimesSync(torn, 1_700_000_000, 1_700_000_000);
        const before = listing(claude);
        const { code, stdout } = await up(userHome);
        expect(code).toBe(0);
        const found = JSON.parse(stdout);
        expect(found).toMatchObject({
          example: false,
          sources: [{ agent: 'claude-code', folders: [join(claude, 'projects')] }],
        });
        expect(found.imported.prompts).toBeGreaterThan(0);
        expect(found.imported.appended).toBeGreaterThan(10);
        const again = await up(userHome);
        expect(again.code).toBe(0);
        expect(JSON.parse(again.stdout).imported).toMatchObject({ appended: 0 });
        expect(listing(claude)).toEqual(before);
        expect(readdirSync(userHome).sort()).toEqual(['.annals', '.claude']);
      },
    );
});
