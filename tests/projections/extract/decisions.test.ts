// Which sentences are decisions, and which only sound like one.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

/** The decisions of a turn with a change, from a request and a final answer. */
async function decided(asked: string, closing: string): Promise<readonly string[]> {
  const session = new Session();
  session.prompt(asked);
  session.edited('/home/u/app/src/feed.ts').ran('npm test', 'Tests  9 passed (9)');
  session.reply(closing);
  const { observations } = await remembered(session);
  return observations[0]!.evidence.decisions;
}

const DONE = 'Changed the feeder so that it opens an hour before dusk on every day of the week.';

describe('A person’s rule or correction is a decision', () => {
  it.each([
    'no, the feeder should open before dusk, not after it',
    'Do not add a new dependency for this.',
    'We removed the polling loop on purpose last month.',
    'I only want to keep the JSON format for the reports.',
    'It’s allowed to overwrite the cache file here.',
    'Let’s keep the old column names in the export.',
    'The issue with the old hatch is that we cannot open it from outside.',
    'We decide: keys live in the vault only, never in a file, because one was pushed twice.',
    'So we decide that plans are cached for one day.',
    'We decide on plans now, and the keeper can decide on the hatch later.',
    'We are going to adopt the format of the older feeder.',
    'I think we can remove the hatch from the core and use plugins.',
    'I want that default plan to be the one that is shown.',
    'We also no longer ship the wooden feeder.',
    'Keep the hatch of the feeder on the right.',
    'For the feeder use tabs, never spaces.',
    'Use tabs, never spaces.',
    'Use oak, not pine.',
    'Always run Prettier.',
    'Please never edit feeder.lock.',
    'Never force-push to main.',
    'I prefer oak.',
    'From now on the feeder is opened by its own clock.',
    'The name should be Feeder, not Hatch, and I want it so in every list.',
    'We no longer use the wooden hatch.',
  ])('“%s”', async (rule) => {
    expect(await decided(`Please look at the feeder again. ${rule}`, DONE)).toEqual([`The person: ${rule}`]);
  });

  it.each([
    ['a question', 'Should we keep the polling loop in there?'],
    ['a question that hopes for a yes', 'We don’t need the zones here as we cache every plan, right?'],
    ['a decision to come', 'Tell me what the zones cost before we decide on the cache.'],
    ['a wish', 'Please open the feeder one hour earlier on Sundays.'],
    ['a pasted finding', 'The polling loop is duplicated and should be removed from the second module.'],
    ['a wish for a look', 'I want you to look at every module of the feeder first.'],
    ['an announcement', 'We are going to look at the hatch after that one.'],
    [
      'a question without its mark',
      'what’s the purpose of several feeders, I don’t think we need more than one',
    ],
    ['a thought', 'Since it is cached perhaps we don’t need the zones in there.'],
    ['a proposal', 'I think we should keep the old column names in the export. Does that make sense?'],
    ['a belief', 'I thought the pattern was to use the hatch not the door of the feeder.'],
    ['a guess that hopes for a yes', 'We don’t need the zones as they are cached in there right'],
    ['small talk', 'Continue, the network should be better by now.'],
    ['an order for the end', 'Stop after both changes and tell me what was done.'],
    ['a comfort', 'Never mind the lamp.'],
    ['a report', 'Always fails here.'],
    ['a longer report', 'Never worked with the plan of the second feeder.'],
    ['what points at something else', 'Use this, not that.'],
    ['a complaint', 'Never do that again.'],
    ['an order to undo', 'No revert those changes, I think it’s correct in the plan.'],
    ['another language', 'フィーダーを夕方に開けるようにしてください。'],
  ])('but not %s', async (_, sentence) => {
    expect(await decided(sentence, DONE)).toEqual([]);
  });
});

