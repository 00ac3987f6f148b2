// Runs real agents other than Claude Code with the programs in the shared data, which speak their protocols. An agent
// runs without a network, in a home of its own, against a model that follows a script.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentNamed } from '../../../src/agents/index.ts';
import { buildCommand, COMMAND } from '../../e2e/command.ts';
import { sharedData } from '../../helpers/shared-data.ts';
import { SHUT_OFF } from '../machine.ts';

export const kitFolder: string | null = folderOf('real-agents');
export const agentsFolder = process.env.KIT_AGENTS ?? '/tmp/kit-agents';

/** A step of the model: what it says, and the tools that it calls under common names. */
export interface Step {
  readonly say?: string;
  readonly tool?: string;
  readonly input?: object;
}

export interface KitRun {
  readonly project?: string;
  readonly prompt: string;
  readonly steps?: readonly Step[];
  readonly final?: string;
  /** The newest session of the home goes on. */
  readonly goesOn?: boolean;
}

export interface KitWorld {
  readonly folder: string;
  readonly home: string;
  readonly annalsHome: string;
  readonly transcripts: string;
  /** Returns the bodies of the requests to the model, as text. */
  run(run: KitRun): readonly string[];
  /** Exports the sessions of an agent that keeps them in a database. */
  exportSessions(): void;
}

/** The version that is there; null when there is none. */
export function installedVersion(agent: string): string | null {
  const names = existsSync(agentsFolder) ? readdirSync(agentsFolder) : [];
  return names.find((name) => name.startsWith(`${agent}-`))?.slice(agent.length + 1) ?? null;
}

/** A home in which the agent's hooks of Annals are installed. */
export function makeKitWorld(agent: string): KitWorld {
  buildCommand();
  const folder = mkdtempSync(join(tmpdir(), `annals-${agent}-`));
  const home = join(folder, 'home');
  const agents = agentsWithOurHooks(agent, folder);
  let runs = 0;
  const start = (
    { project = 'app', prompt, steps = [], final = 'Understood.', goesOn = false }: KitRun,
    hooks: 'none' | 'own',
  ): readonly string[] => {
    const out = join(folder, `run-${++runs}`);
    for (const path of [out, home, join(folder, project)]) mkdirSync(path, { recursive: true });
    const script = join(out, 'script.json');
    writeFileSync(script, JSON.stringify({ steps, final }));
    execFileSync(join(kitFolder!, 'run-agent.sh'), [agent, join(folder, project), prompt, script], {
      stdio: 'pipe',
      timeout: 120_000,
      env: {
        PATH: process.env.PATH,
        KIT_AGENTS: agents,
        KIT_HOME: home,
        KIT_OUT: out,
        KIT_HOOKS: hooks,
        KIT_MODE: goesOn ? 'continue' : 'new',
        KIT_TIMEOUT: '90',
        KIT_ENV: 'ANNALS_WORKER=off',
      },
    });
    const requests = readFileSync(join(out, 'requests.jsonl'), 'utf8').trim().split('\n');
    return requests.map((line) => JSON.stringify((JSON.parse(line) as { body: unknown }).body));
  };
  // Writes the settings that the agent needs to run here, to which the hooks are added.
  start({ project: 'elsewhere', prompt: 'Hello' }, 'none');
  const annalsHome = join(home, '.annals');
  execFileSync(process.execPath, [COMMAND, 'install', agent, '--yes'], {
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: home },
    stdio: 'pipe',
  });
  const machine = { environment: {}, userHome: home, windows: false };
  const known = agentNamed(agent)!;
  if (SETTINGS_WITH_PORT.has(agent)) keepOurHooks(agent, home);
  return {
    folder,
    home,
    annalsHome,
    transcripts: known.transcripts!.folders(machine)[0] ?? join(folder, 'exports'),
    run: (run) => start(run, agent === 'opencode' || SETTINGS_WITH_PORT.has(agent) ? 'none' : 'own'),
    exportSessions: () => {
      if (agent === 'opencode') exportOpenCode(home, join(folder, 'exports'));
    },
  };
}

