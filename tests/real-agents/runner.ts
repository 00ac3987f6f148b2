// Executes a run inside its network and process namespaces: starts the model and the agent of each session, types in
// terminals, and ends when none of its processes is left. `run.ts` starts it: node runner.mjs <run.json>
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { anthropic } from './anthropic.ts';
import { isReached, openAllGates, openGate, passGate, prepareGates } from './gates.ts';
import { killAgainAndAgain } from './kill-worker.ts';
import type { Outcome, Run, Session } from './plan.ts';
import { otherProcesses, type RunningProcess } from './processes.ts';
import { listenTo } from './reported.ts';
import { startModel } from './scripted-model.ts';
import { openTerminal } from './terminal.ts';
import { becomes } from './wait.ts';

const [file = ''] = process.argv.slice(2);
const run = JSON.parse(readFileSync(file, 'utf8')) as Run;
const reachable = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
if (reachable.some(({ internal }) => !internal)) throw new Error('There is a network here.');

const wasReported = listenTo(run.payloads);
const stopKilling = run.kills === undefined ? null : killAgainAndAgain(run.kills, run);
const outcomes: Outcome[] = [];
if (run.oneByOne === undefined) outcomes.push(...(await Promise.all(run.sessions.map(play))));
else
  for (const session of run.sessions) {
    await pause(run.oneByOne);
    outcomes.push(await play(session));
  }
for (const { project } of run.sessions) openAllGates(project);
// Asynchronous hooks get time to finish writing.
if (run.oneByOne === undefined) await becomes(() => otherProcesses().every(isBackground), 20_000);
await stopKilling?.();
writeFileSync(join(run.folder, 'outcomes.json'), JSON.stringify(outcomes));
process.exit(0);

/** What is to live on after a session. */
function isBackground({ command }: RunningProcess): boolean {
  return run.kills !== undefined && command.includes(run.kills.processes);
}

type Ended = Omit<Outcome, 'ms'>;

async function play(session: Session): Promise<Outcome> {
  const { name, project, script } = session;
  prepareGates(project);
  const folder = join(run.folder, name);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const model = await startModel({
    script,
    protocol: anthropic,
    record: join(folder, 'requests.jsonl'),
    pass: (gate) => passGate(project, gate),
  });
  const environment = {
    HOME: run.home,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    ...(run.worker === true ? {} : { ANNALS_WORKER: 'off' }),
    LANG: 'C.UTF-8',
    TMPDIR: temporary,
    TERM: session.keys === undefined ? 'dumb' : 'xterm-256color',
    ...session.environment,
    [session.addressVariable]: model.address,
  };
  for (const { gate, when } of session.opens ?? [])
    becomes(() => wasReported(when)).then(() => openGate(project, gate));
  const began = performance.now();
  const outcome =
    session.keys === undefined ? print(session, environment, folder) : talk(session, environment, folder);
  const ended = await outcome.finally(() => model.close());
  return { ...ended, ms: performance.now() - began };
}

async function print(session: Session, env: Record<string, string>, folder: string): Promise<Ended> {
  const [program = '', ...words] = session.command;
  const files = ['stdout', 'stderr'].map((name) => openSync(join(folder, name), 'w'));
  // Its own process group, so that a kill includes what the agent started in it.
  const child = spawn(program, words, {
    cwd: session.project,
    env,
    detached: true,
    stdio: ['ignore', ...files],
  });
  for (const descriptor of files) closeSync(descriptor);
  let exit: string | null = null;
  child.on('error', (error) => {
    exit = error.message;
  });
  child.on('exit', (code, signal) => {
    exit = signal ?? String(code);
  });
  const { killAt } = session;
  if (killAt !== undefined) {
    await becomes(() => isReached(session.project, killAt) || exit !== null);
    if (exit === null) process.kill(-child.pid!, 'SIGKILL');
  }
  const ended = await becomes(() => exit !== null);
  return { name: session.name, exit, problems: ended ? [] : ['The agent did not end.'] };
}

async function talk(session: Session, env: Record<string, string>, folder: string): Promise<Ended> {
  const terminal = openTerminal(session, env, folder, wasReported);
  const problems: string[] = [];
  for (const key of session.keys ?? []) {
    const missed = await terminal.act(key);
    if (missed === null) continue;
    problems.push(`${missed}\n${terminal.screen()}`);
    break;
  }
  if (session.killAt !== undefined) {
    if (!(await becomes(() => isReached(session.project, session.killAt!))))
      problems.push('Nothing to kill at.');
    const agents = otherProcesses().filter(({ command }) => command.startsWith(session.command[0]!));
    for (const { id } of agents) process.kill(id, 'SIGKILL');
  }
  if (problems.length === 0 && !(await becomes(() => !terminal.isRunning())))
    problems.push(`The agent did not end.\n${terminal.screen()}`);
  terminal.close();
  return { name: session.name, exit: null, problems };
}