describe('A decision of a person without a change', () => {
  it.each([
    [
      'no, it should be the east wall (where the sun is) + the lamp of the second feeder',
      'It should be the east wall (where the sun is) + the lamp of the second feeder',
    ],
    [
      'no, it should be the east wall (the one with the older lamp, where the sun is in winter) + the second feeder',
      'It should be the east wall (…) + the second feeder',
    ],
    [
      'and we don’t need the old hatch of the feeder any more',
      'We don’t need the old hatch of the feeder any more',
    ],
    [
      'Can you read plan.md, I’d like to modify it: I don’t think we need two hatches but instead we just use one',
      'I don’t think we need two hatches but instead we just use one',
    ],
  ])('“%s” is titled by the person’s words, with the answer below', async (said, title) => {
    const session = new Session();
    session.prompt(said);
    session.ran('ls', 'feeder.ts');
    const answer =
      'The test of the feeder expects the north wall. It has been so since the first version, because the lamp of the ' +
      'first feeder could not be seen from the east, and nobody has changed the plan of the walls since that winter. ' +
      'The second feeder has a plan of its own.';
    session.reply(answer);
    const { observations } = await remembered(session);
    expect(observations[0]).toMatchObject({ type: 'decision', title });
    expect(observations[0]!.subtitle).toContain('north wall');
  });
});

it('What a person only imagines decides nothing', async () => {
  const imagined =
    'So imagine the prompt of the feeder. Don’t write code into its plan, but make a list first.';
  expect(await decided(imagined, DONE)).toEqual([]);
});

it('A decision goes on after what is in parentheses', async () => {
  const rule = 'Let’s keep the lamp (or is it the hatch?) and its clock as they are.';
  expect(await decided(rule, DONE)).toEqual([`The person: ${rule}`]);
});

describe('A person’s sentence decides nothing', () => {
  it.each([
    'I don’t want to decide on the cache of the plan now.',
    'Let’s not decide on the roof of the feeder today.',
    'Undo it with the reflog: a soft reset, then commit again.',
    'I think we should be clearer on the text of the lamp.',
    'I’d like to keep one hatch only. Come up with a plan.',
    'Rework the walls so we only have larger ones. Start once we have agreed.',
    'I don’t want a second lamp. What do you think?',
  ])('“%s”', async (sentence) => {
    expect(await decided(`Please look at the feeder again. ${sentence}`, DONE)).toEqual([]);
  });
});

describe('An option that a person chose', () => {
  it('is a decision together with its question, which counts once by its last answer', async () => {
    const session = new Session();
    session.prompt('The lamp has a lot of padding around it.');
    const asked = (id: string, answers: string) => {
      session.use(id, 'AskUserQuestion', { questions: [] });
      session.result(id, `Your questions have been answered: ${answers}. You can now continue.`, {}, {});
    };
    asked('toolu_a', '"Which padding should go?"="All of it", "Where?"="Only the \\"big\\" lamp"');
    asked(
      'toolu_c',
      `"${'The hatch and the lamp share one clock now. '.repeat(4)}Should each have its own (or one)? What do you think?"="Both"`,
    );
    asked('toolu_b', '"Which padding should go?"="The outer one" selected preview:\n┌──┐\n└──┘');
    session.edited('/home/u/app/src/lamp.ts').ran('npm test', 'Tests  9 passed (9)');
    session.reply(DONE);
    const { observations } = await remembered(session);
    expect(observations[0]!.evidence.decisions).toEqual([
      'The person: Which padding should go? Chosen: The outer one',
      'The person: Where? Chosen: Only the "big" lamp',
      expect.stringMatching(
        /^The person: The hatch and the lamp share one clock now\..*… Should each have its own \(or one\)\? Chosen: Both$/,
      ),
    ]);
  });
});

it('An option that a person chose decides, not what they said about the same thing before', async () => {
  const session = new Session();
  session.prompt(
    'The lamp has a lot of padding. I don’t want any padding. I don’t want any lamp in the hatch.',
  );
  session.use('toolu_a', 'AskUserQuestion', { questions: [] });
  session.result(
    'toolu_a',
    'Your questions have been answered: "Which padding should go?"="The outer one".',
    {},
    {},
  );
  session.edited('/home/u/app/src/lamp.ts').ran('npm test', 'Tests  9 passed (9)');
  session.reply(DONE);
  const { observations } = await remembered(session);
  expect(observations[0]!.evidence.decisions).toEqual([
    'The person: I don’t want any lamp in the hatch.',
    'The person: Which padding should go? Chosen: The outer one',
  ]);
});

