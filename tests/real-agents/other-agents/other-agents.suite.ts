// Real agents other than Claude Code with the hooks of Annals: part of `npm run test:agents`. Hooks, transcripts and both
// together must give the same history, nothing private may be on disk, and a session must be told about those before it.
// Skipped, with a message, where the shared data or an agent are missing.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentNamed } from '../../../src/agents/index.ts';
import { missingForAgents } from '../machine.ts';
import { filesHolding, makeView, type Turn, VIEWS, type View, type ViewName } from '../views.ts';
import { installedVersion, type KitWorld, kitFolder, makeKitWorld, type Step } from './kit.ts';

const SECRET = 'osprey';

interface Agent {
  readonly name: string;
  /** What hooks alone do not say: the agent's answers, or how a command ended. */
  readonly missingInHooks?: 'answers' | 'commands';
}

const AGENTS: readonly Agent[] = [
  { name: 'codex', missingInHooks: 'commands' },
  { name: 'gemini-cli', missingInHooks: 'answers' },
  { name: 'opencode' },
  { name: 'copilot', missingInHooks: 'answers' },
  { name: 'qwen-code' },
];

const STEPS: readonly Step[] = [
  { say: 'I write the greeting.', tool: 'write', input: { path: 'hello.txt', content: 'hello\n' } },
  { say: 'Now a command that fails.', tool: 'shell', input: { command: 'cat missing.txt' } },
  { say: 'The file is missing.', tool: 'write', input: { path: 'missing.txt', content: 'found\n' } },
  { say: 'Again.', tool: 'shell', input: { command: 'cat missing.txt' } },
  { say: 'I change it.', tool: 'edit', input: { path: 'hello.txt', old: 'hello', new: 'good day' } },
];

const missing = missingForAgents();
const runnable = AGENTS.filter(({ name }) => {
  const why = missing ?? (kitFolder === null ? 'The shared data are missing.' : null);
  const notInstalled = installedVersion(name) === null ? `${name} is not installed.` : null;
  if ((why ?? notInstalled) !== null) process.stdout.write(`${name} is skipped: ${why ?? notInstalled}\n`);
  return (why ?? notInstalled) === null;
});

describe.skipIf(runnable.length === 0).each(runnable)('The real $name', ({ name, missingInHooks }) => {
  let world: KitWorld;
  let second: readonly string[];
  const views = new Map<ViewName, View>();
  const userHome = process.env.HOME;
  beforeAll(async () => {
    world = makeKitWorld(name);
    // What adapters look up below the user's home is the agent's.
    process.env.HOME = world.home;
    world.run({
      prompt: 'Write a greeting into hello.txt',
      steps: STEPS,
      final: 'The greeting says good day now.',
    });
    world.run({
      prompt: 'Say what it says',
      steps: [{ tool: 'shell', input: { command: 'cat hello.txt' } }],
      final: 'It says good day.',
      goesOn: true,
    });
    world.run({
      prompt: `<private>Write ${SECRET} into secret.txt</private>`,
      steps: [{ tool: 'write', input: { path: 'secret.txt', content: `${SECRET}\n` } }],
      final: `The ${SECRET} is written.`,
    });
    second = world.run({ prompt: 'What did we do?' });
    world.exportSessions();
    for (const view of Object.keys(VIEWS) as ViewName[]) views.set(view, await makeView(world, view));
  }, 600_000);
  afterAll(() => {
    process.env.HOME = userHome;
    if (process.env.ANNALS_TEST_KEEP === '1') process.stdout.write(`Kept: ${world.folder}\n`);
    else rmSync(world.folder, { recursive: true, force: true });
  });

  test.each(Object.keys(VIEWS) as ViewName[])('gives a valid home: %s', (name) => {
    const view = views.get(name)!;
    expect(view.problems).toEqual([]);
    expect(view.spool).toEqual([]);
    expect(filesHolding(view.home, SECRET)).toEqual([]);
  });

  test.each((Object.keys(VIEWS) as ViewName[]).slice(1))(
    'gives the same turns as hooks alone: %s',
    (view) => {
      const turnsIn = (one: ViewName) =>
        views.get(one)!.turns.map((turn) => withoutMissing(turn, missingInHooks));
      const ofHooks = turnsIn('hooks alone');
      const sessions = new Set(ofHooks.map(({ session }) => session));
      // The first session ran before the hooks were installed.
      expect(turnsIn(view).filter(({ session }) => sessions.has(session))).toEqual(ofHooks);
    },
  );

  test('says which command failed and which did not', () => {
    const tools = views.get('hooks and import')!.turns.flatMap((turn) => turn.tools);
    const runs = tools.filter((tool) => tool.includes('cat missing.txt'));
    expect(runs.map((tool) => / → failed$/.test(tool)).sort()).toEqual([false, true]);
  });

  test('tells the next session, whole', () => {
    const asked = second.find((body) => body.includes('annals-context project='))!;
    expect(asked).toContain(
      missingInHooks === 'answers' ? 'Write a greeting' : 'The greeting says good day now.',
    );
    expect(asked).toMatch(/(?:<|&lt;|\\u003c)\/annals-context(?:>|&gt;|\\u003e)/);
    const { contextMax } = agentNamed(name)!.hooks!;
    const start = asked.indexOf('annals-context project=');
    expect(Buffer.byteLength(asked.slice(start, asked.indexOf('/annals-context')))).toBeLessThan(contextMax);
  });
});

function withoutMissing(turn: Turn, missingInHooks: Agent['missingInHooks']): Turn {
  if (missingInHooks === 'answers') return { ...turn, answer: null };
  if (missingInHooks !== 'commands') return turn;
  // Codex calls the tool by another name in its hooks.
  const tools = turn.tools.map((tool) => tool.replace(/^(?:Bash|exec_command) (.*) → .*$/, 'command $1'));
  return { ...turn, tools: tools.sort() };
}
