// What `annals doctor` finds and mends.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { captureScript, scriptPath } from '../../src/capture/spool/capture-script.ts';
import { type Check, diagnose } from '../../src/doctor/check.ts';
import { otherMemories, transcripts } from '../../src/doctor/claude-checks.ts';
import { diskSpace, homeFiles } from '../../src/doctor/home-checks.ts';
import { hooks } from '../../src/doctor/hook-checks.ts';
import { logAndViews } from '../../src/doctor/log-checks.ts';
import { costFinding, hookCost } from '../../src/doctor/machine-checks.ts';
import { workerCheck } from '../../src/doctor/worker-check.ts';
import { noteStart } from '../../src/home/worker-starts.ts';
import { openAnnals } from '../../src/index.ts';
import type { InstallRequest } from '../../src/install/home-scripts.ts';
import { hookedAgents, install, planInstall } from '../../src/install/installation.ts';
import { homePaths } from '../../src/platform/home-paths.ts';
import { captureToken } from '../../src/worker/worker-files.ts';
import { call } from '../cli/call.ts';
import { CLAUDE, claudeRequest, hooksTarget } from '../helpers/installed-hooks.ts';
import { toolEvent } from '../helpers/new-events.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const DAY_MS = 86_400_000;
const now = () => Date.now();

let folder: string;
let home: string;
let request: InstallRequest;

beforeEach(async () => {
  folder = await testFolder();
  home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(folder, 'claude'));
  const program = { node: process.execPath, cli: join(folder, 'cli.cjs') };
  request = claudeRequest(home, claudeFolder(), program);
});

const claudeFolder = () => join(folder, 'claude');
const settings = () => join(folder, 'claude', 'settings.json');

async function statesOf(check: Check, fix = false): Promise<string[]> {
  return (await diagnose([check], { fix, now })).checks.map(({ state, message }) => `${state}: ${message}`);
}

async function installHooks(): Promise<void> {
  await install(request, await planInstall(hooksTarget(CLAUDE, request), request), now());
}

test('settings that stop the recording are a problem', async () => {
  writeFileSync(join(home, 'config.json'), '{"exlude": ["~/clients"]}');
  const [found] = await statesOf(logAndViews(() => openAnnals({ home })));
  expect(found).toMatch(/^problem: Nothing is recorded until the settings are fixed: .*exlude/);
});

test('the log is called up to date, not intact: its events were not checked', async () => {
  const [found] = await statesOf(logAndViews(() => openAnnals({ home })));
  expect(found).toBe(
    'ok: 0 events; all views are up to date. The events were not checked: annals verify does that.',
  );
});

