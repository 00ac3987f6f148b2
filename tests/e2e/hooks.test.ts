// The hooks end to end, without a worker: `install` writes the settings, a scripted agent reads them and runs the
// hooks through `sh -c` with the payloads of the published reference, and the command finds the session.
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, type TestContext, test, vi } from 'vitest';
import type { Status } from '../../src/index.ts';
import { type Ran, run as runProgram } from '../helpers/child.ts';
import { NO_HURRY } from '../helpers/program.ts';
import { PLANTED_SECRETS } from '../helpers/secrets.ts';
import {
  asked,
  filesWith,
  leave,
  leaveUnfinished,
  type Payload,
  payload,
  SESSION,
  stopped,
  used,
  waiting,
} from '../helpers/spool.ts';
import { temporaryFolder } from '../helpers/world.ts';
import { annals as annalsBuilt, annalsHere, buildCommand } from './command.ts';
import { scanHome } from './scan.ts';

const isRoot = process.getuid?.() === 0;
/** Several batches of the spool. */
const WAITING = Number(process.env.ANNALS_TEST_WAITING_FILES ?? 1_000);
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let claude: string;

beforeAll(buildCommand);
beforeEach(async () => {
  folder = await temporaryFolder();
  home = join(folder.path, "o'dd $(touch x) home");
  claude = join(folder.path, 'claude');
  mkdirSync(claude);
  vi.stubEnv('CLAUDE_CONFIG_DIR', claude);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await folder.remove();
});

const calls = () => ({
  home,
  cwd: folder.path,
  env: { HOME: folder.path, CLAUDE_CONFIG_DIR: claude, ANNALS_WORKER: 'off' },
});
const annals = (words: readonly string[]) => annalsHere(words, calls());
const annalsProcess = (words: readonly string[], stdin: string) => annalsBuilt(words, { ...calls(), stdin });

const json = async (words: readonly string[]) => JSON.parse((await annals([...words, '--json'])).stdout);
const status = (): Promise<Status> => json(['status']);
const hookState = async () => (await status()).hooks.find(({ agent }) => agent === 'claude-code');

interface Handler {
  readonly type: string;
  readonly command: string;
}

type Hooks = Readonly<Record<string, readonly { matcher?: string; hooks: readonly Handler[] }[]>>;

/** The scripted agent: runs all handlers of an event in parallel, as Claude Code does. */
function agent(...settings: readonly string[]) {
  const hooks = settings.map((path) => JSON.parse(readFileSync(path, 'utf8')).hooks as Hooks);
  const outputs: string[] = [];
  return {
    outputs,
    async fire(one: Payload): Promise<void> {
      const handlers = hooks
        .flatMap((of) => of[String(one.hook_event_name)] ?? [])
        .flatMap((group) => group.hooks);
      const ended = await Promise.all(handlers.map(({ command }) => run(command, JSON.stringify(one))));
      for (const { code, stdout, stderr } of ended) {
        expect([code, stderr]).toEqual([0, '']);
        if (stdout !== '') outputs.push(stdout);
      }
    },
  };
}

/** Without HOME and ANNALS_HOME: the hook's command line contains everything it needs. */
function run(command: string, stdin: string): Promise<Ran> {
  return runProgram('sh', ['-c', command], {
    ...{ cwd: folder.path, stdin },
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', CLAUDE_CONFIG_DIR: claude, ...NO_HURRY },
  });
}

const settings = () => join(claude, 'settings.json');

async function installed() {
  expect((await annals(['install', 'claude-code', '--yes'])).code).toBe(0);
  return agent(settings());
}

const SESSION_1: readonly Payload[] = [
  payload('SessionStart', { source: 'startup', model: 'claude-test-1', prompt_id: undefined }),
  asked('The evening heron test fails. Why?'),
  used('toolu_1', 'export const heron = 1;', {
    tool_name: 'Read',
    tool_input: { file_path: '/home/u/app/heron.ts' },
  }),
  payload('PostToolUseFailure', {
    tool_name: 'Bash',
    tool_use_id: 'toolu_2',
    tool_input: { command: 'npm test' },
    error: 'Exit code 1\n✗ the heron is counted once\nheron.test.ts: expected 2, got 1',
    is_interrupt: false,
    duration_ms: 900,
  }),
  used('toolu_3', 'The file /home/u/app/heron.ts has been updated.', {
    tool_name: 'Edit',
    tool_input: { file_path: '/home/u/app/heron.ts', old_string: 'heron = 1', new_string: 'heron = 2' },
  }),
  used('toolu_4', 'All tests passed', { tool_input: { command: 'npm test' } }),
  stopped('Fixed: the heron was counted once.'),
  payload('SessionEnd', { reason: 'prompt_input_exit' }),
];

