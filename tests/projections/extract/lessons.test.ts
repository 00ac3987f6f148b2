// Lessons: causes with their fix, sub-agents' reports, and turns without observations.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

async function observed(session: Session) {
  return (await remembered(session)).observations;
}

describe('A lesson of the agent', () => {
  it('is kept with its fix', async () => {
    const session = new Session();
    session.prompt('Show the feeder page, please.');
    session.reply(
      "The root layout doesn't render flash messages. I'll add a flash display inline in the feeder template.",
    );
    session.edited('/home/u/app/src/page.ts');
    session.reply('Changed the feeder page so that it shows the state of every hatch.');
    const [row] = await observed(session);
    const lesson =
      "Acted on: The root layout doesn't render flash messages → Add a flash display inline in the feeder template";
    expect(row?.evidence.lessons).toEqual([lesson]);
    expect(row?.facts).toContain(lesson);
  });

  it('is no announcement, no lookup and no final answer', async () => {
    const session = new Session();
    session.prompt('Show the feeder page, please.');
    session.reply(
      'Let me look why the page is missing. I need to check src/page.ts because it never renders.',
    );
    session.edited('/home/u/app/src/page.ts');
    session.reply('The page was missing because src/routes.ts never named it, and now it is there again.');
    const [row] = await observed(session);
    expect(row?.evidence.lessons).toEqual([]);
  });
});

describe('What the agent says on the way', () => {
  const saidThen = async (said: string) => {
    const session = new Session();
    session.prompt('Show the feeder page, please.');
    session.reply(said);
    session.edited('/home/u/app/src/page.ts');
    session.reply('Changed the feeder page so that it shows the state of every hatch.');
    return (await observed(session)).flatMap(({ evidence }) => evidence.lessons);
  };

  it('is a lesson unless it is a defect that a later change may have fixed', async () => {
    const said = 'The page of src/page.ts is rendered twice, because the router calls it for each hatch.';
    expect(await saidThen(said)).toEqual([said.slice(0, -1)]);
  });

  const FOUND = "The root layout of src/page.ts doesn't render messages.";
  const PLANNED = `${FOUND} I'll add a display of messages to the template of the feeder.`;
  const lessonsThen = async (said: string, work: (session: Session) => void) => {
    const session = new Session();
    session.prompt('Show the feeder page, please.');
    session.reply(said);
    work(session);
    session.reply('Changed the feeder page so that it shows the state of every hatch.');
    return (await observed(session)).flatMap(({ evidence }) => evidence.lessons);
  };

  it.each([
    [
      'a check fails after it',
      (session: Session) =>
        session
          .edited('/home/u/app/src/page.ts')
          .failed('npm run lint', 'error')
          .edited('/home/u/app/src/other.ts'),
    ],
    [
      'its file is changed again after a check',
      (session: Session) =>
        session
          .edited('/home/u/app/src/page.ts')
          .ran('npm run lint | tail -5')
          .edited('/home/u/app/src/page.ts'),
    ],
  ])('has no fix where %s', async (_, work) => {
    expect(await lessonsThen(PLANNED, work)).toEqual([]);
  });

  it('has no fix where nothing changed after it', async () => {
    const work = (session: Session) => session.ran('npm run lint');
    expect((await lessonsThen(PLANNED, work)).join()).not.toContain('→');
  });

  it('has its fix where the checks pass', async () => {
    const work = (session: Session) => session.edited('/home/u/app/src/page.ts').ran('npm run lint');
    expect(await lessonsThen(PLANNED, work)).toEqual([
      "Acted on: The root layout of src/page.ts doesn't render messages → Add a display of messages to the template of the feeder",
    ]);
  });

  it.each([
    ['progress', 'Reading src/page.ts and then searching for hard-coded hatches in all other pages.'],
    ['progress of its own', 'The branch has no src/page.ts, so I’m taking it from the other one instead.'],
    ['a state now', 'The run of src/page.ts is now a few minutes in, because the hatch must open first.'],
    ['something to do', 'The type of src/page.ts is wrong, so we need to fix it in the second hatch too.'],
    ['a confirmation', 'Good, the bar of src/page.ts is not sticky because the hatch has its own.'],
    [
      'a defect that the change may have fixed',
      'The config of src/page.ts is missing the key of the second hatch.',
    ],
    [
      'a root cause that the change may have removed',
      'Root cause found: src/page.ts takes the margin of its list, so the second hatch sits lower.',
    ],
    ['a state of the working tree', 'The only diff is in src/page.ts, because the other hatch is ignored.'],
    ['a puzzle', 'Wait, 155 lines again. The list of src/page.ts is the same because its test was counted.'],
    [
      'about another place',
      'The hatches of src/page.ts are shown there twice, because each of them is sent.',
    ],
    [
      'what could be done',
      'The flag of src/page.ts already implies the second hatch, so we could even drop it because of that.',
    ],
    ['a failed check', 'The typecheck of src/page.ts failed due to an older type of the second hatch.'],
    ['a guess', 'The table in src/page.ts is probably stale, because nobody clears it at dusk.'],
  ])('is no lesson when it is %s', async (_, said) => {
    expect(await saidThen(said)).toEqual([]);
  });

  it.each([
    [
      '**Solution**: Created one list of hatches in `src/page.ts` that:\n- is read once',
      'Created one list of hatches in src/page.ts',
    ],
    [
      '**Fix**: add the missing key of the hatch to the list.',
      'Add the missing key of the hatch to the list.',
    ],
  ])('has the solution that stands below it: %s', async (said, solution) => {
    const session = new Session();
    session.prompt('Why does the hatch of the feeder open twice?');
    session.edited('/home/u/app/src/page.ts');
    session.reply(`**Problem**: The page asks for every hatch of the feeder twice.\n\n${said}`);
    expect((await observed(session))[0]!.evidence.lessons).toEqual([
      `Cause: The page asks for every hatch of the feeder twice → ${solution}`,
    ]);
  });

  it('is none where only a command changed something', async () => {
    const session = new Session();
    session.prompt('Show the feeder page, please.');
    session.edited('/home/u/app/src/page.ts');
    session.reply('There is a stale clone in tmp/clones, which causes npm test to find the tests of others.');
    session.ran('rm -rf tmp/clones', '');
    session.reply('Changed the feeder page so that it shows the state of every hatch and of both lamps.');
    expect((await observed(session))[0]!.evidence.lessons).toEqual([]);
  });

  it.each([
    [
      'has no fix that only says what will be',
      "Cleaned them up so future commits won't be blocked by this.",
      '',
    ],
    [
      'has a fix that names a future',
      'Removed the shared folder and returned a future that is Send.',
      ' → Removed the shared folder and returned a future that is Send.',
    ],
  ])('%s', async (_, said, fix) => {
    const session = new Session();
    session.prompt('Show the feeder page, please.');
    session.edited('/home/u/app/src/page.ts');
    const cause = 'The failure was caused by stale folders of src/page.ts from earlier runs';
    session.reply(`${cause}. ${said}`);
    expect((await observed(session))[0]!.evidence.lessons).toEqual([`Cause: ${cause}${fix}`]);
  });

  it('names no step as its fix that only finds out more', async () => {
    const said =
      'The table of src/page.ts is rendered twice, because two hatches share it. Let me add debug output to see what happens.';
    expect(await saidThen(said)).toEqual([
      'The table of src/page.ts is rendered twice, because two hatches share it',
    ]);
  });

  it('is none of what we would do, where nothing was changed', async () => {
    const session = new Session();
    session.prompt('Can the feeder page be shown twice, or is one hatch enough for all of it?');
    session.searched('hatch').searched('page').searched('lamp');
    session.reply('Instead of two pages in src/page.ts, we make the first one stable by reusing its hatch.');
    session.searched('feeder');
    session.reply(
      `The page of the feeder is shown once for each hatch. ${'It reads the clock of the house. '.repeat(9)}`,
    );
    expect((await observed(session))[0]!.evidence.lessons).toEqual([]);
  });
});

