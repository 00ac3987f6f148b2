// What a brief shows of earlier sessions: what they left open, their decisions and lessons beside those of a busy newer session.
import { describe, expect, it } from 'vitest';
import { stepOf } from '../../projections/extract/steps.ts';
import type { Evidence } from '../../projections/extract/transcript/observation.ts';
import { type Step, stepText } from '../../projections/index.ts';
import { leftOpenEarlier } from '../../src/brief/sections/left-open.ts';
import { observation, promptLine, summary, told } from '../projections/context/rows.ts';
import { agentText, materialOf } from './material.ts';

const OPEN = {
  kind: 'asked',
  text: 'The hook failed on missing generated assets. Should it be skipped?',
} as const;

function sectionOf(text: string, title: string): string {
  const at = text.indexOf(`## ${title}`);
  return at < 0 ? '' : text.slice(at).split('\n## ')[0]!;
}

describe('What an earlier session left open', () => {
  const shown = async (
    nextSteps: readonly Step[],
    later = 'Painted the roof',
    commands: Evidence['commands'] = [],
  ) => {
    const rows = [
      told(observation(1, { evidence: { commands } })),
      told(summary(1, { nextSteps, request: 'commit the hatch' })),
      told(observation(11, { title: later })),
      told(summary(11)),
    ];
    return sectionOf(agentText(await materialOf(rows)), 'Left open earlier');
  };

  it('is shown with its request', async () => {
    expect(await shown([{ kind: 'announced', text: 'Let me skip the hook' }, OPEN])).toContain(
      `- “commit the hatch” → ${stepText(OPEN)}`,
    );
  });

  it('is left out if later work is about the same', async () => {
    expect(await shown([OPEN], 'Generated the missing assets, which the hook needs')).toBe('');
  });

  it('is shown if it is a question: it names its subject itself', async () => {
    const asked = { kind: 'asked', text: 'Should existing feeders be closed in winter too?' } as const;
    expect(await shown([asked])).toContain(`→ ${stepText(asked)}`);
  });

  it('is no command that its own turn ran', async () => {
    const step = 'Before the hatch: Run npm run test:all for the baseline of every feeder and lamp';
    const ran = (outcome: 'ok' | 'failed', one = step, command = 'npm run test:all') =>
      shown([stepOf(one)], undefined, [{ command, outcome }]);
    expect(await ran('failed')).toContain('baseline');
    expect(await ran('ok')).toBe('');
    const later = 'Run npm run test:all again once the feeder hatch opens before sunset';
    expect(await ran('ok', later)).toContain('again once');
    const another = 'Run make deploy where feeder hatches open before every sunset';
    expect(await ran('ok', another, 'make')).toContain('make deploy');
    // Of a comment nothing is left.
    expect(await ran('ok', another, '')).toContain('make deploy');
  });

  it.each([
    { kind: 'offered' as const, text: 'proceed with the implementation of the plan' },
    stepOf('Five files modified, uncommitted: feed.ts'),
  ])('is no step of the moment: $text', async (step) => {
    expect(await shown([step])).toBe('');
  });

  it('is left out if git lists a newer commit that says it', async () => {
    const step =
      'Before the first frost paint the feeder roof and the garden doors, and think of the winter lamps';
    const subject = 'Paint feeder roof and garden doors';
    const open = async (listedCommits: readonly string[], before: readonly string[] = []) => {
      const rows = [
        told(observation(1, { evidence: { listedCommits: before } })),
        told(summary(1, { nextSteps: [stepOf(step)] })),
        told(observation(11, { evidence: { listedCommits } })),
        told(summary(11)),
      ];
      return sectionOf(agentText(await materialOf(rows)), 'Left open earlier');
    };
    expect(await open([subject])).toContain(step);
    expect(await open(['Paint the lamps of the northern garden green', 'Old oak'], ['Old oak'])).toContain(
      step,
    );
    expect(await open(['Oil', 'Old oak', subject], ['Old oak'])).toContain(step);
    expect(await open([subject, 'Old oak'], ['Old oak'])).toBe('');
  });

  it('is left out if a later prompt is about the same', async () => {
    const rows = [told(observation(1)), told(summary(1, { nextSteps: [OPEN] })), told(summary(11))];
    const prompts = [promptLine(12, { text: 'skip the hook, the generated assets are missing anyway' })];
    expect(agentText(await materialOf(rows, { prompts }))).not.toContain('Left open earlier');
  });
});

