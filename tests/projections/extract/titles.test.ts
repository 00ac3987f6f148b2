// Titles of observations and summaries: the outcome, from the best available source.
import { describe, expect, it } from 'vitest';
import { capital, cutAtWord } from '../../../projections/extract/text/sentences.ts';
import { formatTitle } from '../../../projections/extract/text/title-form.ts';
import { remembered, Session } from './observed.ts';

async function titleOf(asked: string, closing: string, changed = true): Promise<string> {
  const session = new Session();
  session.prompt(asked);
  session.read('/home/u/app/src/feed.ts');
  if (changed) session.edited('/home/u/app/src/feed.ts');
  session.reply(closing);
  return (await remembered(session)).observations[0]!.title;
}

const MORE =
  'The hatch is opened by a timer that is set when the program starts, and the timer reads the clock once a minute, so a change of the zone is seen within a minute of its happening.';

describe('A title', () => {
  it('states the answer to a question, not the question', async () => {
    const title = await titleOf(
      'why is the hatch closd on sundays??',
      `The weekly plan has no entry for Sunday. ${MORE}`,
      false,
    );
    expect(title).toBe('The weekly plan has no entry for Sunday');
  });

  it('is not taken from before the last change when a short final answer states the outcome', async () => {
    const session = new Session();
    session.prompt('The hatch jams at zero degrees');
    session.reply(
      'Only the other tests pass so far: the hatch must be opened by hand where it is too cold for the motor.',
    );
    session.edited('/home/u/app/src/feed.ts').ran('npm test', 'Tests  9 passed (9)');
    session.reply('The hatch opens by itself at zero degrees.');
    const { observations, summaries } = await remembered(session);
    expect(observations[0]!.title).not.toContain('Only the other tests');
    expect(summaries[0]!.completed).toBe('“The hatch opens by itself at zero degrees.”');
  });

  it('of “remove it” without an outcome says what the agent replied, like that of the summary', async () => {
    const session = new Session();
    session.prompt('remove it');
    session.ran('rm -rf runs', '').reply('runs/ removed.');
    const { observations, summaries } = await remembered(session);
    expect(observations[0]!.title).toBe('“remove it”: runs/ removed');
    expect(summaries[0]!.title).toBe('“remove it”: runs/ removed');
  });

  it.each(['Which of the two runs do you mean?', 'Let me look at the other runs:'])(
    'of “remove it” is not the reply “%s”',
    async (reply) => {
      const session = new Session();
      session.prompt('remove it');
      session.ran('rm -rf runs', '').reply(reply);
      expect((await remembered(session)).observations[0]!.title).toBe('remove it');
    },
  );

  it('may begin with a purpose', async () => {
    const sentence = 'To be safe, the hatch of the feeder closes at ten in the evening';
    expect(await titleOf('Look after the hatch', `${sentence}. ${MORE}`)).toBe(sentence);
  });

  it.each(['The hatch now:', 'I updated the hatch so that it now describes:', 'What the hatch can open is:'])(
    'does not end before its object: %s',
    async (opening) => {
      const title = await titleOf(
        'Look after the hatch',
        `${opening}\n\n- opens early\n\nThe hatch opens at dawn now.`,
      );
      expect(title).toBe('The hatch opens at dawn now');
    },
  );

  it('is not what was left as it is', async () => {
    const title = await titleOf(
      'Look after the hatch',
      'Left as it is: the hatch of the second house still jams. The hatch opens at dawn now.',
    );
    expect(title).toBe('The hatch opens at dawn now');
  });

  it('has no mark of a here-string of the commit', async () => {
    const session = new Session();
    session.prompt('Let the feeder open an hour before dusk, please.');
    session.edited('/home/u/app/src/feed.ts');
    session.ran("git commit -m @'\nfix: open an hour early\n'@", '[main 3f602d1] @ fix: open an hour early');
    session.reply('Done.');
    expect((await remembered(session)).observations[0]!.title).toBe('Open an hour early');
  });

  it('is no proposal of what “we” do', async () => {
    const title = await titleOf(
      'why do the two hatches open at different hours of the day?',
      `Instead of two clocks, we make the hatch stable by reusing the first clock. The hatch reads the clock of the lamp. ${MORE}`,
      false,
    );
    expect(title).toBe('The hatch reads the clock of the lamp');
  });

  it('leaves out the yes or no of an answer', async () => {
    const title = await titleOf(
      'does the hatch know about summer time?',
      `No — the timer counts UTC hours only. ${MORE}`,
      false,
    );
    expect(title).toBe('The timer counts UTC hours only');
  });

  it('states the new state when the person wrote half a sentence', async () => {
    expect(
      await titleOf('or shoud we open it earlier then?', `The hatch now opens an hour before dusk. ${MORE}`),
    ).toBe('The hatch now opens an hour before dusk');
  });

  it('is no remark about leftovers and no second half of a sentence', async () => {
    const closing =
      'Ran `go vet ./...`, `go test ./...` — all clean, zero issues. Two backup branches are now lying around. Folded the timer into the commit of the clock.';
    expect(await titleOf('now tidy that up', closing)).toBe(
      'Folded the timer into the commit of the clock in feed.ts',
    );
  });

  it('prefers the result to the check', async () => {
    const closing = 'Verified with the whole suite on both machines. Moved the timer into clock.ts.';
    expect(await titleOf('can you tidy this up for me?', closing)).toBe('Moved the timer into clock.ts');
  });

  it('is the first of several changes, also below a label with a place', async () => {
    const session = new Session();
    session.prompt('in clock.ts: the timer reads the local time?');
    session.edited('/home/u/app/src/clock.ts').edited('/home/u/app/tests/clock.test.ts');
    session.reply(
      '1. **Code change (`clock.ts:232-242`)**: Changed the timer to the zone of the plan\n2. **Tests**: Updated two tests to the new zone of the plan',
    );
    expect((await remembered(session)).observations[0]!.title).toMatch(/^Changed the timer/);
  });

  it('is never only that tests pass, or that it was committed', async () => {
    const title = await titleOf(
      'Move the timer into its own module',
      'All tests pass. Committed, folded into two.',
    );
    expect(title).toBe('Move the timer into its own module');
  });

  it('keeps branches, references, placeholders and globs as written', async () => {
    const branch = 'The clone creates `refs/heads/feeder/plans` and one `feeder/<hash>` branch per plan.';
    expect(await titleOf('how do plans travel?', `${branch} ${MORE}`, false)).toBe(
      'The clone creates refs/heads/feeder/plans and one feeder/<hash> branch per plan',
    );
    expect(
      await titleOf(
        'why is the cache gone?',
        `Git ignores \`plans/*\` and \`.cache/\` there. ${MORE}`,
        false,
      ),
    ).toBe('Git ignores plans/* and .cache/ there');
  });

  it.each([
    'You’re right that it belongs to the hatch.',
    'The reason is the order of the two timers.',
    'Let me update the timer as well.',
    'It runs before the other one does.',
    'Why this is tractable: nothing else depends on it.',
    'Needs both timers, which `clock.ts` starts at dawn.',
  ])('is never a concession, a step or a sentence without a subject: %s', async (runnerLine) => {
    const title = await titleOf(
      'does it matter?',
      `${runnerLine} The hatch waits for both timers. ${MORE}`,
      false,
    );
    expect(title).toBe('The hatch waits for both timers');
  });

  it('ends where a clause ends', async () => {
    const long =
      'Moved the timer of the evening feeding into a module of its own, which reads the clock once and hands it to all others.';
    expect(await titleOf('tidy up?', long)).toBe(
      'Moved the timer of the evening feeding into a module of its own',
    );
  });

  it('is not cut inside a setting', async () => {
    const long =
      'Restored the configuration of both feeders so that each has its own `push_sessions: false` disabler and a key.';
    const title = await titleOf('tidy up?', long);
    expect(title).not.toMatch(/push_sessions$/);
  });

  it('is not cut before what limits it', async () => {
    const long =
      'Moved the timer of the evening feeding into a module of its own, but the morning feeding still reads the clock by itself.';
    expect(await titleOf('tidy up?', long)).toBe(
      'Moved the timer of the evening feeding into a module of its own, but the morning feeding…',
    );
  });

  it('says that what is cut off limits it', () => {
    const said =
      'The hatch closes with the light of the evening and never in the rain of a summer night unless it is open';
    expect(formatTitle(said)).toMatch(/^The hatch closes .*… unless…$/);
    expect(formatTitle(said).length).toBeLessThanOrEqual(90);
    const head = 'The hatch closes with the light of the evening';
    const button = `${head} and the lamp that is beside the red button`;
    expect(cutAtWord(button, head.length + 2)).not.toContain('but');
  });

  it('keeps the name of a file as written, and states the first result with a number', async () => {
    expect(capital('feeder-hatch.test.ts: all tests pass')).toBe('feeder-hatch.test.ts: all tests pass');
    const session = new Session();
    session.prompt('six groups, please');
    session.edited('/home/u/app/src/hatch.ts');
    session.reply(
      '69 commits are now 7. The tree is as it was.\n\nThe lamp is gone (`lamps/` no longer exists), with its three references.',
    );
    expect((await remembered(session)).observations[0]!.title).toBe('69 commits are now 7');
  });

  it('is never a proposal where nothing changed, nor a half sentence', async () => {
    const asked = 'why is the hatch closd on sundays??';
    const found = `The weekly plan has no entry for Sunday. ${MORE}`;
    for (const first of [
      'Add an entry for Sunday to the weekly plan.',
      'Compare the plan with the calendar first.',
      'Are more of a weekly layout.',
    ])
      expect(await titleOf(asked, `${first} ${found}`, false)).toBe(
        'The weekly plan has no entry for Sunday',
      );
    expect(await titleOf(asked, `The bug is on line 181 of the plan. ${MORE}`, false)).toBe(
      'The bug is on line 181 of the plan',
    );
  });

  it('says that something was only asked where nothing changed and no outcome is known', async () => {
    const session = new Session();
    session.prompt('Unify the two ways that plans are read');
    session.read('/home/u/app/src/feed.ts').read('/home/u/app/src/plan.ts').searched('readPlan');
    const places = [
      'feed.ts: its own reader',
      'plan.ts: the reader of all others',
      'hatch.ts: reads one field',
    ];
    session.reply(
      `There are three places:\n\n${places.map((one) => `- ${one}, ${'as it is today '.repeat(20)}`).join('\n')}`,
    );
    const { observations, summaries } = await remembered(session);
    expect(observations[0]).toMatchObject({
      title: 'Asked: Unify the two ways that plans are read',
      type: 'discovery',
    });
    expect(observations[0]!.subtitle).not.toContain('Unify');
    expect(summaries[0]!.title).toBe('Asked: Unify the two ways that plans are read');
  });

  it('keeps the name of a command as written', async () => {
    expect(await titleOf('it breaks for me', `\`npm run start\` works now. ${MORE}`)).toBe(
      'npm run start works now',
    );
  });

  it('keeps the request of a person who writes in another language', async () => {
    expect(await titleOf('フィーダーを夕方に開けるようにしてください', '')).toContain(
      'フィーダーを夕方に開ける',
    );
  });

  it('of an amended commit is the new change', async () => {
    const session = new Session();
    session.prompt('have a look at the review comments');
    session.edited('/home/u/app/src/feed.ts');
    session.ran('git commit --amend --no-edit', '[main 1a2b3c4] feat(feed): open before dusk');
    session.reply('Fixed the two comments about the zone and declined the rename.');
    expect((await remembered(session)).observations[0]!.title).toBe(
      'Fixed the two comments about the zone and declined the rename',
    );
  });

  it('is what was asked, not done, where only an earlier commit was amended', async () => {
    const session = new Session();
    session.prompt('Hide the table on pages that have no content');
    session.ran('git commit -q --amend -F message.txt', '');
    session.reply('Which of the two tables?');
    expect((await remembered(session)).observations[0]!.title).toBe(
      'Asked: Hide the table on pages that have no content',
    );
  });

  it('names no file that was created and removed again', async () => {
    const session = new Session();
    session.prompt('hm');
    session.wrote('/home/u/app/src/draft.ts').edited('/home/u/app/src/feed.ts');
    session.ran('rm src/draft.ts').ran('npm test', 'Tests  9 passed (9)');
    session.reply('Now let me look at the rest:');
    const [row] = (await remembered(session)).observations;
    expect(row!.filesModified).toEqual(['src/feed.ts']);
    expect(row!.title).toBe('Changes to feed.ts');
  });

  it('keeps the “not” of a question that asks for it', async () => {
    const session = new Session();
    session.prompt('Can we not open the hatch at night and keep the lamp on?');
    session.edited('/home/u/app/src/feed.ts');
    session.reply('Done.');
    expect((await remembered(session)).summaries[0]!.title).toBe(
      'Can we not open the hatch at night and keep the lamp on?',
    );
  });

  it('of a summary is the request', async () => {
    const session = new Session();
    session.prompt('Open the feeder before dusk, please');
    session.edited('/home/u/app/src/feed.ts');
    session.reply('Moved the opening to one hour before dusk.');
    const { observations, summaries } = await remembered(session);
    expect(observations[0]!.title).toBe('Moved the opening to one hour before dusk in feed.ts');
    expect(summaries[0]!.title).toBe('Open the feeder before dusk');
  });

  it('of a summary of “yes” includes the outcome', async () => {
    const session = new Session();
    session.prompt('yes');
    session.edited('/home/u/app/src/feed.ts');
    session.reply('Moved the opening to one hour before dusk.');
    const { summaries } = await remembered(session);
    expect(summaries[0]!.title).toBe('“yes”: Moved the opening to one hour before dusk in feed.ts');
  });
});

