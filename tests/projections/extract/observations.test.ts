// Observations of a turn: their texts, their evidence, and turns without any.
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { chance } from '../../helpers/chance.ts';
import { digestsOf, viewsOf } from '../../helpers/projected.ts';
import { aFix, newEventsOf, remembered, rememberedBy, Session } from './observed.ts';

describe('A turn with a fix', () => {
  it('makes one observation with the problem, the change and the evidence', async () => {
    const { observations } = await remembered(aFix());
    expect(observations).toHaveLength(1);
    const [one] = observations;
    expect(one).toMatchObject({
      part: 1,
      type: 'bugfix',
      title: 'Reuse the stored id across midnight',
      filesModified: ['src/session.ts', 'tests/session.test.ts'],
      filesRead: [],
    });
    expect(one!.concepts).toEqual(expect.arrayContaining(['problem-solution', 'trade-off', 'what-changed']));
    expect(one!.narrative).toContain('The root cause was that');
    expect(one!.narrative).not.toMatch(/Perfect|Would you like/);
    expect(one!.facts).toContain('src/session.ts - looks up the stored id first');
  });

  it('has the tests before and after, the commit, and the fix of the error', async () => {
    const { evidence } = (await remembered(aFix())).observations[0]!;
    expect(evidence.tests).toEqual([
      { command: 'npm test', before: 'failed', after: 'passed', runnerLine: 'Tests 42 passed (42)' },
    ]);
    expect(evidence.commits).toEqual([
      {
        hash: '3f602d1',
        message: 'fix(session): reuse the stored id across midnight\n\nThe date was part of the id.',
        branch: 'main',
      },
    ]);
    expect(evidence.errors).toEqual([
      {
        error: 'AssertionError: expected 2 ids to be 1',
        command: 'npm test',
        fixedBy: 'edits to session.ts, session.test.ts',
      },
    ]);
    expect(evidence.decisions).toEqual([
      'I kept the old format instead of a new one because existing files must stay readable.',
    ]);
  });

  it('makes a summary with the request, the answer and the next steps', async () => {
    const { summaries, observations } = await remembered(aFix());
    expect(summaries).toHaveLength(1);
    const [summary] = summaries;
    expect(summary!.request).toBe('Sessions that cross midnight get a second id. Can you fix that?');
    expect(summary!.investigated).toBe('Read session.ts.');
    expect(summary!.completed).toContain('made from today’s date');
    expect(summary!.completed).toContain('Committed 3f602d1');
    expect(summary!.nextSteps).toEqual([
      { kind: 'task', text: 'Remove the duplicate state files of older versions' },
      { kind: 'offered', text: 'do that now' },
    ]);
    expect(summary!.parts).toBe(observations.length);
  });

  it('refers to events of its own turn, and its documents are added to the raw ones', async () => {
    const { observations, documents } = await remembered(aFix());
    const raw = documents.filter(({ kind }) => kind !== 'observation' && kind !== 'summary');
    const known = new Set(raw.flatMap(({ events }) => events));
    expect(observations[0]!.evidence.events.length).toBeGreaterThan(5);
    expect(observations[0]!.evidence.events.every((event) => known.has(event))).toBe(true);
    expect(raw.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['prompt', 'answer', 'tool']));
    const found = documents.find(({ kind }) => kind === 'observation')!;
    expect(found).toMatchObject({ type: 'bugfix', title: observations[0]!.title });
    expect(found.files).toEqual(['src/session.ts', 'tests/session.test.ts']);
    expect(documents.filter(({ kind }) => kind === 'summary')).toHaveLength(1);
  });

  it('does not miss a test failure that is hidden behind a pipe', async () => {
    const session = new Session();
    session.prompt('Make the parser accept empty lines, please.');
    session.edited('/home/u/app/parse.go');
    session.ran(
      'go test ./... 2>&1 | tail -20',
      '--- FAIL: TestParse (0.00s)\n    parse_test.go:9: got 1, want 2\nFAIL',
    );
    session.edited('/home/u/app/parse.go');
    session.ran('go test ./... 2>&1 | tail -20', 'ok  	app/parse	0.2s');
    session.reply('The parser now accepts empty lines, because it skips them before it splits the fields.');
    const { tests, errors } = (await remembered(session)).observations[0]!.evidence;
    expect(tests).toEqual([
      { command: 'go test ./...', before: 'failed', after: 'passed', runnerLine: null },
    ]);
    expect(errors[0]).toMatchObject({
      error: 'TestParse: parse_test.go:9: got 1, want 2',
      fixedBy: 'edits to parse.go',
    });
  });
});

