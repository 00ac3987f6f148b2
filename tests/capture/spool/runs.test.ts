// A prompt_id names a run of the agent, not a prompt. Nothing of a run is kept from its first private prompt on, in
// whatever order its files are drained. Everything before is.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LogEvent } from '../../../log/index.ts';
import { drainSpool } from '../../../src/capture/spool/drain-spool.ts';
import { spoolFiles, spoolFolders } from '../../../src/capture/spool/spool-files.ts';
import { scanHome } from '../../e2e/scan.ts';
import { eachWithSpoolHome, type SpoolHome } from '../../helpers/hooks/spool-home.ts';
import { openTestLog } from '../../helpers/logs.ts';
import { asked, leave, type Payload, payload, SESSION, stopped, used, waiting } from '../../helpers/spool.ts';
import { Script } from '../../helpers/transcripts.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
let { folder, home, log } = {} as SpoolHome;
eachWithSpoolHome((made) => {
  ({ folder, home, log } = made);
});

const drain = (now = NOW) =>
  drainSpool({ log, files: spoolFiles, folders: spoolFolders(home), now: () => now });

const HIDDEN = '<private>tell me of the quokka</private>';
const note = (task: string, fields: Payload) =>
  asked(`<task-notification>\n<task-id>${task}</task-id>\n</task-notification>`, {
    source: undefined,
    ...fields,
  });
const started = (task: string, fields: Payload) =>
  used(`toolu_${task}`, '', { tool_response: { stdout: '', backgroundTaskId: task }, ...fields });

function withTranscript(write: (script: Script) => void): Payload {
  const project = join(folder.path, 'projects', '-home-u-app');
  mkdirSync(project, { recursive: true });
  const script = new Script({ session: SESSION, start: NOW, version: '2.1.197' });
  write(script);
  const path = join(project, `${SESSION}.jsonl`);
  writeFileSync(path, script.bytes());
  return { transcript_path: path };
}

type Call = readonly [seconds: number, one: Payload];

/**
 * Drains the calls in one drain, one by one, and in one drain in reverse order. Returns what is in the log, which is
 * the same each time.
 */
async function recorded(calls: readonly Call[]): Promise<readonly string[]> {
  const name = (index: number) => `c-${String(index).padStart(2, '0')}`;
  const leaveCall = ([seconds, one]: Call, index: number, way: string) =>
    leave(home, `${way}-${name(index)}`, { ...one, session_id: `s-${way}` }, NOW + seconds * 1_000);
  calls.forEach((call, index) => {
    leaveCall(call, index, 'whole');
  });
  await drain();
  for (const [index, call] of calls.entries()) {
    leaveCall(call, index, 'single');
    await drain();
  }
  const events = (await log.page({ after: 0 })).events as readonly LogEvent[];
  const of = (way: string) =>
    events
      .filter(({ session }) => session === `s-${way}`)
      .map(({ type, body }) =>
        type === 'prompt.submitted'
          ? `asked ${body.text ?? 'privately'}`
          : type === 'tool.used'
            ? `used ${body.toolUseId}`
            : `said ${'text' in body ? body.text : ''}`,
      )
      .sort();
  expect(of('single')).toEqual(of('whole'));
  expect(waiting(home)).toEqual([]);
  await log.close();
  expect(await scanHome(home, ['quokka', 'numbat'])).toEqual([]);
  log = await openTestLog(home);
  return of('whole');
}

describe('Prompts of one run', () => {
  test('are all recorded when they are public', async () => {
    expect(
      await recorded([
        [0, asked('a slow question')],
        [2, asked('and another')],
        [4, used('toolu_1', 'slow', { duration_ms: 3_000 })],
        [5, stopped('both answers')],
      ]),
    ).toEqual(['asked a slow question', 'asked and another', 'said both answers', 'used toolu_1']);
  });

  test('hide the agent’s work from the private one on, but not the current tool use', async () => {
    expect(
      await recorded([
        [0, asked('a slow question')],
        [2, asked(HIDDEN)],
        [3, asked('and a public one')],
        [4, used('toolu_1', 'slow', { duration_ms: 3_000 })],
        [5, used('toolu_2', 'the quokka', { duration_ms: 200 })],
        [6, stopped('all three, and the quokka')],
        [8, asked('and then', { prompt_id: 'p-2' })],
        [9, stopped('after', { prompt_id: 'p-2' })],
      ]),
    ).toEqual([
      'asked a slow question',
      'asked and a public one',
      'asked and then',
      'asked privately',
      'said after',
      'used toolu_1',
    ]);
  });
});

