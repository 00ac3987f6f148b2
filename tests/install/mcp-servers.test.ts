// The MCP server in the settings of every agent, installed together with its hooks, on prepared settings files.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { mcpServer } from '../../src/doctor/server-check.ts';
import { type InstallRequest, prepareHome } from '../../src/install/home-scripts.ts';
import { hookState } from '../../src/install/hook-status.ts';
import {
  type HookedAgent,
  hookedAgents,
  install,
  planInstall,
  planUninstall,
  serverFile,
  targetsOf,
  uninstall,
} from '../../src/install/installation.ts';
import { mcpScriptPath, serverWords } from '../../src/install/mcp-script.ts';
import { serverIn, serverPart } from '../../src/install/mcp-settings.ts';
import { unmarked, withoutParts, withParts } from '../../src/install/settings-part.ts';
import { testFolder } from '../helpers/views.ts';

const agents = hookedAgents(AGENTS);
const agentOf = (name: string) => agents.find((agent) => agent.name === name)!;
const HOME = '/home/robin/.annals';
const OTHER_HOME = '/elsewhere/.annals';
const PROGRAM = { node: '/usr/bin/node', cli: '/opt/annals/dist/cli.cjs' };

const json: Readonly<Record<string, string>> = {
  'no text': '',
  'an empty object': '{}\n',
  'other settings': '{\n    "theme": "dark"\n}',
  'one line': '{"theme":"dark"}\n',
  'an empty object of servers': '{\n  "KEY": {}\n}\n',
  'other servers': '{\n  "KEY": {\n    "other": { "command": "x" }\n  },\n  "theme": "dark"\n}\n',
  comments:
    '// mine\n{\n  /* servers */ "KEY": {\n    // other\n    "other": { "command": "x" } // keep\n  }\n}\n',
  'trailing commas': '{\n  "KEY": {\n    "other": { "command": "x" },\n  },\n}\n',
};
const toml: Readonly<Record<string, string>> = {
  'no text': '',
  'a comment': '# mine',
  'other settings': 'model = "gpt"\n\n[tui]\ntheme = "dark" # keep\n',
  'no line end': 'model = "gpt"',
  'other servers': '[KEY.other]\ncommand = "x"\n\n\n[KEY.other.env]\nA = "1"\n',
  'a table of servers': '[KEY]\nother = { command = "x" }\n[tui]\ntheme = "dark"\n',
  'a text that looks like ours': 'notes = """\n[KEY.annals]\ncommand = "y"\n"""\n',
};

/** The agents that stand for all forms: command and arguments, one list, TOML. */
const forms = ['copilot', 'opencode', 'codex'].map((name) => {
  const { mcp, title } = agentOf(name);
  const { form, key, server } = mcp!;
  const at = { path: '/settings', title };
  const part = (home: string, windows = false) =>
    serverPart(server(serverWords(home, PROGRAM, windows)), mcp!, at);
  const texts = Object.entries(form === 'toml' ? toml : json).flatMap(([kind, text]) => {
    const own = text.replaceAll('KEY', key);
    return [
      [kind, own],
      [`${kind}, Windows line ends`, own.replaceAll('\n', '\r\n')],
      [`${kind}, a byte order mark`, `\uFEFF${own}`],
    ] as const;
  });
  return {
    name,
    form,
    texts,
    key,
    fill: (text: string) => text.replaceAll('KEY', key),
    add: (text: string, home = HOME, windows = false) => withParts(text, [part(home, windows)]),
    remove: (text: string, backups: readonly string[] = []) =>
      withoutParts(text, [part(HOME)], { backups, isEmpty: (rest) => /^\s*(\{\})?\s*$/.test(rest) }),
    found: (text: string) => serverIn(unmarked(text).plain, mcp!, at),
  };
});

