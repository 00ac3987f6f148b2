// Edits that are neither committed nor undone at the end of a part, as far as its tools show.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

const FEED = '/home/u/app/src/feed.ts';
const LAMP = '/home/u/app/src/lamp.ts';

async function editsOf(tell: (session: Session) => void) {
  const session = new Session();
  session.prompt('Make the feeder open before dusk, and the lamp too, please.');
  tell(session);
  session.reply('The feeder and the lamp open an hour before dusk on every day of the year now.');
  const { observations } = await remembered(session);
  return observations[0]!.evidence.edits;
}

/** Edits two files, runs a command, and edits one of them again if asked to. */
const filesAfter = async (command: string, printed = '') =>
  (await editsOf((session) => session.edited(FEED).edited(LAMP).ran(command, printed))).files;

const STATUS = [
  'On branch main',
  "Your branch is ahead of 'origin/main' by 1 commit.",
  '  (use "git push" to publish your local commits)',
  '',
  'Changes not staged for commit:',
  '  (use "git add <file>..." to update what will be committed)',
  '  (use "git restore <file>..." to discard changes in working directory)',
  '\tmodified:   src/lamp.ts',
  '',
  'no changes added to commit (use "git add" and/or "git commit -a")',
].join('\n');

describe('Edits', () => {
  it('stay pending in their order; what was edited again is the last', async () => {
    const edits = await editsOf((session) => session.edited(FEED).edited(LAMP).edited(FEED));
    expect(edits).toEqual({
      files: ['src/lamp.ts', 'src/feed.ts'],
      lines: [expect.any(Number), expect.any(Number)],
      earlier: null,
      listed: null,
      listedAs: [],
      listedBefore: [],
      incomplete: false,
      discarded: [],
      removed: [],
      moved: [],
      committed: false,
    });
  });

  it.each([
    ['git checkout -- src/feed.ts && git status', ['src/feed.ts']],
    ['git checkout HEAD -- src/feed.ts src/lamp.ts', ['src/feed.ts', 'src/lamp.ts']],
    ['git restore src/feed.ts', ['src/feed.ts']],
    ['git restore --staged src/feed.ts', []],
    ['git restore -S src/feed.ts', []],
    ['git restore -SW src/feed.ts', ['src/feed.ts']],
    ['git checkout main', []],
  ])('that were thrown away are named: %s', async (command, discarded) => {
    expect((await editsOf((session) => session.edited(FEED).ran(command, ''))).discarded).toEqual(discarded);
    expect((await editsOf((session) => session.edited(FEED).failed(command, 'fatal'))).discarded).toEqual([]);
  });

  it('after a commit are pending, those before it are not', async () => {
    const edits = await editsOf((session) =>
      session.edited(FEED).ran('git commit -qam "Open early"', '').edited(LAMP),
    );
    expect(edits).toMatchObject({ files: ['src/lamp.ts'], earlier: [], removed: [], committed: true });
  });

  it('are not pending when later edits took them back', async () => {
    const { files } = await editsOf((session) =>
      session
        .edited(FEED, 'import a;\n', 'import a;\nimport b;\n')
        .edited(LAMP)
        .edited(FEED, 'open();', 'open(early);')
        .edited(FEED, 'import b;\nimport c;', 'import c;')
        .edited(FEED, 'open(early);', 'open();'),
    );
    expect(files).toEqual(['src/lamp.ts']);
  });

  it('are pending if it is not known what is left of them', async () => {
    const edits = await editsOf((session) => session.edited(FEED).wrote(FEED).edited(FEED, 'b', 'a'));
    expect(edits).toMatchObject({ files: ['src/feed.ts'], lines: [null] });
  });

  it.each([
    `git add ${'src/a-long-name-of-a-folder/and-of-a-file.ts '.repeat(12)} && git commit -m "Open early"`,
    'rtk git add src/feed.ts src/lamp.ts && rtk git commit -m "Open early"',
    'git rebase --autosquash main',
    'git stash',
    'git restore .',
    'git checkout -- src',
    'git reset --hard',
  ])('before %s are not', async (command) => expect(await filesAfter(command)).toEqual([]));

  it.each([
    'git stash list',
    'git checkout main',
    'git restore --staged src/feed.ts',
    'git reset src/feed.ts',
    'git init trial && cd trial && git commit -m "Oil"',
    'cd /tmp && git init trial && cd trial && git commit -qm "Oil" && git restore feed.ts',
  ])('before %s are', async (command) => expect(await filesAfter(command)).toHaveLength(2));

  it('before a commit that failed are', async () => {
    const edits = await editsOf((session) =>
      session.edited(FEED).failed('git commit -m "Oil"', 'Exit code 1'),
    );
    expect(edits.files).toEqual(['src/feed.ts']);
  });

  it.each(['rm src/feed.ts', 'rm -f /home/u/app/src/feed.ts', 'git rm src/feed.ts'])(
    'of a removed file are not: %s',
    async (command) => {
      const edits = await editsOf((session) => session.edited(FEED).edited(LAMP).ran(command, ''));
      expect(edits.files).toEqual(['src/lamp.ts']);
      expect(edits.removed).toEqual(['src/feed.ts']);
    },
  );

  it.each([
    ['mv src/feed.ts src/meal.ts', ['src/meal.ts', 'src/lamp.ts']],
    ['git mv -f src/feed.ts /home/u/app/src/meal.ts', ['src/meal.ts', 'src/lamp.ts']],
    ['mv src/feed.ts src/lamp.ts old/', ['old/feed.ts', 'old/lamp.ts']],
    ['mv src/feed.ts src/meal.ts && mv src/meal.ts src/food.ts', ['src/food.ts', 'src/lamp.ts']],
    // A folder, or a new name without an ending.
    ['mv src/feed.ts old', ['src/lamp.ts']],
    // Of another folder, as far as is known.
    ['cd src && mv feed.ts meal.ts', ['src/lamp.ts']],
    ['mv src/*.ts old/', ['src/feed.ts', 'src/lamp.ts']],
  ])('of a moved file have its new name: %s', async (command, files) => {
    expect(await filesAfter(command)).toEqual(files);
  });

  it('before a status have the name that a file was given after it', async () => {
    const edits = await editsOf((session) =>
      session.ran('git status', STATUS).ran('mv src/lamp.ts src/light.ts', ''),
    );
    expect(edits.moved).toEqual([['src/lamp.ts', 'src/light.ts']]);
    expect(edits.earlier).toContain('src/light.ts');
  });

  it('of the agent’s plans are left out', async () => {
    const edits = await editsOf((session) => session.edited('/home/u/.claude/plans/oak.md').edited(FEED));
    expect(edits.files).toEqual(['src/feed.ts']);
  });
});

