// Items that only hooks reported find their prompt among several of one run by the times at which the agent saw each.
import { describe, expect, test } from 'vitest';
import type { PromptReport, StopReport, ToolReport } from '../../../projections/sessions/session-rows.ts';
import { Skeleton } from '../../../projections/sessions/skeleton.ts';

const prompt = (
  text: string,
  at: number,
  promptId: string,
  more: Partial<PromptReport> = {},
): PromptReport => ({
  event: `p ${text} ${more.via ?? 'hook'}`,
  channel: more.via === undefined ? 'hook' : 'transcript',
  dedupeKey: text,
  at,
  promptId,
  via: 'hook',
  kind: 'prompt',
  text,
  ...more,
});
const tool = (id: string, began: number, ended: number, promptId: string): ToolReport => ({
  event: id,
  channel: 'hook',
  dedupeKey: id,
  at: ended,
  endedAt: ended,
  durationMs: ended - began,
  promptId,
  name: 'Bash',
  input: {},
  outcome: 'ok',
});
const stop = (text: string, at: number, promptId: string): StopReport => ({
  event: text,
  channel: 'hook',
  dedupeKey: text,
  at,
  promptId,
  reason: 'stop',
  text,
});

/** The prompt of each item, the same in both orders of the reports. */
async function turns(
  prompts: PromptReport[],
  tools: ToolReport[],
  stops: StopReport[],
): Promise<Record<string, string>> {
  const texts = new Map(prompts.map(({ event, text }) => [event, text]));
  const of = async (reversed: boolean) => {
    const skeleton = new Skeleton('claude-code', 's');
    const reports = [
      ...prompts.map((one) => ['prompt', one] as const),
      ...tools.map((one) => ['tool', one] as const),
      ...stops.map((one) => ['stop', one] as const),
    ];
    const change = { milestones: [], reports: reversed ? reports.toReversed() : reports };
    await skeleton.change({ ...change, forgottenPrompts: [], forgotten: new Set() }, async () => []);
    const items = [...skeleton.items.values()];
    const promptOf = new Map(
      items.flatMap((item) => (item.kind === 'prompt' ? [[item.turn, texts.get(item.heads[0]!.event)]] : [])),
    );
    const others = items.filter((item) => item.kind !== 'prompt');
    return Object.fromEntries(
      others.map((item) => [item.heads[0]!.dedupeKey, promptOf.get(item.turn) ?? '']).sort(),
    );
  };
  expect(await of(true)).toEqual(await of(false));
  return of(false);
}

describe('An item of a run with several prompts, reported by hooks only,', () => {
  const slow = prompt('slow', 0, 'run');
  const typed = prompt('typed meanwhile', 2_000, 'run');

  test('belongs to the prompt typed during the run once a tool use has ended after that prompt', async () => {
    const tools = [tool('first', 100, 4_000, 'run'), tool('second', 4_100, 4_500, 'run')];
    expect(await turns([slow, typed], tools, [stop('both', 5_000, 'run')])).toEqual({
      both: 'typed meanwhile',
      first: 'slow',
      second: 'typed meanwhile',
    });
  });

  test('belongs to the first prompt when no tool use ended: the other one is sent again in its own run', async () => {
    const sentOn = prompt('typed meanwhile', 5_100, 'next', { via: 'line', offset: 90 });
    const stops = [stop('one', 5_000, 'run'), stop('two', 6_000, 'next')];
    expect(await turns([slow, typed, sentOn], [], stops)).toEqual({ one: 'slow', two: 'typed meanwhile' });
  });

  test('belongs to the fork’s own prompt when all copied lines have the promptId of that prompt', async () => {
    const copied = prompt('copied', -60_000, 'run', { via: 'line', offset: 0 });
    const own = prompt('slow', 10, 'run', { via: 'line', offset: 50 });
    expect(await turns([copied, own, slow], [], [stop('own', 1_000, 'run')])).toEqual({ own: 'slow' });
  });
});

test('A prompt typed during a run whose line is where the agent got it is answered from there on', async () => {
  const typed = prompt('spawn one more', 6_000, 'run', { via: 'line', offset: 60 });
  const asked = [prompt('go', 0, 'run', { via: 'line', offset: 0 }), typed];
  const tools = [tool('first', 100, 5_000, 'run'), tool('spawned', 6_100, 9_000, 'run')];
  expect(await turns(asked, tools, [stop('working', 9_500, 'run')])).toEqual({
    first: 'go',
    spawned: 'spawn one more',
    working: 'spawn one more',
  });
});

test('A shell command with the promptId of the previous run has its own answer', async () => {
  const shell = prompt('!ls', 6_000, 'run', { via: 'line', kind: 'command' });
  const ends = [stop('first answer', 5_000, 'run'), stop('what the shell said', 7_000, 'run')];
  const asked = [prompt('go', 0, 'run'), prompt('go', 10, 'run', { via: 'line' }), shell];
  expect(await turns(asked, [], ends)).toEqual({
    'first answer': 'go',
    'what the shell said': '!ls',
  });
});
