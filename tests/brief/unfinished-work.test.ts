// How a brief shows a turn without an end: as unfinished, and without an outcome.
import { expect, it } from 'vitest';
import type { PromptLine } from '../../projections/index.ts';
import { observation, promptLine, START, summary, told, WORKDIR } from '../projections/context/rows.ts';
import { agentText, materialOf } from './material.ts';

const NO_END = 'no end of this turn was recorded';

it.each(['startup', 'resume'] as const)(
  'At %s the brief shows nothing as done for an unfinished turn',
  async (occasion) => {
    const rows = [told(observation(1)), told(summary(1, { unfinished: true }))];
    const text = agentText(await materialOf(rows, { occasion, sessionId: 'session-0' }));
    expect(text).toContain(`Unfinished: ${NO_END}`);
    expect(text).toContain('Done so far: The b feeder opens in time');
    expect(text).not.toContain('Done: ');
    const finished = agentText(
      await materialOf([told(observation(1)), told(summary(1))], { occasion, sessionId: 'session-0' }),
    );
    expect(finished).toContain('Done: The b feeder opens in time');
    expect(finished).not.toMatch(/unfinished|Done so far/i);
  },
);

it('A turn that the person stopped, or that has no end on record, is not done', async () => {
  const shown = async (end: 'stopped' | null) =>
    agentText(await materialOf([told(observation(1)), told(summary(1, { end }))]));
  expect(await shown('stopped')).toMatch(
    /Stopped: the person stopped this turn[^\n]*\n {2}Done so far: The b/,
  );
  expect(await shown(null)).toMatch(/Answer: no answer at the end[^\n]*\n {2}Done so far: The b/);
});

it('A prompt typed while the agent was at work is shown with those that it was at work on, answered or not', async () => {
  const asked = { request: 'Please teach the copper lamp about weather', end: null };
  const rows = [summary(1, { request: 'Oil it', end: 'answered' }), summary(2, asked)];
  const shown = async (end: 'answered' | null) =>
    agentText(
      await materialOf([...rows, summary(3, { end, request: 'No seasons though' })].map((row) => told(row))),
    );
  const before = `Asked before it, no answer at its end: [user] ${asked.request}`;
  expect(await shown(null)).toContain(before);
  expect(await shown('answered')).toContain(before);
  expect(await shown(null)).not.toContain('Oil it');
});

it('A word by which the person goes on with a stopped turn is shown with what was asked in that turn', async () => {
  const asked = { request: 'Please teach the copper lamp about weather', end: 'stopped' } as const;
  const shown = async (request: string) =>
    agentText(await materialOf([told(summary(2, asked)), told(summary(3, { end: 'answered', request }))]));
  const before = `Asked before it, stopped: [user] ${asked.request}`;
  for (const request of ['check again', 'Please continue, the network is better now', 'ok, go on'])
    expect(await shown(request)).toContain(before);
  const another = summary(1, { request: 'Oil the copper lamp', end: 'stopped' });
  const both = [another, summary(2, asked), summary(3, { end: 'answered', request: 'go on' })];
  expect(agentText(await materialOf(both.map((row) => told(row))))).not.toContain('Oil the');
  for (const request of ['No, oil it', 'Run the tests', 'Add a check'])
    expect(await shown(request)).not.toContain(before);
});

it('A request that the person stopped at the end of an earlier session is open', async () => {
  const request = 'Please teach the copper lamp about weather, seasons and holidays';
  const rows = [told(observation(1)), told(summary(1, { request, end: 'stopped' })), told(summary(11))];
  expect(agentText(await materialOf(rows))).toContain(`“${request}” → the person stopped this turn`);
});

it('What another session left is below that session, which is called earlier if something was asked between', async () => {
  const prompt = promptLine(11);
  const recentPrompts = [{ prompt, cut: null, answer: 'It stands by the door.', onTheWay: false }];
  const sessions = new Map([['session-0', { title: 'Hatch', branch: null, turns: 3 }]]);
  const shown = async (...between: PromptLine[]) => {
    const prompts = [prompt, ...between, promptLine(1)];
    const rows = [told(observation(1)), told(summary(1))];
    return agentText(await materialOf(rows, { recentPrompts, sessions, prompts }));
  };
  const before = /Session before that: Hatch, 3 turns \(session-[^\n]*\n[^\n]*Asked before that: /;
  expect(await shown()).toMatch(before);
  expect(await shown(promptLine(2, { text: '/exit' }))).toMatch(before);
  expect(await shown(promptLine(5, { session: 'another' }))).toMatch(
    /Earlier session: Hatch, 3 turns \(session-[^\n]*\n[^\n]*Asked earlier: /,
  );
});

it('Only words of the agent are marked as quoted', async () => {
  const shown = async (completed: string, facts: readonly string[] = []) =>
    agentText(await materialOf([told(observation(1, { facts })), told(summary(1, { completed }))]));
  expect(await shown('“The hatch opens.”')).toContain('Done: [agent] The hatch opens.');
  expect(await shown('Changed hatch.ts.')).toContain('Done: Changed hatch.ts.');
  const refused = 'src/lamp_of_dusk.ts was not written: its writing was refused or failed';
  expect(await shown('“The hatch opens.”', [refused])).toContain(`Also: ${refused}`);
});

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
      await materialOf([], {
        recentPrompts: [{ prompt, cut: answer === null ? null : 'unfinished', answer, onTheWay: false }],
      }),
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
