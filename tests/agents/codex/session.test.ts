// A session of Codex in a home: imported, listed, searched.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedFolder, withHome } from '../../e2e/homes.ts';
import { execOutput, Rollout, THREAD, TURN } from './rollout.ts';

const folder = sharedFolder('codex-session');

function fixedTest(): Rollout {
  const usage = { input_tokens: 90, cached_input_tokens: 60, output_tokens: 7 };
  return new Rollout()
    .meta({ history_mode: 'paginated' })
    .turn()
    .prompted('Why does the feeder jam at night?')
    .called('call_0000000000000001', 'exec_command', { cmd: 'npm test' })
    .line('token_usage_record', { turn_id: TURN, response_id: 'resp_1', usage })
    .command('call_0000000000000001', { status: 'failed', exit_code: 1 })
    .answered('call_0000000000000001', execOutput('1 failed, 11 passed\n', 'Process exited with code 1'))
    .patched('call_0000000000000002', '*** Begin Patch\n*** Update File: chute.ts\n@@\n-5\n+9\n*** End Patch')
    .item({ type: 'FileChange', id: 'call_0000000000000002', status: 'completed', changes: {} })
    .answered('call_0000000000000002', 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.')
    .said('The chute was too narrow because frost builds up in it. I widened it to 9 centimetres.', 'msg_1');
}

it('An imported rollout has its prompt, tool uses and answer, and no line for a report of usage', async () => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-2026-11-22T18-00-00-${THREAD}.jsonl`);
  writeFileSync(
    path,
    fixedTest()
      .lines.map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  await withHome(join(folder, 'home'), async (annals) => {
    await annals.import([path]);
    const session = (await annals.get(THREAD)).details as unknown as { turns: { id: string }[] };
    const turn = (await annals.get(session.turns[0]!.id)).details as unknown as Record<string, unknown>;
    expect((turn.items as { kind: string; text: string }[]).map(({ kind, text }) => [kind, text])).toEqual([
      ['prompt', 'Why does the feeder jam at night?'],
      ['tool', 'exec_command npm test → failed: Exit code 1 1 failed, 11 passed'],
      ['tool', 'apply_patch chute.ts → ok'],
      ['reply', 'The chute was too narrow because frost builds up in it. I widened it to 9 centimetres.'],
    ]);
    expect(turn.usage).toMatchObject({ input: 30, output: 7, cacheRead: 60 });
    const { rows } = await annals.timeline({ limit: 10 });
    expect(rows.find(({ kind }) => kind === 'observation')).toBeDefined();
  });
});