describe('Facts', () => {
  const factsOf = async (session: Session) => (await remembered(session)).observations[0]!.facts;

  it('include their heading, and every heading contributes one', async () => {
    const session = new Session();
    session.prompt('When is the hatch warning shown?');
    session.read('/home/u/app/src/hatch.ts');
    session.reply(
      [
        'The warning depends on the light and on the plan of the day.',
        '## Shown when',
        ...Array.from({ length: 12 }, (_, n) => `- the lamp number ${n} is lit by hand`),
        '## NOT shown when',
        '- the hatch is locked for the night',
      ].join('\n'),
    );
    const facts = await factsOf(session);
    expect(facts).toContain('NOT shown when: the hatch is locked for the night');
    expect(facts).toContain('Shown when: the lamp number 0 is lit by hand');
  });

  it('include a heading that sums up what somebody else said, and not that of the changes', async () => {
    const session = new Session();
    session.prompt('Look at the review of the hatch, please');
    session.edited('/home/u/app/src/hatch.ts');
    session.reply(
      'Summary of that review:\n\n- the hatch never closes by itself\n\nSummary of the changes:\n\n- closes the hatch at dusk, with one lamp',
    );
    const facts = await factsOf(session);
    expect(facts).toContain('Summary of that review: the hatch never closes by itself');
    expect(facts).toContain('closes the hatch at dusk, with one lamp');
  });

  const stated = (answer: readonly string[], more: (session: Session) => Session = (one) => one) => {
    const session = new Session();
    session.prompt('What about the hatch of the feeder?');
    more(session.edited('/home/u/app/src/hatch.ts')).reply(answer.join('\n'));
    return factsOf(session);
  };

  it('do not stand under a heading whose table is left out', async () => {
    const table = ['| File | Change |', '|---|---|', '| hatch.ts | closes at dusk |', ''];
    const end = 'Nothing else to do in: lamp.ts, plan.ts or any other file of the feeder.';
    const facts = await stated([
      'The hatch has a plan now.',
      '## Files to touch',
      ...table,
      end,
      '- the lamp stays',
    ]);
    expect(facts).toEqual(['the lamp stays']);
  });

  it('have the lead that “here is” introduces, and none that only points back', async () => {
    const facts = await stated([
      'The hatch is done. Here’s the new layout:',
      '',
      '- Lamp — the lamps',
      '',
      'The hatch only read the plan. Now the method:',
      '',
      '- reads the plan of the day',
      '- writes it back to the file',
    ]);
    expect(facts).toEqual(['The new layout: Lamp — the lamps']);
  });

  it('of conditions that hold only together are one', async () => {
    const facts = await stated([
      'The hatch warns when all of these conditions are met:',
      '- the lamp is lit',
      '- the plan is old',
      '- nobody is at the door',
    ]);
    expect(facts).toEqual([
      'The hatch warns when all of these conditions are met: the lamp is lit; the plan is old; nobody is at the door',
    ]);
    const done = ['Fixed all of the review comments:', '- the lamp is lit', '- the plan is old'];
    expect(await stated(done)).toHaveLength(2);
    const long = ['lamp', 'plan', 'door'].map((name) => `- the ${name} ${'is seen '.repeat(14)}`);
    expect(await stated(['It warns when all of these are true:', ...long])).toEqual([
      expect.stringMatching(/^It warns when all of these are true: the lamp [^;]+; \[…\]$/),
    ]);
  });

  it('of conditions that hold only together are none if the first does not fit', async () => {
    const long = [`- the lamp ${'is seen '.repeat(30)}`, '- the plan is old'];
    expect(await stated(['It warns when all of these are true:', ...long])).toEqual([
      'It warns when all of these are true: […]',
    ]);
  });

  it('of a list that is not whole end with a mark', async () => {
    const items = Array.from({ length: 14 }, (_, at) => `- the lamp number ${at} has a plan`);
    const facts = await stated(['The hatch is done. Touch points of it:', ...items]);
    expect(facts).toHaveLength(12);
    expect(facts.at(-1)).toBe('Touch points of it: the lamp number 11 has a plan […]');
    expect(
      (await stated(['The hatch is done. Touch points of it:', ...items.slice(0, 12)])).at(-1),
    ).not.toContain('…');
  });

  it('have the first clause of a long lead', async () => {
    const lead = 'Still uncommitted, and untouched by me — they were in the tree before this session began:';
    expect(await stated(['The hatch is done.', '', lead, '', '- the lamps of the roof'])).toEqual([
      'Still uncommitted, and untouched by me: the lamps of the roof',
    ]);
  });

  it('state a fix only with its problem before it, under one heading', async () => {
    const facts = await stated([
      'The hatch is fixed.',
      '## Dusk',
      '**Problem**: the hatch of the feeder closes at noon.',
      '',
      '**Solution**: made a plan that:',
      '- knows the dusk of each day',
      '## Dawn',
      '- Fix: it opens with the first light of the day',
    ]);
    expect(facts).toContain('Dusk: Problem: the hatch of the feeder closes at noon.');
    expect(facts).toContain('Solution: made a plan that: knows the dusk of each day');
    expect((await stated(['It works.', '', '- Fix: it opens with the first light of the day'])).join()).toBe(
      '',
    );
    expect(facts).toContain('Dawn: Fix: it opens with the first light of the day');
    const solution = ['## Solution', '- reads the plan of the day', '- writes it to a file'];
    expect(await stated(['## Root cause', '- the hatch has no plan', ...solution])).toContain(
      'Solution: reads the plan of the day',
    );
  });

  it.each([
    ['Fix', 'Impact', 'The hatch closed at noon.'],
    ['Lösung', 'Auswirkung', 'Die Klappe schloss am Mittag.'],
    ['Correction ', 'Impact ', 'La trappe se fermait à midi.'],
    ['Solución', 'Impacto', 'La trampilla se cerraba al mediodía.'],
    ['解决方案', '影响', '喂食器的舱门在中午就关上了。'],
  ])(
    'are no solution of a problem that a sentence states; it follows that sentence: %s',
    async (fix, impact, problem) => {
      const items = [`${fix}: it reads the plan of the day`, `${impact}: it closes at dusk`];
      const session = new Session();
      session.prompt('What about the hatch of the feeder?');
      session.edited('/home/u/app/src/hatch.ts');
      session.reply([problem, ...items.map((one) => `- ${one}`), '', 'The lamp stays on.'].join('\n'));
      const [row] = (await remembered(session)).observations;
      expect(row!.facts).toEqual([]);
      expect(row!.narrative).toContain([...items, 'The lamp stays on.'].join(' '));
    },
  );

  it('from sub-agents each name their task, and say nothing of a failure before the last change', async () => {
    const session = new Session();
    session.prompt('Build the feeder');
    session.launched(
      'Write a test of the hatch',
      '- Added a test of the hatch\n- The test of the hatch fails, as it should',
    );
    session.launched(
      'Write tests of dusk',
      '- Tests now pass a fake clock to isEvening()\n- Pending hatches are counted at dusk',
    );
    session.launched('Build the hatch', '- Built the hatch of oak\n- Built its lamp of brass');
    expect(await factsOf(session)).toEqual([
      'Sub-agent “Write a test of the hatch”: Added a test of the hatch',
      'Sub-agent “Write tests of dusk”: Tests now pass a fake clock to isEvening()',
      'Sub-agent “Write tests of dusk”: Pending hatches are counted at dusk',
      'Sub-agent “Build the hatch”: Built the hatch of oak',
      'Sub-agent “Build the hatch”: Built its lamp of brass',
    ]);
  });

  it('and the narrative leave out what is about something else', async () => {
    const session = new Session();
    session.prompt('Close the hatch at dusk');
    session
      .edited('/home/u/app/src/hatch.ts')
      .reply(
        [
          'The hatch closes at dusk because it reads the plan.',
          '',
          'One side note: the lamp of the door was lit all day.',
          '',
          'The plan has a zone of its own.',
          '',
          'Separately built plans now share a clock.',
          '',
          '**Meanwhile, everything else landed:**',
          '',
          'The door opens in time.',
          '- the bell rings at noon every day',
        ].join('\n'),
      );
    const { observations, summaries } = await remembered(session);
    expect(observations[0]).toMatchObject({
      facts: [],
      title: 'Separately built plans now share a clock',
      narrative: 'The hatch closes at dusk because it reads the plan. The plan has a zone of its own.',
    });
    expect(summaries[0]!.notes).toContain('One side note');
  });

  it('with their lead are the narrative of an answer that is only a list', async () => {
    const session = new Session();
    session.prompt('Simplify the hatch');
    session
      .edited('/home/u/app/src/hatch.ts')
      .reply('The function closeHatch() of the feeder now:\n- never fails\n- waits for dusk');
    expect((await remembered(session)).observations[0]!.narrative).toBe(
      'The function closeHatch() of the feeder now: never fails. The function closeHatch() of the feeder now: waits for dusk.',
    );
  });

  it('and the narrative have no sentence whose end is in a list', async () => {
    const session = new Session();
    session.prompt('Simplify the hatch');
    session
      .edited('/home/u/app/src/hatch.ts')
      .reply(
        [
          'Good - the lamp is a lamp of the feeder, as it was said.',
          '',
          'Here’s the change:',
          '',
          'I’ve updated the code so that the function closeHatch() of the feeder now:',
          '- never fails',
          '',
          'Much cleaner!',
          '',
          '**The plan.** It knows the dusk of each day.',
        ].join('\n'),
      );
    expect((await remembered(session)).observations[0]!.narrative).toBe(
      'The plan: It knows the dusk of each day.',
    );
    const facts = '## Changes\n- the hatch reads the plan of the day';
    const named = new Session();
    named.prompt('Why is the hatch early?');
    named
      .edited('/home/u/app/src/hatch.ts')
      .reply(`Right — the bug was in schedule.ts: it read the clock twice. The lamp was fine.\n\n${facts}`);
    const { title, narrative } = (await remembered(named)).observations[0]!;
    expect(`${title} ${narrative}`).toMatch(/clock twice.*The lamp was fine/);
  });

  it('do not claim a file that the person refused to have written', async () => {
    const session = new Session();
    session.prompt('Please write a README for the feeder');
    session.use('toolu_w', 'Write', { file_path: '/home/u/app/README.md', content: 'text' });
    session.result('toolu_w', 'The user doesn’t want to proceed', {}, { is_error: true });
    session.reply(
      'Created README.md with all that a keeper of birds has to know of the feeder and its hatch.',
    );
    const { observations } = await remembered(session);
    expect(JSON.stringify(observations)).not.toContain('Created README.md');
    expect(observations.map(({ filesModified }) => filesModified)).toEqual(observations.map(() => []));
  });

  it('name a commit that was amended in the same turn once, by its last hash', async () => {
    const session = new Session();
    session.prompt('Open the feeder before dusk and commit it');
    session.edited('/home/u/app/src/feed.ts');
    session.ran('git commit -am "feat: open before dusk"', '[main 1111111] feat: open before dusk');
    session.ran('git commit --amend --no-edit', '[main 2222222] feat: open before dusk');
    session.reply('The feeder opens before dusk now, and the change is committed to the main branch.');
    const facts = (await factsOf(session)).filter((dedupeKey) => dedupeKey.startsWith('Commit'));
    expect(facts).toEqual(['Commit 2222222: feat: open before dusk']);
  });

  it('keep the label of what was not done', async () => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    session.edited('/home/u/app/src/feed.ts');
    session.reply(
      'The feeder opens before dusk now.\n\nOptions:\n- heat the hatch in winter\n- leave the hatch cold\n\nNot covered:\n- a hatch that stays shut',
    );
    const { observations } = await remembered(session);
    expect(observations[0]!.facts).toContain('Not covered: a hatch that stays shut');
  });
});