describe('A background task', () => {
  test('of a private turn hides what follows its note, even in a public run', async () => {
    expect(
      await recorded([
        [0, asked(HIDDEN)],
        [1, started('bczfirncs', {})],
        [2, stopped('started the quokka')],
        [4, asked('meanwhile', { prompt_id: 'p-2' })],
        [5, used('toolu_2', 'two', { prompt_id: 'p-2' })],
        [6, note('bczfirncs', { prompt_id: 'p-2' })],
        [7, used('toolu_3', 'the quokka', { prompt_id: 'p-2' })],
        [8, stopped('two, and a quokka', { prompt_id: 'p-2' })],
      ]),
    ).toEqual(['asked meanwhile', 'asked privately', 'used toolu_2']);
  });

  test('of a private turn does not hide the tool use that was running when its note came, with or without the transcript', async () => {
    const path = withTranscript((script) => {
      script.prompt(HIDDEN, { promptId: 'p-1', promptSource: 'typed' });
      script.use('toolu_bczfirncs', 'Bash', { command: 'make', run_in_background: true });
      script.result('toolu_bczfirncs', 'Running.', {
        promptId: 'p-1',
        toolUseResult: { stdout: '', backgroundTaskId: 'bczfirncs' },
      });
      script.reply('started the quokka');
      script.prompt('meanwhile', { promptId: 'p-2', promptSource: 'typed' });
      script.use('toolu_2');
      script.enqueue('<task-notification>\n<task-id>bczfirncs</task-id>\n</task-notification>');
      script.result('toolu_2', 'two', { promptId: 'p-2' });
      script.queue('remove');
      script.reply('two, and a quokka');
    });
    leave(home, 'c-0', asked(HIDDEN, path), NOW + 1_000);
    leave(home, 'c-1', started('bczfirncs', path), NOW + 3_000);
    leave(home, 'c-2', stopped('started the quokka', path), NOW + 4_000);
    leave(home, 'c-3', asked('meanwhile', { ...path, prompt_id: 'p-2' }), NOW + 5_000);
    leave(home, 'c-4', used('toolu_2', 'two', { ...path, prompt_id: 'p-2', duration_ms: 900 }), NOW + 7_000);
    leave(home, 'c-5', note('bczfirncs', { ...path, prompt_id: 'p-2' }), NOW + 9_000);
    leave(home, 'c-6', stopped('two, and a quokka', { ...path, prompt_id: 'p-2' }), NOW + 10_000);
    expect(await drain()).toMatchObject({ appended: 3, private: 3, waiting: 0 });
    const events = (await log.page({ after: 0 })).events as readonly LogEvent[];
    expect(events.flatMap(({ type, body }) => (type === 'tool.used' ? [body.toolUseId] : []))).toEqual([
      'toolu_2',
    ]);
    await log.close();
    expect(await scanHome(home, ['quokka'])).toEqual([]);
    log = await openTestLog(home);
  });

  test('of a private turn hides a tool use that reads its output, and what follows', async () => {
    expect(
      await recorded([
        [0, asked(HIDDEN)],
        [1, started('bczfirncs', {})],
        [2, stopped('started the quokka')],
        [4, asked('meanwhile', { prompt_id: 'p-2' })],
        [
          5,
          used('toolu_2', 'a numbat', {
            prompt_id: 'p-2',
            tool_input: { command: 'cat /tmp/tasks/bczfirncs.output' },
          }),
        ],
        [6, stopped('it was a numbat', { prompt_id: 'p-2' })],
        [8, asked('and then', { prompt_id: 'p-3' })],
        [9, stopped('after', { prompt_id: 'p-3' })],
      ]),
    ).toEqual(['asked and then', 'asked meanwhile', 'asked privately', 'said after']);
  });

  test('of a public turn that ends after a private one continues the private one', async () => {
    expect(
      await recorded([
        [0, asked('build it')],
        [1, started('bpublic01', {})],
        [2, stopped('started')],
        [4, asked(HIDDEN, { prompt_id: 'p-2' })],
        [5, stopped('the quokka after the build', { prompt_id: 'p-2' })],
        [6, note('bpublic01', { prompt_id: 'p-3' })],
        [7, stopped('built, and now the quokka', { prompt_id: 'p-3' })],
      ]),
    ).toEqual(['asked build it', 'asked privately', 'said started', 'used toolu_bpublic01']);
  });
});

