// The Claude Code plugin: the same hooks as `annals install`, for those who prefer a plugin.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pluginIsEnabledIn } from '../../../src/agents/claude-code/plugin.ts';
import { captureScript, scriptPath } from '../../../src/capture/spool/capture-script.ts';
import { claudeHooks } from '../../helpers/installed-hooks.ts';
import { testFolder } from '../../helpers/views.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

type Handler = Readonly<Record<string, unknown>> & { readonly command: string };

interface Group {
  readonly matcher?: string;
  readonly hooks: readonly Handler[];
}

const groups = read('plugins/annals/hooks/hooks.json').hooks as Readonly<Record<string, readonly Group[]>>;

test('the plugin has the events, matchers and fields of the installed hooks', () => {
  const ofPlugin = Object.entries(groups).flatMap(([event, all]) =>
    all.flatMap(({ matcher = null, hooks }) =>
      hooks.map(({ command: _, ...fields }) => ({ event, matcher, ...fields })),
    ),
  );
  const wanted = claudeHooks('/h', true).map(({ event, matcher, handler: { command: _, ...fields } }) => ({
    event,
    matcher,
    ...fields,
  }));
  expect(ofPlugin).toEqual(wanted);
});

test('the plugin and the installed hooks run the script in the shell that the agent starts', () => {
  const ofPlugin = Object.values(groups).flatMap((all) => all.flatMap(({ hooks }) => hooks));
  const commands = [...ofPlugin, ...claudeHooks('/h', true).map(({ handler }) => handler)];
  for (const { command } of commands)
    expect(command).toMatch(/&& set -- claude-code(?: [a-z-]+)? && command \. \S+; exit 0$/);
});

test('the marketplace names the plugin, which has the version of the product', () => {
  const [plugin] = read('.claude-plugin/marketplace.json').plugins;
  expect(existsSync(join(ROOT, plugin.source, 'hooks/hooks.json'))).toBe(true);
  const { name, version } = read(join(plugin.source, '.claude-plugin/plugin.json'));
  expect({ name, version }).toEqual({ name: plugin.name, version: read('package.json').version });
  expect(pluginIsEnabledIn(JSON.stringify({ enabledPlugins: { [`${name}@annals`]: true } }))).toBe(true);
});

function fire(event: string, home: string, path = process.env.PATH): string {
  const { command } = groups[event]![0]!.hooks[0]!;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    input: '{"cwd":"/x"}',
    env: { PATH: path, ANNALS_HOME: home },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

test('its hooks run the script of the home, and are silent without one', async () => {
  const folder = await testFolder();
  const home = join(folder, "a home's");
  for (const event of Object.keys(groups)) expect(fire(event, home)).toBe('');
  expect(existsSync(home)).toBe(false);
  mkdirSync(join(home, 'bin'), { recursive: true, mode: 0o700 });
  const node = join(folder, 'node');
  writeFileSync(node, '#!/bin/sh\necho context\n');
  chmodSync(node, 0o755);
  writeFileSync(scriptPath(home), captureScript(home, { node, cli: 'cli' }), { mode: 0o700 });
  for (const event of Object.keys(groups))
    expect(fire(event, home)).toBe(event === 'SessionStart' ? 'context\n' : '');
  const captured = Object.keys(groups).filter((event) => event !== 'PreToolUse');
  expect(readdirSync(join(home, 'spool/new'))).toHaveLength(captured.length);
});

test('the start of a session has the script made, if the command is installed', async () => {
  const folder = await testFolder();
  const annals = join(folder, 'annals');
  writeFileSync(annals, `#!/bin/sh\necho "$*" >'${folder}/called'\n`);
  chmodSync(annals, 0o755);
  expect(fire('SessionStart', join(folder, 'home'), `${folder}:${process.env.PATH}`)).toBe('');
  expect(readFileSync(join(folder, 'called'), 'utf8')).toBe('hook claude-code prepare\n');
});

test('a plugin counts as enabled only if the settings say so', () => {
  expect(pluginIsEnabledIn('// x\n{"enabledPlugins": {"annals@local": true,},}')).toBe(true);
  for (const text of ['', '[]', 'junk', '{"enabledPlugins": {"annals@annals": false, "annals-x@y": true}}'])
    expect(pluginIsEnabledIn(text), text).toBe(false);
});
