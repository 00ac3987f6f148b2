// A scratch environment for real agents: two projects, a home with the hooks of Annals and recording hooks, and a way
// to run sessions in it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCommand, COMMAND } from '../e2e/command.ts';
import { prepareHome } from './claude-code.ts';
import type { Kills, Session } from './plan.ts';
import { recordingSettings } from './record.ts';
import { carryOut } from './run.ts';

export interface AgentWorld {
  /** Everything is in here. The creator removes it, or keeps it after a failure. */
  readonly folder: string;
  readonly program: string;
  readonly home: string;
  /** What the hooks of Annals have written so far. */
  readonly annalsHome: string;
  readonly payloads: string;
  readonly transcripts: string;
  project(name: ProjectName): string;
  /** Sessions that run at the same time. */
  run(...sessions: readonly Session[]): Promise<void>;
  /** The work folder of a session that ran. */
  sessionFolder(name: string): string;
}

const PROJECTS = ['p1', 'p2', 'p3'] as const;
export type ProjectName = (typeof PROJECTS)[number];

/** @param kills what is killed while sessions run, given the home */
export function makeWorld(program: string, kills?: (home: string) => Kills): AgentWorld {
  buildCommand();
  const folder = mkdtempSync(join(tmpdir(), 'annals-agents-'));
  const [home, payloads] = [join(folder, 'home'), join(folder, 'payloads')];
  const project = (name: string) => join(folder, name);
  mkdirSync(payloads);
  for (const name of PROJECTS) makeProject(project(name), name);
  prepareHome(home, PROJECTS.map(project));
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(recordingSettings(payloads, program)));
  const annalsHome = join(home, '.annals');
  execFileSync(process.execPath, [COMMAND, 'install', 'claude-code', '--yes'], {
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: home },
    stdio: 'pipe',
  });
  const folders = new Map<string, string>();
  let runs = 0;
  return {
    folder,
    program,
    home,
    annalsHome,
    payloads,
    transcripts: join(home, '.claude/projects'),
    project,
    run: async (...sessions) => {
      const runFolder = join(folder, `run-${++runs}-${sessions[0]?.name}`);
      for (const { name } of sessions) folders.set(name, join(runFolder, name));
      const more = kills === undefined ? {} : { worker: true, kills: kills(home) };
      await carryOut({ folder: runFolder, home, payloads, sessions, ...more });
    },
    sessionFolder: (name) => folders.get(name)!,
  };
}

function makeProject(folder: string, name: string): void {
  mkdirSync(join(folder, '.claude/commands'), { recursive: true });
  writeFileSync(join(folder, 'README.md'), `# ${name}\n`);
  writeFileSync(join(folder, '.gitignore'), '.gates\n');
  writeFileSync(join(folder, '.claude/commands/greet.md'), 'Say hello to $ARGUMENTS, please.\n');
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: folder, stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.invalid', 'commit', '-qm', 'First');
}
