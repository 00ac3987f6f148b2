import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LogEvent } from '../../../log/index.ts';
import type { DrainReport } from '../../../src/api.ts';
import { drainSpool } from '../../../src/capture/spool/drain-spool.ts';
import { spoolFiles, spoolFolders } from '../../../src/capture/spool/spool-files.ts';
import { eachWithSpoolHome, type SpoolHome } from '../../helpers/hooks/spool-home.ts';
import { asked, leave, leaveUnfinished, payload, stopped, used, waiting } from '../../helpers/spool.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
let { folder, home, log } = {} as SpoolHome;
eachWithSpoolHome((made) => {
  ({ folder, home, log } = made);
});

const drain = (now = NOW, overrides: Partial<Parameters<typeof drainSpool>[0]> = {}): Promise<DrainReport> =>
  drainSpool({ log, files: spoolFiles, folders: spoolFolders(home), now: () => now, ...overrides });

async function events(): Promise<readonly LogEvent[]> {
  return (await log.page({ after: 0 })).events as readonly LogEvent[];
}

describe('A drain', () => {
  test('records all files, a session’s prompts first, then by modification time and name', async () => {
    leave(home, 'c-3', stopped('Done.'), NOW - 100);
    leave(home, 'c-1', used('toolu_b', 'two'), NOW - 300);
    leave(home, 'c-0', used('toolu_a', 'one'), NOW - 300);
    leave(home, 'c-2', asked('Read both.'), NOW - 200);
    const report = await drain();
    expect(report).toMatchObject({
      appended: 4,
      duplicates: 0,
      waiting: 0,
      private: 0,
      bad: 0,
      problems: [],
    });
    expect((await events()).map(({ type, dedupeKey, occurredAt }) => [type, dedupeKey, occurredAt])).toEqual([
      ['prompt.submitted', 'c-2', NOW - 200],
      ['tool.used', 'toolu_a', NOW - 300],
      ['tool.used', 'toolu_b', NOW - 300],
      ['agent.stopped', 'p-1:c-3', NOW - 100],
    ]);
    expect(waiting(home)).toEqual([]);
    expect(report.cwds).toEqual(['/home/u/app']);
  });

  test('records nothing twice when it is killed between append and removal', async () => {
    leave(home, 'c-0', asked('Read it.'), NOW);
    leave(home, 'c-1', used('toolu_a', 'one'), NOW);
    leave(home, 'c-2', stopped('Read.'), NOW + 1);
    const files = {
      ...spoolFiles,
      remove: async () => {
        throw Object.assign(new Error('dead'), { code: 'EIO' });
      },
    };
    const first = await drain(NOW, { files });
    expect(first).toMatchObject({ appended: 3 });
    expect(first.problems).toHaveLength(3);
    expect(await drain()).toMatchObject({ appended: 0, duplicates: 3 });
    expect(waiting(home)).toEqual([]);
    expect(await events()).toHaveLength(3);
  });

  test('keeps every file until its event is on disk', async () => {
    leave(home, 'c-0', asked('Read it.'), NOW);
    const append = async () => {
      throw new Error('the disk is full');
    };
    await expect(drain(NOW, { log: { ...boundLog(), append } })).rejects.toThrow('full');
    expect(waiting(home)).toEqual(['c-0']);
    expect(await drain()).toMatchObject({ appended: 1 });
  });

  test('counts a hook that is installed twice once', async () => {
    const each = [
      payload('SessionStart', { source: 'startup', prompt_id: undefined }),
      asked('Read it.'),
      used('toolu_a', 'one'),
      stopped('Read.'),
      payload('SessionEnd', { reason: 'other' }),
    ];
    each.forEach((one, index) => {
      leave(home, `c-${index}-a`, one, NOW + index * 5_000);
      leave(home, `c-${index}-b`, one, NOW + index * 5_000 + 3);
    });
    const report = await drain();
    // A prompt has no id of its own, so it is appended twice; the view makes one of the two.
    expect(report).toMatchObject({ appended: 6, duplicates: 1, ignored: { 'fired twice': 3 } });
    expect(await events()).toHaveLength(6);
  });

  test('counts it once even when the two files come in two drains', async () => {
    leave(home, 'c-a', payload('SessionStart', { source: 'startup' }), NOW);
    await drain();
    leave(home, 'c-b', payload('SessionStart', { source: 'startup' }), NOW + 4);
    leave(home, 'c-c', payload('SessionStart', { source: 'startup' }), NOW + 60_000);
    expect(await drain()).toMatchObject({ appended: 1, ignored: { 'fired twice': 1 } });
  });

  test('records two stops in a turn as two', async () => {
    leave(home, 'c-0', asked('Read it.'), NOW);
    leave(home, 'c-1', stopped('Half.'), NOW + 1_000);
    leave(home, 'c-2', stopped('All of it.', { stop_hook_active: true }), NOW + 2_000);
    await drain();
    expect((await events()).map(({ type }) => type)).toEqual([
      'prompt.submitted',
      'agent.stopped',
      'agent.stopped',
    ]);
  });

  test('records 5,000 files and loses none', async () => {
    for (let index = 0; index < 5_000; index++) {
      const fields = { session_id: `s-${index % 7}`, prompt_id: `p-${index % 7}` };
      const content = index < 7 ? asked('Read on.', fields) : used(`toolu_${index}`, `line ${index}`, fields);
      leave(home, `c-${String(index).padStart(5, '0')}`, content, NOW + index);
    }
    expect(await drain()).toMatchObject({ appended: 5_000, waiting: 0, problems: [] });
    expect(waiting(home)).toEqual([]);
  });

  test('records a payload of 7 MB, and parks one of 9 MB', async () => {
    leave(home, 'c-0', asked('Read it.'), NOW);
    leave(home, 'c-1', used('toolu_a', 'x'.repeat(7_000_000)), NOW);
    leave(home, 'c-2', used('toolu_b', 'x'.repeat(9_000_000)), NOW);
    expect(await drain()).toMatchObject({ appended: 2, bad: 1 });
  });
});

