import type { Sample } from '../common/sample.ts';
import { execOutput, paginated, THREAD } from './rollout.ts';

export const sample: Sample = {
  path: `/home/u/.codex/sessions/2026/11/22/rollout-2026-11-22T18-00-00-${THREAD}.jsonl`,
  lines: paginated()
    .called('call_1', 'exec_command', { cmd: 'npm test' })
    .answered('call_1', execOutput('1 failed', 'Process exited with code 1'))
    .said('One test fails.', 'msg_2').lines,
  prompt: 'Make the tests pass',
  counts: { toolUses: 1, replies: 2 },
};
