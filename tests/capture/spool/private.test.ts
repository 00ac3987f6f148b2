// A private turn leaves only the fact that it took place, in the log and in the spool, in whatever order its files are
// drained.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AnnalsError, type Log, type LogEvent } from '../../../log/index.ts';
import type { DrainReport } from '../../../src/api.ts';
import { drainSpool } from '../../../src/capture/spool/drain-spool.ts';
import { spoolCounts } from '../../../src/capture/spool/drain-tally.ts';
import { spoolFiles, spoolFolders } from '../../../src/capture/spool/spool-files.ts';
import { scanHome } from '../../e2e/scan.ts';
import { eachWithSpoolHome, type SpoolHome } from '../../helpers/hooks/spool-home.ts';
import { openTestLog } from '../../helpers/logs.ts';
import {
  asked,
  filesWith,
  leave,
  type Payload,
  payload,
  SESSION,
  stopped,
  used,
  waiting,
} from '../../helpers/spool.ts';
import { Script } from '../../helpers/transcripts.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const HIDDEN = ['quokka', 'numbat', 'bilby', 'wombat'];
let { folder, home, log } = {} as SpoolHome;
eachWithSpoolHome((made) => {
  ({ folder, home, log } = made);
});

const drain = (now = NOW): Promise<DrainReport> =>
  drainSpool({ log, files: spoolFiles, folders: spoolFolders(home), now: () => now });

/** Where Claude Code keeps the session's transcript. */
function transcriptPath(): string {
  const project = join(folder.path, 'projects', '-home-u-app');
  mkdirSync(project, { recursive: true });
  return join(project, `${SESSION}.jsonl`);
}

async function recorded(): Promise<readonly string[]> {
  const events = (await log.page({ after: 0 })).events as readonly LogEvent[];
  return events.map(({ type, dedupeKey }) => `${type} ${dedupeKey.split(':')[0]}`);
}

/** Nothing of a private turn: in no file under the home, and in no waiting file. */
async function expectNothing(): Promise<void> {
  expect(waiting(home)).toEqual([]);
  await log.close();
  expect(await scanHome(home, HIDDEN)).toEqual([]);
  log = await openTestLog(home);
}

const agentLaunch = (agentId: string, fields: Payload = {}) =>
  used(`toolu_${agentId}`, '', {
    tool_name: 'Agent',
    tool_input: { prompt: 'look for the numbat' },
    tool_response: { status: 'async_launched', agentId, description: 'numbat' },
    ...fields,
  });

const privateTurn = (fields: Payload): readonly Payload[] => [
  asked('<private>tell me of the quokka</private>', fields),
  used('toolu_1', 'a quokka, a numbat', fields),
  used('toolu_2', 'the bilby', { agent_id: 'a1', ...fields }),
  stopped('It was a wombat.', fields),
];

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

describe.each([
  ['with prompt ids', {}],
  ['without, as older versions', { prompt_id: undefined }],
])('The files of a private turn, %s,', (_, fields) => {
  test('written in any of 24 orders, leave nothing', async () => {
    for (const [seed, order] of permutations(privateTurn(fields)).entries()) {
      const session = `s-${seed}`;
      order.forEach((one, index) => {
        leave(home, `c-${seed}-${index}`, { ...one, session_id: session }, NOW + index * 10);
      });
    }
    expect(filesWith(home, HIDDEN)).toHaveLength(96);
    expect(await drain()).toMatchObject({ appended: 24, private: 72, waiting: 0, bad: 0 });
    await expectNothing();
    expect(new Set((await recorded()).map((one) => one.split(' ')[0]))).toEqual(
      new Set(['prompt.submitted']),
    );
  });

  test('stay until the session’s memory is on disk, and are then counted', async () => {
    privateTurn(fields).forEach((one, index) => {
      leave(home, `c-${index}`, one, NOW + index);
    });
    const full: Pick<Log, 'append' | 'cursor' | 'cursors' | 'pageBySession'> = {
      append: () => Promise.reject(new AnnalsError('DISK_FULL', 'The disk is full.')),
      cursor: (key) => log.cursor(key),
      cursors: (prefix) => log.cursors(prefix),
      pageBySession: (request) => log.pageBySession(request),
    };
    const request = { files: spoolFiles, folders: spoolFolders(home), now: () => NOW };
    await expect(drainSpool({ ...request, log: full })).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(waiting(home)).toHaveLength(4);
    expect(await drain()).toMatchObject({ appended: 1, private: 3 });
    await expectNothing();
    leave(home, 'c-9', used('toolu_9', 'a late numbat', fields), NOW + 9);
    expect(await drain()).toMatchObject({ appended: 0, private: 1 });
    expect(await spoolCounts(log)).toMatchObject({ recorded: 1, private: 4 });
  });

  test('drained one by one in any of 24 orders, leave nothing', async () => {
    for (const [seed, order] of permutations(privateTurn(fields)).entries()) {
      for (const [index, one] of order.entries()) {
        leave(home, `c-${seed}-${index}`, { ...one, session_id: `s-${seed}` }, NOW + index * 10);
        await drain();
      }
    }
    await expectNothing();
    expect(await recorded()).toHaveLength(24);
  });
});

