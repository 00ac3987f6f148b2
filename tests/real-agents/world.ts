// A scratch environment for real agents: two projects, a home with the hooks of Annals and recording hooks, and a way
// to run sessions in it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCommand, COMMAND } from '../e2e/command.ts';
import { prepareHome } from './claude-code.ts';
import type { Session } from './plan.ts';
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
  project(name: 'p1' | 'p2'): string;
  /** Sessions that run at the same time. */
  run(...sessions: readonly Session[]): Promise<void>;
}

export function makeWorld(program: string): AgentWorld {
  buildCommand();
  const folder = mkdtempSync(join(tmpdir(), 'annals-agents-'));
  const [home, payloads] = [join(folder, 'home'), join(folder, 'payloads')];
  const project = (name: string) => join(folder, name);
  mkdirSync(payloads);
  for (const name of ['p1', 'p2']) makeProject(project(name), name);
  prepareHome(home, [project('p1'), project('p2')]);
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(recordingSettings(payloads, program)));
  const annalsHome = join(home, '.annals');
  execFileSync(process.execPath, [COMMAND, 'install', 'claude-code', '--yes'], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: 'pipe',
  });
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
      await carryOut({
        folder: join(folder, `run-${++runs}-${sessions[0]?.name}`),
        home,
        payloads,
        sessions,
      });
    },
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