describe('A turn before the last one of its session', () => {
  const shown = async (
    nextSteps: readonly Step[],
    more: { narrative?: string; later?: string; number?: number } = {},
  ) => {
    const number = more.number ?? 1;
    const rows = [
      told(observation(number, more.narrative === undefined ? {} : { narrative: more.narrative })),
      told(summary(number, { nextSteps, request: 'plan the larger hatch' })),
      told(observation(number + 1, { title: more.later ?? 'Painted the roof' })),
      told(summary(number + 1)),
      told(observation(15)),
      told(summary(15)),
    ];
    return sectionOf(agentText(await materialOf(rows)), 'Left open earlier');
  };
  const step = 'Before the larger hatch is built: measure the opening of every feeder in winter';

  it('may have left a step open, in an earlier session and in the newest one', async () => {
    expect(await shown([stepOf(step)])).toContain(`- “plan the larger hatch” → ${step}`);
    expect(await shown([stepOf(step)], { number: 11 })).toContain(`- “plan the larger hatch” → ${step}`);
  });

  it('left nothing open if its own session came back to it', async () => {
    expect(
      await shown([stepOf(step)], { later: 'Measured the opening of every feeder, in winter and summer' }),
    ).toBe('');
  });

  it.each([
    { kind: 'offered' as const, text: 'measure the opening of every feeder in winter' },
    { kind: 'asked' as const, text: 'May every feeder stay closed over the winter?' },
    ...[
      'Would you like to: Measure the opening of every feeder in winter',
      'There are two ways to measure the winter opening of every feeder.',
      'If you want, the opening of every feeder can be measured in winter.',
      'But the opening of every feeder is not measured in winter yet.',
      'There are two things about the winter feeder openings worth fixing first.',
    ].map(stepOf),
  ])('does not repeat what was for the person: $text', async (other) => {
    expect(await shown([other])).toBe('');
  });

  it('is not settled by a turn that only speaks of it and leaves something open itself', async () => {
    const later = 'The larger hatch is built once the opening of every feeder is known';
    const rows = (nextSteps: readonly Step[]) => [
      told(observation(1)),
      told(summary(1, { nextSteps: [stepOf(step)] })),
      told(observation(2, { title: later, filesModified: [] })),
      told(summary(2, { nextSteps })),
      told(observation(15)),
      told(summary(15)),
    ];
    const shownAfter = async (nextSteps: readonly Step[]) => agentText(await materialOf(rows(nextSteps)));
    expect(await shownAfter([stepOf('I can’t say yet how wide the winter opening is.')])).toContain(step);
    expect(await shownAfter([])).not.toContain(step);
  });

  const pointer = 'Worth fixing separately since the comment misleads every reader of the winter plan.';
  it('shows a step that points back with what it points at', async () => {
    const narrative = `The roof is fine. The comment in plan.go:394 counts from one. This is wrong in the comment, not in the code. ${pointer}`;
    const text = await shown([stepOf(pointer)], { narrative });
    expect(text).toContain('→ The comment in plan.go:394 counts from one. This is wrong');
    expect(text).toContain('Worth fixing separately');
    expect(text).not.toContain('roof is fine');
  });

  it('does not show such a step if that is not known', async () => {
    expect(await shown([stepOf(pointer)])).toBe('');
  });
});

it('In little room the question is kept', async () => {
  const asked =
    'The hook failed on missing generated assets of the viewer, which are made by the build and not by the tests of this repository, and nothing of it comes from this change, which touches the door and the lamp and the roof. Should it be skipped?';
  const request = 'Please look at the first feeder of the garden';
  const rows = [
    observation(1),
    summary(1, { nextSteps: [{ kind: 'asked', text: asked }], request }),
    observation(11),
    summary(11),
  ];
  const [line] = leftOpenEarlier(await materialOf(rows.map((row) => told(row))));
  expect(line?.within?.(200)).toMatch(/The hook failed .*… Should it be skipped\?/);
});

describe('A request at the end of a session that has no outcome', () => {
  const request = 'commit the winter plan of the northern feeder and write the page about it';
  const cut = { request, completed: null };
  const open = async (more: Parameters<typeof summary>[1], work: Parameters<typeof observation>[1] = {}) => {
    const none = { filesModified: [], narrative: 'I commit it now, then I write the page.' };
    const rows = [observation(1, { ...none, ...work }), summary(1, more), observation(11), summary(11)];
    return sectionOf(agentText(await materialOf(rows.map((row) => told(row)))), 'Left open earlier');
  };
  const shown = `“${request}” → no outcome is on record; it may not have been done (y-`;

  it('is left open', async () => {
    expect(await open(cut)).toContain(shown);
    expect(await open({ ...cut, completed: 'Began to write it', unfinished: true })).toContain(shown);
  });

  it('is not if something was learned, or a file or commit came of it', async () => {
    expect(await open({ ...cut, learned: 'The feeder has no plan.' })).not.toContain(request);
    expect(await open(cut, { filesModified: ['plan.md'] })).not.toContain(request);
    const commits = [{ hash: '1a2b3c4', message: 'Plan' }];
    expect(await open(cut, { evidence: { commits } })).not.toContain(request);
    const facts = ['plan.md was not written: its writing was refused or failed'];
    expect(await open(cut, { facts })).not.toContain(request);
  });

  it('is not if later work is about the same', async () => {
    const rows = [
      observation(1, { filesModified: [] }),
      summary(1, cut),
      observation(11, { title: 'Committed the winter plan of the northern feeder with its page' }),
      summary(11),
    ];
    const text = agentText(await materialOf(rows.map((row) => told(row))));
    expect(text).not.toContain('no outcome');
  });

  it('is said at the end of the last session too', async () => {
    const text = agentText(
      await materialOf([told(observation(1, { filesModified: [] })), told(summary(1, cut))]),
    );
    expect(text).toContain('Left open: no outcome is on record; it may not have been done');
  });
});