describe('Files that no edit tool changed', () => {
  const SHORT = 'opened: 3\n M src/lamp.ts\n M src/oak.ts\n?? notes/';
  const script = "node -e \"fs.writeFileSync('src/oak.ts', '')\"";

  it.each<[string, (session: Session) => Session, readonly string[] | null]>([
    ['a short status', (one) => one.ran(`${script}; git status --short`, SHORT), ['src/oak.ts']],
    ['a status', (one) => one.ran('git status', STATUS.replace('lamp', 'oak')), ['src/oak.ts']],
    [
      'the changes in numbers',
      (one) => one.ran('git diff --stat', 'src/oak.ts | 3 ++-\n src/lamp.ts | 1 +\n 2 files changed'),
      ['src/oak.ts'],
    ],
    [
      'a new one that a command wrote',
      (one) => one.ran("cat > docs/oak.md <<'E'\noak\nE").ran('git status -s', '?? docs/oak.md\n?? notes/'),
      ['docs/oak.md'],
    ],
    ['none after a commit', (one) => one.ran('git status -s', SHORT).ran('git commit -qam "Oak"', ''), []],
    ['those of another range', (one) => one.ran('git diff --stat HEAD~1', ' src/oak.ts | 3 ++-'), null],
    ['those of another folder', (one) => one.ran('git -C /home/u/oak status -s', SHORT), null],
  ])('are those that git listed: %s', async (_, tell, listed) => {
    const edits = await editsOf((session) => tell(session.edited(FEED).edited(LAMP)));
    expect(edits).toMatchObject({ listed, listedBefore: [] });
  });

  it.each([
    [
      'git status -s',
      'M  src/oak.ts\n D src/ash.ts\nAM src/fir.ts\nR  src/elm.ts -> old/elm.ts\nUU ../yew.ts\nD  .env\n?? .env\n!! dist/',
      ['changed', 'deleted', 'new', 'renamed', 'changed', 'changed'],
    ],
    [
      'git status',
      STATUS.replace(
        '\tmodified:   src/lamp.ts',
        '\tdeleted:    src/oak.ts\n\tnew file:   src/ash.ts\n\tmodified:   src/ash.ts\n\trenamed:    src/elm.ts -> old/elm.ts',
      ),
      ['deleted', 'new', 'renamed'],
    ],
  ])('are deleted, new or renamed as git says: %s', async (command, printed, listedAs) => {
    const edits = await editsOf((session) => session.edited(FEED).ran(command, printed));
    expect(edits.listedAs).toEqual(listedAs);
  });

  it.each([
    ['cd src && git status -s', ' M oak.ts\n D ../ash.ts', ['src/oak.ts', 'ash.ts']],
    ['cd src && ls; cd /home/u/app && git status -s', ' M src/oak.ts', ['src/oak.ts']],
    ['cd src && git -C /home/u/app status -s', ' M src/oak.ts', ['src/oak.ts']],
    ['cd src && cd parts && git status -s', ' M oak.ts', ['src/parts/oak.ts']],
    ['(cd src && ls); git status -s', ' M src/oak.ts', ['src/oak.ts']],
    ['cd src && git -C "/home/u/app" status -s', ' M src/oak.ts', ['src/oak.ts']],
    [
      'cd src && git --no-pager -c core.quotepath=off -C /home/u/app status -s',
      ' M src/oak.ts',
      ['src/oak.ts'],
    ],
    ['pushd src && ls && popd && git status -s', ' M src/oak.ts', ['src/oak.ts']],
    ['cd src && git -c status.relativePaths=false status -s', ' M src/oak.ts', ['src/oak.ts']],
    ['cd src && rtk git status -s', ' M oak.ts', ['src/oak.ts']],
    ['cd src && rtk git status -sb', ' M src/oak.ts', ['src/oak.ts']],
    ['cd src && git worktree list --porcelain; git status -s', ' M oak.ts', ['src/oak.ts']],
    ['cd src && git status --porcelain', ' M src/oak.ts', ['src/oak.ts']],
  ])('have paths from the workdir: %s', async (command, printed, listed) => {
    expect((await editsOf((session) => session.edited(FEED).ran(command, printed))).listed).toEqual(listed);
  });

  it('are kept apart when git listed them before the first edit', async () => {
    const edits = await editsOf((session) =>
      session.ran('git status -s', ' M src/oak.ts').edited(LAMP).ran('git status -s', SHORT.slice(10)),
    );
    expect(edits).toMatchObject({ listed: ['src/oak.ts'], listedBefore: ['src/oak.ts'] });
  });

  it.each([
    ["sed -i 's/a/b/' src/*.ts", true],
    ["cat >> src/oak.ts <<'E'\noak\nE", true],
    ['bun add oak', true],
    ["python3 - <<'E'\nopen('src/oak.ts', 'w')\nE", true],
    ['npm test > /tmp/out.txt 2>&1', false],
    ['npm test 2>&1 | tail -3', false],
    ["sed -n '1,9p' src/oak.ts", false],
    ['git mv src/oak.ts src/ash.ts', false],
    ["sed -i 's/a/b/' src/oak.ts && git status -s", false],
  ])('may be more than are known: %s', async (command, incomplete) => {
    const edits = await editsOf((session) => session.edited(LAMP).ran(command, ' M src/lamp.ts'));
    expect(edits.incomplete).toBe(incomplete);
  });

  it('may be more after a sub-agent without a transcript', async () => {
    const edits = await editsOf((session) => session.edited(LAMP).launched('Implement the hatch', 'Made.'));
    expect(edits.incomplete).toBe(true);
  });

  it('are edited if a shell is given a patch of them', async () => {
    const patch = "applypatch <<'P'\n*** Begin Patch\n*** Update File: src/oak.ts\n+oak\n*** End Patch\nP";
    expect(await editsOf((session) => session.ran(patch))).toMatchObject({ files: ['src/oak.ts'] });
  });

  it('are gone where a patch adds a file and a later one deletes it', async () => {
    const patch = (act: string) =>
      `applypatch <<'P'\n*** Begin Patch\n*** ${act} File: src/oak.ts\n*** End Patch\nP`;
    const session = new Session();
    session.prompt('Make the feeder open before dusk, and the lamp too, please.');
    session
      .edited(FEED)
      .ran(patch('Add'))
      .ran(patch('Delete'))
      .reply('The feeder opens an hour before dusk now.');
    const [row] = (await remembered(session)).observations;
    expect(row!.evidence.edits).toMatchObject({ files: ['src/feed.ts'], removed: ['src/oak.ts'] });
    expect(row!.filesModified).toEqual(['src/feed.ts']);
    const anew =
      "applypatch <<'P'\n*** Begin Patch\n*** Delete File: src/oak.ts\n*** Add File: src/oak.ts\n+oak\n*** End Patch\nP";
    expect(await editsOf((one) => one.ran(anew))).toMatchObject({ files: ['src/oak.ts'], removed: [] });
  });
});

