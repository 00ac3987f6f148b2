import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RelatedReports } from '../../../projections/sessions/pair-prompts.ts';
import type { PromptReport } from '../../../projections/sessions/session-rows.ts';

const MINUTE = 60_000;
let made = 0;

function newEvent(
  via: PromptReport['via'],
  text: string,
  at: number,
  more: Partial<PromptReport> = {},
): PromptReport {
  const event = `${via}-${made++}`;
  const channel = via === 'hook' ? 'hook' : 'transcript';
  return { event, channel, dedupeKey: event, kind: 'prompt', via, text, at, ...more };
}

function groupPrompts(reports: readonly PromptReport[]): PromptReport[][] {
  const related = new RelatedReports<PromptReport>();
  for (const report of reports) related.add(report);
  return related.regroup(reports).groups;
}

function sets(groups: readonly (readonly PromptReport[])[]): string[] {
  return groups
    .map((group) =>
      group
        .map((one) => one.event)
        .sort()
        .join('+'),
    )
    .sort();
}

describe('Reports of a prompt', () => {
  it('are grouped by text when prompts typed while the agent works have the promptId of the run', () => {
    const asked = newEvent('hook', 'a slow question', 0, { promptId: 'run' });
    const queued = newEvent('hook', 'and another', 2_000, { promptId: 'run' });
    const hidden = newEvent('hook', '', 3_000, { promptId: 'run', text: undefined, private: true });
    expect(groupPrompts([asked, queued, hidden])).toHaveLength(3);
    const line = newEvent('line', 'a slow question', 5, { promptId: 'run', offset: 0 });
    const wait = newEvent('queue', 'and another', 2_050, { offset: 10 });
    const sent = newEvent('attachment', 'and another', 2_050, { offset: 20 });
    const secret = newEvent('queue', '', 3_050, { text: undefined, private: true, offset: 15 });
    expect(sets(groupPrompts([asked, queued, hidden, line, wait, sent, secret]))).toEqual(
      sets([
        [asked, line],
        [queued, wait, sent],
        [hidden, secret],
      ]),
    );
  });

  it('pair with the line of the same promptId when several lines have the same text', () => {
    const [first, second] = ['one', 'two'].map((promptId, index) =>
      newEvent('line', 'continue', index * 1_000, { promptId, offset: index }),
    );
    const hook = newEvent('hook', 'continue', 900, { promptId: 'one' });
    expect(groupPrompts([hook, first!, second!]).find((group) => group.includes(hook))).toContain(first);
  });

  it('pair in a fork, which writes its own promptId on every line that it copies', () => {
    const copies = ['one', 'two'].map((text, index) =>
      newEvent('line', text, index * MINUTE, { promptId: 'fork', offset: index }),
    );
    const own = newEvent('line', 'three', 5 * MINUTE, { promptId: 'fork', offset: 5 });
    const hook = newEvent('hook', 'three', 5 * MINUTE - 50, { promptId: 'fork' });
    expect(sets(groupPrompts([hook, own, ...copies]))).toEqual(
      sets([[own, hook], [copies[0]!], [copies[1]!]]),
    );
  });

  it('pair by promptId and time when the agent wrote another text than the hook was given', () => {
    const line = newEvent('line', 'fix this: a b c', 0, { promptId: 'one' });
    const hook = newEvent('hook', 'fix this: [Pasted text #1]', 200, { promptId: 'one' });
    expect(groupPrompts([hook, line])).toEqual([[line, hook]]);
    expect(groupPrompts([line, { ...hook, at: 5 * MINUTE }])).toHaveLength(2);
  });

  it('pair by equal text, the nearest in time first, each report once', () => {
    const lines = [0, 60_000, 120_000].map((at, index) =>
      newEvent('line', 'continue', at, { offset: index * 10 }),
    );
    const hooks = [-50, 59_900, 119_950].map((at) => newEvent('hook', 'continue', at));
    const groups = groupPrompts([...hooks, ...lines]);
    expect(groups).toHaveLength(3);
    lines.forEach((line, index) => {
      expect(groups.find((group) => group.includes(line))).toContain(hooks[index]);
    });
  });

  it('do not pair when they are more than ten minutes apart', () => {
    expect(
      groupPrompts([newEvent('line', 'go on', 0), newEvent('hook', 'go on', 10 * MINUTE + 1)]),
    ).toHaveLength(2);
    expect(groupPrompts([newEvent('line', 'go on', 0), newEvent('hook', 'go on', 10 * MINUTE)])).toHaveLength(
      1,
    );
  });

  it('pair when one was clipped and the other has a redacted secret', () => {
    const long = 'word '.repeat(2_000);
    const clipped = `${long.slice(0, 4_000)}…[annals: 2,000 characters left out]…${long.slice(-4_000)}`;
    expect(groupPrompts([newEvent('line', long, 0), newEvent('hook', clipped, 10)])).toHaveLength(1);
    expect(
      groupPrompts([newEvent('line', 'use [redacted:token]  now', 0), newEvent('hook', 'use now', 10)]),
    ).toHaveLength(1);
  });

  it('join a queue operation with the line that it became', () => {
    const queued = newEvent('queue', 'check again', 0, { offset: 10 });
    const line = newEvent('line', 'check again', 4 * MINUTE, { offset: 90 });
    expect(groupPrompts([queued, line])).toEqual([[line, queued]]);
  });

  it('keep a queue operation without a line as a prompt of its own', () => {
    const queued = newEvent('queue', 'check again', 0, { offset: 10 });
    const other = newEvent('line', 'something else', MINUTE, { offset: 90 });
    expect(groupPrompts([queued, other])).toHaveLength(2);
  });

  it('do not join a queue operation with the same text typed an hour later, after another prompt', () => {
    const queued = newEvent('queue', 'continue', 0, { offset: 10 });
    const other = newEvent('line', 'run the tests', 20 * MINUTE, { offset: 50 });
    const later = newEvent('line', 'continue', 60 * MINUTE, { offset: 90 });
    expect(groupPrompts([queued, other, later])).toHaveLength(3);
    expect(groupPrompts([queued, later])).toHaveLength(1);
  });

  it('are one prompt when a hook fired twice', () => {
    const once = newEvent('hook', 'hello there', 0);
    const twice = newEvent('hook', 'hello there', 40);
    expect(groupPrompts([once, twice])).toHaveLength(1);
  });

  it('form the same groups in every order of arrival', () => {
    const words = fc.constantFrom('continue', 'yes', 'run the tests', 'commit');
    const via = fc.constantFrom('line', 'queue', 'attachment', 'hook') as fc.Arbitrary<PromptReport['via']>;
    const promptId = fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined });
    const some = fc.array(fc.record({ via, words, promptId, at: fc.integer({ min: 0, max: 40 * MINUTE }) }), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(some, fc.infiniteStream(fc.nat()), (drawn, shuffle) => {
        const newEvents = drawn.map((one, index) => {
          const more = {
            ...(one.promptId && { promptId: one.promptId }),
            ...(one.via !== 'hook' && { offset: index * 100 }),
          };
          return newEvent(one.via, one.words, one.at, more);
        });
        const shuffled = newEvents
          .map((one) => ({ one, rank: shuffle.next().value }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ one }) => one);
        const groups = groupPrompts(newEvents);
        expect(sets(groupPrompts(shuffled))).toEqual(sets(groups));
        expect(groups.flat()).toHaveLength(newEvents.length);
      }),
      { numRuns: 500 },
    );
  });
});