describe('A prompt of an earlier session that has no answer', () => {
  const shown = async (text: string, stopped: boolean, later = 'Painted the roof') => {
    const cut = stopped ? 'stopped' : null;
    const rows = [told(observation(11, { title: later })), told(summary(11))];
    const unanswered = [{ prompt: promptLine(1, { text }), cut, answer: null, onTheWay: false } as const];
    return sectionOf(agentText(await materialOf(rows, { unanswered })), 'Left open earlier');
  };
  const ask = 'write a page about the winter plan of feeders';

  it('is shown, with what is known about it', async () => {
    expect(await shown(ask, true)).toContain(`- “${ask}” → the person stopped this turn before its end`);
    expect(await shown(ask, false)).toContain(`- “${ask}” → no answer is on record`);
  });

  it('is left out if anything later is about the same', async () => {
    expect(await shown(ask, true, 'A page about the plan of feeders in winter')).toBe('');
  });

  it.each([
    [
      'Schreib eine Seite über den Winterplan der Futterhäuser',
      'Die Seite über den Winterplan der Futterhäuser steht',
    ],
    [
      'Écris une page sur le calendrier hivernal des mangeoires',
      'La page du calendrier hivernal des mangeoires',
    ],
    [
      'Escribe una página sobre el calendario invernal de los comederos',
      'Página del calendario invernal de los comederos',
    ],
  ])('is left out in other languages too: %s', async (asked, later) => {
    expect(await shown(asked, true)).toContain(asked);
    expect(await shown(asked, true, later)).toBe('');
  });

  it('is left out if it says too little', async () => {
    expect(await shown('go on', true)).toBe('');
  });
});

it('Sessions with many decisions leave room for those of older sessions', async () => {
  const session = (first: number, name: string, things: readonly string[]) =>
    things.map((thing, at) =>
      told(
        observation(first + at, {
          session: name,
          evidence: { decisions: [`The person: keep the ${thing} of the house`] },
        }),
      ),
    );
  const rows = [
    ...session(1, 'old', ['gggg', 'hhhh', 'iiii']),
    ...session(11, 'middle', ['jjjj', 'kkkk', 'llll', 'mmmm', 'nnnn']),
    ...session(21, 'new', ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']),
  ];
  const text = sectionOf(agentText(await materialOf(rows)), 'Decisions made');
  const shown = [...text.matchAll(/keep the (\w{4})/g)].map(([, thing]) => thing);
  expect(shown).toEqual(['eeee', 'dddd', 'cccc', 'nnnn', 'mmmm', 'llll', 'iiii', 'hhhh']);
});

it('A named cause of an older session comes before further findings of the newest one', async () => {
  const of = (number: number, session: string, lesson: string) =>
    told(observation(number, { session, evidence: { lessons: [lesson] } }));
  const found = (thing: string) => `The ${thing} never opens because src/${thing}.ts is missing → Add it`;
  const rows = [
    of(1, 'old', 'Cause: The clock reads local time → Reads UTC'),
    ...['door', 'gate', 'roof', 'wall', 'tank'].map((one, at) => of(at + 11, 'new', found(one))),
  ];
  const lines = sectionOf(agentText(await materialOf(rows)), 'What went wrong')
    .split('\n')
    .slice(1);
  expect(lines[0]).toContain('Cause: The clock reads local time → Reads UTC');
  expect(lines[1]).toContain('Found: The tank never opens');
});

it('The brief shows the command that the person stopped, unless it ran again', async () => {
  const stopped = { command: 'npm run test:slow', outcome: 'cancelled' as const };
  const again = { command: 'npm run test:slow', outcome: 'ok' as const };
  const at = async (commands: readonly { command: string; outcome: 'cancelled' | 'ok' }[]) =>
    agentText(await materialOf([told(observation(1, { evidence: { commands } })), told(summary(1))]));
  expect(await at([stopped])).toContain('Refused or stopped by the person: `npm run test:slow`');
  expect(await at([stopped, again])).not.toContain('stopped by the person');
});