describe('A status', () => {
  it.each([
    ['git status', STATUS],
    ['cd /home/u/app && git status', STATUS],
    ['git status && git diff', `${STATUS}\ndiff --git a/src/feed.ts b/src/feed.ts`],
    ['git -C /home/u/app status', STATUS],
    [
      'rtk git status',
      '📌 main...origin/main [ahead 3]\n📝 Modified: 1 files\n   src/lamp.ts\n❓ Untracked: 5 files\n   .claude/\n   ... +4 more',
    ],
    ['git log --oneline -1; git status', `3f602d1 Oil\n${STATUS}`],
    ['git status --short', ' M src/lamp.ts\n?? notes/'],
    ['git status -sb', '## main...origin/main [ahead 1]\n M src/lamp.ts'],
    ['git status --porcelain', 'R  src/old.ts -> src/lamp.ts'],
    ['git status', STATUS.replace('src/lamp.ts', '../app/src/lamp.ts')],
  ])('settles the edits that it does not list: %s', async (command, printed) => {
    expect(await filesAfter(command, printed)).toEqual(['src/lamp.ts']);
  });

  it('without changes settles all', async () => {
    const clean = 'On branch main\nnothing to commit, working tree clean';
    expect(await filesAfter('git status', clean)).toEqual([]);
  });

  it('of untracked files lists them', async () => {
    const untracked =
      'On branch main\n\nUntracked files:\n  (use "git add <file>...")\n\tsrc/\n\nnothing added';
    expect(await filesAfter('git status', untracked)).toHaveLength(2);
  });

  it.each([
    ['git status', ''],
    ['git status', '\tmodified:   src/lamp.ts\n\nno changes added to commit'],
    ['git status src/oak', STATUS],
    ['git status -uno', STATUS],
    ['git status | head -3', 'On branch main'],
    ['git -C ../other status', STATUS],
    ['cd ../other && git status', STATUS],
    ['cd /srv/other && git status', STATUS],
    ['rtk git status', 'Modified: 1 file\n  src/lamp.ts'],
    ['rtk git status', '📌 main\n📝 Modified: 9 files\n   src/lamp.ts\n   ... +8 more'],
    ['git status --short', 'fatal: not a git repository'],
    ['git status --short', Array.from({ length: 200 }, (_, index) => ` M src/oak-${index}.ts`).join('\n')],
  ])('that may not show everything settles nothing: %s', async (command, printed) => {
    expect(await filesAfter(command, printed)).toHaveLength(2);
  });
});

