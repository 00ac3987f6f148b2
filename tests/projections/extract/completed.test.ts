// What a summary says was completed or learned: never what was proposed, is to be checked, or was only found.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

async function summaryOf(answer: string, { changed = true, last = 'edit' } = {}) {
  const session = new Session();
  session.prompt('Let the feeder open an hour before dusk, and look at the lamp as well, please.');
  session.read('/home/u/app/src/clock.ts').read('/home/u/app/src/lamp.ts').searched('dusk');
  if (changed) session.edited('/home/u/app/src/feed.ts');
  session.reply(answer);
  if (last === 'cut') session.edited('/home/u/app/src/lamp.ts');
  return (await remembered(session)).summaries.at(-1)!;
}

const DID = 'Moved the opening to one hour before dusk on every day of the week, in one place.';
const ITEM = 'the hatch closes by itself when the lamp goes out';

describe('An item of a list is not completed', () => {
  it.each([
    'When you run it again on the second machine in the garden, please look for this:',
    'A much longer sentence above the list, in which three defects of the second feeder are named at last:',
    'Here are the findings of the review:',
    'I would advise against bringing it back, for the reasons that both of us know too well by now:',
  ])('below “%s”', async (lead) => {
    const { completed } = await summaryOf(`${DID}\n\n${lead}\n\n- ${ITEM}\n- the lamp stays dark`);
    expect(completed).toContain('one hour before dusk');
    expect(completed).not.toContain(ITEM);
  });

  it('when it says what the agent is about to do', async () => {
    const { completed } = await summaryOf(`${DID}\n\nChanges:\n\n- For the lamp, I’ll look at its tests`);
    expect(completed).not.toContain('look at its tests');
  });
});

it('An item of a list below what was done is completed', async () => {
  expect((await summaryOf(`${DID}\n\nWhat I changed:\n\n- ${ITEM}`)).completed).toContain(ITEM);
});

describe('Without a change', () => {
  it.each(['I can move it to paths if that helps you.', 'You could either move the lamp or the hatch.'])(
    'nothing is learned from the offer “%s”',
    async (offer) => {
      const found = 'The clock is read twice, once by the hatch and once by the lamp.';
      const { learned } = await summaryOf(`${found} ${offer} ${DID}`, { changed: false });
      expect(learned).toContain(found);
      expect(learned).not.toContain(offer.slice(2, 20));
    },
  );
});

describe('Nothing is learned, without a change,', () => {
  it.each([
    ['from a question', 'For an old lamp, what is your own definition of “done”?'],
    ['of what a proposal would do', 'This way, a lamp that crosses midnight will be seen as the same lamp.'],
  ])('%s', async (_, said) => {
    const found = 'The clock is read twice, once by the hatch and once by the lamp.';
    const { learned } = await summaryOf(`${found} ${said} ${DID}`, { changed: false });
    expect(learned).toContain(found);
    expect(learned).not.toContain(said.slice(0, -1));
  });
});

it('“I need” and “I accept” keep their verb’s form', async () => {
  const { learned } = await summaryOf(`I need two keys for the lamp, which is dark. ${DID}`, {
    changed: false,
  });
  expect(learned).toContain('I need two keys');
});

it('A state that the agent names on the way is not completed', async () => {
  const { completed } = await summaryOf('The check of the dusk is baked into the shared clock here.', {
    last: 'cut',
  });
  expect(completed ?? '').not.toContain('baked');
});

describe('Not a next step', () => {
  it.each([
    ['what was compared', 'The reviewer compared main with the branch, not your uncommitted working files.'],
    ['what was assumed', `${DID}\n\n## Open questions and assumptions\n\n- I assumed that dusk is at six`],
  ])('is %s', async (_, answer) => {
    expect((await summaryOf(`${answer} ${DID}`)).nextSteps).toEqual([]);
  });
});
