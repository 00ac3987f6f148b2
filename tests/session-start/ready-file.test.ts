// When the ready file of a folder is printed: one table of cases for the script, in every shell, and for Node.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { captureCommand, captureScript, scriptPath } from '../../src/capture/spool/capture-script.ts';
import { wholePayload } from '../../src/capture/spool/end-mark.ts';
import {
  currentMark,
  readReady,
  readyIdIn,
  readyPath,
  readyText,
} from '../../src/session-start/ready-file.ts';
import { workerFileText } from '../../src/worker/worker-files.ts';
import { run } from '../helpers/child.ts';
import { shells } from '../helpers/hooks/shells.ts';
import { NO_HURRY } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/world.ts';

const ANSWER = '{"systemMessage":"what earlier sessions left é😀"}\n';
const ID = '0123456789abcdef';
/** Seconds since 1970: when the log last changed. */
const THEN = 1_700_000_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let project: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  home = join(folder.path, "a home's folder");
  project = join(folder.path, 'work', 'bird feeder');
  for (const path of [join(home, 'bin'), join(home, 'spool/new'), join(home, 'log'), project])
    mkdirSync(path, { recursive: true, mode: 0o700 });
  const node = join(folder.path, 'node');
  writeFileSync(node, '#!/bin/sh\nshift 3\nprintf "%s: " "$*"\ncat\n');
  chmodSync(node, 0o755);
  writeFileSync(scriptPath(home), captureScript(home, { node, cli: 'cli.cjs' }), { mode: 0o700 });
  touch(join(home, 'log', '000004.log'), THEN);
  makeReady(project);
  touch(currentMark(home), THEN + 10);
  writeFileSync(join(home, 'worker.json'), workerFileText({ pid: process.pid }));
});
afterEach(() => folder.remove());

function touch(path: string, at: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '', { flag: 'a' });
  utimesSync(path, at, at);
}

function makeReady(at: string, { named = at, gitConfig = '' } = {}): void {
  const path = readyPath(home, at)!;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, readyText({ folder: named, gitConfig, id: ID, answer: ANSWER }));
}

function payload(fields: object = {}): Record<string, unknown> {
  return {
    session_id: '00893aaf-19fa-41d2-8238-13269b9b3ca0',
    transcript_path: '/home/u/.claude/projects/-app/00893aaf.jsonl',
    cwd: project,
    hook_event_name: 'SessionStart',
    source: 'startup',
    ...fields,
  };
}

interface Started {
  readonly output: string;
  /** The files that the start left in the spool. */
  readonly spooled: readonly string[];
  /** The ids of ready files in their names. */
  readonly ids: readonly (string | null)[];
}