describe.each(forms)('a settings file of $name', ({ form, texts, key, fill, add, remove, found }) => {
  const other = fill(form === 'toml' ? toml['other servers']! : json['other servers']!);

  test.each(texts)('%s: once added, twice the same, and back byte for byte', (_, text) => {
    const once = add(text);
    expect(found(once)).toBe('ours');
    expect(add(once)).toBe(once);
    if (text.includes('\r\n')) expect(once.replaceAll('\r\n', '')).not.toContain('\n');
    expect(remove(once, [text])).toBe(text);
    expect(remove(text)).toBe(text);
  });

  test('what others change in between stays, and the rest is as before', () => {
    const changed = (text: string) => text.replace('"x"', '"changed"');
    expect(remove(changed(add(other)), [other])).toBe(changed(other));
  });

  test.skipIf(form === 'toml')('an empty object of servers that was there before stays', () => {
    const before = fill('{ "KEY": {}, "note": "x" }');
    const after = remove(add(before).replace('"x"', '"y"'), [before]);
    expect(JSON.parse(after ?? '')).toEqual({ [key]: {}, note: 'y' });
    const none = remove(add('{ "note": "x" }').replace('"x"', '"y"'), ['{ "note": "x" }']);
    expect(JSON.parse(none ?? '')).toEqual({ note: 'y' });
  });

  test('a server of our name that is not as we write it is left alone', () => {
    const text = fill(
      form === 'toml'
        ? '[KEY.annals]\ncommand = "annals"\nargs = ["mcp"]\n'
        : '{ "KEY": { "annals": { "command": "annals", "args": ["mcp"] } } }',
    );
    expect([found(text), add(text), remove(text)]).toEqual(['other', text, text]);
  });

  test.each([false, true])('the server of another place is replaced, with Windows: %s', (windows) => {
    const before = add(other, OTHER_HOME, windows);
    const limited =
      form === 'toml'
        ? `${before}enabled = false\n`
        : before.replace(/("annals": \{)/, '$1\n      "note": "mine",');
    const after = add(limited, HOME, windows);
    expect(found(after)).toBe('ours');
    expect(after).not.toContain(OTHER_HOME);
    // What a person added stays.
    expect(after).toBe(limited.replace(OTHER_HOME, HOME));
    expect(after.includes('annals-mcp')).toBe(!windows);
  });

  test.each(
    form === 'toml'
      ? [
          ['broken TOML', 'model = \n', 'line 1 cannot be parsed'],
          ['servers of a wrong type', 'KEY = 5\n', '"KEY" is not a table'],
          ['a server of a wrong type', 'KEY.annals = 5\n', '"KEY.annals" is not a table'],
          ['servers in one line', 'KEY = {}\n', 'in a form that cannot be edited safely'],
        ]
      : [
          ['broken JSON', '{"theme": }', 'line 1 cannot be parsed'],
          ['a list', '[]', 'does not hold an object'],
          ['servers of a wrong type', '{"KEY": 5}', '"KEY" is not an object'],
          ['a server of a wrong type', '{"KEY": {"annals": 5}}', '"annals" is not an object'],
          ['servers twice', '{"KEY": {}, "KEY": {}}', '"KEY" is there twice'],
        ],
  )('%s is refused', (_, bad, why) => {
    expect(() => add(fill(bad))).toThrow(why.replaceAll('KEY', key));
  });
});

test('a TOML file is edited only where our table is', () => {
  const { add, remove, found } = forms[2]!;
  const ours = add('model = "gpt"\n');
  const next = '\n# next\n[[a.b]]\nc = [\n  [1],\n]\n';
  const text = `${ours}\n[mcp_servers.annals.tools.save]\napproval_mode = "approve"\n${next}`;
  expect(found(text)).toBe('ours');
  expect(add(text)).toBe(text);
  expect(remove(text, ['model = "gpt"\n'])).toBe(`model = "gpt"\n${next}`);
});

let clock = Date.parse('2026-01-02T03:04:05Z');
function later(): number {
  clock += 1_000;
  return clock;
}

async function world(agent: HookedAgent) {
  const userHome = await testFolder();
  const machine = { environment: { PATH: '' }, userHome, windows: false };
  const home = join(userHome, '.annals');
  const request: InstallRequest = { home, program: PROGRAM, machine };
  const path = () => serverFile(agent.mcp!, machine);
  return {
    request,
    path,
    text: () => readFileSync(path(), 'utf8'),
    /** The files of the user's home, without ours and without backups. */
    files: () =>
      readdirSync(userHome, { recursive: true, withFileTypes: true })
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((file) => !file.startsWith(home) && !file.includes('.before-annals-')),
    state: async () => (await hookState(agent, request)).mcp.state,
    async install(one = request) {
      for (const target of targetsOf(agent, machine))
        await install(one, await planInstall(target, one), later());
    },
    async uninstall() {
      for (const target of [...targetsOf(agent, machine)].reverse())
        await uninstall(request, await planUninstall(target, request), later());
    },
  };
}

test.each(agents.map((agent) => [agent.name, agent] as const))(
  '%s: installed with the hooks, and both taken out again',
  async (_, agent) => {
    const at = await world(agent);
    expect(await at.state()).toBe('missing');
    await at.install();
    expect(await at.state()).toBe('registered');
    await at.uninstall();
    expect(at.files()).toEqual([]);
    const theirs = agent.mcp!.form === 'toml' ? 'model = "gpt"\n' : '{\n  "theme": "dark"\n}\n';
    mkdirSync(dirname(at.path()), { recursive: true });
    writeFileSync(at.path(), theirs);
    await at.install();
    await at.uninstall();
    expect(at.text()).toBe(theirs);
  },
);

test('OpenCode: the file that is there is used', async () => {
  const at = await world(agentOf('opencode'));
  expect(at.path()).toMatch(/opencode\.jsonc$/);
  mkdirSync(dirname(at.path()), { recursive: true });
  writeFileSync(at.path().slice(0, -1), '{}');
  expect(at.path()).toMatch(/opencode\.json$/);
  await at.install();
  writeFileSync(`${at.path()}c`, '{}');
  expect(await at.state()).toBe('registered');
});

test('the script starts the program of the home, else the command on the PATH, else says what to do', async () => {
  const folder = await testFolder();
  const home = join(folder, "o'dd home");
  const cli = join(folder, 'cli.cjs');
  writeFileSync(cli, 'console.log("cli", ...process.argv.slice(2))');
  const machine = { environment: {}, userHome: folder, windows: false };
  await prepareHome({ home, program: { node: process.execPath, cli }, machine });
  const run = (path: string) => {
    const { stdout, stderr, status } = spawnSync(mcpScriptPath(home), {
      env: { PATH: path },
      encoding: 'utf8',
    });
    return [status, stdout, stderr];
  };
  expect(run('')).toEqual([0, `cli --home ${home} mcp\n`, '']);
  renameSync(cli, `${cli}.old`);
  writeFileSync(join(folder, 'annals'), '#!/bin/sh\necho "path $@"\n', { mode: 0o755 });
  expect(run(folder)).toEqual([0, `path --home ${home} mcp\n`, '']);
  expect(run('')).toEqual([1, '', expect.stringContaining('annals install')]);
});

test('doctor names the agents with the server, and registers one of another home again', async () => {
  const claude = agentOf('claude-code');
  const at = await world(claude);
  const check = () => mcpServer(at.request, later).look();
  const elsewhere = { ...at.request, home: join(at.request.home, 'other') };
  await at.install(elsewhere);
  const [finding] = await check();
  expect(finding).toMatchObject({ state: 'problem', message: expect.stringContaining('another home') });
  await finding!.fix!();
  expect(await check()).toEqual([{ state: 'ok', message: 'Registered in: Claude Code.' }]);
  const settings = claude.hooks.settings.file(at.request.machine);
  writeFileSync(
    settings,
    readFileSync(settings, 'utf8').replace('{', '{"enabledPlugins":{"annals@a":true},'),
  );
  expect(await check()).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('twice') }),
  );
});
