// What only hooks reported finds its prompt among several of one run: by when the agent was shown each.
import { describe, expect, test } from 'vitest';
import type { PromptTelling, StopTelling, ToolTelling } from '../../../projections/turns/rows.ts';
import { emptyTellings, itemsOf } from '../../../projections/turns/session.ts';

const prompt = (
  text: string,
  at: number,
  promptId: string,
  more: Partial<PromptTelling> = {},
): PromptTelling => ({
  event: `p ${text} ${more.via ?? 'hook'}`,
  witness: more.via === undefined ? 'hook' : 'transcript',
  fact: text,
  at,
  promptId,
  via: 'hook',
  kind: 'prompt',
  text,
  ...more,
});
const tool = (id: string, began: number, ended: number, promptId: string): ToolTelling => ({
  event: id,
  witness: 'hook',
  fact: id,
  at: ended,
  endedAt: ended,
  durationMs: ended - began,
  promptId,
  name: 'Bash',
  input: {},
  outcome: 'ok',
});
const stop = (text: string, at: number, promptId: string): StopTelling => ({
  event: text,
  witness: 'hook',
  fact: text,
  at,
  promptId,
  reason: 'stop',
  text,
});

/** `item: prompt` of each, in every order of the tellings. */
function turns(prompts: PromptTelling[], tools: ToolTelling[], stops: StopTelling[]): Record<string, string> {
  const of = (turned: boolean) => {
    const told = emptyTellings('claude-code', 's');
    told.prompts.push(...(turned ? prompts.toReversed() : prompts));
    told.tools.push(...(turned ? tools.toReversed() : tools));
    told.stops.push(...(turned ? stops.toReversed() : stops));
    const items = itemsOf(told);
    const asked = new Map(
      items.flatMap((item) => (item.kind === 'prompt' ? [[item.turn, item.merged.text]] : [])),
    );
    const others = items.filter((item) => item.kind !== 'prompt');
    return Object.fromEntries(
      others.map((item) => [item.tellings[0]!.fact, asked.get(item.turn) ?? '']).sort(),
    );
  };
  expect(of(true)).toEqual(of(false));
  return of(false) as Record<string, string>;
}

describe('What hooks alone report of a run with several prompts', () => {
  const slow = prompt('slow', 0, 'run');
  const typed = prompt('typed meanwhile', 2_000, 'run');

  test('serves the one typed meanwhile once a tool use has ended behind it', () => {
    const tools = [tool('first', 100, 4_000, 'run'), tool('second', 4_100, 4_500, 'run')];
    expect(turns([slow, typed], tools, [stop('both', 5_000, 'run')])).toEqual({
      both: 'typed meanwhile',
      first: 'slow',
      second: 'typed meanwhile',
    });
  });

  test('serves the first when no tool use ended: the other is sent on in a run of its own', () => {
    const sentOn = prompt('typed meanwhile', 5_100, 'next', { via: 'line', offset: 90 });
    const stops = [stop('one', 5_000, 'run'), stop('two', 6_000, 'next')];
    expect(turns([slow, typed, sentOn], [], stops)).toEqual({ one: 'slow', two: 'typed meanwhile' });
  });

  test('serves a fork’s own prompt, whose promptId stands on every line that it copied', () => {
    const copied = prompt('copied', -60_000, 'run', { via: 'line', offset: 0 });
    const own = prompt('slow', 10, 'run', { via: 'line', offset: 50 });
    expect(turns([copied, own, slow], [], [stop('own', 1_000, 'run')])).toEqual({ own: 'slow' });
  });
});

test('A command for the shell that bears the id of the run before it has its own answer', () => {
  const shell = prompt('!ls', 6_000, 'run', { via: 'line', kind: 'command' });
  const ends = [stop('first answer', 5_000, 'run'), stop('what the shell said', 7_000, 'run')];
  const asked = [prompt('go', 0, 'run'), prompt('go', 10, 'run', { via: 'line' }), shell];
  expect(turns(asked, [], ends)).toEqual({
    'first answer': 'go',
    'what the shell said': '!ls',
  });
});
