// A day of the real Claude Code with a worker that is killed twenty times: part of `npm run test:agents`. What the worker
// recorded must equal what hooks alone and transcripts alone give, each session must be told about those before it, and
// nothing private may be on disk.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND } from '../../e2e/command.ts';
import { claudeProgram, PACKAGE } from '../claude-code.ts';
import { installAgent } from '../install-agent.ts';
import { hasTerminal, missingForAgents } from '../machine.ts';
import { missingPrompts, withoutMissingPrompts } from '../missing-prompts.ts';
import { SECRET } from '../private-sessions.ts';
import { createFailEdit, playSessions } from '../sessions.ts';
import { NEWEST_PINNED } from '../versions.ts';
import { filesHolding, makeView, type View } from '../views.ts';
import { type AgentWorld, makeWorld } from '../world.ts';

const KILLS_MIN = 20;
const EVERY_HOOKS = 2;

const missing = missingForAgents();
if (missing !== null) throw new Error(missing);
const installed = installAgent(PACKAGE, NEWEST_PINNED);
if ('missing' in installed) throw new Error(installed.missing);
const program = claudeProgram(installed.folder);
const terminal = hasTerminal();

/** New sessions, in order: all but the first of each folder follow another one there. */
const FOLLOWERS = [
  'helpers',
  ...(terminal ? ['private-prompts'] : []),
  'parallel-A',
  'killed',
  ...(terminal ? ['mixed'] : []),
  'refused',
  'killed-again',
  'second-elsewhere',
];

describe(`A day of Claude Code ${NEWEST_PINNED} with a worker that is killed`, () => {
  let world: AgentWorld;
  let hooks: View;
  let transcripts: View;
  let live: View;
  beforeAll(async () => {
    world = makeWorld(program, (home) => ({
      processes: 'worker run',
      everyHooks: EVERY_HOOKS,
      restart: [process.execPath, COMMAND, 'worker', 'start'],
      record: join(home, '.kills'),
    }));
    const hooksOnly = recordHooksAlone(world);
    await world.run(createFailEdit(world, [], { name: 'first-elsewhere', at: 'p3' }));
    await playSessions(world, terminal);
    await world.run(createFailEdit(world, [], { name: 'second-elsewhere', at: 'p3' }));
    // What the last kill left, the next worker reads.
    for (const words of [
      ['worker', 'start'],
      ['import', world.transcripts],
      ['worker', 'stop'],
    ])
      annals(world, words);
    hooks = await makeView({ ...world, annalsHome: hooksOnly }, 'hooks alone');
    transcripts = await makeView(world, 'import alone');
    live = await makeView({ ...world, folder: join(world.folder, 'live') }, 'hooks alone');
  });
  afterAll(() => {
    if (process.env.ANNALS_TEST_KEEP === '1') process.stdout.write(`Kept: ${world.folder}\n`);
    else rmSync(world.folder, { recursive: true, force: true });
  });

  test(`kills the worker at least ${KILLS_MIN} times`, () => {
    expect(statSync(join(world.home, '.kills')).size).toBeGreaterThanOrEqual(KILLS_MIN);
  });

  test('gives the same turns as hooks alone and transcripts alone', () => {
    const allowed = terminal ? missingPrompts(NEWEST_PINNED, 'the sessions of a day') : [];
    for (const view of [transcripts, live]) {
      const { turns, missing } = withoutMissingPrompts(view.turns, hooks.turns);
      expect(missing).toEqual(allowed);
      expect(turns).toEqual(hooks.turns);
    }
  });

  test('tells every new session about the earlier ones in its folder', () => {
    const told = FOLLOWERS.filter((name) => firstQuestion(world, name).includes('<annals-context'));
    expect(told).toEqual(FOLLOWERS);
  });

  test('leaves nothing private, an empty spool and a valid home', () => {
    expect({
      found: filesHolding(world.annalsHome, SECRET),
      spool: live.spool,
      problems: live.problems,
    }).toEqual({
      found: [],
      spool: [],
      problems: [],
    });
    expect(existsSync(join(world.annalsHome, 'worker.json'))).toBe(false);
  });
});

/** A second home whose hooks only fill its spool, in the same settings. Returns it. */
function recordHooksAlone(world: AgentWorld): string {
  const other = join(world.folder, 'other');
  const home = join(other, '.annals');
  mkdirSync(other);
  execFileSync(process.execPath, [COMMAND, 'install', 'claude-code', '--yes'], {
    env: { PATH: process.env.PATH, HOME: other },
    stdio: 'pipe',
  });
  const path = join(world.home, '.claude/settings.json');
  const settings = JSON.parse(readFileSync(path, 'utf8')) as Settings;
  const more = (JSON.parse(readFileSync(join(other, '.claude/settings.json'), 'utf8')) as Settings).hooks;
  for (const [event, groups] of Object.entries(more))
    for (const { hooks, ...rest } of groups) {
      const capturing = hooks.filter(({ command }) => !command.includes('session-start'));
      settings.hooks[event] = [...(settings.hooks[event] ?? []), { ...rest, hooks: capturing }];
    }
  writeFileSync(path, JSON.stringify(settings));
  cpSync(path, join(world.folder, 'settings.json'));
  return home;
}

interface Settings {
  readonly hooks: { [event: string]: readonly { readonly hooks: readonly { readonly command: string }[] }[] };
}

function annals(world: AgentWorld, words: readonly string[]): void {
  execFileSync(process.execPath, [COMMAND, ...words], {
    env: { PATH: process.env.PATH, HOME: world.home },
    stdio: 'pipe',
  });
}

/** The first request to the model that is a question with tools, as text. */
function firstQuestion(world: AgentWorld, session: string): string {
  const requests = readFileSync(join(world.sessionFolder(session), 'requests.jsonl'), 'utf8').split('\n');
  return requests.find((line) => line.includes('"tools":[{')) ?? '';
}