describe('Late events', () => {
  test('of a background agent of a private turn stay private after the next prompt', async () => {
    leave(home, 'c-0', asked('<private>the quokka</private>'), NOW);
    leave(home, 'c-1', agentLaunch('a1'), NOW + 1_000);
    leave(home, 'c-2', stopped('A wombat is on its way.'), NOW + 2_000);
    await drain();
    leave(home, 'c-3', asked('Now the tests.', { prompt_id: 'p-2' }), NOW + 3_000);
    const late = { prompt_id: 'p-2', agent_id: 'a1' };
    leave(home, 'c-4', used('toolu_3', 'the bilby', late), NOW + 4_000);
    leave(home, 'c-5', payload('SubagentStop', { ...late, last_assistant_message: 'numbat' }), NOW + 5_000);
    leave(home, 'c-6', used('toolu_4', 'All green.', { prompt_id: 'p-2' }), NOW + 6_000);
    expect(await drain()).toMatchObject({ private: 2, waiting: 0 });
    await expectNothing();
    expect(await recorded()).toEqual(['prompt.submitted c-0', 'prompt.submitted c-3', 'tool.used toolu_4']);
  });

  test('started by its notification, or reading its output, stay private', async () => {
    leave(home, 'c-0', asked('<private>the quokka</private>'), NOW);
    leave(home, 'c-1', agentLaunch('a1'), NOW + 1_000);
    leave(home, 'c-2', asked('Now the tests.', { prompt_id: 'p-2' }), NOW + 3_000);
    leave(
      home,
      'c-3',
      used('toolu_3', 'numbat', { prompt_id: 'p-2', tool_input: { task_id: 'a1' } }),
      NOW + 4_000,
    );
    const note = '<task-notification><task-id>a1</task-id>bilby</task-notification>';
    leave(home, 'c-4', asked(note, { prompt_id: 'p-3', source: 'system' }), NOW + 5_000);
    leave(home, 'c-5', used('toolu_4', 'wombat', { prompt_id: 'p-3' }), NOW + 6_000);
    await drain();
    await expectNothing();
    expect(await recorded()).toEqual(['prompt.submitted c-0', 'prompt.submitted c-2']);
  });

  test('of a sub-agent of a public turn are recorded once its launch is seen', async () => {
    leave(home, 'c-0', asked('<private>the quokka</private>'), NOW);
    leave(home, 'c-1', asked('Look around.', { prompt_id: 'p-2' }), NOW + 1_000);
    leave(home, 'c-2', used('toolu_1', 'found it', { prompt_id: 'p-2', agent_id: 'a2' }), NOW + 2_000);
    expect(await drain()).toMatchObject({ waiting: 1 });
    const launch = { tool_response: { status: 'completed', agentId: 'a2' }, tool_input: {} };
    leave(home, 'c-3', agentLaunch('a2', { prompt_id: 'p-2', ...launch }), NOW + 3_000);
    expect(await drain()).toMatchObject({ waiting: 0, appended: 2 });
  });

  test('a running sub-agent waits for its launch, and its transcript is only read after the idle time', async () => {
    const script = new Script({ session: SESSION, start: NOW });
    script.prompt('Look around.', { promptId: 'p-2' });
    script.use('toolu_agent', 'Agent', { prompt: 'look' });
    script.result('toolu_agent', 'found it', { toolUseResult: { status: 'completed', agentId: 'a2' } });
    writeFileSync(transcriptPath(), script.bytes());
    const ids = { prompt_id: 'p-2', agent_id: 'a2', transcript_path: transcriptPath() };
    leave(home, 'c-1', used('toolu_1', 'found it', ids), NOW + 2_000);
    expect(await drain()).toMatchObject({ waiting: 1, appended: 0 });
    expect(await drain(NOW + 31 * MINUTE)).toMatchObject({ waiting: 0, appended: 1 });
  });

  test('of an unexplained sub-agent are dropped after the idle time when its session has a private turn', async () => {
    leave(home, 'c-0', asked('<private>the quokka</private>'), NOW);
    leave(home, 'c-1', asked('Look around.', { prompt_id: 'p-2' }), NOW + 1_000);
    leave(home, 'c-2', used('toolu_1', 'a wombat', { prompt_id: 'p-2', agent_id: 'a9' }), NOW + 2_000);
    expect(await drain()).toMatchObject({ waiting: 1 });
    expect(await drain(NOW + 31 * MINUTE)).toMatchObject({ waiting: 0, private: 1 });
    await expectNothing();
  });
});

describe('A private prompt with a lost file', () => {
  test('is found in the transcript', async () => {
    for (const [index, one] of privateTurn({}).entries()) if (index > 0) leave(home, `c-${index}`, one, NOW);
    expect(await drain()).toMatchObject({ waiting: 3, appended: 0 });
    await log.append([
      {
        type: 'prompt.submitted',
        agent: 'claude-code',
        session: SESSION,
        dedupeKey: 'uuid-1',
        channel: 'transcript',
        occurredAt: NOW - 10,
        body: { text: null, private: true, via: 'line', promptId: 'p-1' },
      },
    ]);
    expect(await drain(NOW + 60 * MINUTE)).toMatchObject({ private: 3, waiting: 0 });
    await expectNothing();
  });
});

