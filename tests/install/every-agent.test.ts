// Install and uninstall for every agent that has hooks, on prepared settings files.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { type InstallRequest, removeScripts } from '../../src/install/home-scripts.ts';
import { hookState } from '../../src/install/hook-status.ts';
import {
  type HookedAgent,
  hookedAgents,
  install,
  planInstall,
  planUninstall,
  uninstall,
} from '../../src/install/installation.ts';
import { run } from '../helpers/child.ts';
import { hooksTarget } from '../helpers/installed-hooks.ts';
import { testFolder } from '../helpers/views.ts';

const agents = hookedAgents(AGENTS);
const shared = agents.filter(({ hooks }) => hooks.settings.kind !== 'file');
const ownFiles = agents.filter(({ hooks }) => hooks.settings.kind === 'file');

/** A settings file with other hooks, in the form of this agent. */
function withOthers({ hooks: { settings } }: HookedAgent): string {
  if (settings.kind === 'file') return '';
  const event = settings.entries[0]!.event;
  const other = { type: 'command', command: 'lint.sh' };
  const items = settings.kind === 'flat' ? [other] : [{ matcher: '*', hooks: [other] }];
  return `${JSON.stringify({ ...settings.required, theme: 'dark', hooks: { [event]: items, Other: items } }, null, 2)}\n`;
}

const commented = (text: string) =>
  text.replace('{', '{\n  // mine').replace('"lint.sh"', '"lint.sh" /* after edits */');
const trailing = (text: string) => text.replace(/\n\}\n$/, ',\n}\n');

const texts: readonly (readonly [name: string, of: (agent: HookedAgent) => string])[] = [
  ['an empty file', () => ''],
  ['a line end', () => '\n'],
  ['an empty object', () => '{}'],
  ['an empty object and a line end', () => '{}\n'],
  ['no hooks', () => '{\n    "theme": "dark"\n}'],
  ['one line', () => '{"theme":"dark"}\n'],
  ['other hooks', withOthers],
  ['comments', (agent) => commented(withOthers(agent))],
  ['trailing commas', (agent) => trailing(withOthers(agent))],
  ['Windows line ends', (agent) => commented(withOthers(agent)).replaceAll('\n', '\r\n')],
  ['a byte order mark', (agent) => `\uFEFF${withOthers(agent)}`],
  [
    'a switch among the hooks',
    (agent) => withOthers(agent).replace('"hooks": {', '"hooks": {\n    "enabled": true,'),
  ],
  ['tabs', (agent) => withOthers(agent).replaceAll('  ', '\t')],
];

/** Everything below a folder: text of files, targets of links. */
function contents(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const is = entry.isDirectory() ? '(folder)' : null;
      return [path, is ?? (entry.isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path, 'utf8'))];
    }),
  );
}

const withoutBackups = (all: Record<string, string>) =>
  Object.fromEntries(Object.entries(all).filter(([path]) => !path.includes('.before-annals-')));

let clock = Date.parse('2026-01-02T03:04:05Z');
function later(): number {
  clock += 1_000;
  return clock;
}

async function world(agent: HookedAgent, name = 'home') {
  const userHome = join(await testFolder(), name);
  mkdirSync(userHome);
  const machine = { environment: { PATH: '' }, userHome, windows: false };
  const program = { node: process.execPath, cli: join(userHome, 'cli.cjs') };
  const request: InstallRequest = { home: join(userHome, '.annals'), program, machine };
  const path = agent.hooks.settings.file(machine);
  return {
    request,
    path,
    userHome,
    prepare(text: string) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    before: () => contents(userHome),
    /** The user's home without ours. */
    after() {
      const all = Object.entries(withoutBackups(contents(userHome)));
      return Object.fromEntries(all.filter(([one]) => !one.startsWith(request.home)));
    },
    text: () => readFileSync(path, 'utf8'),
    state: () => hookState(agent, request),
    install: async () => install(request, await planInstall(hooksTarget(agent, request), request), later()),
    uninstall: async () =>
      uninstall(request, await planUninstall(hooksTarget(agent, request), request), later()),
  };
}

async function installsOnceAndUndoes(
  agent: HookedAgent,
  at: Awaited<ReturnType<typeof world>>,
): Promise<void> {
  const before = at.before();
  await at.install();
  expect(await at.state()).toMatchObject({ installed: true, elsewhere: false, current: true, problem: null });
  const once = contents(at.userHome);
  expect(await at.install()).toBeNull();
  expect(contents(at.userHome)).toEqual(once);
  await at.uninstall();
  expect(at.after()).toEqual(before);
  expect(await at.state()).toMatchObject({ installed: false, elsewhere: false });
  await at.uninstall();
  expect(at.after(), agent.name).toEqual(before);
}

