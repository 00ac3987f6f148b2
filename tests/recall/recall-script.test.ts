// The capture script where something may be recalled. `curl` is a stand-in that notes what it gets: the real one waits
// 50 ms at most, which a busy machine can exceed.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { captureCommand, captureScript, scriptPath } from '../../src/capture/spool/capture-script.ts';
import { wholePayload } from '../../src/capture/spool/end-mark.ts';
import { asked, waiting } from '../helpers/spool.ts';
import { temporaryFolder } from '../helpers/world.ts';

const PROMPT = JSON.stringify(asked('Why does it fail?'));
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let socket: Server | null = null;

beforeEach(async () => {
  folder = await temporaryFolder();
  home = join(folder.path, 'home');
  for (const part of ['home/bin', 'home/spool/new', 'bin'])
    mkdirSync(join(folder.path, part), { recursive: true, mode: 0o700 });
  writeFileSync(scriptPath(home), captureScript(home, { node: '/none/node', cli: '/none/cli.cjs' }));
  chmodSync(scriptPath(home), 0o700);
});
afterEach(async () => {
  socket?.close();
  socket = null;
  await folder.remove();
});

function standIn(commands: string): void {
  const path = join(folder.path, 'bin/curl');
  writeFileSync(
    path,
    `#!/bin/sh\nprintf '%s\\n' "$@" >${folder.path}/words\ncat >${folder.path}/body\n${commands}\n`,
  );
  chmodSync(path, 0o755);
}

function fire(answers: 'prompt' | 'edit' | null = 'prompt', input = PROMPT): string {
  const env = { PATH: `${join(folder.path, 'bin')}:${process.env.PATH}`, HOME: '/' };
  const line = captureCommand(home, 'claude-code', answers);
  return execFileSync('sh', ['-c', line], { input, env, encoding: 'utf8' });
}

function captured(): (string | undefined)[] {
  return waiting(home).map((name) =>
    wholePayload(readFileSync(join(home, 'spool/new', name)))?.toString('utf8'),
  );
}

const listen = (occasion = 'prompt') =>
  new Promise<void>((resolve) => {
    socket = createServer().listen(join(home, `recall-${occasion}`), resolve);
  });

test('it prints the answer to a payload that it has captured', async () => {
  standIn("printf '%s' '{\"answer\":1}'");
  await listen();
  expect(fire()).toBe('{"answer":1}\n');
  expect(captured()).toEqual([PROMPT]);
  expect(wholePayload(readFileSync(join(folder.path, 'body')))?.toString('utf8')).toBe(PROMPT);
  const words = readFileSync(join(folder.path, 'words'), 'utf8').split('\n');
  expect(words[0]).toBe('-q');
  expect(words).toContain('http://localhost/claude-code');
  expect(words[words.indexOf('--unix-socket') + 1]).toBe(join(home, 'recall-prompt'));
  expect(words[words.indexOf('--max-time') + 1]).toBe('0.05');
});

test('it prints nothing of an answer that broke off, and nothing for an empty one', async () => {
  await listen();
  standIn("printf '%s' '{\"ans'; exit 28");
  expect(fire()).toBe('');
  standIn(':');
  expect(fire()).toBe('');
  expect(captured()).toEqual([PROMPT, PROMPT]);
});

test('it asks nobody without a socket, and for a hook that only captures', async () => {
  standIn('echo asked');
  expect(fire()).toBe('');
  await listen();
  expect(fire(null)).toBe('');
  expect(existsSync(join(folder.path, 'words'))).toBe(false);
  expect(captured()).toEqual([PROMPT, PROMPT]);
});

test('a tool that is about to use a file is asked for and not captured', async () => {
  standIn("printf '%s' '{\"answer\":1}'");
  // More than a pipe holds: it is read although nobody is asked.
  expect(fire('edit', PROMPT.padEnd(1_000_000))).toBe('');
  expect(existsSync(join(folder.path, 'words'))).toBe(false);
  await listen('edit');
  expect(fire('edit')).toBe('{"answer":1}\n');
  expect(readFileSync(join(folder.path, 'body'), 'utf8')).toBe(PROMPT);
  standIn('exit 28');
  expect(fire('edit')).toBe('');
  expect(captured()).toEqual([]);
});