describe('An entry that is not ours', () => {
  test('is not read, not removed, and counted', async () => {
    leave(home, 'c-0', asked('Mine.'), NOW);
    const secret = join(folder.path, 'elsewhere');
    writeFileSync(secret, JSON.stringify(asked('Not mine.')));
    symlinkSync(secret, join(home, 'spool/new/c-1'));
    mkdirSync(join(home, 'spool/new/c-2'));
    expect(await drain()).toMatchObject({ appended: 1, foreign: 2, bad: 0 });
    expect(waiting(home)).toEqual(['c-1', 'c-2']);
  });

  test.skipIf(process.getuid?.() !== 0)('that belongs to another user stays where it is', async () => {
    leave(home, 'c-0', asked('Mine.'), NOW);
    chownSync(leave(home, 'c-1', asked('Theirs.'), NOW), 4242, 4242);
    expect(await drain()).toMatchObject({ appended: 1, foreign: 1 });
    expect(waiting(home)).toEqual(['c-1']);
  });

  test('that is a link in place of the spool is reported, and nothing is drained', async () => {
    const elsewhere = join(folder.path, 'elsewhere');
    leave(elsewhere, 'c-0', asked('Not mine.'), NOW);
    symlinkSync(join(elsewhere, 'spool'), join(home, 'spool'));
    const report = await drain();
    expect(report.appended).toBe(0);
    expect(report.problems[0]).toContain('is a link');
    expect(waiting(elsewhere)).toEqual(['c-0']);
  });

  test.each([
    ['Cursor', { conversation_id: 'c-1', cursor_version: '3.1.0' }, 'of cursor'],
    [
      'Cursor, by its transcript',
      { transcript_path: '/home/u/.cursor/projects/x/agent-transcripts/1/1.jsonl' },
      'of cursor',
    ],
    ['Copilot', { session_id: undefined, sessionId: 's', toolName: 'bash' }, 'of copilot'],
    ['Codex', { turn_id: 't-1' }, 'of codex'],
  ])('that comes from %s is not recorded as Claude’s', async (_, fields, reason) => {
    leave(home, 'c-0', asked('Read it.', fields), NOW);
    expect(await drain()).toMatchObject({ appended: 0, ignored: { [reason]: 1 }, bad: 0 });
    expect(waiting(home)).toEqual([]);
  });
});