/** Starts a session as Claude Code does. */
async function start(
  stdin: string,
  shell: readonly string[] = ['sh'],
  environment: object = {},
): Promise<Started> {
  const script = readFileSync(scriptPath(home), 'utf8').replace(/^#!.*\n/, '');
  writeFileSync(scriptPath(home), `#!/usr/bin/env -S ${shell.join(' ')}\n${script}`);
  const before = new Set(readdirSync(join(home, 'spool/new')));
  // It ends when its output is closed.
  const { stdout, stderr, code } = await run(
    'sh',
    ['-c', captureCommand(home, 'claude-code', 'session-start')],
    { stdin, env: { PATH: process.env.PATH, ...NO_HURRY, ...environment } },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const names = readdirSync(join(home, 'spool/new')).filter((name) => !before.has(name));
  const spooled = names.map((name) => String(wholePayload(readFileSync(join(home, 'spool/new', name)))));
  return { output: stdout, spooled, ids: names.map(readyIdIn) };
}

const asksNode = (text: string) => `hook claude-code session-context: ${text}\n\u001eend\n`;

/** What makes the ready file of a folder unusable. */
const STATES: readonly (readonly [what: string, make: () => void, isReady: boolean])[] = [
  ['nothing happened since', () => undefined, true],
  ['a hook waits in the spool', () => writeFileSync(join(home, 'spool/new', 'claude-code-1'), '{}'), false],
  ['the log changed', () => touch(join(home, 'log', '000004.log'), THEN + 11), false],
  ['the log changed at the same moment', () => touch(join(home, 'log', '000004.log'), THEN + 10), false],
  ['the log began another file', () => touch(join(home, 'log', '000009.log'), THEN + 11), false],
  ['the log is gone', () => rmSync(join(home, 'log'), { recursive: true }), false],
  ['the mark is gone', () => rmSync(currentMark(home)), false],
  ['the views are gone', () => rmSync(join(home, 'views'), { recursive: true }), false],
  ['the settings are older', () => touch(join(home, 'config.json'), THEN), true],
  ['the settings changed', () => touch(join(home, 'config.json'), THEN + 11), false],
  [
    'the settings are a broken link',
    () => symlinkSync(join(home, 'nowhere'), join(home, 'config.json')),
    false,
  ],
  ['the file is of another folder', () => makeReady(project, { named: `${project}2` }), false],
  ['the file is empty', () => writeFileSync(readyPath(home, project)!, ''), false],
  [
    'the file is a folder',
    () => {
      rmSync(readyPath(home, project)!);
      mkdirSync(readyPath(home, project)!);
    },
    false,
  ],
  ['the folder became a repository', () => touch(join(project, '.git', 'config'), THEN), false],
  ['the repository is older', () => repository(THEN), true],
  ['the repository changed', () => repository(THEN + 11), false],
  [
    'the repository is gone',
    () => {
      repository(THEN);
      rmSync(join(project, '.git'), { recursive: true });
    },
    false,
  ],
  ['the folder is gone', () => rmSync(project, { recursive: true }), true],
];

function repository(at: number): void {
  const gitConfig = join(project, '.git', 'config');
  touch(gitConfig, at);
  makeReady(project, { gitConfig });
}

describe.each(shells.map((shell) => [shell.join(' '), shell] as const))('With %s', (_, shell) => {
  test.each(STATES)('at session start, %s', async (_what, make, isReady) => {
    make();
    const stdin = JSON.stringify(payload());
    const started = await start(stdin, shell);
    const output = isReady ? ANSWER : asksNode(stdin);
    expect(started).toEqual({ output, spooled: [stdin], ids: [isReady ? ID : null] });
  });

  test('the payload is captured byte for byte, and what is not certain is left to Node', async () => {
    const cases: readonly (readonly [payload: string, isReady: boolean])[] = [
      [JSON.stringify(payload()), true],
      [`${JSON.stringify(payload())}\n`, true],
      [JSON.stringify(Object.fromEntries(Object.entries(payload()).reverse())), true],
      [JSON.stringify(payload({ session_title: 'C:/ and $(touch x) `x` * ? ~ %s' })), true],
      [JSON.stringify(payload({ source: 'resume' })), false],
      [JSON.stringify(payload({ source: undefined })), false],
      [JSON.stringify(payload({ cwd: undefined })), false],
      [JSON.stringify(payload({ cwd: '' })), false],
      [JSON.stringify(payload({ cwd: 'work/bird feeder' })), false],
      [JSON.stringify(payload({ cwd: `${project}/` })), false],
      [JSON.stringify(payload({ cwd: `${project}/../bird feeder` })), false],
      [JSON.stringify(payload({ cwd: `${project}*` })), false],
      [JSON.stringify(payload({ cwd: `/${'x'.repeat(5_000)}` })), false],
      [JSON.stringify(payload({ session_title: '"cwd":"/a","source":"startup"' })), false],
      [JSON.stringify({ ...payload(), other: { cwd: '/a' } }), false],
      [JSON.stringify({ other: { cwd: project, source: 'startup' } }), false],
      [`{"cwd":"/a","cwd":${JSON.stringify(project)},"source":"startup"}`, false],
      [`{"cwd":${JSON.stringify(project)},"source":"startup","source" : "resume"}`, false],
      [JSON.stringify(payload(), null, 2), false],
      [`${JSON.stringify(payload())}\r\n`, false],
      ['', false],
      ['\n', false],
      ['\n\n', false],
      ['{}\n{}', false],
      [`${JSON.stringify(payload())}\n\n`, false],
      [`${JSON.stringify(payload())}\n${JSON.stringify(payload({ cwd: '/a' }))}\nx`, false],
      [JSON.stringify(payload()).slice(0, -1), false],
    ];
    for (const [stdin, isReady] of cases) {
      const { output, spooled } = await start(stdin, shell);
      expect(output).toBe(isReady ? ANSWER : asksNode(stdin));
      expect(spooled).toEqual([stdin]);
      for (const name of readdirSync(join(home, 'spool/new'))) rmSync(join(home, 'spool/new', name));
    }
  });

  test.each([['/wörk/āžé 日本/😀'], ["/it's/$(touch x)/`x`/$HOME/*"], ['/ /  two'], ['/']])(
    'the folder %s has a ready file',
    async (cwd) => {
      makeReady(cwd);
      touch(currentMark(home), THEN + 10);
      expect((await start(JSON.stringify(payload({ cwd })), shell)).output).toBe(ANSWER);
    },
  );

  test('patterns in the environment, and a session of our own, get no ready file', async () => {
    const stdin = JSON.stringify(payload());
    expect((await start(stdin, shell, { ANNALS_EXCLUDE: '/x' })).output).toBe(asksNode(stdin));
    expect(await start(stdin, shell, { ANNALS_INTERNAL: '1' })).toEqual({ output: '', spooled: [], ids: [] });
  });
});

/** What is in the place of worker.json when no worker runs. */
const NO_WORKER: readonly (readonly [what: string, make: (path: string) => void])[] = [
  ['nothing', () => undefined],
  ['what a killed worker left', (path) => writeFileSync(path, workerFileText({ pid: deadProcess() }))],
  ['a process id that nobody can have', (path) => writeFileSync(path, workerFileText({ pid: 2 ** 53 }))],
  ['the process group', (path) => writeFileSync(path, workerFileText({ pid: 0 }))],
  ['a group of processes', (path) => writeFileSync(path, workerFileText({ pid: -process.pid }))],
  ['an empty file', (path) => writeFileSync(path, '')],
  ['a file in one line', (path) => writeFileSync(path, JSON.stringify({ pid: process.pid }))],
  ['another number in the second line', (path) => writeFileSync(path, `{\n  "port": ${process.pid},\n}\n`)],
  ['words', (path) => writeFileSync(path, `{\n  "pid": ${process.pid} $(touch x); *,\n}\n`)],
  ['a folder', (path) => mkdirSync(path)],
  ['a broken link', (path) => symlinkSync(join(home, 'nowhere'), path)],
  ['a pipe that nobody writes to', (path) => void execFileSync('mkfifo', [path])],
];

function deadProcess(): number {
  return spawnSync('true').pid;
}

describe.each(shells.map((shell) => [shell.join(' '), shell] as const))('With %s', (_, shell) => {
  test.each(NO_WORKER)(
    'a ready file is printed without waiting for the worker that is started: worker.json is %s',
    async (_what, make) => {
      rmSync(join(home, 'worker.json'));
      make(join(home, 'worker.json'));
      const called = join(folder.path, 'called');
      const env = { PATH: process.env.PATH };
      await run('mkfifo', [called], { env });
      // It ends only when somebody reads what it was called with.
      writeFileSync(join(folder.path, 'node'), `#!/bin/sh\nshift 3\ncat\necho "$*" >'${called}'\n`, {
        mode: 0o755,
      });
      expect((await start(JSON.stringify(payload()), shell)).output).toBe(ANSWER);
      const { stdout } = await run('timeout', ['20', 'cat', called], { env });
      expect(stdout).toBe('hook claude-code session-context\n');
    },
  );

  test('no other process is started while the worker runs', async () => {
    const called = join(folder.path, 'called');
    writeFileSync(join(folder.path, 'node'), `#!/bin/sh\necho >>'${called}'\n`, { mode: 0o755 });
    expect((await start(JSON.stringify(payload()), shell)).output).toBe(ANSWER);
    expect(existsSync(called)).toBe(false);
  });
});

test.each(STATES)('Node decides the same as the script: %s', (_, make, isReady) => {
  make();
  expect(readReady(home, project)).toEqual(isReady ? { id: ID, answer: ANSWER } : null);
});

test('A folder that JSON escapes has no ready file; a drive has one', () => {
  for (const folder of ['/a"b', '/a\\b', '/a\nb', '/a\ud800', 'relative', ''])
    expect(readyPath(home, folder), folder).toBeNull();
  expect(readyPath('/h', 'D:\\birds\\feeder')).toBe('/h/views/session-start/folders/D/birds/feeder/ready');
});

test('A session that starts when Node is gone is captured, and nothing is printed', async () => {
  rmSync(join(folder.path, 'node'));
  const stdin = JSON.stringify(payload({ source: 'clear' }));
  expect(await start(stdin)).toEqual({ output: '', spooled: [stdin], ids: [null] });
});