test('the summary of a compaction is not kept', async () => {
  const summary = 'all of it, and the quokka';
  leave(home, 'c-0', asked('build it'), NOW);
  leave(
    home,
    'c-1',
    payload('SubagentStop', {
      agent_id: 'a1',
      agent_type: '',
      prompt_id: 'p-9',
      last_assistant_message: summary,
    }),
    NOW + 10,
  );
  expect(await drain()).toMatchObject({ appended: 1, waiting: 0, ignored: { 'compaction summary': 1 } });
  expect(waiting(home)).toEqual([]);
});

describe('A run with an id that no prompt hook reported', () => {
  test('is public when the transcript shows a shell command', async () => {
    const path = withTranscript((script) => {
      script.prompt('<bash-input>ls</bash-input>', { promptId: 'p-2' });
    });
    leave(home, 'c-0', asked('first', path), NOW);
    leave(home, 'c-1', stopped('The shell said so.', { ...path, prompt_id: 'p-2' }), NOW + 10);
    expect(await drain()).toMatchObject({ waiting: 0, private: 0, appended: 3 });
    expect(waiting(home)).toEqual([]);
    const events = (await log.page({ after: 0 })).events as readonly LogEvent[];
    const prompts = events.flatMap((one) => (one.type === 'prompt.submitted' ? [one.body.text] : []));
    expect(prompts.sort()).toEqual(['!ls', 'first']);
  });

  test('is looked up when a run ends a second time, because a shell command may have the id of the run before', async () => {
    const path = withTranscript((script) => {
      script.prompt('first', { promptId: 'p-1', promptSource: 'typed' });
      script.reply('one');
      script.prompt('<bash-input>ls</bash-input>', { promptId: 'p-1' });
    });
    leave(home, 'c-0', asked('first', path), NOW);
    leave(home, 'c-1', stopped('one', path), NOW + 1_000);
    await drain();
    leave(home, 'c-2', stopped('The shell said so.', path), NOW + 4_000);
    await drain();
    expect(waiting(home)).toEqual([]);
    const events = (await log.page({ after: 0 })).events as readonly LogEvent[];
    const prompts = events.flatMap((one) => (one.type === 'prompt.submitted' ? [one.body.text] : []));
    expect(new Set(prompts)).toEqual(new Set(['!ls', 'first']));
  });

  test('is private when the transcript shows a private prompt among those sent together', async () => {
    const path = withTranscript((script) => {
      script.prompt('first', { promptId: 'p-1', promptSource: 'typed' });
      script.reply('one');
      script.prompt(HIDDEN, { promptId: 'p-2', promptSource: 'queued' });
      script.prompt('and a public one', { promptId: 'p-3', promptSource: 'queued' });
    });
    leave(home, 'c-0', asked('first', path), NOW);
    leave(home, 'c-1', asked(HIDDEN, path), NOW + 10);
    leave(home, 'c-2', asked('and a public one', path), NOW + 20);
    leave(home, 'c-3', stopped('the quokka', { ...path, prompt_id: 'p-3' }), NOW + 30);
    expect(await drain()).toMatchObject({ waiting: 0, private: 1 });
    await log.close();
    expect(await scanHome(home, ['quokka'])).toEqual([]);
    log = await openTestLog(home);
  });
});

test('is public when the transcript shows that it followed an interrupted private one', async () => {
  const path = withTranscript((script) => {
    script.prompt(HIDDEN, { promptId: 'p-1', promptSource: 'typed' });
    script.use('toolu_1');
    script.prompt('[Request interrupted by user for tool use]', { promptId: 'p-1' });
    script.prompt('and then', { promptId: 'p-2', promptSource: 'typed' });
    script.use('toolu_2');
    script.result('toolu_2', 'two', { promptId: 'p-2' });
    script.reply('after');
  });
  leave(home, 'c-0', asked(HIDDEN, path), NOW + 1_000);
  leave(home, 'c-1', asked('and then', { ...path, prompt_id: 'p-2' }), NOW + 1_700);
  leave(home, 'c-2', used('toolu_2', 'two', { ...path, prompt_id: 'p-2' }), NOW + 2_000);
  leave(home, 'c-3', stopped('after', { ...path, prompt_id: 'p-2' }), NOW + 2_100);
  expect(await drain()).toMatchObject({ appended: 4, private: 0, waiting: 0 });
});

