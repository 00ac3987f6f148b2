// A session whose transcript holds a private tag, such as one that an agent read in a file: each drain looks for private
// prompts in the transcript, and reads only what is new of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { drainSpool } from '../../../src/capture/spool/drain-spool.ts';
import { transcriptSession } from '../../../src/capture/spool/shown-session.ts';
import { spoolFiles, spoolFolders } from '../../../src/capture/spool/spool-files.ts';
import { scanHome } from '../../e2e/scan.ts';
import { eachWithSpoolHome, type SpoolHome } from '../../helpers/hooks/spool-home.ts';
import { openTestLog } from '../../helpers/logs.ts';
import { asked, leave, SESSION, used } from '../../helpers/spool.ts';
import { Script } from '../../helpers/transcripts.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const MIB = 1024 * 1024;
const HIDDEN = '<private>tell me of the quokka</private>';
const RUN = { promptId: 'p-1' };
let { folder, home, log } = {} as SpoolHome;
eachWithSpoolHome((made) => {
  ({ folder, home, log } = made);
});

let script: Script;
let path: string;

/** Work of a public prompt. */
beforeEach(async () => {
  const project = join(folder.path, 'projects', '-home-u-app');
  mkdirSync(project, { recursive: true });
  path = join(project, `${SESSION}.jsonl`);
  script = new Script({ session: SESSION, start: NOW, version: '2.1.197' });
  script.prompt('read the docs', { ...RUN, promptSource: 'typed' });
  for (let use = 0; use < 30; use++) {
    script.use(`toolu_docs${use}`);
    script.result(`toolu_docs${use}`, `between <private> and </private>\n${'text '.repeat(20_000)}`, RUN);
  }
  writeFileSync(path, script.bytes());
  leave(home, 'c-0', asked('read the docs', { transcript_path: path }), NOW + 500);
  leave(home, 'c-1', used('toolu_docs0', 'docs', { transcript_path: path }), NOW + MINUTE);
});

const drain = () =>
  drainSpool({ log, files: spoolFiles, folders: spoolFolders(home), now: () => NOW + 5 * MINUTE });

async function bytesReadBy(work: () => Promise<unknown>): Promise<number> {
  const file = await open(path);
  const read = vi.spyOn(Object.getPrototypeOf(file), 'read');
  await file.close();
  try {
    await work();
    const results = await Promise.all(read.mock.results.map(({ value }) => value as { bytesRead: number }));
    return results.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  } finally {
    read.mockRestore();
  }
}

/** The next tool use, and what its hook leaves. */
function work(name: string, output: string): void {
  script.use(name);
  script.result(name, output, RUN);
  writeFileSync(path, script.bytes());
  const fields = { transcript_path: path, duration_ms: 100 };
  leave(home, `c-${name}`, used(name, output, fields), NOW + 4 * MINUTE);
}

async function expectHidden(): Promise<void> {
  await log.close();
  expect(await scanHome(home, ['quokka'])).toEqual([]);
  log = await openTestLog(home);
}

test('It is read whole once, then what is new', async () => {
  expect(await bytesReadBy(drain)).toBeGreaterThan(3 * MIB);
  for (const name of ['toolu_1', 'toolu_2']) {
    work(name, 'more');
    expect(await bytesReadBy(drain)).toBeLessThan(MIB / 2);
  }
});

test('A private prompt that no hook reports is noticed in what is new', async () => {
  expect(await drain()).toMatchObject({ appended: 2, private: 0 });
  work('toolu_1', 'more');
  expect(await drain()).toMatchObject({ appended: 1, private: 0 });
  script.enqueue(HIDDEN);
  work('toolu_2', 'the quokka');
  expect(await drain()).toMatchObject({ appended: 0, private: 1 });
  work('toolu_3', 'another quokka');
  expect(await drain()).toMatchObject({ appended: 0, private: 1 });
  await expectHidden();
});

test('A private prompt is noticed where an agent cut off lines that were read, and wrote others', async () => {
  const kept = script.bytes().length;
  script.reply('words that the agent takes back');
  writeFileSync(path, script.bytes());
  expect(await drain()).toMatchObject({ appended: 2, private: 0 });
  const before = script;
  script = new Script({ session: SESSION, start: NOW, firstUuid: 100, version: '2.1.197' });
  script.text(before.bytes().subarray(0, kept).toString());
  script.enqueue(HIDDEN);
  work('toolu_1', `the quokka ${'text '.repeat(1_000)}`);
  expect(await drain()).toMatchObject({ appended: 0, private: 1 });
  await expectHidden();
});

test('The file of a sub-agent is read whole: which of its turns are private is in the main file', async () => {
  const main = new Script({ session: SESSION, start: NOW, version: '2.1.197' });
  main.prompt(HIDDEN, { promptId: 'p-1', promptSource: 'typed' });
  for (const promptId of ['p-2', 'p-3']) {
    main.reply('done', {}, { stop_reason: 'end_turn' });
    main.prompt('public', { promptId, promptSource: 'typed' });
  }
  main.use('toolu_main');
  writeFileSync(path, main.bytes());
  const agent = new Script({ session: SESSION, start: NOW, version: '2.1.197', firstUuid: 50 });
  const fields = { agentId: 'a1', isSidechain: true };
  agent.prompt('look', { ...fields, promptId: 'p-2' });
  agent.use('toolu_inner', 'Agent', { prompt: 'look closer' }, { ...fields, promptId: 'p-3' });
  const launched = { status: 'async_launched', agentId: 'inner' };
  agent.result('toolu_inner', 'launched', { ...fields, promptId: 'p-3', toolUseResult: launched });
  const agentPath = join(path.replace('.jsonl', ''), 'subagents', 'agent-a1.jsonl');
  mkdirSync(dirname(agentPath), { recursive: true });
  writeFileSync(agentPath, agent.bytes());
  const shown = () => transcriptSession(agentPath, { agent: 'claude-code', session: SESSION }, log);
  expect((await shown()).launched).toEqual(['inner']);
  main.enqueue(HIDDEN);
  writeFileSync(path, main.bytes());
  expect((await shown()).launched).toEqual([]);
});
