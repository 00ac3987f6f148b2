// A turn that proves private after parts of it were stored is forgotten automatically: no view and no file of the home
// contains a word of it, and earlier turns stay.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drainSpool } from '../../src/capture/spool/drain-spool.ts';
import { spoolFiles, spoolFolders } from '../../src/capture/spool/spool-files.ts';
import type { Home } from '../../src/home/home.ts';
import { importTranscripts } from '../../src/import/import-transcripts.ts';
import { openParts } from '../../src/open-parts.ts';
import { asked, leave, type Payload, SESSION, stopped, used } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { eventsOf, sharedFolder, withHome } from './homes.ts';
import { scanHome } from './scan.ts';

const folder = sharedFolder('proved-private');
const HIDDEN = '<private>tell me of the quokka</private>';
const start = Date.now() - 60 * 60_000;
const at = (seconds: number) => start + seconds * 1_000;

function emptyHome(name: string): string {
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  return home;
}

/** A run without its private prompt, which was typed in the third second. */
function leaveRun(home: string, fields: Payload = {}): void {
  leave(home, 'c-0', asked('a slow task', fields), at(1));
  leave(home, 'c-1', used('toolu_1', 'slow and public', { duration_ms: 5_500, ...fields }), at(8));
  leave(home, 'c-2', used('toolu_2', 'the quokka', { duration_ms: 100, ...fields }), at(9));
  leave(home, 'c-3', stopped('slow, and a quokka', fields), at(10));
}

/** The transcript of the same run. */
function transcript(): Script {
  const script = new Script({ session: SESSION, start, version: '2.1.197' });
  script.prompt('a slow task', { promptId: 'p-1', promptSource: 'typed' });
  script.use('toolu_1');
  script.enqueue(HIDDEN);
  script.result('toolu_1', 'slow and public', { promptId: 'p-1' });
  script.use('toolu_2', 'Bash', { command: 'echo quokka' });
  script.result('toolu_2', 'quokka', { promptId: 'p-1' });
  script.reply('slow, and a quokka');
  return script;
}

/** Works on an open home, which is closed without anything further, as if the process were killed. */
async function brokenOff(home: string, work: (parts: Home) => Promise<unknown>): Promise<void> {
  const parts = await openParts({ home });
  try {
    await work(parts);
  } finally {
    await parts.embedding.close();
    await parts.runner.close();
    await parts.log.close();
  }
}

async function expectForgotten(home: string): Promise<void> {
  const uses = await withHome(home, async (annals) =>
    (await eventsOf(annals)).flatMap((event) => (event.type === 'tool.used' ? [event.dedupeKey] : [])),
  );
  expect(new Set(uses)).toEqual(new Set(['toolu_1']));
  expect(await scanHome(home, ['quokka'])).toEqual([]);
}

test('a turn is forgotten when the file of its private prompt arrives late', async () => {
  const home = emptyHome('late');
  leaveRun(home);
  await withHome(home, (annals) => annals.status());
  expect(await scanHome(home, ['quokka'])).not.toEqual([]);
  leave(home, 'c-9', asked(HIDDEN), at(3));
  await expectForgotten(home);
});

test('a private turn is forgotten when a public prompt followed it in the same run', async () => {
  const home = emptyHome('behind');
  leave(home, 'c-5', asked('and the tests, please'), at(5));
  leaveRun(home);
  leave(home, 'c-6', used('toolu_3', 'started', { tool_response: { agentId: 'agent-7' } }), at(9.5));
  leave(home, 'c-7', used('toolu_4', 'a quokka again', { agent_id: 'agent-7', duration_ms: 100 }), at(11));
  leave(home, 'c-8', asked('what next', { prompt_id: 'p-2' }), at(13));
  leave(home, 'c-9', stopped('a public answer', { prompt_id: 'p-2' }), at(14));
  await withHome(home, (annals) => annals.status());
  expect(await scanHome(home, ['quokka'])).not.toEqual([]);
  leave(home, 'd-1', asked(HIDDEN), at(3));
  await expectForgotten(home);
  const texts = await withHome(home, async (annals) =>
    (await eventsOf(annals)).flatMap((event) => {
      if (event.type !== 'prompt.submitted' && event.type !== 'agent.stopped') return [];
      return event.body.text ?? [];
    }),
  );
  expect(texts.sort()).toEqual(['a public answer', 'a slow task', 'and the tests, please', 'what next']);
});

test('a turn is forgotten when only the transcript reports its private prompt', async () => {
  const home = emptyHome('transcript');
  leaveRun(home);
  await withHome(home, (annals) => annals.status());
  const path = join(folder, `${SESSION}.jsonl`);
  writeFileSync(path, transcript().bytes());
  await withHome(home, (annals) => annals.import([path]));
  await expectForgotten(home);
});

test('a turn is forgotten when a process ends between recording its private prompt and forgetting', async () => {
  const late = emptyHome('late-killed');
  leaveRun(late);
  await withHome(late, (annals) => annals.status());
  await brokenOff(late, ({ log, paths, now }) => {
    leave(late, 'c-9', asked(HIDDEN), at(3));
    return drainSpool({ log, files: spoolFiles, folders: spoolFolders(paths.home), now });
  });
  expect(await scanHome(late, ['quokka'])).not.toEqual([]);
  await expectForgotten(late);

  const imported = emptyHome('import-killed');
  leaveRun(imported);
  await withHome(imported, (annals) => annals.status());
  const path = join(folder, `killed-${SESSION}.jsonl`);
  writeFileSync(path, transcript().bytes());
  await brokenOff(imported, ({ log }) => importTranscripts({ log, paths: [path] }));
  expect(await scanHome(imported, ['quokka'])).not.toEqual([]);
  await expectForgotten(imported);
});

test('a public prompt typed moments after an interrupted private one is kept', async () => {
  const home = emptyHome('interrupted');
  const script = new Script({ session: SESSION, start, version: '2.1.197' });
  script.prompt(HIDDEN, { promptId: 'p-1', promptSource: 'typed' });
  script.use('toolu_0');
  script.prompt('[Request interrupted by user for tool use]', { promptId: 'p-1' });
  script.prompt('and then', { promptId: 'p-2', promptSource: 'typed' });
  script.use('toolu_1');
  script.result('toolu_1', 'public', { promptId: 'p-2' });
  const project = join(folder, 'projects', '-home-u-app');
  mkdirSync(project, { recursive: true });
  const path = join(project, `${SESSION}.jsonl`);
  writeFileSync(path, script.bytes());
  leave(home, 'c-0', asked(HIDDEN, { transcript_path: path }), at(1));
  leave(home, 'c-1', asked('and then', { transcript_path: path, prompt_id: 'p-2' }), at(1.7));
  leave(home, 'c-2', used('toolu_1', 'public', { transcript_path: path, prompt_id: 'p-2' }), at(2));
  await withHome(home, (annals) => annals.status());
  await expectForgotten(home);
});