describe('A turn that only told what is changed', () => {
  const edited = () => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, and the lamp too, please.');
    session.edited(FEED).edited(LAMP);
    session.reply('The feeder and the lamp open an hour before dusk on every day of the year now.');
    return session;
  };

  it.each(['git status', null])('settles earlier edits, also when it has no answer (%s)', async (request) => {
    const session = edited();
    session.prompt(request ?? 'commit this');
    session.ran('git status', STATUS);
    if (request !== null) session.reply('One file is changed.');
    const { observations } = await remembered(session);
    expect(observations.map(({ evidence }) => evidence.edits.earlier)).toEqual([null, ['src/lamp.ts']]);
  });

  it.each([
    ['I committed it.', []],
    ['ok, I’ve pushed that, now look at the lamp', []],
    ['Ich habe noch nichts committet.', null],
    ['No he hecho nada todavía.', null],
    ['J’ai un commit à relire.', null],
    ['你提交了吗？', null],
    ['Why was it not committed?', null],
  ])('“%s”', async (said, earlier) => {
    const session = edited();
    session.prompt(said);
    session
      .ran('git log --oneline -1', '21b60a2 Open early')
      .reply('The last commit holds the feeder, and the lamp is next.');
    session.prompt('Now paint the lamp green, please.');
    session.edited(LAMP).reply('The lamp is green from now on, on every day of the year, and it stays so.');
    const { observations } = await remembered(session);
    expect(observations.map(({ evidence }) => evidence.edits.earlier).filter((one) => one !== null)).toEqual(
      earlier === null ? [] : [earlier],
    );
  });
});
