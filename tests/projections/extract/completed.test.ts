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
    ['from what “we” would do', 'Instead of two clocks, we make the lamp stable by reusing the first clock.'],
    ['from an offer', 'If useful, I can draft the whole plan of the second lamp.'],
    ['from a guess about a type', 'The lamp may have no hatch when its clock falls back.'],
    ['from a guess', 'The lamp might be dark before the clock of the hatch is even read.'],
    ['from what the agent still looks at', 'I’m also checking the lamp for the exact moment of its dusk.'],
    ['from a gerund alone', 'Reading the clock and then searching for hard-coded hours in the house.'],
  ])('%s', async (_, said) => {
    const found = 'The clock is read twice, once by the hatch and once by the lamp.';
    const { learned } = await summaryOf(`${found} ${said} ${DID}`, { changed: false });
    expect(learned).toContain(found);
    expect(learned).not.toContain(said.slice(0, -1));
  });
});

describe('A sentence that begins with “this”', () => {
  const found = 'The clock is read twice, once by the hatch and once by the lamp.';
  it.each([
    'For example, a dark lamp reads it a third time.',
    'Aligns with the hatch, which reads it as well.',
  ])('is like one that has no subject: %s', async (loose) => {
    const { learned } = await summaryOf(`${found}\n\n- the hatch reads it\n\n${loose} ${DID}`, {
      changed: false,
    });
    expect(learned).toContain(found);
    expect(learned).not.toContain(loose);
  });

  const leaning = 'This saves one reading of the clock for each lamp.';

  it.each([
    ['the sentence before it', `${found} ${leaning}`, true],
    ['a list', `${found}\n\n- the hatch reads it\n- the lamp reads it\n\n${leaning} ${DID}`, false],
    ['a proposal', `${found} I could read it once. ${leaning} ${DID}`, false],
    ['a heading', `${found}\n\n## The lamp\n\n${leaning} ${DID}`, false],
  ])('is kept only with what it is about: %s', async (_, answer, isKept) => {
    const { learned } = await summaryOf(answer, { changed: false });
    expect(learned).toContain(found);
    expect(learned!.includes(leaning)).toBe(isKept);
  });
});

describe('Not completed', () => {
  it.each([
    ['a condition', 'If the lamp still stays dark, the logs of the house tell why the hatch was early.'],
    ['an advice', 'I’d recommend option 2 for the lamp, which is clean and has one clock.'],
    ['an agreement', 'I agree with that direction for the second lamp in the house.'],
    ['what the person shall look at', 'Suspend the lamp by hand to confirm that stopped lamps register.'],
    ['a problem', '**Problem**: The same lamp across midnight makes two records of its dusk.'],
    ['an advice to the person', 'You may want to run the lamp to see the new hour.'],
    ['an assessment', 'The lamp of the second feeder looks correct as it is.'],
    ['a guess', 'I think the most likely reason is an older lamp in your garden.'],
    ['a step', 'Now something long.'],
  ])('is %s', async (_, said) => {
    const { completed } = await summaryOf(`${DID} ${said}`);
    expect(completed).toContain('one hour before dusk');
    expect(completed).not.toContain(said.replace(/^(?:\*\*Problem\*\*: |Now )/, '').slice(1, 24));
  });

  it('is text below a heading that names an option', async () => {
    const { completed } = await summaryOf(`${DID}\n\n## Option 2\n\nThe lamp has a clock of its own there.`);
    expect(completed).not.toContain('a clock of its own');
  });

  it('is nothing below a question', async () => {
    const { learned } = await summaryOf(
      `${DID}\n\nWhich of these is a lamp that is done?\n\n- still present in the house\n- replaced by another lamp`,
      { changed: false },
    );
    expect(learned).not.toContain('replaced by another lamp');
  });
});

it('An item keeps the file of its heading, however long its path is', async () => {
  const folder = 'prompts/of-the-second-feeder/and-of-its-lamp/in-the-garden';
  const { completed } = await summaryOf(`${DID}\n\n**\`${folder}/lamp-and-dusk.md\`:**\n\n- ${ITEM}`);
  expect(completed).toContain(`lamp-and-dusk.md: ${ITEM}`);
});

describe('A mark inside code ends no sentence', () => {
  it.each([
    'The lamp has the type `Lamp[] ?? []` Where it is read first.',
    'Both files landed in it, no `fixup!` left in the history of the lamp.',
  ])('%s', async (said) => {
    const { completed } = await summaryOf(`${said} ${DID}`);
    expect(completed).toContain(said.replaceAll('`', ''));
  });
});