test('a home that others can look into is closed, unless it holds other files', async () => {
  chmodSync(home, 0o755);
  expect((await statesOf(homeFiles(home)))[0]).toMatch(/^problem: Others can look into/);
  writeFileSync(join(home, 'thesis.tex'), '');
  expect((await statesOf(homeFiles(home), true))[0]).toMatch(/^problem/);
  expect(statSync(home).mode & 0o777).toBe(0o755);
  rmSync(join(home, 'thesis.tex'));
  const { checks, fixed, ok } = await diagnose([homeFiles(home)], { fix: true, now });
  expect(checks.map(({ state }) => state)).toEqual(['ok']);
  expect({ fixed, ok }).toEqual({ fixed: [`Closed to others: ${home}.`], ok: true });
  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test('a home that is a file or a link is left as it is', async () => {
  const [file, link] = [join(folder, 'file'), join(folder, 'link')];
  writeFileSync(file, '', { mode: 0o644 });
  symlinkSync(home, link);
  chmodSync(home, 0o755);
  for (const path of [file, link])
    expect(await statesOf(homeFiles(path), true)).toEqual([`problem: The home ${path} is not a folder.`]);
  expect([file, home].map((path) => statSync(path).mode & 0o777)).toEqual([0o644, 0o755]);
});

test('a home that served HTTP, shares and was killed while it wrote is closed like any other', async () => {
  await captureToken(home);
  await openAnnals({ home }).then((annals) => annals.close());
  for (const path of [homePaths(home).share, homePaths(home).observer, join(home, 'log.fresh')])
    mkdirSync(path);
  writeFileSync(join(home, 'config.json.0123456789ab.tmp'), '');
  chmodSync(home, 0o755);
  const { fixed } = await diagnose([homeFiles(home)], { fix: true, now });
  expect(fixed).toEqual([`Closed to others: ${home}.`]);
});

test.runIf(isRoot)('files of another user in the home are a problem', async () => {
  const path = join(home, 'log');
  mkdirSync(path);
  chownSync(path, NOBODY, NOBODY);
  expect(await statesOf(homeFiles(home))).toEqual([
    `problem: 1 file in the home belongs to another user: ${path}.`,
  ]);
});

test.each([
  [2 * 1024 ** 3, 'ok'],
  [500 * 1024 ** 2, 'warning'],
  [10 * 1024 ** 2, 'problem'],
])('with %i bytes free the disk is: %s', async (free, state) => {
  expect((await statesOf(diskSpace(home, () => free)))[0]).toMatch(new RegExp(`^${state}: .* MiB are free`));
});

test('hooks are missing, then installed, then repaired after the script or the settings changed', async () => {
  expect((await statesOf(hooks(request, now)))[0]).toMatch(/^warning: Claude Code has no hooks/);
  await installHooks();
  const good = ["ok: Claude Code's hooks are installed and those of this version."];
  expect(await statesOf(hooks(request, now))).toEqual(good);
  const harm: readonly (() => void)[] = [
    () => writeFileSync(scriptPath(home), '#!/bin/sh\nexit 0\n'),
    () => chmodSync(scriptPath(home), 0o600),
    () => writeFileSync(settings(), readFileSync(settings(), 'utf8').replace('"Stop"', '"Stopped"')),
  ];
  for (const act of harm) {
    act();
    expect((await statesOf(hooks(request, now))).join('\n')).toContain('problem: ');
    expect(await statesOf(hooks(request, now), true)).toEqual(good);
    expect(readFileSync(scriptPath(home), 'utf8')).toBe(captureScript(home, request.program));
  }
});

test('hooks of a home that is gone record nothing, and are repaired; those of a home that is there are left alone', async () => {
  await installHooks();
  const moved = { ...request, home: join(folder, 'moved') };
  expect(await statesOf(hooks(moved, now), true)).toEqual([
    "warning: Claude Code's hooks write to another home.",
  ]);
  rmSync(scriptPath(home));
  expect((await statesOf(hooks(moved, now)))[0]).toMatch(
    /^problem: .* a home that is gone, so they record nothing/,
  );
  expect((await statesOf(hooks(moved, now), true))[0]).toMatch(/^ok: Claude Code's hooks are installed/);
});

test('hooks of two homes in one file are left alone while both are there', async () => {
  await installHooks();
  const own = JSON.parse(readFileSync(settings(), 'utf8'));
  const other = { ...request, home: join(folder, 'other') };
  await install(other, await planInstall(hooksTarget(CLAUDE, other), other), now());
  const { Stop } = JSON.parse(readFileSync(settings(), 'utf8')).hooks;
  const both = JSON.stringify({ hooks: { ...own.hooks, Stop } });
  writeFileSync(settings(), both);
  expect(await statesOf(hooks(request, now), true)).toEqual([
    "warning: Claude Code's hooks write to another home too.",
  ]);
  expect(readFileSync(settings(), 'utf8')).toBe(both);
  rmSync(scriptPath(other.home));
  expect((await statesOf(hooks(request, now)))[0]).toMatch(/^problem: .* also to a home that is gone/);
  expect((await statesOf(hooks(request, now), true))[0]).toMatch(/^ok: Claude Code's hooks are installed/);
});

test('hooks that cannot run, or run twice, are a problem', async () => {
  await installHooks();
  const text = readFileSync(settings(), 'utf8');
  for (const [more, expected] of [
    ['"disableAllHooks": true', 'disableAllHooks is set'],
    ['"enabledPlugins": { "annals@annals": true }', 'installed twice'],
  ] as const) {
    writeFileSync(settings(), text.replace('{', `{ ${more},`));
    expect((await statesOf(hooks(request, now), true)).join('\n')).toContain(expected);
  }
  const other = { ...request, program: { ...request.program, node: join(folder, 'no-node') } };
  writeFileSync(settings(), text);
  await install(other, await planInstall(hooksTarget(CLAUDE, other), other), now());
  expect((await statesOf(hooks(other, now))).join('\n')).toContain('problem: Node is no longer at');
});

test('the plugin counts as installed once its script is there', async () => {
  writeFileSync(settings(), '{"enabledPlugins": {"annals@annals": true}}');
  expect((await statesOf(hooks(request, now)))[0]).toMatch(/^problem: The plugin is enabled, but/);
  expect(await statesOf(hooks(request, now), true)).toEqual(['ok: The hooks are installed by the plugin.']);
  expect(readFileSync(scriptPath(home), 'utf8')).toBe(captureScript(home, request.program));
  const windows = { ...request, machine: { ...request.machine, windows: true } };
  expect((await statesOf(hooks(windows, now)))[0]).toMatch(/^problem: .* do not run on Windows/);
  for (const name of ['disableAllHooks', 'allowManagedHooksOnly']) {
    writeFileSync(settings(), `{"enabledPlugins": {"annals@annals": true}, "${name}": true}`);
    expect(await statesOf(hooks(request, now))).toEqual([
      `problem: Claude Code runs no hooks of yours: ${name} is set.`,
    ]);
  }
  rmSync(scriptPath(home));
  expect(await statesOf(hooks(request, now))).toHaveLength(2);
  await statesOf(hooks(request, now), true);
  expect(readFileSync(scriptPath(home), 'utf8')).toBe(captureScript(home, request.program));
});

test('each agent that is here is checked, and only those', async () => {
  const machine = { environment: { PATH: '' }, userHome: folder, windows: false };
  const one = { ...request, machine };
  expect(await statesOf(hooks(one, now))).toEqual([
    'warning: No coding agent was found on this machine, so nothing is recorded.',
  ]);
  mkdirSync(join(folder, '.cursor'));
  for (const agent of hookedAgents(AGENTS).filter(({ name }) => ['codex', 'copilot'].includes(name)))
    await install(one, await planInstall(hooksTarget(agent, one), one), now());
  expect(await statesOf(hooks(one, now))).toEqual([
    "ok: Codex's hooks are installed and those of this version.",
    "ok: Copilot CLI's hooks are installed and those of this version.",
    'warning: Cursor has no hooks of Annals: its sessions are recorded only when transcripts are imported.',
  ]);
  const file = join(folder, '.codex', 'hooks.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"Stop"', '"Stopped"'));
  expect(await statesOf(hooks(one, now))).toContain("problem: Codex's hooks are not those of this version.");
  rmSync(scriptPath(home));
  const { fixed } = await diagnose([hooks(one, now)], { fix: true, now });
  expect(fixed).toEqual([
    expect.stringMatching(/^Installed the hooks of this version for Codex; backup: /),
    'Wrote the scripts in the home.',
  ]);
  const other = { ...one, home: join(folder, 'other') };
  expect(await statesOf(hooks(other, now))).toContain("warning: Codex's hooks write to another home.");
  writeFileSync(file, '{');
  expect((await statesOf(hooks(one, now)))[0]).toMatch(/^warning: Codex has no hooks, and none .*line 1/);
  writeFileSync(file, '{"/bin/capture');
  expect((await statesOf(hooks(one, now)))[0]).toMatch(/^problem: It is not known whether .*line 1/);
});

test('another memory is named, whether it is a plugin or a hook', async () => {
  expect(await statesOf(otherMemories(claudeFolder()))).toEqual(['ok: No other memory runs in Claude Code.']);
  for (const text of [
    '{"enabledPlugins": {"claude-mem@thedotmack": true}}',
    '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "npx claude-mem start"}]}]}}',
  ]) {
    writeFileSync(settings(), text);
    expect((await statesOf(otherMemories(claudeFolder())))[0]).toMatch(/^warning: claude-mem runs/);
  }
  writeFileSync(settings(), '{"enabledPlugins": {"claude-mem@thedotmack": false}}');
  expect((await statesOf(otherMemories(claudeFolder())))[0]).toMatch(/^ok/);
});

test('transcripts that are about to be deleted are imported', async () => {
  const annals = await openAnnals({ home });
  onTestFinished(() => annals.close());
  const check = transcripts(claudeFolder(), home, async () => annals, now);
  const script = new Script({ session: '11111111-2222-4333-8444-555555555555' });
  script.prompt('Feed the heron');
  script.reply('It is fed.');
  const project = join(claudeFolder(), 'projects', '-home-u-app');
  mkdirSync(project, { recursive: true });
  const path = join(project, '11111111-2222-4333-8444-555555555555.jsonl');
  writeFileSync(path, script.bytes());
  expect((await statesOf(check))[0]).toMatch(/^ok: Claude Code deletes transcripts after 30 days/);
  const old = (now() - 25 * DAY_MS) / 1_000;
  utimesSync(path, old, old);
  expect((await statesOf(check))[0]).toMatch(/^warning: .* 1 that is not recorded is due within 7 days/);
  writeFileSync(settings(), '{"cleanupPeriodDays": 365}');
  expect((await statesOf(check))[0]).toMatch(/^ok: Claude Code deletes transcripts after 365 days/);
  writeFileSync(settings(), '');
  expect((await statesOf(check, true))[0]).toMatch(/^ok/);
  expect((await annals.search('heron')).results).not.toEqual([]);
  await annals.forget({ session: '11111111-2222-4333-8444-555555555555' });
  expect((await statesOf(check))[0]).toMatch(/^ok/);
  writeFileSync(join(home, 'config.json'), '{"exclude": ["/home/u/client"]}');
  const session = '22222222-2222-4333-8444-555555555555';
  const lines = {
    // An older Claude Code wrote sub-agents beside their sessions.
    'agent-a1.jsonl': { type: 'user', cwd: '/home/u/app', sessionId: '11111111-2222-4333-8444-555555555555' },
    'summary.jsonl': { type: 'summary', summary: 'The heron is fed' },
    'meta.jsonl': { type: 'user', isMeta: true, cwd: '/home/u/app', sessionId: session },
    'client.jsonl': { type: 'user', cwd: '/home/u/client/acme', sessionId: session },
  };
  for (const [name, line] of Object.entries(lines)) {
    writeFileSync(join(project, name), `${JSON.stringify(line)}\n`);
    utimesSync(join(project, name), old, old);
  }
  expect((await statesOf(check))[0]).toMatch(/^ok: .* none that is not recorded/);
});

test('a session that is known from hooks alone has a transcript that is not recorded', async () => {
  const annals = await openAnnals({ home });
  onTestFinished(() => annals.close());
  const session = '11111111-2222-4333-8444-555555555555';
  await annals.append([{ ...toolEvent(1, session), channel: 'hook' }]);
  const project = join(claudeFolder(), 'projects', '-home-u-app');
  mkdirSync(project, { recursive: true });
  const script = new Script({ session });
  script.prompt('Feed the heron');
  writeFileSync(join(project, `${session}.jsonl`), script.bytes());
  const old = (now() - 25 * DAY_MS) / 1_000;
  utimesSync(join(project, `${session}.jsonl`), old, old);
  const check = transcripts(claudeFolder(), home, async () => annals, now);
  expect((await statesOf(check))[0]).toMatch(/^warning: .* 1 that is not recorded/);
});

test('a transcript that goes on under a new id, and one that cannot be read, are not recorded', async () => {
  const annals = await openAnnals({ home });
  onTestFinished(() => annals.close());
  const [first, second] = ['1', '2'].map((digit) => `${digit.repeat(8)}-2222-4333-8444-555555555555`);
  const project = join(claudeFolder(), 'projects', '-home-u-app');
  mkdirSync(project, { recursive: true });
  const script = new Script({ session: first! });
  script.prompt('Feed the heron');
  const before = join(folder, `${first}.jsonl`);
  writeFileSync(before, script.bytes());
  await annals.import([before]);
  const copy = new Script({ session: second! });
  copy.prompt('Feed the crane');
  const old = (now() - 25 * DAY_MS) / 1_000;
  const paths = [join(project, `${second}.jsonl`), join(project, `${'3'.repeat(8)}.jsonl`)];
  for (const path of paths) {
    writeFileSync(path, Buffer.concat([script.bytes(), copy.bytes()]));
    utimesSync(path, old, old);
  }
  chmodSync(folder, 0o755);
  chmodSync(paths[1]!, 0);
  const check = transcripts(claudeFolder(), home, async () => annals, now);
  if (isRoot) process.seteuid?.(NOBODY);
  const found = await statesOf(check).finally(() => isRoot && process.seteuid?.(0));
  expect(found[0]).toMatch(/^warning: .* 2 that are not recorded/);
  expect((await statesOf(check))[0]).toMatch(/^warning: .* 2 that are not recorded/);
  expect((await statesOf(check, true))[0]).toMatch(/^ok/);
});

test('a home that another process holds is a problem, and the other checks go on', async () => {
  const annals = await openAnnals({ home });
  onTestFinished(() => annals.close());
  const [found] = await statesOf(logAndViews(() => openAnnals({ home, lockTimeoutMs: 0 })));
  expect(found).toMatch(/^problem: /);
});

test('a worker that is not started any more is a problem', async () => {
  expect((await statesOf(workerCheck(home, {})))[0]).toMatch(/^ok: No worker runs; the next/);
  expect((await statesOf(workerCheck(home, { ANNALS_WORKER: 'off' })))[0]).toContain('switched off');
  for (let start = 0; start < 5; start++) await noteStart(home, new Date(0).toISOString());
  expect((await statesOf(workerCheck(home, {})))[0]).toMatch(/^problem: The worker is not started any more/);
});

test('the cost of hooks is judged by the budget', () => {
  expect(costFinding('A hook', [6, 6, 6], [3, 3, 3])).toMatchObject({
    state: 'ok',
    figures: { p50Ms: 6, p95Ms: 6, shellMs: 3 },
  });
  expect(costFinding('A hook', [30, 30, 30], [3, 3, 3])).toMatchObject({ state: 'warning' });
  expect(costFinding('A hook', [4, 4, 4], [1, 1, 1]), 'too short to notice').toMatchObject({ state: 'ok' });
});

test('the cost of hooks is measured without a trace in the home', async () => {
  const { checks } = await diagnose([hookCost(request.program, false)], { fix: false, now });
  expect(checks.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^A hook takes [\d.]+ ms/),
    expect.stringMatching(/^A session start from a ready file takes [\d.]+ ms/),
  ]);
  expect(statSync(home).isDirectory()).toBe(true);
  expect(readdirSync(home)).toEqual([]);
});

test('a check that fails is a warning, and the command exits with 1 for problems only', async () => {
  const failing: Check = { name: 'x', look: async () => Promise.reject(new Error('no')) };
  expect(await diagnose([failing], { fix: true, now })).toEqual({
    ok: true,
    checks: [
      {
        name: 'x',
        state: 'warning',
        message: 'This could not be checked: no',
        advice: null,
        figures: null,
        ms: expect.any(Number),
      },
    ],
    fixed: [],
  });
});

test('the log is looked at after hooks that cannot run were repaired', async () => {
  await installHooks();
  rmSync(scriptPath(home));
  const { json } = await call(['--home', home, 'doctor', '--fix', '--json'], {
    environment: { CLAUDE_CONFIG_DIR: claudeFolder() },
  });
  const names = (json() as { checks: { name: string }[] }).checks.map(({ name }) => name);
  expect(names.lastIndexOf('hooks')).toBeLessThan(names.indexOf('log'));
});

test('the command prints each check, in JSON the whole diagnosis', async () => {
  const { json, code } = await call(['--home', home, 'doctor', '--json'], {
    environment: { CLAUDE_CONFIG_DIR: claudeFolder() },
  });
  const { ok, checks } = json() as { ok: boolean; checks: { name: string }[] };
  expect(code).toBe(ok ? 0 : 1);
  expect(new Set(checks.map(({ name }) => name))).toEqual(
    new Set([
      ...['files', 'disk', 'log', 'spool', 'worker', 'observer', 'hooks', 'MCP server'],
      ...['other memories', 'transcripts', 'packages', 'hook cost'],
    ]),
  );
  const narrow = await call(['--home', home, 'doctor'], {
    environment: { CLAUDE_CONFIG_DIR: claudeFolder(), NO_COLOR: '1' },
    terminal: { columns: 40 },
  });
  // A word, such as a path, is not broken.
  for (const line of narrow.stdout.split('\n')) expect(line).toMatch(/^(?:.{0,40}| *\S+)$/);
  expect(narrow.stdout).toMatch(/^ok {7}files\n {2}\S/m);
});
