// Whether what agents do now is recorded: with hooks, from transcripts, not at all, and what keeps it from being recorded.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { scriptPath } from '../../src/capture/spool/capture-script.ts';
import { recordingOf } from '../../src/doctor/recording.ts';
import type { InstallRequest } from '../../src/install/home-scripts.ts';
import { install, planInstall } from '../../src/install/installation.ts';
import { CLAUDE, claudeRequest, hooksTarget } from '../helpers/installed-hooks.ts';
import { testFolder } from '../helpers/views.ts';

const NOTHING = { folders: [], problems: [] };
const CLAUDE_CODE = { title: 'Claude Code', recorded: true };

let folder: string;
let home: string;
let request: InstallRequest;

beforeEach(async () => {
  folder = await testFolder();
  home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  request = claudeRequest(home, claudeFolder(), { node: process.execPath, cli: join(folder, 'cli.cjs') });
});

const claudeFolder = () => join(folder, 'claude');

async function installHooks(): Promise<void> {
  mkdirSync(claudeFolder(), { recursive: true });
  await install(request, await planInstall(hooksTarget(CLAUDE, request), request), Date.now());
}

test('recording is off without an agent and without hooks, unless transcripts are read', async () => {
  expect(await recordingOf(request, NOTHING)).toEqual({ state: 'off', problems: [], agents: [] });
  mkdirSync(claudeFolder());
  const agents = [{ ...CLAUDE_CODE, recorded: false }];
  expect(await recordingOf(request, NOTHING)).toEqual({ state: 'off', problems: [], agents });
  const intake = { ...NOTHING, folders: [join(claudeFolder(), 'projects')] };
  expect(await recordingOf(request, intake)).toEqual({ state: 'transcripts', problems: [], agents });
});

test('recording is on with hooks, and fails without the script that they start', async () => {
  await installHooks();
  expect(await recordingOf(request, NOTHING)).toEqual({ state: 'on', problems: [], agents: [CLAUDE_CODE] });
  rmSync(scriptPath(home));
  const { state, problems } = await recordingOf(request, NOTHING);
  expect([state, problems.map(({ advice }) => advice)]).toEqual([
    'failing',
    ['`annals doctor --fix` writes it again.'],
  ]);
});

test('hooks that Claude Code does not run record nothing', async () => {
  await installHooks();
  const settings = join(claudeFolder(), 'settings.json');
  writeFileSync(settings, '{ "disableAllHooks": true }');
  await installHooks();
  const { state, problems } = await recordingOf(request, NOTHING);
  expect([state, problems[0]?.message]).toEqual([
    'off',
    'Claude Code runs no hooks of yours: disableAllHooks is set.',
  ]);
});

test('hooks of the plugin record nothing without the script of the home, nor where all hooks are switched off', async () => {
  await installHooks();
  const settings = join(claudeFolder(), 'settings.json');
  writeFileSync(settings, '{ "enabledPlugins": { "annals@annals": true } }');
  expect(await recordingOf(request, NOTHING)).toEqual({ state: 'on', problems: [], agents: [CLAUDE_CODE] });
  writeFileSync(settings, '{ "enabledPlugins": { "annals@annals": true }, "disableAllHooks": true }');
  expect(await recordingOf(request, NOTHING)).toMatchObject({ state: 'off', agents: [{ recorded: false }] });
  writeFileSync(settings, '{ "enabledPlugins": { "annals@annals": true } }');
  rmSync(scriptPath(home));
  expect((await recordingOf(request, NOTHING)).state).toBe('failing');
});

test('a full disk is named as the reason of what fails, and a disk that is nearly full before it is', async () => {
  await installHooks();
  const failed = { message: 'What hooks left waits and is not recorded.', advice: null };
  const at = (freeBytes: number) =>
    recordingOf(request, { ...NOTHING, problems: [failed] }, { freeBytes: () => freeBytes });
  const full = await at(4_096);
  expect([full.state, full.problems.map(({ message }) => message)]).toEqual([
    'failing',
    [`The disk of ${home} is full.`],
  ]);
  const { state, problems } = await recordingOf(request, NOTHING, { freeBytes: () => 50 * 1024 ** 2 });
  expect([state, problems.map(({ message }) => message)]).toEqual([
    'on',
    [`Only 50 MiB are free on the disk of ${home}.`],
  ]);
  expect((await at(1024 ** 4)).problems).toEqual([failed]);
});