describe('An unusable file', () => {
  test.each([
    ['nothing', '', 'empty'],
    ['junk', '\u0000\u0001\ufffd', 'not JSON'],
    ['a list', '[1,2]', 'not a JSON object'],
    ['an object of an unknown sender', '{"hook_event_name":"Stop"}', 'sending agent'],
  ])('%s goes to spool/bad with its reason', async (_, content, reason) => {
    leave(home, 'c-0', content, NOW);
    expect(await drain()).toMatchObject({ appended: 0, bad: 1 });
    expect(waiting(home)).toEqual([]);
    const kept = (await spoolFiles.read(join(home, 'spool/bad/c-0'))).toString();
    expect(kept).toMatch(/^annals: .+ bytes, left 2026-11-20T12:00:00\.000Z\n/);
    expect(kept).toContain(reason);
  });

  test('of an excluded folder leaves its reason and no text', async () => {
    leave(
      home,
      'c-0',
      JSON.stringify(used('toolu_1', 'a quokka '.repeat(20))).slice(0, -30),
      NOW - 60 * MINUTE,
    );
    leave(home, 'c-1', asked('Of the quokka.'), NOW);
    const report = await drain(NOW, { excluded: (cwd) => cwd === '/home/u/app' });
    expect(report).toMatchObject({ appended: 0, bad: 1, ignored: { 'of an excluded folder': 1 } });
    expect((await spoolFiles.read(join(home, 'spool/bad/c-0'))).toString()).not.toContain('quokka');
  });

  test('with an event that is not kept leaves nothing', async () => {
    leave(home, 'c-0', payload('PreToolUse', { tool_name: 'Bash' }), NOW);
    leave(home, 'c-1', asked('Go.'), NOW);
    expect(await drain()).toMatchObject({ appended: 1, bad: 0, ignored: { PreToolUse: 1 } });
    expect(waiting(home)).toEqual([]);
  });
});

describe('A turn with an unknown prompt', () => {
  test('waits for its prompt', async () => {
    leave(home, 'c-1', used('toolu_a', 'one'), NOW);
    expect(await drain()).toMatchObject({ appended: 0, waiting: 1 });
    expect(waiting(home)).toEqual(['c-1']);
    leave(home, 'c-0', asked('Read it.'), NOW);
    expect(await drain()).toMatchObject({ appended: 2, waiting: 0 });
  });

  test('is not kept when it is still unknown after the idle time, because it may be private', async () => {
    leave(home, 'c-1', used('toolu_a', 'one'), NOW - 29 * MINUTE);
    expect(await drain()).toMatchObject({ appended: 0, waiting: 1 });
    expect(await drain(NOW + 2 * MINUTE)).toMatchObject({ appended: 0, waiting: 0, private: 1 });
    expect(waiting(home)).toEqual([]);
  });

  test('does not wait for years because the clock was wrong', async () => {
    leave(home, 'c-0', used('toolu_a', 'one', { prompt_id: 'unknown' }), NOW + 1_000 * 24 * 60 * MINUTE);
    leaveUnfinished(home, 'c-1', '{"torn', NOW + 1_000 * 24 * 60 * MINUTE);
    expect(await drain()).toMatchObject({ appended: 0, private: 1, bad: 1, waiting: 0, unfinished: 0 });
    expect(waiting(home)).toEqual([]);
  });

  test('does not delay the start and end of a session', async () => {
    leave(home, 'c-0', payload('SessionStart', { source: 'startup', prompt_id: undefined }), NOW);
    leave(home, 'c-1', payload('SessionEnd', { reason: 'other', prompt_id: undefined }), NOW + 9);
    expect(await drain()).toMatchObject({ appended: 2, waiting: 0 });
  });
});

function boundLog() {
  return {
    append: log.append.bind(log),
    cursor: log.cursor.bind(log),
    cursors: log.cursors.bind(log),
    pageBySession: log.pageBySession.bind(log),
  };
}

test('a missing spool is empty', async () => {
  rmSync(join(home, 'spool'), { recursive: true, force: true });
  expect(await drain()).toMatchObject({ appended: 0, problems: [] });
});
