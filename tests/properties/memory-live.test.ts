// Memories, a model's readings of turns and a person's acts, in any order of events: see live-views.ts.
import fc from 'fast-check';
import { test } from 'vitest';
import { contextProjector, memoryProjector } from '../../projections/index.ts';
import {
  type Fact,
  idOf,
  LINES_MAX,
  liveEqualsWhole,
  number,
  one,
  PROMPT_LINES_MAX,
  rarely,
  sessionFacts,
  timeOf,
  USES_MAX,
} from './live-views.ts';

const said = sessionFacts({
  prompts: ['Fix the clock, it is an hour late in winter', 'go on'],
  answers: ['The clock was late because it ignored summer time; now it asks the zone.', 'Done.'],
  uses: [
    ['Edit', { file_path: '/a/src/clock.ts', old_string: 'a', new_string: 'b' }],
    ['Bash', { command: 'npm test' }],
    ['Bash', { command: 'git commit -m "Fix the clock"' }],
    ['Read', { file_path: '/a/README.md' }],
  ],
});

const OTHERS = [
  ...fromTo(USES_MAX).flatMap((id) => [`tool.used tool-${id} transcript`, `tool.used tool-${id} hook`]),
  ...fromTo(LINES_MAX).map((line) => `agent.replied uuid-${line}:0 transcript`),
  ...fromTo(LINES_MAX).map((line) => `agent.stopped stop-${line} hook`),
];
/** What was read, and what an act is about: a prompt, and most of what there may be besides. */
const covered = fc
  .record({
    line: number(PROMPT_LINES_MAX),
    isHook: rarely,
    more: fc.subarray(OTHERS, { minLength: Math.floor(OTHERS.length * 0.7) }),
  })
  .map(({ line, isHook, more }) => [
    isHook ? `prompt.submitted file-${line} hook` : `prompt.submitted uuid-${line} transcript`,
    ...more,
  ]);
const session = one('s-1', 's-1', 's-2');
const at = number(40);

const replied = fc
  .record({
    ...{ session, at, covered },
    recipe: one('one', 'two'),
    part: one(1, 1, 2),
    again: rarely,
    text: one(
      '<observation><type>bugfix</type><title>The clock asks the zone</title></observation>',
      '<observation><title>Winter</title></observation><observation><title>Summer</title></observation>',
      '<summary><request>A clock</request><completed>It is right</completed></summary>',
      '<skip_summary reason="routine"/>',
      'Nothing.',
    ),
  })
  .map(({ session, at, covered, recipe, part, again, text }) =>
    factOf(session, 'observer.replied', at, {
      ...{ recipe, turn: 't-unknown', part, parts: 2, attempt: 1, again, text, form: 'tags', model: 'm' },
      ...{ covers: covered.map((event) => `${session} ${event}`), asked: 'a', askedAt: null, usage: null },
    }),
  );
const chosen = fc
  .tuple(at, one('one', 'two', 'latest', null))
  .map(([at, recipe]) => factOf(null, 'observer.chosen', at, { recipe }));

const acted = fc
  .record({ session, at, covered, kind: one('observation', 'summary', 'tool', 'answer', 'prompt') })
  .map(({ session, at, covered, kind }) => ({
    ...{ id: 'x-1', kind, agent: 'claude-code', session, turn: null, workdir: '/a', at: timeOf(at) },
    ...{ author: 'agent', title: 'As it was', text: 'Some text' },
    events: covered.map((event) => `${session} ${event}`),
  }));
const act = fc
  .record({ at, item: acted, by: acted, what: one('pinned', 'edited', 'superseded'), withdraws: rarely })
  .map(({ at, item, by, what, withdraws }) => {
    const more = what === 'edited' ? { title: 'Better', text: 'Better words' } : {};
    const done = factOf(item.session, `memory.${what}`, at, {
      item,
      ...(what === 'superseded' ? { by } : more),
    });
    if (!withdraws) return done;
    return factOf(item.session, 'memory.withdrawn', at, {
      acts: [{ id: idOf(done), session: item.session }],
    });
  });

function factOf(session: string | null, type: string, at: number, body: object): Fact {
  return {
    ...{ agent: session === null ? 'annals' : 'claude-code', session, type, dedupeKey: `${type} ${at}` },
    ...{ channel: 'api', occurredAt: timeOf(at), body },
  } as unknown as Fact;
}

function fromTo(max: number): number[] {
  return Array.from({ length: max + 1 }, (_, index) => index);
}

test('live memories, and what a brief may show of them, equal those of a fold in one page', () =>
  liveEqualsWhole(
    [memoryProjector, contextProjector],
    fc.oneof(
      { weight: 10, arbitrary: said },
      { weight: 4, arbitrary: replied },
      { weight: 1, arbitrary: chosen },
      { weight: 3, arbitrary: act },
    ),
  ));
