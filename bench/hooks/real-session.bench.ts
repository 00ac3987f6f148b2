// Measures what the hooks cost a person: the wall time of a real Claude Code session of 20 tool uses in which the model
// answers at once, without hooks, with hooks that do nothing, with an MCP server that does nothing besides, with Annals with and
// without its MCP server, and with claude-mem. Each session starts, works and ends in a network namespace; what a tool starts
// in the background lives on until the last session, as it would for a person.
// claude-mem takes part when ANNALS_BENCH_CLAUDE_MEM names its unpacked plugin folder (`plugin` of the npm package, with its
// packages zod and shell-quote installed), and `bun` can be found in ANNALS_BENCH_BUN (a folder).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  claudeProgram,
  PACKAGE,
  prepareHome,
  printSession,
  toolsIn,
} from '../../tests/real-agents/claude-code.ts';
import { installAgent } from '../../tests/real-agents/install-agent.ts';
import { missingForAgents } from '../../tests/real-agents/machine.ts';
import { carryOut } from '../../tests/real-agents/run.ts';
import { NEWEST_PINNED } from '../../tests/real-agents/versions.ts';
import { median, percentile } from '../harness/measure.ts';
import { builtCommand, inFolder, REPOSITORY } from '../harness/process.ts';
import { type Figure, print } from '../harness/report.ts';

const ROUNDS = 9;
const TOOL_USES = 20;
/** A person does not begin a session in the moment in which the last one ends. */
const PAUSE_MS = 3_000;
/** The events of Annals, each with an empty shell: what the agent itself takes for hooks. */
const EMPTY = 'with empty hooks';
/** The same with an MCP server that does nothing: the least that hooks and a server in Node can cost. */
const EMPTY_WITH_SERVER = 'with empty hooks and an empty MCP server';
/** Hooks alone: the agent starts the MCP server of Annals at the start of each session. */
const HOOKS_ONLY = 'with Annals, no MCP server';

/** What a variant is also compared with: the same hooks and servers, which do nothing. */
const LEAST: Readonly<Record<string, string>> = { [HOOKS_ONLY]: EMPTY, 'with Annals': EMPTY_WITH_SERVER };
const EMPTY_SERVER = join(REPOSITORY, 'bench/hooks/empty-server.mjs');

const missing = missingForAgents();
const installed = missing === null ? installAgent(PACKAGE, NEWEST_PINNED) : { missing };
if ('missing' in installed) console.log(`Not measured: ${installed.missing}`);
else await inFolder((folder) => measure(folder, claudeProgram(installed.folder)));

