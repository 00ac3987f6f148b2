import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import type { Sample } from '../common/sample.ts';

export const line = (role: string, ...texts: readonly string[]): JsonObject => ({
  role,
  message: { content: texts.map((text) => ({ type: 'text', text })) },
});

export const sample: Sample = {
  path: '/home/u/.cursor/projects/home-u-app/agent-transcripts/13e662e2/13e662e2.jsonl',
  lines: [
    line(
      'user',
      '<external_links>\n<user_query>\nA page\n</external_links>\n<user_query>\nRun the tests\n</user_query>',
    ),
    {
      role: 'assistant',
      message: {
        content: [
          { type: 'text', text: 'I run them.' },
          { type: 'tool_use', name: 'Shell', input: { command: 'npm test' } },
        ],
      },
    },
    line('assistant', 'One test fails.'),
  ],
  prompt: 'Run the tests',
  counts: { toolUses: 0, replies: 2 },
};