describe('From install to an answer', () => {
  test('a session is recorded as it happens, and the hooks print nothing', async () => {
    const robin = await installed();
    for (const one of SESSION_1) await robin.fire(one);
    expect(robin.outputs).toEqual([]);
    expect(readdirSync(folder.path)).not.toContain('x');
    expect(await status()).toMatchObject({ log: { events: 8 }, spool: { new: 0, bad: 0 }, degraded: [] });
    const { results } = await json(['search', 'heron counted once', '--kind', 'answer']);
    expect(results[0]).toMatchObject({ kind: 'answer', session: SESSION });
    const shown = await json(['search', 'expected 2, got 1']);
    expect(shown.results[0].title).toContain('npm test');
  });

  test('the next session starts with what this one learned, and the person sees it too', async () => {
    const robin = await installed();
    for (const one of SESSION_1) await robin.fire(one);
    await robin.fire(
      payload('SessionStart', { session_id: 'the-next-one', source: 'startup', prompt_id: undefined }),
    );
    expect(robin.outputs).toHaveLength(1);
    const { hookSpecificOutput, systemMessage } = JSON.parse(robin.outputs[0]!);
    expect(hookSpecificOutput.hookEventName).toBe('SessionStart');
    expect(hookSpecificOutput.additionalContext).toMatch(/^<annals-context [\s\S]*<\/annals-context>\s*$/);
    expect(hookSpecificOutput.additionalContext).toMatch(/the heron was counted once/i);
    expect(hookSpecificOutput.additionalContext).toContain('the heron is counted once');
    expect(systemMessage).toContain('heron');
  });

  test('hooks installed twice, in two files, count a session once', async () => {
    await installed();
    const project = join(folder.path, 'settings.local.json');
    writeFileSync(project, readFileSync(settings()));
    const robin = agent(settings(), project);
    for (const one of SESSION_1) await robin.fire(one);
    // The prompt has no id of its own, so it is in the log twice; the views merge it.
    expect(await status()).toMatchObject({ log: { events: 9 }, spool: { new: 0, bad: 0 }, degraded: [] });
  });

  test('installing twice is the same as once, and uninstalling restores the file', async () => {
    const text = '{\n  // mine\n  "model": "opus"\n}\n';
    writeFileSync(settings(), text, { mode: 0o640 });
    await annals(['install', 'claude-code', '--yes']);
    const once = readFileSync(settings(), 'utf8');
    const again = await json(['install', 'claude-code', '--yes']);
    expect(again).toMatchObject({
      files: [
        { changed: false, backup: null },
        { changed: false, backup: null },
      ],
    });
    expect(readFileSync(settings(), 'utf8')).toBe(once);
    const backups = readdirSync(claude).filter((name) => name.includes('before-annals'));
    expect(backups).toHaveLength(1);
    expect(readFileSync(join(claude, backups[0]!), 'utf8')).toBe(text);
    expect((await annals(['uninstall', 'claude-code', '--yes'])).code).toBe(0);
    expect(readFileSync(settings(), 'utf8')).toBe(text);
    expect(readdirSync(home)).not.toContain('bin');
  });
});

describe('A private turn', () => {
  test('leaves nothing under the home', async () => {
    const robin = await installed();
    const turn = [
      asked('<private>the quokka</private>'),
      used('toolu_1', 'a numbat'),
      stopped('It was a bilby.'),
    ];
    for (const one of turn.reverse()) {
      await robin.fire(one);
      await status();
    }
    expect(await status()).toMatchObject({ log: { events: 1 }, spool: { new: 0 } });
    expect(await scanHome(home, ['quokka', 'numbat', 'bilby'])).toEqual([]);
  });
});