it('A turn in which the person chose an option is not routine, however short its answer', async () => {
  const session = new Session();
  session.prompt('Which padding of the lamp should go?');
  session.use('toolu_a', 'AskUserQuestion', { questions: [] });
  session.result('toolu_a', 'Your questions have been answered: "Which padding?"="The outer one".', {}, {});
  session.reply('Then the outer one goes.');
  const { observations } = await remembered(session);
  expect(observations.map(({ evidence }) => evidence.decisions)).toEqual([
    ['The person: Which padding? Chosen: The outer one'],
  ]);
});

describe('An option that a person chose is no decision', () => {
  it.each([
    ['where they only said to go on', '"Ready to proceed?"="Yes, continue"'],
    ['where they only consented: ja', '"Soll ich weitermachen?"="Ja, bitte"'],
    ['where they only consented: oui', '"Je continue ?"="Oui"'],
    ['where they only consented: sí', '"¿Continúo con el plan?"="Sí, claro"'],
    ['where they only consented: 好的', '"要继续执行这个计划吗？"="好的"'],
    ['where quotation marks leave open what it was', '"Which "mode" do we use?"="Not "fast""'],
  ])('%s', async (_, answers) => {
    const session = new Session();
    session.prompt('The lamp has a lot of padding around it.');
    session.use('toolu_a', 'AskUserQuestion', { questions: [] });
    session.result('toolu_a', `Your questions have been answered: ${answers}. You can now continue.`, {}, {});
    session.edited('/home/u/app/src/lamp.ts').ran('npm test', 'Tests  9 passed (9)');
    session.reply(DONE);
    const { observations } = await remembered(session);
    expect(observations[0]!.evidence.decisions).toEqual([]);
  });
});

describe('An agent’s choice is a decision', () => {
  it.each([
    'I kept the CSV writer because the monthly report still reads its files.',
    'I went with a lock file instead of a database row, so a crash cannot leave it behind.',
    'The retry limit is deliberately small, since a jammed hatch never opens by itself.',
    'Instead of sorting on every read, we keep the list sorted when it is written.',
  ])('“%s”', async (choice) => {
    expect(await decided('Make the feeder safer, please.', `${DONE} ${choice}`)).toEqual([choice]);
  });

  it.each([
    ['a recommendation', 'I would recommend a lock file instead of a database row, because it is simpler.'],
    ['an offer', 'If you want, I can use a lock file instead of a database row for this.'],
    ['a measurement', 'The query took 40 ms rather than 400 ms, which means that the index is used.'],
    ['the way of working', 'I deliberately re-ran the suite because the first pass was on a stale build.'],
    ['a description', 'The hatch deliberately avoids the clock because its zone is not known at that time.'],
    ['a choice without a reason', 'I kept the CSV writer where it was before this change.'],
  ])('but not %s', async (_, sentence) => {
    expect(await decided('Make the feeder safer, please.', `${DONE} ${sentence}`)).toEqual([]);
  });

  it('is read from a commit that says why', async () => {
    const session = new Session();
    session.prompt('Make the feeder safer, please.');
    session.edited('/home/u/app/src/feed.ts');
    session.ran(
      'git commit -am "fix(feed): lock the hatch with a file" -m "We chose a file instead of a row because a crash must not leave it locked."',
      '[main 1a2b3c4] fix(feed): lock the hatch with a file',
    );
    session.reply(DONE);
    const { observations } = await remembered(session);
    expect(observations[0]!.evidence.decisions).toEqual([
      'fix(feed): lock the hatch with a file: We chose a file instead of a row because a crash must not leave it locked.',
    ]);
  });
});
