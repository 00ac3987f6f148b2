// The short part of the suite of real agents, inside `npm test`: two sessions of the newest pinned Claude Code without
// a terminal. Skipped when the machine cannot isolate an agent from the network, or the registry does not provide it.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeProgram, PACKAGE, printSession, toolsIn } from './claude-code.ts';
import { installAgent } from './install-agent.ts';
import { missingForAgents } from './machine.ts';
import { recordedPayloads, unknownInPayloads, unknownInTranscripts } from './record.ts';
import { createFailEdit } from './sessions.ts';
import { NEWEST_PINNED, VERSIONS } from './versions.ts';
import { filesHolding, makeView, type View } from './views.ts';
import { type AgentWorld, makeWorld } from './world.ts';

const program = programOf();
if ('missing' in program) process.stdout.write(`Skipped: sessions of a real agent. ${program.missing}\n`);

describe.skipIf('missing' in program)(`Two sessions of Claude Code ${NEWEST_PINNED}`, () => {
  let world: AgentWorld;
  let hooks: View;
  let both: View;
  let transcripts: View;
  beforeAll(async () => {
    if ('missing' in program) return;
    world = makeWorld(program.path);
    await world.run(createFailEdit(world), privateSession(world));
    hooks = await makeView(world, 'hooks alone');
    both = await makeView(world, 'hooks and import');
    transcripts = await makeView(world, 'import alone');
  });
  afterAll(() => {
    if (world !== undefined) rmSync(world.folder, { recursive: true, force: true });
  });

  test('send hooks only known fields', () => {
    expect(unknownInPayloads(recordedPayloads(world.payloads))).toEqual([]);
  });

  test('write only known transcript lines', () => {
    expect(unknownInTranscripts(world.transcripts)).toEqual([]);
  });

  test('are the same from hooks, from transcripts and from both', () => {
    const public_ = hooks.turns.filter(({ prompt }) => prompt !== '[private]');
    expect(public_).toMatchObject([
      {
        prompt: 'Write a greeting into hello.txt',
        answer: 'The greeting says good day now.',
        tools: { length: 5 },
      },
    ]);
    expect(both.turns).toEqual(hooks.turns);
    expect(transcripts.turns).toEqual(hooks.turns);
  });

  test('leave no private text, an empty spool and a valid home', () => {
    for (const { home, spool, problems } of [hooks, both, transcripts])
      expect({ found: filesHolding(home, 'HUSHED'), spool, problems }).toEqual({
        found: [],
        spool: [],
        problems: [],
      });
  });
});

function privateSession({ program: path, project }: AgentWorld) {
  const tools = toolsIn(project('p2'));
  return printSession({
    program: path,
    name: 'private',
    project: project('p2'),
    prompt: '<private>Note the word HUSHEDPLUM</private>',
    script: {
      steps: [{ say: 'I note HUSHEDPLUM.', use: [tools.write('fruit.txt', 'HUSHEDPLUM\n')] }],
      final: 'HUSHEDPLUM is noted.',
    },
  });
}

/** The agent's program, or why there is none. */
function programOf(): { readonly path: string } | { readonly missing: string } {
  if (VERSIONS.length === 0) return { missing: 'ANNALS_TEST_AGENT_VERSIONS is none.' };
  const missing = missingForAgents();
  if (missing !== null) return { missing };
  const installed = installAgent(PACKAGE, NEWEST_PINNED);
  return 'missing' in installed ? installed : { path: claudeProgram(installed.folder) };
}
