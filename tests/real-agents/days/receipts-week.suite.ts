// Some days of the real Claude Code with memories that it is given: part of `npm run test:agents`. The receipts must add up to
// the events, what was opened must count as used, and what never was must lose its place.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LogEvent } from '../../../log/index.ts';
import type { ReceiptsAnswer } from '../../../src/api.ts';
import { COMMAND } from '../../e2e/command.ts';
import { claudeProgram, PACKAGE, printSession, toolsIn } from '../claude-code.ts';
import { installAgent } from '../install-agent.ts';
import { missingForAgents } from '../machine.ts';
import { NEWEST_PINNED } from '../versions.ts';
import { type AgentWorld, makeWorld } from '../world.ts';

const missing = missingForAgents();
if (missing !== null) throw new Error(missing);
const installed = installAgent(PACKAGE, NEWEST_PINNED);
if ('missing' in installed) throw new Error(installed.missing);
const program = claudeProgram(installed.folder);

/** Nine memories for eight places: the first one is the oldest. */
const TREES = ['Alder', 'Birch', 'Cedar', 'Damson', 'Elder', 'Fir', 'Gorse', 'Hazel', 'Iris'];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const OPENS_ON = 'wednesday';

describe(`Days of Claude Code ${NEWEST_PINNED} with memories`, () => {
  let world: AgentWorld;
  let before: string;
  const ids: string[] = [];
  beforeAll(async () => {
    world = makeWorld(program);
    for (const title of TREES) {
      const words = ['save', '--title', title, '--text', `${title} is a tree.`, '--type', 'lesson', '--json'];
      ids.push((JSON.parse(annals(world, words)) as { id: string }).id);
    }
    before = annals(world, ['context', '--agent']);
    for (const day of DAYS) await world.run(daySession(world, day, ids.at(-1)!));
  });
  afterAll(() => rmSync(world.folder, { recursive: true, force: true }));

  test('every request shows what the event names, and the figures add up to the events', () => {
    const lines = annals(world, ['log', '--type', 'context.injected', '--json']).trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as LogEvent<'context.injected'>);
    expect(events.map(({ body }) => body.occasion)).toEqual(DAYS.map(() => 'startup'));
    for (const [index, day] of DAYS.entries()) {
      const requests = readFileSync(join(world.sessionFolder(day), 'requests.jsonl'), 'utf8');
      const shown = events[index]!.body.items!;
      expect(shown.length).toBeGreaterThanOrEqual(8);
      for (const { id } of shown) expect(requests).toContain(id.slice(0, 8));
    }
    const { projects } = JSON.parse(annals(world, ['receipts', '--json'])) as ReceiptsAnswer;
    const shows = events.reduce((sum, { body }) => sum + body.items!.length, 0);
    const tokens = events.reduce((sum, { body }) => sum + body.tokens!, 0);
    expect(projects).toMatchObject([{ injections: DAYS.length, unknown: 0, tokens, shown: shows, used: 1 }]);
    expect(projects[0]!.mostUsed).toMatchObject([{ id: ids.at(-1), title: 'Iris', used: 1, cited: 1 }]);
  });

  test('a memory that no day used loses its place to one that had none', () => {
    expect(before).toContain('Birch');
    expect(before).not.toContain('Alder');
    const after = annals(world, ['context', '--agent']);
    expect(after).toContain('Alder');
    expect(after).not.toContain('Birch');
    annals(world, ['rebuild']);
    expect(annals(world, ['context', '--agent'])).toBe(after);
  });
});

function daySession({ program, project }: AgentWorld, day: string, id: string) {
  const tools = toolsIn(project('p1'));
  const use = [tools.shell(day === OPENS_ON ? `annals show ${id} || true` : 'ls')];
  return printSession({
    program,
    name: day,
    project: project('p1'),
    prompt: `Look at this project on ${day}`,
    more: [],
    script: { steps: [{ say: 'I look.', use }], final: `Nothing new on ${day}.` },
  });
}

function annals(world: AgentWorld, words: readonly string[]): string {
  return execFileSync(process.execPath, [COMMAND, ...words], {
    cwd: world.project('p1'),
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: world.home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