describe('A private prompt that is in neither a file nor the log', () => {
  const script = (): Script => {
    const script = new Script({ session: SESSION, start: NOW - 60_000, version: '2.1.210' });
    script.prompt('Run the tests.', { promptId: 'p-0' });
    script.reply('All green.');
    script.prompt('<private>tell me of the quokka</private>', { promptId: 'p-1' });
    return script;
  };
  const transcribed = (bytes: Buffer): Payload => {
    const path = transcriptPath();
    writeFileSync(path, bytes);
    return { transcript_path: path };
  };

  test.each([
    ['with prompt ids', {}],
    ['without', { prompt_id: undefined }],
  ])('is looked up in the transcript at once, %s', async (_, fields) => {
    const ids = { ...fields, ...transcribed(script().bytes()) };
    for (const [index, one] of privateTurn(ids).entries()) if (index > 0) leave(home, `c-${index}`, one, NOW);
    leave(home, 'c-9', JSON.stringify(used('toolu_9', 'a numbat '.repeat(50), ids)).slice(0, -9), NOW);
    // The transcript's record that the prompt took place is used, because a hook named its id.
    expect(await drain()).toMatchObject({
      private: 3,
      bad: 1,
      waiting: 0,
      appended: 'prompt_id' in fields ? 0 : 1,
    });
    await expectNothing();
  });

  test('does not hide what is public according to the transcript', async () => {
    const path = transcribed(script().bytes());
    leave(home, 'c-1', used('toolu_1', 'all green', { ...path, prompt_id: 'p-0' }), NOW);
    leave(home, 'c-2', used('toolu_2', 'a numbat', { ...path, prompt_id: 'p-1' }), NOW);
    expect(await drain(NOW + 31 * MINUTE)).toMatchObject({ appended: 3, private: 1, waiting: 0 });
    await expectNothing();
    expect((await recorded()).filter((one) => one.startsWith('tool'))).toEqual(['tool.used toolu_1']);
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['no transcript', (path: string) => writeFileSync(path, 'junk\n{}\n[1]\n\u0000')],
    ['another session’s', (path: string) => writeFileSync(path, new Script({ session: 'x' }).bytes())],
    ['a pipe without a writer', (path: string) => execFileSync('mkfifo', [path])],
    ['nothing', () => undefined],
  ])('counts as private after the idle time when its transcript is %s', async (_, make) => {
    const path = transcriptPath();
    make(path);
    leave(home, 'c-1', used('toolu_1', 'all green', { transcript_path: path }), NOW);
    expect(await drain(NOW + 31 * MINUTE)).toMatchObject({ appended: 0, private: 1, waiting: 0 });
  });
});

describe('Torn files of a private turn', () => {
  test('leave their reason and no text', async () => {
    leave(home, 'c-0', asked('<private>the quokka</private>'), NOW);
    leave(home, 'c-1', JSON.stringify(used('toolu_1', 'a numbat '.repeat(50))).slice(0, -30), NOW + 1);
    leave(home, 'c-2', '{"hook_event_name":"UserPromptSubmit","prompt":"<private>the bilby is', NOW + 2);
    expect(await drain()).toMatchObject({ bad: 2 });
    await expectNothing();
    expect(waiting(home, 'bad')).toEqual(['c-1', 'c-2']);
  });

  test('wait while their turn is unknown', async () => {
    leave(home, 'c-1', JSON.stringify(used('toolu_1', 'a numbat '.repeat(50))).slice(0, -30), NOW);
    expect(await drain()).toMatchObject({ bad: 0, waiting: 1 });
    leave(home, 'c-0', asked('<private>the quokka</private>'), NOW);
    expect(await drain()).toMatchObject({ bad: 1, waiting: 0 });
    await expectNothing();
  });
});

test('a public turn next to a private one is recorded completely', async () => {
  leave(home, 'c-0', asked('Run the tests.', { prompt_id: 'p-0' }), NOW);
  leave(home, 'c-1', used('toolu_0', 'green', { prompt_id: 'p-0' }), NOW + 1);
  leave(home, 'c-2', asked('<private>the quokka</private>'), NOW + 1_000);
  leave(home, 'c-3', used('toolu_1', 'a numbat'), NOW + 1_100);
  leave(home, 'c-4', asked('Commit.', { prompt_id: 'p-2' }), NOW + 2_000);
  leave(home, 'c-5', stopped('Committed.', { prompt_id: 'p-2' }), NOW + 2_100);
  expect(await drain()).toMatchObject({ appended: 5, private: 1 });
  await expectNothing();
  await log.close();
  const found = await scanHome(home, ['Committed.', 'green']);
  expect(new Set(found.map(({ word }) => word))).toEqual(new Set(['Committed.', 'green']));
  log = await openTestLog(home);
});