describe('A cause that the final answer names', () => {
  const lessonsOf = async (answer: string, changed = true) => {
    const session = new Session();
    session.prompt('The feeder counts every hatch twice, and the number never goes down. Can you fix that?');
    session.read('/home/u/app/src/hatch.ts');
    if (changed) session.edited('/home/u/app/src/hatch.ts');
    session.reply(answer);
    return (await observed(session)).flatMap(({ evidence }) => evidence.lessons);
  };
  const CAUSE =
    "Fixed and verified. The root cause: `countHatches()` reads `$'...'` hatch-lists in a subshell, so closed ones stay in the table. I added a `--open` flag to its call.";

  it.each([
    ['', CAUSE],
    [' before a command at the end', `${CAUSE}\n\nDelete the old table first:\n\n\`\`\`sh\nrm table\n\`\`\``],
  ])('is a lesson with what was done%s', async (_, answer) => {
    expect(await lessonsOf(answer)).toEqual([
      "Cause: countHatches() reads $'...' hatch-lists in a subshell, so closed ones stay in the table → Added a --open flag to its call.",
    ]);
  });

  it.each([
    [
      'guesses',
      'I changed the counter. The cause is probably the clock of the house, which nobody has seen.',
      true,
    ],
    ['is about a proposal', '**Problem**: You still do not know which of the hatches were closed.', false],
    [
      'says that it is gone',
      'I changed the counter. The problem is gone now, and the number goes down.',
      true,
    ],
  ])('is none if the answer %s', async (_, answer, changed) => {
    expect(await lessonsOf(answer, changed)).toEqual([]);
  });
});

describe('A sub-agent’s report', () => {
  it('is used when the agent itself says little', async () => {
    const session = new Session();
    session.prompt('Go on with the plan');
    session.launched(
      'Implement Task 2: Retry in the uploader',
      '**What I implemented:**\n- Modified `upload()` in src/upload.ts to try three times',
    );
    session.reply('Now let me dispatch the final reviewer:');
    const [row] = await observed(session);
    expect(row?.facts.join('\n')).toContain('Modified upload() in src/upload.ts to try three times');
  });
});

describe('A turn without observations', () => {
  it('is a question answered without a lookup', async () => {
    const session = new Session();
    session.prompt('Would it not make sense to keep this in the feeder package?');
    session.reply(
      `It would, but the feeder package imports the clock. ${'The clock is read there. '.repeat(12)}`,
    );
    expect(await observed(session)).toEqual([]);
  });

  it('deletes branches and changes nothing else', async () => {
    const session = new Session();
    session.prompt('yes, delete them');
    session.ran('git branch -D backup/one backup/two && git branch --list');
    session.reply('Deleted both backup branches.');
    expect(await observed(session)).toEqual([]);
  });
});
