// The real Claude Code with recall switched on: part of `npm run test:agents`. What earlier sessions know must be in the
// model's request after a prompt, after an error and before a file is read. An answer that takes longer than 50 ms is left out, so on a busy
// machine a session is tried again.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND } from '../../e2e/command.ts';
import { claudeProgram, PACKAGE, printSession, toolsIn } from '../claude-code.ts';
import { installAgent } from '../install-agent.ts';
import { missingForAgents } from '../machine.ts';
import { NEWEST_PINNED } from '../versions.ts';
import { type AgentWorld, makeWorld } from '../world.ts';

const TRIES = 6;
const PROMPT = 'Why does frost close the chute of the feeder below minus five degrees?';
const CHECK = `[ -e week.txt ] || { echo 'Error: week 53 is missing from the feeding table' >&2; exit 1; }\n`;

const missing = missingForAgents();
if (missing !== null) throw new Error(missing);
const installed = installAgent(PACKAGE, NEWEST_PINNED);
if ('missing' in installed) throw new Error(installed.missing);
const program = claudeProgram(installed.folder);

describe(`Claude Code ${NEWEST_PINNED} with recall`, () => {
  let world: AgentWorld;
  beforeAll(async () => {
    world = makeWorld(program);
    writeFileSync(join(world.project('p1'), 'check.sh'), CHECK);
    writeFileSync(join(world.project('p1'), 'birds.txt'), 'tit\nfinch\n');
    const tools = toolsIn(world.project('p1'));
    await world.run(
      printSession({
        ...{ program, name: 'earlier', project: world.project('p1'), prompt: 'Check the feeding table' },
        script: {
          steps: [
            { use: [tools.shell('sh check.sh')] },
            { say: 'The table has no week 53.', use: [tools.write('week.txt', '53\n')] },
            { use: [tools.shell('sh check.sh')] },
          ],
          final: 'Added week 53 to the feeding table: long years have 53 weeks.',
        },
      }),
    );
    annals([
      'save',
      '--title',
      'Frost closes the chute of the feeder below minus five degrees',
      '--text',
      'Heat the hinge.',
    ]);
    annals(['save', '--title', 'Never sort birds.txt', '--text', 'Its order is the order of feeding.']);
    annals(['config', 'set', 'recall.prompt', 'true']);
    annals(['config', 'set', 'recall.edit', 'true']);
    annals(['config', 'set', 'recall.error', 'true']);
    annals(['install', 'claude-code', '--yes']);
    annals(['worker', 'start']);
    annals(['search', 'week 53']);
  });
  afterAll(() => {
    annals(['worker', 'stop']);
    rmSync(world.folder, { recursive: true, force: true });
  });

  const annals = (words: readonly string[]) =>
    execFileSync(process.execPath, [COMMAND, ...words], {
      cwd: world.project('p1'),
      env: { PATH: process.env.PATH, HOME: world.home },
      encoding: 'utf8',
    });

  /** The requests of a session that fails in the same way, tried until one holds the text. */
  async function requestsWith(text: string): Promise<string> {
    const tools = toolsIn(world.project('p1'));
    let requests = '';
    for (let count = 1; count <= TRIES && !requests.includes(text); count++) {
      const name = `later-${text.length}-${count}`;
      rmSync(join(world.project('p1'), 'week.txt'), { force: true });
      await world.run(
        printSession({
          ...{ program, name, project: world.project('p1'), prompt: PROMPT },
          script: {
            steps: [{ use: [tools.shell('sh check.sh')] }, { use: [tools.read('birds.txt')] }],
            final: 'I see.',
          },
        }),
      );
      requests = readFileSync(join(world.sessionFolder(name), 'requests.jsonl'), 'utf8');
    }
    return requests;
  }

  test('gives the model what bears on a prompt', async () => {
    expect(await requestsWith('UserPromptSubmit hook additional context: <annals-context')).toContain(
      'Heat the hinge.',
    );
  });

  test('gives the model what fixed an error before', async () => {
    const requests = await requestsWith('passed after edits to');
    expect(requests).toContain('week 53 is missing from the feeding table → passed after edits to');
  });

  test('gives the model what is known of a file that it reads', async () => {
    expect(await requestsWith('PreToolUse:Read hook additional context: <annals-context')).toContain(
      'Never sort birds.txt',
    );
  });

  test('records what it gave, and captures nothing of it', () => {
    annals(['import', world.transcripts]);
    expect(annals(['log', '--type', 'context.injected', '--json'])).toContain('"occasion":"prompt"');
    expect(annals(['search', '"passed after edits to"', '--json'])).not.toContain('annals-context');
    expect(existsSync(join(world.annalsHome, 'recall-prompt'))).toBe(true);
  });
});
