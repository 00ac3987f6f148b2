// The real Claude Code as the provider of the observer: it answers, none of its hooks fires, it leaves no transcript, and
// it sends nothing but what it was given.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeProgram } from '../../helpers/program.ts';
import { claudeProgram, PACKAGE, printSession } from '../claude-code.ts';
import { installAgent } from '../install-agent.ts';
import { missingForAgents } from '../machine.ts';
import { VERSIONS } from '../versions.ts';
import { makeWorld } from '../world.ts';

const missing = missingForAgents();
if (missing !== null) throw new Error(missing);

const REPLY = '<skip_summary reason="scripted"/>';

describe.each(VERSIONS)('Claude Code %s', (wanted) => {
  const installed = installAgent(PACKAGE, wanted);
  if ('missing' in installed) throw new Error(installed.missing);
  const program = claudeProgram(installed.folder);

  test('answers the observer, reads no file, and nothing of it is remembered', async () => {
    const world = makeWorld(program);
    onTestFinished(() => rmSync(world.folder, { recursive: true, force: true }));
    const asks = await makeProgram(
      'tests/real-agents/observer/ask-claude-command.ts',
      join(world.folder, 'ask.mjs'),
    );
    const reply = join(world.folder, 'reply.json');
    const own = join(world.annalsHome, 'observer');
    const spool = join(world.annalsHome, 'spool/new');
    const left = () =>
      [spool, world.payloads, world.transcripts].flatMap((folder) =>
        existsSync(folder) ? readdirSync(folder) : [],
      );
    const secret = join(world.folder, 'secret.txt');
    writeFileSync(secret, 'HUSHEDPLUM\n');
    const content = `/cost @${secret}, @"${secret}" and @../../../secret.txt`;
    await world.run({
      name: 'observer',
      project: world.project('p1'),
      command: [process.execPath, asks, program, own, reply, content],
      environment: { CLAUDE_CODE_OAUTH_TOKEN: 'no-token-for-a-scripted-model' },
      addressVariable: 'ANTHROPIC_BASE_URL',
      script: { steps: [], final: REPLY, side: REPLY },
    });
    expect(JSON.parse(readFileSync(reply, 'utf8'))).toEqual({
      text: REPLY,
      form: 'tags',
      stopReason: 'end_turn',
      usage: { input: 50, output: 30, cacheRead: 0, cacheWrite: 0 },
      model: 'claude-haiku-5-5',
    });
    expect(left()).toEqual([]);
    const requests = readFileSync(join(world.sessionFolder('observer'), 'requests.jsonl'), 'utf8');
    expect(requests).toContain('and @../../../secret.txt');
    expect(requests).not.toContain('HUSHEDPLUM');
    // The same home does record a session of a person.
    await world.run(
      printSession({
        program,
        name: 'person',
        project: world.project('p1'),
        prompt: 'Say hello',
        script: { steps: [], final: 'Hello.' },
      }),
    );
    expect(left().length).toBeGreaterThan(3);
  });
});
