import { expect, test } from 'vitest';
import { hooks } from '../../src/agents/codex/hooks.ts';
import type { ContextAnswer } from '../../src/api.ts';
import { startAnswer } from '../../src/brief/start-answer.ts';

const context = (text: string): ContextAnswer => ({
  text,
  tokens: 1,
  project: 'feeder',
  items: [],
  degraded: [],
  pausedBecause: null,
});

test('A text that the agent would cut is not printed, and one that it takes whole is', () => {
  const longest = 'ö'.repeat(5_000);
  expect(JSON.parse(startAnswer(hooks, context(longest)))).toMatchObject({
    hookSpecificOutput: { additionalContext: longest },
  });
  expect(startAnswer(hooks, context(`${longest}x`))).toBe('');
});

test('Nothing is printed when nothing is known', () => {
  expect(startAnswer(hooks, context(''))).toBe('');
});
