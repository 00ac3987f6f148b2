import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call } from './call.ts';

test('import --from prints counts by kind, and what was not imported with the reason', async () => {
  const { code, stdout, stderr, annals } = await call(['import', '--from', 'claude-mem']);
  expect(code).toBe(0);
  expect(annals.calls[0]!.slice(0, 3)).toEqual([
    'importFrom',
    'claude-mem',
    ['/home/robin/.claude-mem/claude-mem.db'],
  ]);
  expect(stdout).toContain('19 observations: 17 new, 1 changed, 1 forgotten\n');
  expect(stdout).toContain('9 prompts: 8 new\n');
  expect(stderr).toContain('1 memory not imported: it has no text, or only private text');
});

test('import --from takes the tool’s own folder, a path, and no unknown tool', async () => {
  const environment = { CLAUDE_MEM_DATA_DIR: '/data/mem', CLAUDE_CONFIG_DIR: '/config' };
  const paths = async (...words: string[]) =>
    (await call(['import', '--from', ...words], { environment })).annals.calls[0]?.[2];
  expect(await paths('claude-mem')).toEqual(['/data/mem/claude-mem.db']);
  expect(await paths('claude-memory')).toEqual(['/config/projects']);
  expect(await paths('markdown', 'CLAUDE.md', 'notes')).toEqual(
    ['CLAUDE.md', 'notes'].map((name) => expect.stringMatching(new RegExp(`^/.*/${name}$`))),
  );
  expect(await call(['import', '--from', 'markdown'])).toMatchObject({ code: 2 });
  expect((await call(['import', '--from', 'notepad', 'a'])).stderr).toContain('--from takes: claude-mem,');
  expect((await call(['import', 'a.jsonl', '--project', 'app'])).stderr).toContain(
    '--project belongs to --from',
  );
  expect((await call(['import'])).stderr).toContain(
    'There is nothing to import: no agent keeps transcripts here.',
  );
});

test('up names the commands for memories that it finds, and imports none of them', async () => {
  const userHome = mkdtempSync(join(tmpdir(), 'annals-test-'));
  onTestFinished(() => rmSync(userHome, { recursive: true }));
  const nothing = await call(['up'], { userHome });
  expect(nothing.stderr).not.toContain('--from');
  mkdirSync(join(userHome, '.claude-mem'));
  writeFileSync(join(userHome, '.claude-mem/claude-mem.db'), '');
  mkdirSync(join(userHome, '.claude/projects/-home-robin/memory'), { recursive: true });
  const { stderr, annals } = await call(['up'], { userHome });
  expect(stderr).toContain('import --from claude-mem\n');
  expect(stderr).toContain('import --from claude-memory\n');
  expect(annals.calls.map(([method]) => method)).not.toContain('importFrom');
});