async function measure(folder: string, program: string): Promise<void> {
  const { ANNALS_BENCH_CLAUDE_MEM: rival, ANNALS_BENCH_BUN: bun } = process.env;
  const variants = [
    'without',
    EMPTY,
    EMPTY_WITH_SERVER,
    HOOKS_ONLY,
    'with Annals',
    ...(rival === undefined ? [] : ['with claude-mem']),
  ];
  const project = join(folder, 'project');
  mkdirSync(project);
  for (const variant of variants) prepareHome(homeOf(folder, variant), [project]);
  installAnnals(homeOf(folder, 'with Annals'));
  installAnnals(homeOf(folder, HOOKS_ONLY), '--no-mcp');
  installEmpty(homeOf(folder, EMPTY), homeOf(folder, 'with Annals'));
  installAnnals(homeOf(folder, EMPTY_WITH_SERVER));
  installEmpty(homeOf(folder, EMPTY_WITH_SERVER), homeOf(folder, 'with Annals'));
  writeFileSync(
    join(homeOf(folder, EMPTY_WITH_SERVER), '.annals/bin/annals-mcp'),
    `#!/bin/sh\nexec '${process.execPath}' '${EMPTY_SERVER}'\n`,
  );
  if (rival !== undefined) installClaudeMem(homeOf(folder, 'with claude-mem'), rival);
  // The first session of each variant is not counted: it starts what stays in the background.
  const plan = Array.from({ length: ROUNDS + 1 }, (_, round) =>
    variants.map((_, turn) => variants[(round + turn) % variants.length]!),
  ).flat();
  const sessions = plan.map((variant, index) => {
    const session = twentyToolUses(program, project, `${index}`);
    const PATH = [bun, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin']
      .filter(Boolean)
      .join(':');
    return { ...session, environment: { ...session.environment, HOME: homeOf(folder, variant), PATH } };
  });
  mkdirSync(join(folder, 'payloads'));
  const outcomes = await carryOut({
    folder: join(folder, 'run'),
    home: folder,
    payloads: join(folder, 'payloads'),
    sessions,
    oneByOne: PAUSE_MS,
    worker: true,
  });
  const ms = (variant: string) =>
    outcomes.filter((_, index) => plan[index] === variant && index >= variants.length).map((one) => one.ms);
  const base = median(ms('without'));
  const recorded = `${toolUsesIn(homeOf(folder, 'with Annals'))} tool uses are in the log, ${(ROUNDS + 1) * TOOL_USES} were made`;
  const figures = variants.flatMap((variant): Figure[] => {
    const values = ms(variant);
    const value = median(values);
    const wall = { name: variant, value, unit: 'ms', p95: percentile(values, 0.95) };
    if (variant === 'without') return [wall];
    return [
      wall,
      {
        name: `— ratio to without`,
        value: value / base,
        unit: '×',
        ...(variant === 'with Annals' ? { goal: '≤ 1.10' } : {}),
      },
      { name: `— added`, value: value - base, unit: 'ms' },
      ...(LEAST[variant] === undefined
        ? []
        : [
            {
              name: `— ratio to ${LEAST[variant].replace('with ', '')}`,
              value: value / median(ms(LEAST[variant])),
              unit: '×',
            },
          ]),
    ];
  });
  print([
    {
      bench: 'a session of the real Claude Code',
      data: `${NEWEST_PINNED}, ${TOOL_USES} tool uses, ${ROUNDS} sessions of each variant, in turn`,
      figures,
      digest: createHash('sha256').update(recorded).digest('hex').slice(0, 12),
      notes: [recorded],
    },
  ]);
}

function twentyToolUses(program: string, project: string, name: string) {
  const tools = toolsIn(project);
  const steps = Array.from({ length: TOOL_USES }, (_, index) => ({
    use: [index % 4 === 0 ? tools.write(`file-${index}.txt`, `${name}\n`) : tools.shell(`echo ${index}`)],
  }));
  const script = { steps, final: 'All is done.' };
  return printSession({ program, name: `session-${name}`, project, prompt: 'Do twenty things', script });
}

function homeOf(folder: string, variant: string): string {
  return join(folder, variant.replaceAll(' ', '-'));
}

function installAnnals(home: string, ...options: string[]): void {
  execFileSync(process.execPath, [builtCommand(), 'install', 'claude-code', '--yes', ...options], {
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: home },
    stdio: 'pipe',
  });
}

function installEmpty(home: string, annals: string): void {
  const file = '.claude/settings.json';
  const text = readFileSync(join(annals, file), 'utf8');
  const settings = JSON.parse(text, (key, value) => (key === 'command' ? ':' : value));
  writeFileSync(join(home, file), JSON.stringify(settings));
}

/** As its own installer leaves it: the plugin in the marketplace folder, its hooks in the settings. */
function installClaudeMem(home: string, plugin: string): void {
  const target = join(home, '.claude/plugins/marketplaces/thedotmack/plugin');
  cpSync(plugin, target, { recursive: true });
  const { hooks } = JSON.parse(readFileSync(join(plugin, 'hooks/hooks.json'), 'utf8')) as { hooks: object };
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks }));
}

function toolUsesIn(home: string): number {
  const log = execFileSync(
    process.execPath,
    [builtCommand(), 'log', '--json', '--kind', 'tool', '--home', join(home, '.annals')],
    {
      env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: home },
      encoding: 'utf8',
      maxBuffer: 1e9,
    },
  );
  // A tool use that both channels reported is two events.
  return new Set([...log.matchAll(/"toolUseId":"([^"]+)"/g)].map(([, id]) => id)).size;
}