describe('Planted secrets', () => {
  test('are in spool/new until it is drained, and nowhere after', async () => {
    const robin = await installed();
    const needles = PLANTED_SECRETS.map(({ needle }) => needle);
    for (const [index, { text }] of PLANTED_SECRETS.entries()) {
      const ids = { prompt_id: `p-${index}` };
      const torn = JSON.stringify(used(`toolu_t${index}`, `${text}\n and more`, ids)).slice(0, -40);
      leave(home, `claude-code-torn-${index}`, torn);
      const use = { ...ids, tool_input: { command: `echo ${text}`, note: text } };
      leave(home, `claude-code-use-${index}`, used(`toolu_${index}`, `it printed ${text}\n`, use));
      leave(home, `claude-code-stop-${index}`, stopped(`I used ${text} there.`, ids));
      if (index % 12 === 0) await robin.fire(asked(`Use ${text} please`, ids));
      else leave(home, `claude-code-prompt-${index}`, asked(`Use ${text} please`, ids));
    }
    expect(filesWith(join(home, 'spool/new'), needles).length).toBeGreaterThan(PLANTED_SECRETS.length * 3);
    const { spool, log } = await status();
    expect(spool).toMatchObject({
      new: 0,
      bad: PLANTED_SECRETS.length,
      taken: { bad: PLANTED_SECRETS.length },
    });
    expect(log.events).toBe(PLANTED_SECRETS.length * 3);
    await annals(['search', 'used there']);
    expect(await scanHome(home, needles)).toEqual([]);
    expect(await scanHome(home, ['it printed'])).not.toEqual([]);
  });
});

describe('annals status', () => {
  test('shows whether hooks are installed, and what happened to their files', async () => {
    expect((await annals(['status'])).stdout).toMatch(
      /Hooks +claude-code: not installed \(`annals install claude-code`\)\n/,
    );
    const robin = await installed();
    const payloads = [
      asked('Run the tests.', { prompt_id: 'p-0' }),
      used('toolu_0', 'green', { prompt_id: 'p-0' }),
    ];
    for (const one of payloads) await robin.fire(one);
    await annals(['status']);
    for (const one of [asked('<private>the quokka</private>'), used('toolu_1', 'a numbat')])
      await robin.fire(one);
    leave(home, 'claude-code-other', payload('Notification', { message: 'x', prompt_id: 'p-0' }));
    leave(home, 'claude-code-junk', 'junk');
    const taken = { recorded: 3, private: 1, ignored: { Notification: 1 }, bad: 1 };
    expect(await status()).toMatchObject({ spool: { taken } });
    expect(await hookState()).toMatchObject({ installed: true, current: true });
    expect((await annals(['status'])).stdout).toMatch(
      /Hooks +claude-code: installed, with the MCP server\n +recorded so far: 3 events, 1 private, 1 ignored \(Notification 1\), 1 unusable\n/,
    );
    await annals(['uninstall', 'claude-code', '--yes']);
    expect(await hookState()).toMatchObject({ installed: false });
    writeFileSync(settings(), '{broken /bin/capture');
    expect(await hookState()).toMatchObject({ installed: null });
  });
});