describe('A turn without a final answer', () => {
  it('is named by the sub-agents that were launched to make something', async () => {
    const session = new Session();
    session.prompt('1');
    session.use('toolu_a', 'Task', {
      description: 'Implement Task 2: Add a retry to the hatch',
      prompt: 'Do it',
    });
    session.result('toolu_a', 'done');
    session.use('toolu_b', 'Task', { description: 'Review the retry', prompt: 'Do it' });
    session.result('toolu_b', 'fine');
    session.ran('npm test', 'Tests  9 passed (9)');
    session.reply('All checks pass. Now let me launch the last review of everything:');
    const { observations, summaries } = await remembered(session);
    expect(observations[0]!.title).toBe('Add a retry to the hatch');
    expect(summaries[0]!.completed).toContain('Worked on: Add a retry to the hatch.');
    expect(summaries[0]!.nextSteps).toEqual([
      { kind: 'announced', text: 'Now let me launch the last review of everything' },
    ]);
  });

  it('is named by an announced change', async () => {
    const session = new Session();
    session.prompt('yes, do it');
    session.reply('Now let me update plan.ts to skip empty days:');
    session.edited('/home/u/app/src/plan.ts');
    session.prompt('And now?');
    expect((await remembered(session)).observations[0]!.title).toBe('Update plan.ts to skip empty days');
  });

  it('takes no pasted output for a request', async () => {
    const session = new Session();
    session.prompt('✓ Hooks of the feeder installed\n➜ app git:(main) feeder start\nunknown command');
    session.edited('/home/u/app/src/feed.ts');
    session.reply('Registered the start command, which nothing had named before in the list of commands.');
    const { observations, summaries } = await remembered(session);
    expect([observations[0]!.subtitle, summaries[0]!.request].join()).not.toMatch(/installed|git:/);
  });

  it('is not named by output that the person pasted', async () => {
    const session = new Session();
    session.prompt('Building feeder from: /home/u/app\nFeeder hooks installed\n=== Step 1 ===');
    session.edited('/home/u/app/src/plan.ts');
    session.prompt('And now?');
    expect((await remembered(session)).observations[0]!.title).toBe('Changes to plan.ts');
  });

  it.each(['Now let me fix the compilation errors:', 'Now let me update the count in clock.ts to match:'])(
    'is not named by an announced step that the written files do not show: %s',
    async (announcement) => {
      const session = new Session();
      session.prompt('yes, but test it first');
      session.edited('/home/u/app/tests/plan.test.ts').edited('/home/u/app/tests/days.test.ts');
      session.reply(announcement);
      session.edited('/home/u/app/tests/plan.test.ts');
      session.prompt('And now?');
      expect((await remembered(session)).observations[0]!.title).toMatch(/plan\.test\.ts and 1 more file$/);
    },
  );
});

