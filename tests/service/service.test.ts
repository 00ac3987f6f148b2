// The service files, and that installing is undone exactly.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { installService, uninstallService } from '../../src/service/install-service.ts';
import { type Command, type UnitFile, unitFileOf } from '../../src/service/unit-files.ts';
import { call } from '../cli/call.ts';
import { testFolder } from '../helpers/views.ts';

const ODD = {
  node: '/opt/my $node/bin/node',
  cli: '/opt/50% "off"/$cli.cjs',
  home: "/home/u/o'dd & <home>\\",
};

const ENVIRONMENT = { ANNALS_EXCLUDE: '~/50% & "odd"/**', CODEX_HOME: '', EDITOR: 'vi' };

function unit(platform: NodeJS.Platform, userHome: string, program = ODD): UnitFile {
  return unitFileOf(program, { platform, userHome, environment: ENVIRONMENT, userId: 501 })!;
}

function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}

test('the systemd unit quotes every word, in the folder of the user’s units', () => {
  const { path, text } = unit('linux', '/home/u');
  expect(path).toBe('/home/u/.config/systemd/user/annals.service');
  expect(text).toContain(
    'ExecStart="/opt/my $node/bin/node" "/opt/50%% \\"off\\"/$$cli.cjs" "--home" "/home/u/o\'dd & <home>\\\\" "worker" "run"',
  );
  expect(text).toContain(
    '\nEnvironment=MALLOC_ARENA_MAX=2 ANNALS_IN_SERVICE=1\nEnvironment="ANNALS_EXCLUDE=~/50%% & \\"odd\\"/**"\nRestart=',
  );
});

test.runIf(has('systemd-analyze'))('systemd accepts the unit', async () => {
  const folder = await testFolder();
  const program = { node: join(folder, 'no$de'), cli: join(folder, "o'dd %h $x.cjs"), home: folder };
  symlinkSync(process.execPath, program.node);
  const path = join(folder, 'annals.service');
  writeFileSync(path, unit('linux', folder, program).text);
  const environment = { ...process.env, XDG_RUNTIME_DIR: folder };
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', path], {
    env: environment,
    encoding: 'utf8',
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});

test('the launchd agent escapes every word', () => {
  const { path, text } = unit('darwin', '/Users/u');
  expect(path).toBe('/Users/u/Library/LaunchAgents/annals.worker.plist');
  expect(text).toContain("<string>/home/u/o'dd &amp; &lt;home&gt;\\</string>");
  expect(text).toContain(
    '<string>1</string>\n    <key>ANNALS_EXCLUDE</key>\n    <string>~/50% &amp; "odd"/**</string>\n  </dict>',
  );
});

test.runIf(has('plutil'))('launchd accepts the agent', async () => {
  const path = join(await testFolder(), 'annals.plist');
  writeFileSync(path, unit('darwin', '/Users/u').text);
  execFileSync('plutil', ['-lint', path]);
});

test('there is no service file on Windows', () => {
  const place = { platform: 'win32', userHome: 'C:\\', environment: {}, userId: null } as const;
  expect(unitFileOf(ODD, place)).toBeNull();
});

/** A unit whose manager writes down what it is told. */
async function recorded(): Promise<{ unit: UnitFile; told: () => string }> {
  const folder = await testFolder();
  const manager = join(folder, 'manager');
  writeFileSync(manager, `#!/bin/sh\necho "$*" >>'${folder}/told'\n`);
  chmodSync(manager, 0o755);
  const made = unit('linux', folder);
  return {
    unit: withManager(manager, made),
    told: () => readFileSync(join(folder, 'told'), 'utf8'),
  };
}

function withManager(manager: string, unit: UnitFile): UnitFile {
  const command = ([, ...words]: Command): Command => [manager, ...words];
  const { unload } = unit;
  return {
    ...unit,
    unload: unload && { isLoaded: command(unload.isLoaded), end: command(unload.end) },
    activate: unit.activate.map(command),
    deactivate: unit.deactivate.map(command),
    afterwards: unit.afterwards.map(command),
  };
}

/** Loads a file only while none is loaded, and unloads it a moment after it was asked. */
const LAUNCHD = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
case "$1" in
  print) [ -e loaded ] || exit 113; [ ! -e leaving ] || rm loaded leaving; exit 0 ;;
  bootout) [ -e loaded ] || exit 3; [ ! -e leaving ] || exit 36; : >leaving ;;
  bootstrap) [ ! -e loaded ] || exit 5; cp "$3" loaded ;;
esac
`;

test('installing writes the file and activates it; uninstalling undoes both', async () => {
  const { unit, told } = await recorded();
  expect(await installService(unit)).toEqual({ path: unit.path, changed: true, failed: [] });
  expect(readFileSync(unit.path, 'utf8')).toBe(unit.text);
  expect((await installService(unit)).changed).toBe(false);
  expect(await uninstallService(unit)).toEqual({ path: unit.path, changed: true, failed: [] });
  expect(existsSync(unit.path)).toBe(false);
  expect(await uninstallService(unit)).toEqual({ path: unit.path, changed: false, failed: [] });
  const lines = ['--user daemon-reload', '--user enable annals.service', '--user restart annals.service'];
  const undo = ['--user disable --now annals.service', '--user daemon-reload'];
  expect(told().trim().split('\n')).toEqual([...lines, ...lines, ...undo]);
});

test('launchd runs the new program when the service is installed again', async () => {
  const folder = await testFolder();
  const manager = join(folder, 'launchctl');
  writeFileSync(manager, LAUNCHD, { mode: 0o755 });
  const versions = ['/opt/one.cjs', '/opt/two.cjs'].map((cli) =>
    withManager(manager, unit('darwin', folder, { ...ODD, cli })),
  );
  for (const version of versions) expect((await installService(version)).failed).toEqual([]);
  expect(readFileSync(join(folder, 'loaded'), 'utf8')).toContain('/opt/two.cjs');
});

test('a file that is not ours is neither replaced nor removed', async () => {
  const { unit } = await recorded();
  mkdirSync(dirname(unit.path), { recursive: true });
  writeFileSync(unit.path, '[Service]\nExecStart=/usr/bin/other\n');
  await expect(installService(unit)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  await expect(uninstallService(unit)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  expect(readFileSync(unit.path, 'utf8')).toContain('/usr/bin/other');
});

test('without a service manager the file is written, and the commands are named', async () => {
  const { unit } = await recorded();
  const broken = { ...unit, activate: [['/nonexistent/manager', 'enable']] as UnitFile['activate'] };
  expect((await installService(broken)).failed).toEqual(['/nonexistent/manager enable']);
});

test.runIf(process.platform === 'linux')('the command shows its plan and asks', async () => {
  const userHome = await testFolder();
  const { json } = await call(['service', 'install', '--dry-run', '--json'], { userHome });
  expect(json()).toMatchObject({
    changed: true,
    path: join(userHome, '.config/systemd/user/annals.service'),
  });
  const { code, stderr } = await call(['service', 'install'], { userHome });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no terminal to ask') });
  expect(existsSync(join(userHome, '.config'))).toBe(false);
  const { stdout } = await call(['service', 'uninstall', '--yes'], { userHome });
  expect(stdout).toBe('The service is not installed.\n');
});