test('is not kept when its folder is excluded', async () => {
  const path = withTranscript((script) => {
    script.prompt('Look at the walrus account', { promptId: 'p-1', promptSource: 'typed' });
  });
  leave(home, 'c-0', used('toolu_1', 'the walrus', path), NOW + 1_000);
  const request = { log, files: spoolFiles, folders: spoolFolders(home), now: () => NOW + 2_000 };
  expect(await drainSpool({ ...request, excluded: () => true })).toMatchObject({ appended: 0, waiting: 0 });
  await log.close();
  expect(await scanHome(home, ['walrus'])).toEqual([]);
  log = await openTestLog(home);
});

describe('A version that fires no hook for what is typed while the agent works', () => {
  test('is trusted only when its transcript holds no private prompt', async () => {
    const path = withTranscript((script) => {
      script.prompt('a slow task', { promptId: 'p-1', promptSource: 'typed' });
      script.use('toolu_1');
      script.enqueue(HIDDEN);
      script.result('toolu_1', 'slow', { promptId: 'p-1' });
    });
    leave(home, 'c-0', asked('a slow task', path), NOW + 500);
    leave(home, 'c-1', used('toolu_1', 'slow', { ...path, duration_ms: 5_500 }), NOW + 8_000);
    leave(home, 'c-2', used('toolu_2', 'the quokka', { ...path, duration_ms: 100 }), NOW + 9_000);
    leave(home, 'c-3', stopped('slow, and a quokka', path), NOW + 10_000);
    expect(await drain()).toMatchObject({ appended: 2, private: 2, waiting: 0 });
    await log.close();
    expect(await scanHome(home, ['quokka'])).toEqual([]);
    log = await openTestLog(home);
  });

  test('fires one for each prompt sent together, and the run has the last one’s id', async () => {
    expect(
      await recorded([
        [0, asked('first')],
        [5, stopped('one')],
        [5.1, asked('a public one', { prompt_id: 'p-2' })],
        [5.11, asked(HIDDEN, { prompt_id: 'p-3' })],
        [5.12, asked('another', { prompt_id: 'p-4' })],
        [6, used('toolu_1', 'a quokka', { prompt_id: 'p-4' })],
        [7, stopped('all three, and the quokka', { prompt_id: 'p-4' })],
      ]),
    ).toEqual(['asked a public one', 'asked another', 'asked first', 'asked privately', 'said one']);
  });
});

test.each([
  ['Copilot in Claude’s spelling', { timestamp: 1, transcript_path: undefined }, 'of copilot'],
  [
    'Copilot where it names its events',
    { timestamp: 1, transcript_path: '/home/u/.copilot/session-state/1/events.jsonl' },
    'of copilot',
  ],
  [
    'Qwen Code',
    { timestamp: 1, transcript_path: '/home/u/.qwen/projects/-home-u-app/chats/1.jsonl' },
    'of qwen-code',
  ],
  ['Qwen Code at its start', { timestamp: 1, transcript_path: '1.jsonl' }, 'of qwen-code'],
  [
    'Gemini CLI',
    { timestamp: 1, transcript_path: '/home/u/.gemini/tmp/app/chats/session-1.jsonl' },
    'of gemini-cli',
  ],
])('a payload of %s is not recorded as Claude’s, and does not wait', async (_, fields, reason) => {
  leave(home, 'c-0', used('toolu_1', 'one', fields), NOW);
  expect(await drain()).toMatchObject({ appended: 0, waiting: 0, bad: 0, ignored: { [reason]: 1 } });
  expect(waiting(home)).toEqual([]);
});

test('a payload of an unknown agent leaves its reason and no text, at once', async () => {
  leave(home, 'c-0', used('toolu_1', 'a quokka', { transcript_path: '/home/u/somewhere/1.txt' }), NOW);
  expect(await drain()).toMatchObject({ appended: 0, waiting: 0, bad: 1 });
  expect((await spoolFiles.read(join(home, 'spool/bad/c-0'))).toString()).not.toContain('quokka');
});
