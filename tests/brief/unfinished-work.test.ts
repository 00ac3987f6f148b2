// How a brief shows a turn without an end: as unfinished, and without an outcome.
import { expect, it } from 'vitest';
import type { PromptLine } from '../../projections/index.ts';
import { observation, START, summary, told, WORKDIR } from '../projections/context/rows.ts';
import { agentText, materialOf } from './material.ts';

const NO_END = 'no end of this turn was recorded';

it.each(['startup', 'resume'] as const)(
  'At %s the brief shows nothing as done for an unfinished turn',
  async (occasion) => {
    const rows = [told(observation(1)), told(summary(1, { unfinished: true }))];
    const text = agentText(await materialOf(rows, { occasion, sessionId: 'session-0' }));
    expect(text).toContain(`Unfinished: ${NO_END}`);
    expect(text).toContain('Done so far: [agent] The b feeder opens in time');
    expect(text).not.toContain('Done: ');
    const finished = agentText(
      await materialOf([told(observation(1)), told(summary(1))], { occasion, sessionId: 'session-0' }),
    );
    expect(finished).toContain('Done: [agent] The b feeder opens in time');
    expect(finished).not.toMatch(/unfinished|Done so far/i);
  },
);

it('The text of an unfinished turn without a summary is not shown as its answer', async () => {
  const prompt: PromptLine = {
    kind: 'prompt',
    id: 'p-1',
    workdir: WORKDIR,
    agent: 'claude-code',
    session: 'session-9',
    turn: 't-1',
    at: START,
    title: 'Is the door shut?',
    text: 'Is the door shut?',
    plan: false,
  };
  const at = async (answer: string | null) =>
    agentText(
      await materialOf([], { recentPrompts: [{ prompt, unfinished: true, stopped: false, answer }] }),
    );
  const text = await at('I look at the door.');
  expect(text).toContain('Asked last: [user] Is the door shut?');
  expect(text).toContain(`Unfinished: ${NO_END}`);
  expect(text).toContain('Said on the way: [agent] I look at the door.');
  expect(await at('I look at the door.')).not.toContain('Answer: ');
  expect(await at(null)).toContain('Answer: no answer is on record');
});

it('After a compaction an unfinished piece of work is marked as unfinished', async () => {
  const rows = [told(observation(1)), told(summary(1, { unfinished: true }))];
  const text = agentText(await materialOf(rows, { occasion: 'compact', sessionId: 'session-0' }));
  expect(text).toContain('Summary of the b feeder (unfinished)');
});
