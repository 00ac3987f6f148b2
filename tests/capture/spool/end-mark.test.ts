// A file in spool/new has its name from the first byte on. An incomplete file is never recorded, and a broken-off one
// ends in spool/bad.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Log } from '../../../log/index.ts';
import { captureCommand, captureScript, scriptPath } from '../../../src/capture/spool/capture-script.ts';
import { drainSpool } from '../../../src/capture/spool/drain-spool.ts';
import { END_MARK, wholePayload } from '../../../src/capture/spool/end-mark.ts';
import { spoolFiles, spoolFolders } from '../../../src/capture/spool/spool-files.ts';
import { openTestLog } from '../../helpers/logs.ts';
import { asked, leave, leaveUnfinished, used, waiting } from '../../helpers/spool.ts';
import { temporaryFolder } from '../../helpers/world.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const PROMPT = JSON.stringify(asked('Why does the heron test fail? 😀'));
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let log: Log;

beforeEach(async () => {
  folder = await temporaryFolder();
  home = join(folder.path, 'home');
  for (const part of ['bin', 'spool/new']) mkdirSync(join(home, part), { recursive: true, mode: 0o700 });
  chmodSync(home, 0o700);
  writeFileSync(scriptPath(home), captureScript(home, { node: '/none', cli: '/none' }), { mode: 0o700 });
  log = await openTestLog(home);
});
afterEach(async () => {
  await log.close();
  await folder.remove();
});

const drain = (now: number) =>
  drainSpool({ log, files: spoolFiles, folders: spoolFolders(home), now: () => now });

describe('A file', () => {
  test('is incomplete when cut anywhere, and gives its payload when complete', () => {
    const bytes = Buffer.from(PROMPT + END_MARK);
    for (let end = 0; end < bytes.length; end++)
      expect(wholePayload(bytes.subarray(0, end)), `${end} bytes`).toBeNull();
    expect(wholePayload(bytes)?.toString('utf8')).toBe(PROMPT);
  });

  test('is incomplete with zeros where a power cut took its end', () => {
    const bytes = Buffer.from(PROMPT + END_MARK);
    for (const lost of [1, 3, 20, bytes.length])
      expect(wholePayload(Buffer.concat([bytes.subarray(lost), Buffer.alloc(lost)]))).toBeNull();
  });

  test('that is complete is recorded', async () => {
    leave(home, 'c-0', PROMPT, NOW);
    expect(await drain(NOW)).toMatchObject({ appended: 1, unfinished: 0, bad: 0 });
    expect(waiting(home)).toEqual([]);
  });

  test('that is not JSON goes to spool/bad at once, without the mark', async () => {
    leave(home, 'c-0', 'junk', NOW);
    expect(await drain(NOW)).toMatchObject({ appended: 0, bad: 1 });
    expect(readFileSync(join(home, 'spool/bad/c-0'), 'utf8')).not.toContain('\u001e');
  });

  test('without its mark waits an hour, and is then recorded if its JSON is complete, else parked', async () => {
    leaveUnfinished(home, 'c-0', PROMPT, NOW);
    leaveUnfinished(home, 'c-1', PROMPT.slice(0, -9), NOW);
    leaveUnfinished(home, 'c-2', '', NOW);
    expect(await drain(NOW + 59 * MINUTE)).toMatchObject({ appended: 0, unfinished: 3, bad: 0 });
    expect(waiting(home)).toHaveLength(3);
    expect(await drain(NOW + 61 * MINUTE)).toMatchObject({ appended: 1, unfinished: 0, bad: 2 });
    expect(waiting(home, 'bad')).toEqual(['c-1', 'c-2']);
    expect(waiting(home)).toEqual([]);
  });
});

describe('A capture under way', () => {
  /** Starts the command line in the settings with half a payload on its standard input. */
  async function half(payload: string) {
    const child = spawn('sh', ['-c', captureCommand(home, 'claude-code')], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const middle = payload.length >> 1;
    child.stdin.write(payload.slice(0, middle));
    const written = () => waiting(home).filter((name) => name !== 'c-0');
    const path = () => join(home, 'spool/new', written()[0]!);
    while (written().length === 0 || readFileSync(path()).length < middle) await setTimeout(5);
    return { child, ended, rest: payload.slice(middle) };
  }

  test('is not touched by a drain, and is recorded by the next', async () => {
    const payload = JSON.stringify(used('toolu_1', 'x'.repeat(50_000), { prompt_id: 'p-9' }));
    leave(home, 'c-0', asked('Go on.', { prompt_id: 'p-9' }));
    const { child, ended, rest } = await half(payload);
    expect(await drain(Date.now())).toMatchObject({ appended: 1, unfinished: 1, bad: 0 });
    child.stdin.end(rest);
    await ended;
    expect(await drain(Date.now())).toMatchObject({ appended: 1, unfinished: 0, bad: 0 });
    expect(waiting(home)).toEqual([]);
  });

  test('that is killed leaves nothing that counts as complete', async () => {
    const { child, ended } = await half(JSON.stringify(used('toolu_1', 'x'.repeat(50_000))));
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
    expect(await drain(Date.now())).toMatchObject({ appended: 0, unfinished: 1 });
    expect(await drain(Date.now() + 61 * MINUTE)).toMatchObject({ appended: 0, bad: 1 });
  });
});
