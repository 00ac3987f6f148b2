import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupPrompts } from '../../../projections/turns/prompts.ts';
import type { PromptTelling } from '../../../projections/turns/rows.ts';

const MINUTE = 60_000;
let made = 0;

function telling(
  via: PromptTelling['via'],
  text: string,
  at: number,
  more: Partial<PromptTelling> = {},
): PromptTelling {
  const event = `${via}-${made++}`;
  const witness = via === 'hook' ? 'hook' : 'transcript';
  return { event, witness, fact: event, kind: 'prompt', via, text, at, ...more };
}

function sets(groups: readonly (readonly PromptTelling[])[]): string[] {
  return groups
    .map((group) =>
      group
        .map((one) => one.event)
        .sort()
        .join('+'),
    )
    .sort();
}

describe('Tellings of a prompt', () => {
  it('are one prompt for each text, although what is typed while the agent works bears the promptId of its run', () => {
    const asked = telling('hook', 'a slow question', 0, { promptId: 'run' });
    const queued = telling('hook', 'and another', 2_000, { promptId: 'run' });
    const hidden = telling('hook', '', 3_000, { promptId: 'run', text: undefined, private: true });
    expect(groupPrompts([asked, queued, hidden])).toHaveLength(3);
    const line = telling('line', 'a slow question', 5, { promptId: 'run', offset: 0 });
    const wait = telling('queue', 'and another', 2_050, { offset: 10 });
    const sent = telling('attachment', 'and another', 2_050, { offset: 20 });
    const secret = telling('queue', '', 3_050, { text: undefined, private: true, offset: 15 });
    expect(sets(groupPrompts([asked, queued, hidden, line, wait, sent, secret]))).toEqual(
      sets([
        [asked, line],
        [queued, wait, sent],
        [hidden, secret],
      ]),
    );
  });

  it('pair with the line of the same promptId where several have the same words', () => {
    const [first, second] = ['one', 'two'].map((promptId, index) =>
      telling('line', 'continue', index * 1_000, { promptId, offset: index }),
    );
    const hook = telling('hook', 'continue', 900, { promptId: 'one' });
    expect(groupPrompts([hook, first!, second!]).find((group) => group.includes(hook))).toContain(first);
  });

  it('pair in a fork, which gives its own promptId to every line that it copied', () => {
    const copies = ['one', 'two'].map((text, index) =>
      telling('line', text, index * MINUTE, { promptId: 'fork', offset: index }),
    );
    const own = telling('line', 'three', 5 * MINUTE, { promptId: 'fork', offset: 5 });
    const hook = telling('hook', 'three', 5 * MINUTE - 50, { promptId: 'fork' });
    expect(sets(groupPrompts([hook, own, ...copies]))).toEqual(
      sets([[own, hook], [copies[0]!], [copies[1]!]]),
    );
  });

  it('pair by promptId and time where the program wrote other words than it was given', () => {
    const line = telling('line', 'fix this: a b c', 0, { promptId: 'one' });
    const hook = telling('hook', 'fix this: [Pasted text #1]', 200, { promptId: 'one' });
    expect(groupPrompts([hook, line])).toEqual([[line, hook]]);
    expect(groupPrompts([line, { ...hook, at: 5 * MINUTE }])).toHaveLength(2);
  });

  it('pair by equal words, nearest in time, each used once', () => {
    const lines = [0, 60_000, 120_000].map((at, index) =>
      telling('line', 'continue', at, { offset: index * 10 }),
    );
    const hooks = [-50, 59_900, 119_950].map((at) => telling('hook', 'continue', at));
    const groups = groupPrompts([...hooks, ...lines]);
    expect(groups).toHaveLength(3);
    lines.forEach((line, index) => {
      expect(groups.find((group) => group.includes(line))).toContain(hooks[index]);
    });
  });

  it('do not pair when more than ten minutes lie between them', () => {
    expect(
      groupPrompts([telling('line', 'go on', 0), telling('hook', 'go on', 10 * MINUTE + 1)]),
    ).toHaveLength(2);
    expect(groupPrompts([telling('line', 'go on', 0), telling('hook', 'go on', 10 * MINUTE)])).toHaveLength(
      1,
    );
  });

  it('pair although one was clipped and one redacted a secret', () => {
    const long = 'word '.repeat(2_000);
    const clipped = `${long.slice(0, 4_000)}…[annals: 2,000 characters left out]…${long.slice(-4_000)}`;
    expect(groupPrompts([telling('line', long, 0), telling('hook', clipped, 10)])).toHaveLength(1);
    expect(
      groupPrompts([telling('line', 'use [redacted:token]  now', 0), telling('hook', 'use now', 10)]),
    ).toHaveLength(1);
  });

  it('join a queue operation with the line that it became', () => {
    const queued = telling('queue', 'check again', 0, { offset: 10 });
    const line = telling('line', 'check again', 4 * MINUTE, { offset: 90 });
    expect(groupPrompts([queued, line])).toEqual([[line, queued]]);
  });

  it('keep a queue operation that became no line as a prompt of its own', () => {
    const queued = telling('queue', 'check again', 0, { offset: 10 });
    const other = telling('line', 'something else', MINUTE, { offset: 90 });
    expect(groupPrompts([queued, other])).toHaveLength(2);
  });

  it('do not join a queue operation with the same words typed an hour later, after another prompt', () => {
    const queued = telling('queue', 'continue', 0, { offset: 10 });
    const other = telling('line', 'run the tests', 20 * MINUTE, { offset: 50 });
    const later = telling('line', 'continue', 60 * MINUTE, { offset: 90 });
    expect(groupPrompts([queued, other, later])).toHaveLength(3);
    expect(groupPrompts([queued, later])).toHaveLength(1);
  });

  it('count a hook that fired twice once', () => {
    const once = telling('hook', 'hello there', 0);
    const twice = telling('hook', 'hello there', 40);
    expect(groupPrompts([once, twice])).toHaveLength(1);
  });

  it('group the same in every order of arrival', () => {
    const words = fc.constantFrom('continue', 'yes', 'run the tests', 'commit');
    const via = fc.constantFrom('line', 'queue', 'attachment', 'hook') as fc.Arbitrary<PromptTelling['via']>;
    const promptId = fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined });
    const some = fc.array(fc.record({ via, words, promptId, at: fc.integer({ min: 0, max: 40 * MINUTE }) }), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(some, fc.infiniteStream(fc.nat()), (drawn, shuffle) => {
        const tellings = drawn.map((one, index) => {
          const more = {
            ...(one.promptId && { promptId: one.promptId }),
            ...(one.via !== 'hook' && { offset: index * 100 }),
          };
          return telling(one.via, one.words, one.at, more);
        });
        const shuffled = tellings
          .map((one) => ({ one, rank: shuffle.next().value }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ one }) => one);
        const groups = groupPrompts(tellings);
        expect(sets(groupPrompts(shuffled))).toEqual(sets(groups));
        expect(groups.flat()).toHaveLength(tellings.length);
      }),
      { numRuns: 500 },
    );
  });
});