describe.each(agents.map((agent) => [agent.name, agent] as const))('%s', (_, agent) => {
  test('no file: install makes it, and uninstall removes it with the folders that it made', async () => {
    const at = await world(agent);
    await installsOnceAndUndoes(agent, at);
    expect(contents(at.userHome)).toEqual({ ...contents(at.request.home), [at.request.home]: '(folder)' });
  });

  test('no file: a folder that was there stays', async () => {
    const at = await world(agent);
    mkdirSync(dirname(at.path), { recursive: true });
    await installsOnceAndUndoes(agent, at);
  });

  test.each(['two\nlines of käuze 鷺', `-x "it's"; exit 1 $HOME \`id\` \\n`])(
    'a home that is called %j: the hooks run and leave their file in the spool',
    async (name) => {
      const at = await world(agent, name);
      await at.install();
      for (const line of commandsIn(agent, at.text())) {
        const { code, stderr } = await run('sh', ['-c', line], {
          env: process.env,
          stdin: '{"session_id":"s"}',
        });
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      }
      const files = readdirSync(join(at.request.home, 'spool', 'new'));
      const capturing = commandsIn(agent, at.text()).filter((line) => !line.endsWith(' edit; exit 0'));
      expect(files.length).toBe(capturing.length);
      for (const file of files) expect(file.startsWith(`${agent.name}-`)).toBe(true);
      await at.uninstall();
      expect(at.after()).toEqual({});
    },
  );

  test('a link to a file: the file is edited, the link stays', async () => {
    const at = await world(agent);
    const target = join(at.userHome, 'dotfiles', 'settings');
    mkdirSync(dirname(target));
    writeFileSync(target, withOthers(agent));
    mkdirSync(dirname(at.path), { recursive: true });
    symlinkSync(target, at.path);
    await at.install();
    expect(lstatSync(at.path).isSymbolicLink()).toBe(true);
    expect((await at.state()).installed).toBe(true);
    if (agent.hooks.settings.kind === 'file') return;
    await at.uninstall();
    expect(lstatSync(at.path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe(withOthers(agent));
  });

  test('a broken link is refused', async () => {
    const at = await world(agent);
    mkdirSync(dirname(at.path), { recursive: true });
    symlinkSync('nowhere', at.path);
    const before = at.before();
    await expect(at.install()).rejects.toMatchObject({ code: 'INPUT_UNREADABLE' });
    expect(at.before()).toEqual(before);
  });

  test('a read-only file stays as it is', async () => {
    const at = await world(agent);
    at.prepare(withOthers(agent));
    chmodSync(at.path, 0o444);
    const before = at.before();
    await expect(at.install()).rejects.toThrow('is read-only and was not changed');
    expect(at.after()).toEqual(before);
  });

  test('a file that another program changes after the plan is not overwritten', async () => {
    const at = await world(agent);
    at.prepare(withOthers(agent));
    const plan = await planInstall(hooksTarget(agent, at.request), at.request);
    writeFileSync(at.path, `${withOthers(agent)}\n`);
    const before = at.before();
    await expect(install(at.request, plan, clock)).rejects.toThrow('changed by another program');
    expect(at.after()).toEqual(before);
  });

  test('the hooks of another home are named, and an installation replaces them', async () => {
    const at = await world(agent);
    const elsewhere = { ...at.request, home: join(at.userHome, 'other') };
    await install(elsewhere, await planInstall(hooksTarget(agent, elsewhere), elsewhere), clock);
    expect(await at.state()).toMatchObject({ installed: false, elsewhere: true, current: false });
    await at.install();
    expect(await at.state()).toMatchObject({ installed: true, elsewhere: false, current: true });
    expect(at.text()).not.toContain(elsewhere.home);
    await uninstall(elsewhere, await planUninstall(hooksTarget(agent, elsewhere), elsewhere), later());
    expect(existsSync(at.path)).toBe(false);
  });
});

describe.each(shared.map((agent) => [agent.name, agent] as const))('%s, a settings file with', (_, agent) => {
  test.each(texts)('%s: once installed, twice the same, and back byte for byte', async (_, of) => {
    const at = await world(agent);
    at.prepare(of(agent));
    await installsOnceAndUndoes(agent, at);
  });

  test('other hooks that change in between keep the change', async () => {
    const at = await world(agent);
    at.prepare(withOthers(agent));
    await at.install();
    writeFileSync(at.path, at.text().replace('"dark"', '"light"'));
    await at.uninstall();
    expect(at.text()).toBe(withOthers(agent).replace('"dark"', '"light"'));
  });

  test.each([
    ['broken JSON', '{"theme": }', 'line 1 cannot be parsed'],
    ['a list', '[]', 'does not hold an object'],
    ['hooks of a wrong type', '{"hooks": 5}', '"hooks" is not an object'],
    ['hooks twice', '{"hooks": {}, "hooks": {}}', '"hooks" is there twice'],
    ['an event of a wrong type', '{"hooks": {"EVENT": {}}}', '" is not a list'],
    ['an event twice', '{"hooks": {"EVENT": [], "EVENT": []}}', '" is there twice'],
  ])('%s: refused, and not touched', async (_, bad, why) => {
    const { settings } = agent.hooks;
    const event = settings.kind === 'file' ? '' : settings.entries[0]!.event;
    const at = await world(agent);
    at.prepare(bad.replaceAll('EVENT', event));
    const before = at.before();
    await expect(at.install()).rejects.toThrow(why);
    expect(at.after()).toEqual(before);
  });

  test('hooks in the form of Windows, each recognised as ours', async () => {
    const at = await world(agent);
    const machine = { ...at.request.machine, windows: true };
    const program = { node: 'C:\\Program Files\\node.exe', cli: "C:\\o'dd\\dist\\cli.cjs" };
    const request = { home: 'C:\\Users\\käuze x\\.annals', program, machine };
    at.prepare(withOthers(agent));
    const plan = await planInstall(hooksTarget(agent, request), request);
    await install({ ...request, home: at.request.home }, plan, clock);
    expect(at.text()).not.toContain('/bin/capture');
    expect(await hookState(agent, request)).toMatchObject({
      installed: true,
      elsewhere: false,
      current: true,
    });
    await uninstall(request, await planUninstall(hooksTarget(agent, request), request), clock);
    expect(at.text()).toBe(withOthers(agent));
  });
});

describe.each(ownFiles.map((agent) => [agent.name, agent] as const))('%s, a file of our own', (_, agent) => {
  test('that somebody changed is not removed', async () => {
    const at = await world(agent);
    await at.install();
    writeFileSync(at.path, `${at.text()}\n// mine`);
    await expect(at.uninstall()).rejects.toThrow('is not as Annals wrote it');
    expect(at.text()).toContain('// mine');
  });

  test('of an earlier version is replaced, and removed', async () => {
    const at = await world(agent);
    const plan = await planInstall(hooksTarget(agent, at.request), at.request);
    await install(at.request, { ...plan, text: `${plan.text}// an earlier version\n` }, clock);
    expect(await at.state()).toMatchObject({ installed: true, current: false });
    await at.uninstall();
    expect(at.after()).toEqual({});
  });

  test('of an earlier version and another home is removed', async () => {
    const at = await world(agent);
    const elsewhere = { ...at.request, home: join(at.userHome, 'other') };
    const plan = await planInstall(hooksTarget(agent, elsewhere), elsewhere);
    await install(elsewhere, { ...plan, text: `${plan.text}// an earlier version\n` }, clock);
    await at.uninstall();
    expect(existsSync(at.path)).toBe(false);
  });
});

test('where our program is does not matter to hooks that run the script', async () => {
  for (const agent of agents) {
    const at = await world(agent);
    await at.install();
    const moved = { ...at.request, program: { node: '/other/node', cli: '/other/cli.cjs' } };
    expect((await hookState(agent, moved)).current, agent.name).toBe(true);
  }
});

test('the script of a home goes when it is removed, and waiting files stay', async () => {
  const at = await world(agents[0]!);
  await at.install();
  await at.uninstall();
  await removeScripts(at.request.home);
  expect(readdirSync(at.request.home)).toEqual(['spool']);
});

/** The shell commands of ours in a settings file; none in a plugin, which its agent runs. */
function commandsIn(agent: HookedAgent, text: string): readonly string[] {
  if (agent.hooks.settings.kind === 'file') return [];
  const found: string[] = [];
  JSON.parse(text, (_, value) => {
    if (typeof value === 'string' && value.startsWith('[ -x ')) found.push(value);
    return value;
  });
  return found;
}