const PROGRAMS: Readonly<Record<string, string>> = {
  'claude-code': 'node_modules/@anthropic-ai/claude-code-linux-x64/claude',
  codex: 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex',
  copilot: 'node_modules/.bin/copilot',
  'gemini-cli': 'node_modules/.bin/gemini',
  opencode: 'node_modules/opencode-linux-x64/bin/opencode',
  'qwen-code': 'node_modules/.bin/qwen',
};

/** Calls an agent's program without a network, with the home as its folder. Returns what it prints, on both streams. */
export function callAgent(agent: string, home: string, words: readonly string[]): string {
  const program = join(agentsFolder, `${agent}-${installedVersion(agent)}`, PROGRAMS[agent]!);
  const [shutOff, ...options] = [...SHUT_OFF, program, ...words];
  const { stdout, stderr } = spawnSync(shutOff!, options, {
    cwd: home,
    encoding: 'utf8',
    timeout: 90_000,
    env: { PATH: process.env.PATH, HOME: home, ANNALS_WORKER: 'off', npm_config_offline: 'true' },
  });
  return stdout + stderr;
}

/** Its plugin lies beside its settings, so these may be written again. An export is cut off when it goes into a pipe. */
function exportOpenCode(home: string, folder: string): void {
  const name = `opencode-${installedVersion('opencode')}`;
  const program = join(agentsFolder, name, 'node_modules/opencode-linux-x64/bin/opencode');
  const call = (words: readonly string[], output: 'pipe' | number) => {
    const [shutOff, ...options] = [...SHUT_OFF, program, ...words];
    return execFileSync(shutOff!, options, {
      stdio: ['ignore', output, 'ignore'],
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home, npm_config_offline: 'true', npm_config_fetch_retries: '0' },
    });
  };
  mkdirSync(folder, { recursive: true });
  const sessions = call(['db', 'select id from session'], 'pipe').match(/^ses_\w+$/gm) ?? [];
  for (const session of sessions) {
    const file = openSync(join(folder, `${session}.json`), 'w');
    call(['export', session], file);
    closeSync(file);
  }
}

/** Their settings name the port of the model, so they are written again for each run, without our hooks. */
const SETTINGS_WITH_PORT: ReadonlyMap<string, { readonly program: string; readonly hooks: string }> = new Map(
  [
    [
      'codex',
      {
        program: PROGRAMS.codex!,
        hooks: '.codex/hooks.json',
      },
    ],
  ],
);

function keepOurHooks(agent: string, home: string): void {
  const { hooks } = SETTINGS_WITH_PORT.get(agent)!;
  copyFileSync(join(home, hooks), join(home, `${hooks}.ours`));
}

/** The agents; one whose settings are written again gets its hooks back right before it starts. */
function agentsWithOurHooks(agent: string, folder: string): string {
  const written = SETTINGS_WITH_PORT.get(agent);
  if (written === undefined) return agentsFolder;
  const name = `${agent}-${installedVersion(agent)}`;
  const program = join(folder, 'agents', name, written.program);
  mkdirSync(join(program, '..'), { recursive: true });
  symlinkSync(join(agentsFolder, name, 'package.json'), join(folder, 'agents', name, 'package.json'));
  const hooks = `"$HOME/${written.hooks}"`;
  const ours = `"$HOME/${written.hooks}.ours"`;
  const real = join(agentsFolder, name, written.program);
  writeFileSync(program, `#!/bin/sh\n[ -f ${ours} ] && cp ${ours} ${hooks}\nexec '${real}' "$@"\n`);
  chmodSync(program, 0o755);
  return join(folder, 'agents');
}

function folderOf(name: string): string | null {
  const path = sharedData === null ? null : join(sharedData, name);
  return path !== null && existsSync(path) ? path : null;
}
