// Claude Code from npm with the hooks of Annals: `npm run test:agents`. Hooks, transcripts and both together must give
// the same history, without private text, and a version must send nothing unknown to us. docs/real-agents.md says how
// to run it and what to do when it fails.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isKnownEvent } from '../helpers/hooks/known-hook-events.ts';
import { claudeProgram, PACKAGE } from './claude-code.ts';
import { installAgent } from './install-agent.ts';
import { hasTerminal, missingForAgents } from './machine.ts';
import { missingPrompts, withoutMissingPrompts } from './missing-prompts.ts';
import { playPrivateSessions, SECRET } from './private-sessions.ts';
import { eventsInProgram, recordedPayloads, unknownInPayloads, unknownInTranscripts } from './record.ts';
import { playSessions } from './sessions.ts';
import { VERSIONS } from './versions.ts';
import { filesHolding, makeView, VIEWS, type View, type ViewName } from './views.ts';
import { type AgentWorld, makeWorld } from './world.ts';

const missing = missingForAgents();
if (missing !== null) throw new Error(missing);
const terminal = hasTerminal();
if (!terminal) process.stdout.write('There is no tmux here: the sessions in a terminal are skipped.\n');

describe.each(VERSIONS)('Claude Code %s', (wanted) => {
  const installed = installAgent(PACKAGE, wanted);
  if ('missing' in installed) throw new Error(installed.missing);
  const program = claudeProgram(installed.folder);

  test('fires only known hook events', () => {
    expect(eventsInProgram(program).filter((name) => !isKnownEvent(name))).toEqual([]);
  });

  describe.each([
    ['the sessions of a day', playSessions],
    ['a private prompt at every moment', playPrivateSessions],
  ] as const)('in %s', (group, play) => {
    let world: AgentWorld;
    const views = new Map<ViewName, View>();
    beforeAll(async () => {
      world = makeWorld(program);
      await play(world, terminal);
      for (const name of Object.keys(VIEWS) as ViewName[]) views.set(name, await makeView(world, name));
    }, 1_800_000);
    afterAll(() => {
      if (process.env.ANNALS_TEST_KEEP === '1') process.stdout.write(`Kept: ${world.folder}\n`);
      else rmSync(world.folder, { recursive: true, force: true });
    });

    test('sends hooks only known fields', () => {
      expect(unknownInPayloads(recordedPayloads(world.payloads))).toEqual([]);
    });

    test('writes only known transcript lines', () => {
      expect(unknownInTranscripts(world.transcripts)).toEqual([]);
    });

    test.each(Object.keys(VIEWS) as ViewName[])('gives a valid home: %s', (name) => {
      const view = views.get(name)!;
      expect(view.problems).toEqual([]);
      expect(view.spool).toEqual([]);
      expect(filesHolding(view.home, SECRET)).toEqual([]);
    });

    test.each((Object.keys(VIEWS) as ViewName[]).slice(1))(
      'gives the same turns as hooks alone: %s',
      (name) => {
        const ofHooks = views.get('hooks alone')!.turns;
        const { turns, missing } = withoutMissingPrompts(views.get(name)!.turns, ofHooks);
        expect(missing).toEqual(terminal ? missingPrompts(wanted, group) : []);
        expect(turns).toEqual(ofHooks);
      },
    );
  });
});
