// A file of the spool, a line of a transcript or a repository must not block another. Found with a tool response nested
// 1,600 deep: every opening ended in "Maximum call stack size exceeded", permanently.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detailOf } from '../../src/agents/common/tool-detail.ts';
import { describeWorkdir } from '../../src/capture/workdirs/index.ts';
import { openAnnals } from '../../src/index.ts';
import { repositoryFiles } from '../../src/platform/repository-files-on-disk.ts';
import { asked, leave, payload, SESSION, stopped, used, waiting } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

/** JSON text of this many nested objects or lists. */
const nested = (depth: number, open = '{"a":', close = '}'): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

const withField = (base: object, field: string, json: string): string =>
  JSON.stringify({ ...base, [field]: 'PLACE' }).replace('"PLACE"', () => json);

async function opened(home: string) {
  const annals = await openAnnals({ home });
  const events = [];
  for await (const event of annals.log()) events.push(event);
  const status = await annals.status();
  await annals.close();
  return { events, status };
}

describe('A spool', () => {
  const response = used('toolu_deep', 'x');
  it.each([
    ['a tool response nested 1,600 deep', withField(response, 'tool_response', nested(1_600))],
    ['a tool response nested 200,000 deep', withField(response, 'tool_response', nested(200_000))],
    ['a tool input of 6,000 nested lists', withField(response, 'tool_input', nested(6_000, '[', ']'))],
    ['a million values', withField(response, 'tool_input', `[${'0,'.repeat(1_000_000)}0]`)],
    ['nine million bytes', withField(response, 'tool_input', `"${'x'.repeat(9 * 2 ** 20)}"`)],
    ['a deep unknown field', withField(asked('Deep?'), 'novelty', nested(5_000))],
  ])('with %s parks it and records the others', async (_, text) => {
    const home = join(await testFolder(), 'home');
    mkdirSync(home, { mode: 0o700 });
    const other = { session_id: 'other-session', prompt_id: 'p-9' };
    leave(home, 'c-0', asked('Look at it.'), Date.now() - 300);
    leave(home, 'c-1', text, Date.now() - 200);
    leave(home, 'c-2', asked('And this one?', other), Date.now() - 100);
    leave(home, 'c-3', stopped('Seen.'), Date.now() - 50);
    const { events, status } = await opened(home);
    expect(events.map(({ type, session }) => `${type} ${session}`).sort()).toEqual([
      `agent.stopped ${SESSION}`,
      `prompt.submitted ${SESSION}`,
      'prompt.submitted other-session',
    ]);
    expect(waiting(home)).toEqual([]);
    expect(waiting(home, 'bad')).toEqual(['c-1']);
    expect(readFileSync(join(home, 'spool/bad/c-1'), 'utf8')).toMatch(
      /^annals: (nested deeper than 100 levels|made of more than 100000 values|larger than 8 MiB); /,
    );
    expect(status.degraded).toEqual([]);
  });

  it('keeps a key that is called __proto__ as a key', () => {
    const result = JSON.parse('{"__proto__":{"mode":"deep enough"},"plain":1}');
    const detail = detailOf(result, null, null);
    expect(JSON.stringify(detail)).toBe('{"__proto__":{"mode":"deep enough"},"plain":1}');
  });

  it('searches repeated text in bounded time', () => {
    const shown = 'abcdefghijklmnopqrstuvwxyz'.repeat(40_000);
    const pieces = Array.from({ length: 50_000 }, (_, index) => `${shown.slice(0, 40)} number ${index}`);
    const began = process.cpuUsage();
    const detail = detailOf({ pieces, stdout: shown, other: 'said nowhere else at all' }, null, shown);
    const { user, system } = process.cpuUsage(began);
    expect(Object.keys(detail as object)).toEqual(expect.arrayContaining(['pieces', 'other']));
    // It took minutes. A busy machine does not change the processor time much.
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});

describe('An import', () => {
  it.each([
    ['a tool input nested 8,000 deep', nested(8_000)],
    ['a tool input of 100,000 nested lists', nested(100_000, '[', ']')],
  ])('continues after a line with %s, and reads the files after it', async (_, json) => {
    const folder = await testFolder();
    const script = new Script({ session: 'first' });
    script.prompt('Before');
    const line = JSON.stringify({
      type: 'assistant',
      sessionId: 'first',
      uuid: '00000099-0000-4000-8000-000000000000',
      timestamp: '2026-01-01T00:00:00.000Z',
      message: {
        id: 'm',
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_x', name: 'X', input: 0 }],
      },
    }).replace('"input":0', () => `"input":${json}`);
    const after = new Script({ session: 'first', firstUuid: 50 });
    after.reply('After');
    const result = { type: 'tool_result', tool_use_id: 'toolu_x', content: 'done' };
    const answered = JSON.stringify({
      type: 'user',
      sessionId: 'first',
      uuid: '00000098-0000-4000-8000-000000000000',
      timestamp: '2026-01-01T00:00:01.000Z',
      message: { role: 'user', content: [result] },
    });
    writeFileSync(
      join(folder, 'a.jsonl'),
      Buffer.concat([script.bytes(), Buffer.from(`${line}\n${answered}\n`), after.bytes()]),
    );
    const second = new Script({ session: 'second', firstUuid: 100 });
    second.prompt('In the file behind it');
    writeFileSync(join(folder, 'b.jsonl'), second.bytes());
    const annals = await openAnnals({ home: join(folder, 'home') });
    const report = await annals.import([folder]);
    const found = await annals.search('file behind');
    await annals.close();
    expect(report).toMatchObject({ files: 2, prompts: 2, parked: 1, unreadable: [] });
    expect(report.parkedLines).toMatchObject([
      { offset: script.bytes().length, length: line.length, reason: 'nested deeper than 100 levels' },
    ]);
    expect(found.results.length).toBeGreaterThan(0);
  });
});

describe.runIf(process.platform !== 'win32')('A cloned repository', () => {
  const entries = ['.annals.json', '.git/config', '.git/commondir', '.git/HEAD', '.git'];
  const kinds: readonly (readonly [string, (path: string) => void])[] = [
    ['a link to /dev/zero', (path) => symlinkSync('/dev/zero', path)],
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a dangling link', (path) => symlinkSync('/nowhere/at/all', path)],
    ['a huge file', (path) => writeFileSync(path, Buffer.alloc(3 * 2 ** 20, '['))],
    ['deeply nested text', (path) => writeFileSync(path, nested(10_000))],
  ];

  it.each(entries.flatMap((entry) => kinds.map(([kind, make]) => [entry, kind, make] as const)))(
    'whose %s is %s is still described, at once',
    async (entry, _, make) => {
      const root = join(await testFolder(), 'clone');
      mkdirSync(root);
      const files: Record<string, string> = {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/config': '[remote "origin"]\n\turl = https://github.com/o/r\n',
        '.annals.json': '{"name":"Mine"}',
      };
      if (entry !== '.git') mkdirSync(join(root, '.git'));
      for (const [name, text] of Object.entries(files))
        if (!name.startsWith(entry)) writeFileSync(join(root, name), text);
      make(join(root, entry));
      const seen = describeWorkdir(root, repositoryFiles);
      expect(seen?.cwd).toBe(root);
      if (entry === '.annals.json') expect(seen?.proposal).toBeNull();
      if (entry === '.git/config') expect(seen?.remotes).toEqual([]);
    },
  );

  it('does not prevent a brief for a session in it', async () => {
    const folder = await testFolder();
    const root = join(folder, 'clone');
    mkdirSync(join(root, '.git'), { recursive: true });
    writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
    execFileSync('mkfifo', [join(root, '.git/config')]);
    symlinkSync('/dev/zero', join(root, '.annals.json'));
    const home = join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    leave(home, 'c-0', { ...payload('UserPromptSubmit', { prompt: 'Hello?', source: 'user' }), cwd: root });
    const { events } = await opened(home);
    expect(events.map(({ type }) => type).sort()).toEqual(['prompt.submitted', 'workdir.seen']);
  });
});

describe.runIf(process.platform !== 'win32')('An export', () => {
  it.each([
    ['a link to /dev/zero', (path: string) => symlinkSync('/dev/zero', path)],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('is not recognised when its manifest is %s', async (_, make) => {
    const folder = await testFolder();
    mkdirSync(join(folder, 'export'));
    make(join(folder, 'export/manifest.json'));
    const annals = await openAnnals({ home: join(folder, 'home') });
    const report = await annals.import([join(folder, 'export')]);
    await annals.close();
    expect(report).toMatchObject({ files: 0, appended: 0 });
  });
});