describe('The hash of a commit that the turn amends is not repeated', () => {
  it.each([
    [
      'of this turn',
      (session: Session) =>
        session.ran(
          "git commit -m @'\nfeat: open early\n'@",
          '[main b51711ec] @ feat: open early\n 1 file changed',
        ),
    ],
    ['of an earlier turn', (session: Session) => session],
  ])('%s', async (_, commit) => {
    const session = new Session();
    session.prompt('Let the feeder open an hour before dusk, please.');
    session.edited('/home/u/app/src/feed.ts');
    commit(session).ran(
      'git commit --amend -F /tmp/message.txt >/dev/null && git log -1 --format=%B',
      'feat: open early',
    );
    session.reply(`Commit landed as b51711ec, with the message of the feeder. ${DID}`);
    const { completed } = (await remembered(session)).summaries.at(-1)!;
    expect(completed).toContain(DID);
    expect(completed).not.toContain('b51711ec');
  });
});

it('What was said before the person answered a question is no outcome', async () => {
  const session = new Session();
  session.prompt('Let the feeder open an hour before dusk, please.');
  session.edited('/home/u/app/src/lamp.ts');
  session.reply(
    'A second lamp has no clock of its own, so one flag of the lamp is enough and the feeder stays as it is.',
  );
  session.use('toolu_ask', 'AskUserQuestion', { questions: [] });
  session.result('toolu_ask', 'User has answered your questions: "Which lamp is it?"="That of the feeder".');
  session.edited('/home/u/app/src/feed.ts');
  session.reply('Done.');
  expect((await remembered(session)).summaries.at(-1)!.completed).toBe('Changed lamp.ts, feed.ts.');
});

describe('Nothing below a lead that only says what a text contains, or what stays, is completed', () => {
  it.each([
    `${DID} Here's what it includes:\n\n## Key points\n\n- ${ITEM}`,
    `${DID} The second feeder is done.\n\nIt created:\n\n- ${ITEM}`,
    `${DID}\n\nThe page now contains:\n\n- ${ITEM}`,
    `${DID}\n\n## Keep\n\n${ITEM}, as well as both of its lamps in the garden.`,
  ])('%#', async (answer) => {
    const { completed } = await summaryOf(answer);
    expect(completed).toContain('one hour before dusk');
    expect(completed).not.toContain(ITEM.slice(4));
  });
});

it('A state on the way is not learned', async () => {
  const said = 'Expected, because the second lamp of the house does not exist yet.';
  expect((await summaryOf(`${DID} ${said}`)).learned ?? '').not.toContain('does not exist yet');
});

describe('What code interrupts is not kept without its beginning', () => {
  it.each([
    [
      'a sentence',
      'The layout of the house remains\n\n```text\nhouse/lamp\n```\n\nwith one lamp for each of its hatches.',
    ],
    [
      'what holds for an example',
      'So if you have:\n\n```yaml\nlamp: dark\nhatch: open\n```\n\nThe one lamp for each of its hatches is not lit.',
    ],
    [
      'the definition of a term',
      'In one word:\n\n```text\nlamp_rate\n```\n\nThe share of one lamp for each of its hatches.',
    ],
  ])('%s', async (_, text) => {
    const found = 'The clock is read twice, once by the hatch and once by the lamp.';
    const { learned } = await summaryOf(`${found} ${DID}\n\n${text}`, { changed: false });
    expect(learned).toContain(found);
    expect(learned).not.toContain('one lamp for each');
  });
});

it('A list that is not complete says how many items are missing', async () => {
  const items = Array.from({ length: 12 }, (_, index) => `- lamp number ${index} is lit by hand`).join('\n');
  const { completed } = await summaryOf(`${DID}\n\nLit at dusk:\n\n${items}`);
  expect(completed).toContain('lamp number 7 is lit by hand (and 4 more).');
});

it('Code at the beginning of a sentence is not capitalized', async () => {
  const { learned } = await summaryOf(
    `\`dusk := dusk\` is the old way to keep the hour of each lamp. ${DID}`,
    {
      changed: false,
    },
  );
  expect(learned).toContain('dusk := dusk is the old way');
});

it('One word can say what became of something', async () => {
  const said = 'Not stuck: the first reader of the lamp died with its session.';
  const { completed } = await summaryOf(`${said} Relaunched. It begins with the dusk. ${DID}`);
  expect(completed).toContain(`${said} Relaunched. It begins with the dusk.`);
});

it('Only files that were read are investigated', async () => {
  const session = new Session();
  session.prompt('Let the feeder open an hour before dusk, please.');
  session
    .read('/home/u/app/src/clock.ts')
    .edited('/home/u/app/src/feed.ts')
    .edited('/home/u/app/src/clock.ts');
  session.reply(DID);
  expect((await remembered(session)).summaries.at(-1)!.investigated).toBe('Read clock.ts.');
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
