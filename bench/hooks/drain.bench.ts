// Measures how long a backlog takes: 5,000 waiting files into the log, compared with only reading and parsing the same
// files. One session with 5,000 tool uses, then 50 sessions with 100 each. Prints files/s and the head of the log.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../../log/index.ts';
import { drainSpool } from '../../src/capture/spool/drain-spool.ts';
import { END_MARK, wholePayload } from '../../src/capture/spool/end-mark.ts';
import { spoolFiles, spoolFolders } from '../../src/capture/spool/spool-files.ts';
import { readText, writeAtomically } from '../../src/platform/atomic-file.ts';
import { now } from '../../src/platform/clock.ts';
import { folderBytes } from '../../src/platform/disk-files.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';

const FILES = 5_000;

for (const sessions of [1, 50]) {
  const home = mkdtempSync(join(tmpdir(), 'annals-bench-'));
  fill(home, sessions);
  const started = performance.now();
  for (const name of readdirSync(join(home, 'spool/new')))
    JSON.parse(String(wholePayload(readFileSync(join(home, 'spool/new', name)))));
  const read = performance.now() - started;
  const log = await openLog({
    directory: join(home, 'log'),
    headFile: join(home, 'head.json'),
    world: { now, randomBytes },
    files: { readText, writeAtomically, folderBytes },
  });
  const began = performance.now();
  const report = await drainSpool({ log, files: spoolFiles, folders: spoolFolders(home), now });
  const drained = performance.now() - began;
  if (report.appended < FILES) throw new Error(`Only ${report.appended} of ${FILES} files were taken.`);
  console.log(
    `${FILES} files of ${sessions} session(s): drained in ${(drained / 1000).toFixed(2)} s ` +
      `(${Math.round((FILES / drained) * 1000)} files/s); reading and parsing alone ${(read / 1000).toFixed(2)} s; ` +
      `${report.appended} events, head ${log.head().chain.slice(0, 12)}`,
  );
  await log.close();
  rmSync(home, { recursive: true, force: true });
}

function fill(home: string, sessions: number): void {
  const folder = join(home, 'spool/new');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let index = 0; index < FILES; index++) {
    const session = `s-${index % sessions}`;
    const first = index < sessions;
    const common = {
      session_id: session,
      transcript_path: `/home/u/.claude/projects/-home-u-app/${session}.jsonl`,
      cwd: '/home/u/app',
      prompt_id: `p-${session}`,
    };
    const payload = first
      ? { ...common, hook_event_name: 'UserPromptSubmit', prompt: `Read part ${index}.` }
      : {
          ...common,
          hook_event_name: 'PostToolUse',
          tool_name: 'Read',
          tool_use_id: `toolu_${index}`,
          tool_input: { file_path: `/home/u/app/part-${index}.ts` },
          tool_response: { type: 'text', file: { content: `line ${index} of it\n`.repeat(200) } },
        };
    const name = `claude-code-${String(index).padStart(10, '0')}`;
    writeFileSync(join(folder, name), JSON.stringify(payload) + END_MARK);
  }
}