describe('With broken files', () => {
  test('without the script hooks stay silent and status reports it', async () => {
    const robin = await installed();
    rmSync(join(home, 'bin/capture'));
    for (const one of SESSION_1) await robin.fire(one);
    expect(robin.outputs).toEqual([]);
    expect((await status()).degraded.join()).toContain('hooks record nothing');
    await annals(['install', 'claude-code', '--yes']);
    expect((await status()).degraded).toEqual([]);
  });

  test(`${WAITING} waiting files, some links or owned by root: all valid ones are recorded, and status reports the rest`, async () => {
    await installed();
    for (let index = 0; index < WAITING; index++) {
      const one = index === 0 ? asked('Read on.') : used(`toolu_${index}`, `line ${index}`);
      leave(home, `claude-code-${String(index).padStart(5, '0')}`, one);
    }
    mkdirSync(join(home, 'spool/new/a-folder'));
    if (isRoot) chownSync(leave(home, 'claude-code-theirs', asked('Not ours.')), 4242, 4242);
    const { log, spool, degraded } = await status();
    expect(log.events).toBe(WAITING);
    expect(spool.new).toBe(isRoot ? 2 : 1);
    expect(degraded.join()).toContain('left alone');
  }, 240_000);

  test('with a full spool hooks go on, nothing is dropped, and status shows its size', async () => {
    const robin = await installed();
    // Like hooks that are still writing something large: recent files without end marks.
    const names = Array.from({ length: 37 }, (_, index) => `claude-code-large${index + 10}`);
    for (const name of names) truncateSync(leaveUnfinished(home, name, '{'), 7 * 2 ** 20);
    for (const one of SESSION_1) await robin.fire(one);
    const { log, spool, degraded } = await status();
    expect([log.events, spool.new]).toEqual([8, 37]);
    expect(degraded.join()).toContain('The spool holds 259 MiB');
    expect(waiting(home)).toEqual(names);
  });

  test('if the spool is a file the log opens, and status reports it', async () => {
    const robin = await installed();
    rmSync(join(home, 'spool'), { recursive: true });
    writeFileSync(join(home, 'spool'), '');
    for (const one of SESSION_1) await robin.fire(one);
    expect((await status()).degraded.join()).toContain('The spool');
  });
});

describe('On a disk of its own', () => {
  let disk = '';
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'pipe' });

  /** The home is on a disk of 3 MB; only root can make one. */
  async function onDisk(context: TestContext) {
    disk = join(folder.path, 'disk');
    mkdirSync(disk);
    try {
      mount('size=3m');
    } catch {
      context.skip('a small disk can only be mounted by root');
    }
    home = join(disk, 'home');
    return installed();
  }
  afterEach(() => {
    if (disk !== '') execFileSync('umount', [disk]);
    disk = '';
  });

  test('that is read-only, hooks stay silent, status reports it, and recorded events survive', async (context) => {
    const robin = await onDisk(context);
    await robin.fire(SESSION_1[1]!);
    mount('remount,ro');
    for (const one of SESSION_1.slice(1)) await robin.fire(one);
    const refused = await annals(['status']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('the disk is read-only');
    mount('remount,rw,size=3m');
    expect(robin.outputs).toEqual([]);
    expect(await status()).toMatchObject({ log: { events: 1 }, spool: { new: 0, bad: 0 }, degraded: [] });
  });

  test('that is full, hooks stay silent, status reports it, and complete files are recorded when there is space', async (context) => {
    const robin = await onDisk(context);
    await robin.fire(SESSION_1[1]!);
    let filler = 0;
    for (let bytes = 2 ** 20; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      try {
        for (;;) writeFileSync(join(disk, `filler-${filler++}`), Buffer.alloc(bytes));
      } catch {
        // Full for this size: fill the rest with smaller files.
      }
    }
    for (const one of SESSION_1.slice(1)) await robin.fire(one);
    expect(robin.outputs).toEqual([]);
    const refused = await annals(['status']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('the disk is full');
    for (let number = 0; number < filler; number++) rmSync(join(disk, `filler-${number}`), { force: true });
    const { log, spool } = await status();
    expect(log.events).toBe(1);
    expect(spool.bad).toBe(0);
    await robin.fire(SESSION_1[4]!);
    expect((await status()).log.events).toBe(2);
  });
});

describe('annals hook', () => {
  test('writes its input to the spool, prints nothing and exits with 0', async () => {
    for (const stdin of [JSON.stringify(asked('Why?')), '', 'junk'])
      expect(await annalsProcess(['hook', 'claude-code'], stdin)).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
    expect(waiting(home)).toHaveLength(3);
    expect(await status()).toMatchObject({ log: { events: 1 }, spool: { new: 0, bad: 2 } });
  });

  test.each([
    [['hook']],
    [['hook', '../../x']],
    [['hook', 'claude-code', '--nonsense', 'more', 'words']],
    [['hook', 'claude-code', 'session-start']],
  ])('ends with 0 and says nothing: %j', async (words) => {
    expect(await annalsProcess(words, '{}')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('exits with 0 if the home cannot be used', async () => {
    writeFileSync(home, 'a file');
    for (const words of [
      ['hook', 'claude-code'],
      ['hook', 'claude-code', 'session-start'],
    ])
      expect(await annalsProcess(words, '{}')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
