// The open step of a turn without final answer: the step it announced last, unless that step was done.
import { describe, expect, it } from 'vitest';
import { offerOrStep, stepText } from '../../../projections/extract/steps.ts';
import { remembered, Session } from './observed.ts';

const PLANNED = 'Let me now write the plan of the feeder to the plan file.';

async function leftOpen(last: string, after: (session: Session) => void): Promise<readonly string[]> {
  const session = new Session();
  session.prompt(
    'Plan how the feeder opens an hour before dusk, with what it needs of the clock and the hatch',
  );
  session.reply('Good, I now have all that I need. Let me look at the clock.');
  session.read('/home/u/app/src/clock.ts').edited('/home/u/app/src/hatch.ts');
  session.reply(last);
  after(session);
  return stepsOf(session);
}

async function stepsOf(session: Session): Promise<readonly string[]> {
  return (await remembered(session)).summaries.at(-1)!.nextSteps.map(stepText);
}

describe('A step that the agent announced last is open', () => {
  it('when no tool was used after it', async () => {
    expect(await leftOpen(PLANNED, () => {})).toEqual([expect.stringMatching(/^Announced last: Let me now/)]);
  });

  it('when the tool use it needed was refused', async () => {
    const refused = (session: Session) =>
      session.failed('cp plan.md plans/', 'Exit code 1\ncp: no such file');
    expect(await leftOpen(PLANNED, refused)).toContainEqual(expect.stringMatching(/^Announced last: /));
  });

  it('but not when it was done', async () => {
    expect(await leftOpen(PLANNED, (session) => session.wrote('/home/u/app/plan.md'))).toEqual([]);
  });

  it('but not when the person has to do it', async () => {
    const words = 'Let me know if you want that hatch renamed to something else, otherwise I leave it:';
    expect((await leftOpen(words, () => {})).join()).not.toContain('Announced last');
  });

  const reviewed = (session: Session) => {
    session.use('toolu_review', 'Task', { description: 'Review it', prompt: 'review' });
    const inside = { isSidechain: true, agentId: 'a1' };
    session.use('toolu_inside', 'Read', { file_path: '/home/u/app/src/clock.ts' }, inside);
    session.result('toolu_inside', 'the file', inside);
  };

  it('when only a sub-agent used a tool after it', async () => {
    expect(await leftOpen(PLANNED, reviewed)).toEqual([expect.stringMatching(/^Announced last: /)]);
  });

  it('but not when it was to launch that sub-agent', async () => {
    expect(await leftOpen('Now let me dispatch the reviewer of the feeder:', reviewed)).toEqual([]);
  });
});

it('What the agent cannot do yet is a next step', async () => {
  const session = new Session();
  session.prompt('Did we change the manifest of the feeder too?');
  session.edited('/home/u/app/src/hatch.ts');
  session.reply(
    'No: there is no manifest in this repository, the release job reads the published one. I can’t prepare it yet, because it needs the hashes of the next release.',
  );
  expect(await stepsOf(session)).toEqual([expect.stringMatching(/^I can’t prepare it yet/)]);
});

it('Of a sentence that says first that nothing is open, the open part is a next step', async () => {
  const session = new Session();
  session.prompt('Is the other feeder still being built? It seems stuck.');
  session.edited('/home/u/app/src/hatch.ts');
  session.reply(
    'It stopped an hour ago, because its power supply broke. Nothing else is blocked on it — the hatch and the clock are done; five files sit uncommitted.',
  );
  expect(await stepsOf(session)).toEqual(['five files sit uncommitted.']);
});

it('A label below a heading of next steps divides the list, and is shown with its items', async () => {
  const session = new Session();
  session.prompt('Write the tests of the larger hatch');
  session.edited('/home/u/app/src/hatch.ts');
  session.reply(
    'The tests of the larger hatch are written and they pass.\n\n### Next Steps\n\nBefore building it:\n1. Measure the opening of every feeder\n2. Order the oak\n\n### Files\n\n- src/hatch.ts has the tests',
  );
  expect(await stepsOf(session)).toEqual([
    'Before building it: Measure the opening of every feeder',
    'Before building it: Order the oak',
  ]);
});

it('Three questions ask for decisions; none of them is an offer', async () => {
  const questions = ['keep the old lamp', 'light the hatch', 'feed at dusk'].map(
    (what) => `Do you want me to ${what}?`,
  );
  expect(
    await leftOpen(`Before I begin:\n\n${questions.map((one) => `- ${one}`).join('\n')}`, () => {}),
  ).toEqual(questions);
});

it.each([
  ['If you want, I oil the hinge.', 'for-person'],
  ['Would you like to: Oil the hinge of every feeder', 'for-person'],
  [`Should the ${'old '.repeat(60)}hinge be oiled?`, 'for-person'],
  ['Should I oil the hinge?', 'offered'],
  ['Should I oil the hinge or the lamp?', 'asked'],
  ['Oil the hinge: it squeaks', 'task'],
  ['What’s left: Oil the hinge', 'task'],
  ['How to verify: open the hatch', 'task'],
  ['Do before the winter: oil the hinge', 'task'],
  ['Open question: Which lid stays, oak or pine', 'asked'],
] as const)('Of what kind a step is: %s', (sentence, kind) => {
  expect(offerOrStep(sentence).kind).toBe(kind);
});

describe('A question at the end of an answer', () => {
  const asks = async (question: string) => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    session.edited('/home/u/app/src/feed.ts');
    session.reply(
      `Changed the feeder so that it opens an hour before dusk on every day of the week.\n\n${question}`,
    );
    return stepsOf(session);
  };

  it('is an offer', async () => {
    expect(await asks('Should I oil the hinge too?')).toEqual(['Offered: oil the hinge too']);
  });

  it('stays a question if it gives a choice', async () => {
    const question = 'Should I oil only the hinge, or the hatch too?';
    expect(await asks(question)).toEqual([`Open question: ${question}`]);
  });
});
