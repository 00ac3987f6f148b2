import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import type { Sample } from '../common/sample.ts';

const line = (type: string, data: JsonObject, index: number): JsonObject => ({
  ...{ type, data, id: `l${index}`, timestamp: `2026-11-22T18:15:1${index}.000Z`, parentId: null },
});

export const sample: Sample = {
  path: '/home/u/.copilot/session-state/s1/events.jsonl',
  lines: (
    [
      [
        'session.start',
        {
          sessionId: 's1',
          producer: 'copilot-agent',
          copilotVersion: '1.0.102',
          context: { cwd: '/home/u/app' },
        },
      ],
      ['user.message', { content: 'Run the tests', interactionId: 'i1' }],
      ['assistant.message', { content: 'I run them.', interactionId: 'i1' }],
      ['tool.execution_start', { toolCallId: 'c1', toolName: 'bash', arguments: { command: 'npm test' } }],
      [
        'tool.execution_complete',
        { toolCallId: 'c1', success: true, shellExecution: { exitCode: 1 }, result: { content: '1 failed' } },
      ],
      ['assistant.message', { content: 'One test fails.', interactionId: 'i1' }],
    ] as const
  ).map(([type, data], index) => line(type, data, index)),
  prompt: 'Run the tests',
  counts: { toolUses: 1, replies: 2 },
};