describe('The final answer', () => {
  it('is not the reply to a late notification of background work', async () => {
    const session = new Session();
    session.prompt('Open the feeder before dusk, please');
    session.edited('/home/u/app/src/feed.ts');
    session.reply('Moved the opening to one hour before dusk, read from the almanac of the year.');
    session.reply(
      'That was a stale background task of the earlier build, and its output is not relevant any more.',
    );
    const { observations } = await remembered(session);
    expect(observations[0]!.title).toContain('Moved the opening to one hour before dusk');
  });

  it('keeps an open question as a next step, but not “nothing left”', async () => {
    const session = new Session();
    session.prompt('Plan the hatch, please');
    session.wrote('/home/u/app/docs/plan.md');
    session.reply(
      'The plan has two ways, and there is nothing left uncommitted. Which approach do you prefer?',
    );
    expect((await remembered(session)).summaries[0]!.nextSteps).toEqual([
      { kind: 'asked', text: 'Which approach do you prefer?' },
    ]);
  });
});

describe('Lists', () => {
  it('join sub-items to their item', async () => {
    const session = new Session();
    session.prompt('Open the feeder before dusk, please');
    session.edited('/home/u/app/src/feed.ts');
    session.reply(
      'Moved the opening.\n\n- `feed.ts`:\n  - reads the almanac\n  - sets the timer\n- one test for it',
    );
    const { observations } = await remembered(session);
    expect(observations[0]!.facts.slice(0, 2)).toEqual([
      'feed.ts: reads the almanac; sets the timer',
      'one test for it',
    ]);
  });

  it.each(['When you run it again, look for:', 'This time we should see:', '**Expected output:**'])(
    'are no results if they are only expected: %s',
    async (lead) => {
      const session = new Session();
      session.prompt('That should print the time or?');
      session.edited('/home/u/app/src/feed.ts');
      session.reply(`The timer prints no zone, so I added it.\n\n${lead}\n\n- a zone in every line`);
      expect((await remembered(session)).observations[0]!.facts).toEqual([]);
    },
  );

  it.each([
    'To test the timer without a clock, I added:',
    'To verify this I ran:',
    'Things to watch out for:',
  ])('are results if they are not only expected: %s', async (lead) => {
    const session = new Session();
    session.prompt('That should print the time or?');
    session.edited('/home/u/app/src/feed.ts');
    session.reply(`The timer prints no zone, so I added it.\n\n${lead}\n\n- a zone in every line`);
    const { facts } = (await remembered(session)).observations[0]!;
    expect(facts.join()).toContain('a zone in every line');
  });
});

describe('Commands', () => {
  it('include their folder when it is not the project', async () => {
    const session = new Session();
    session.prompt('Open the feeder before dusk, please');
    session.edited('/home/u/app/src/feed.ts');
    session.ran('cd website && npm test', 'Tests  9 passed (9)');
    session.ran('cd /home/u/app && npm run lint', 'ok').ran('cd /tmp/other && npm run build', 'ok');
    session.reply('Moved the opening to one hour before dusk.');
    const { evidence } = (await remembered(session)).observations[0]!;
    expect(evidence.commands.map(({ command }) => command)).toEqual([
      'npm test (in website)',
      'npm run lint',
      'npm run build (in /tmp/other)',
    ]);
  });
});