describe('No observation is made of', () => {
  const nothing = async (session: Session) => {
    const { observations, summaries } = await remembered(session);
    expect(observations.map(({ title }) => title)).toEqual([]);
    expect(summaries).toEqual([]);
  };

  it('a greeting', async () => {
    const session = new Session();
    session.prompt('Hello there');
    session.reply('Hello! How can I help you today?');
    await nothing(session);
  });

  it('a slash command', async () => {
    const session = new Session();
    session.prompt('<command-name>/model</command-name>\n<command-message>model</command-message>');
    await nothing(session);
  });

  it('a status and a listing', async () => {
    const session = new Session();
    session.prompt('git status please');
    session.ran('git status', 'nothing to commit').reply('The working tree is clean and you are on main.');
    session.prompt('list the files in src');
    session
      .ran('ls src', 'a.ts')
      .reply('There is one file in src, and it is called a.ts as far as I can see.');
    await nothing(session);
  });

  it('a private turn, whatever it did', async () => {
    const session = new Session();
    session.prompt('<private>fix the salary table, it is wrong</private>');
    session
      .edited('/home/u/app/salaries.csv')
      .reply('Fixed the salary table by correcting the third row of it.');
    await nothing(session);
  });
});

describe('Observations', () => {
  it('come from a copied turn in its owner session only', async () => {
    const first = aFix({ session: 'aaaaaaaa-0000-4000-8000-000000000001' });
    const copy = aFix({ session: 'bbbbbbbb-0000-4000-8000-000000000002' });
    const { observations, summaries } = await remembered(first, copy);
    expect(observations).toHaveLength(1);
    expect(summaries).toHaveLength(1);
  });

  it('are made of a sub-agent’s session whose parent is not known', async () => {
    const session = new Session();
    session.prompt('Review the clock.');
    session.read('/home/u/app/src/clock.ts').searched('zone').read('/home/u/app/src/a.ts');
    session.reply(
      'Found one blocking issue in src/clock.ts: the zone of the feeder is read twice, so that a plan made before midnight names two days, and the evening feeding of the first one is lost.',
    );
    const own = newEventsOf(session)
      .filter(({ type }) => type !== 'prompt.submitted')
      .map((event) => ({
        ...event,
        body: { ...event.body, agentId: session.session, sidechain: true, promptId: null, parent: null },
      })) as NewEvent[];
    const { observations, summaries } = await rememberedBy(await viewsOf([own]));
    expect(observations[0]!.title).toContain('Found one blocking issue in src/clock.ts');
    expect(summaries[0]!.learned).toContain('the zone of the feeder is read twice');
  });

  it('use a sub-agent’s edits as evidence, but not its answer as the final answer', async () => {
    const session = new Session();
    session.prompt('Please move the clock into its own module.');
    session.use('toolu_task', 'Task', { description: 'Move the clock', prompt: 'move it' });
    const side = { isSidechain: true, agentId: 'a1' };
    session.use('toolu_side', 'Edit', { file_path: '/home/u/app/src/clock.ts' }, side);
    session.result('toolu_side', 'ok', side);
    session.reply(
      'I, the sub-agent, moved everything that I could find in the whole repository to a new place.',
      side,
    );
    session.result('toolu_task', 'moved');
    session.reply('Moved the clock into src/clock.ts, so that tests can hand in one of their own.');
    const { observations } = await remembered(session);
    expect(observations).toHaveLength(1);
    expect(observations[0]!.title).toBe(
      'Moved the clock into src/clock.ts, so that tests can hand in one of their own',
    );
    expect(observations[0]!.filesModified).toEqual(['src/clock.ts']);
    expect(observations[0]!.narrative).not.toContain('sub-agent');
  });

  it('split a long turn into parts, after a commit when one is near', async () => {
    const session = new Session();
    session.prompt('Please migrate every page to the new layout.');
    for (let index = 0; index < 44; index++) session.edited(`/home/u/app/pages/a${index}.tsx`);
    session.ran('git commit -am "Migrate the first pages"', '[main 1111111] Migrate the first pages');
    for (let index = 0; index < 30; index++) session.edited(`/home/u/app/pages/b${index}.tsx`);
    session.reply('Migrated the remaining 30 pages to the new layout and removed the old stylesheet.');
    const { observations, summaries } = await remembered(session);
    expect(observations.map(({ part, title, filesModified }) => [part, title, filesModified.length])).toEqual(
      [
        [1, 'Migrate the first pages', 44],
        [2, 'Migrated the remaining 30 pages to the new layout and removed the old stylesheet', 30],
      ],
    );
    expect(summaries).toHaveLength(1);
  });

  it('use the question when the answer is in another language', async () => {
    const session = new Session();
    session.prompt('為什麼 go.mod 裡面的版本不一致？請幫我統一。');
    session.edited('/home/u/app/go.mod');
    session.reply('已經統一版本。原因是 toolchain 指向較新的版本，所以兩個欄位不一致，現在都是 1.23。');
    const [one] = (await remembered(session)).observations;
    expect(one!.title).toContain('go.mod');
    expect(one!.narrative).toContain('toolchain');
  });

  it('never have a title with markup, a long path or more than 90 characters', async () => {
    const session = new Session();
    session.prompt('Look at this');
    session.edited('/home/u/app/cmd/entire/cli/strategy/manual_commit_hooks.go');
    session.reply(
      `Done! I've updated **\`cmd/entire/cli/strategy/manual_commit_hooks.go:12-40\`** ([docs](https://example.com)) so that ${'every hook '.repeat(20)}is called once.`,
    );
    const { title } = (await remembered(session)).observations[0]!;
    expect(title).toMatch(/^Updated manual_commit_hooks\.go/);
    expect(title).not.toMatch(/[*`\]/]|I've|Done/);
    expect(title.length).toBeLessThanOrEqual(90);
  });

  it.each([1, 2, 3])('are the same in whatever order the events of a turn arrive (seed %i)', async (seed) => {
    const newEvents = newEventsOf(aFix());
    const expected = await digestsOf(await viewsOf([newEvents]));
    const { shuffled, cut } = chance(seed);
    expect(await digestsOf(await viewsOf(cut(shuffled(newEvents), 6)))).toEqual(expected);
  });
});

describe('An answer without tool uses', () => {
  const why =
    'The hatch opens by UTC because the plan is read without a zone, and the plan has none since it was written for one house only. With two houses in two zones the later one would open an hour too late, so the zone has to travel with the plan rather than with the hatch. The timer itself is right: it fires when it is told to.';

  async function leftBy(asked: string, answer: string): Promise<number> {
    const session = new Session();
    session.prompt(asked);
    session.reply(answer);
    return (await remembered(session)).observations.length;
  }

  it('makes an observation when it explains', async () => {
    expect(await leftBy('why does the hatch open an hour late in the second house?', why)).toBe(1);
  });

  it('makes none when it asks back, or is short', async () => {
    expect(
      await leftBy(
        'why does the hatch open an hour late?',
        `${why} Should the plan or the hatch have the zone?`,
      ),
    ).toBe(0);
    expect(await leftBy('why does it open late?', 'It opens late because the plan has no zone.')).toBe(0);
  });
});

describe('A custom slash command', () => {
  it('precedes its arguments', async () => {
    const session = new Session();
    session.prompt('/ship the evening plan to both houses');
    session.edited('/home/u/app/plan.ts');
    session.reply('Shipped the evening plan to both houses: each has its own copy of it now.');
    expect((await remembered(session)).summaries[0]!.request).toBe('/ship the evening plan to both houses');
  });
});

describe('An earlier part of a long turn that ends with few words', () => {
  it('is described by interim replies after its last edit', async () => {
    const session = new Session();
    session.prompt('Work through all feeders');
    for (let number = 0; number < 45; number++) {
      if (number === 20) session.reply('The feeder test is failing because the lamp has no dusk.');
      session.edited(`/home/u/app/feeder_${number}.ts`);
    }
    session.reply('The hinge only fits when the hatch is taken out of its frame first.');
    session.reply('All green now. Next I commit the feeders that are done and go on with the rest.');
    session.ran('git commit -m "Feeders one to forty"', '[main 1a2b3c4] Feeders one to forty');
    for (let number = 0; number < 30; number++) session.edited(`/home/u/app/hatch_${number}.ts`);
    session.reply('Every feeder and every hatch has its new hinge, and all of them open in time again.');
    const { observations } = await remembered(session);
    expect(observations).toHaveLength(2);
    expect(observations[0]!.narrative).toContain(
      'The hinge only fits when the hatch is taken out of its frame',
    );
    expect(observations[0]!.narrative).not.toContain('failing');
  });
});
