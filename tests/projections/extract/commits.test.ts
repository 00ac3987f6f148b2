// Commits, pushes and pull requests count only when git or the host printed them.
import { describe, expect, it } from 'vitest';
import { commitRow, rewrittenIn } from '../../../projections/memory/commit-rows.ts';
import { remembered, Session } from './observed.ts';

const MADE = '[main 3f602d1] fix: open before dusk\n 2 files changed, 9 insertions(+)';

async function evidenceOf(tell: (session: Session) => void) {
  const session = new Session();
  session.prompt('Make the feeder open before dusk and commit it, please.');
  session.edited('/home/u/app/src/feed.ts');
  tell(session);
  session.reply('Committed the change of the feeder: it opens an hour before dusk on every day.');
  const { observations } = await remembered(session);
  return observations[0]!.evidence;
}

describe('A commit', () => {
  it.each([
    ['git commit -m "fix: open before dusk"', MADE],
    ['npm test 2>&1 | tail -3 && git commit -am "fix: open before dusk" | tail -2', MADE],
    ['git add -A && git commit -m "fix: open before dusk" && git push', `${MADE}\nTo example.org:app.git`],
    ['git commit -m "fix: open before dusk"', `${MADE}\n${' create mode 100644 src/a.ts\n'.repeat(60)}`],
  ])('counts with git’s own line: %s', async (command, printed) => {
    const { commits } = await evidenceOf((session) => session.ran(command, printed));
    expect(commits).toEqual([{ hash: '3f602d1', message: 'fix: open before dusk', branch: 'main' }]);
  });

  it.each(['git commit -m "fix: open before dusk" --no-verify', 'git commit -nam "fix: open before dusk"'])(
    'that skipped the hooks says so: %s',
    async (command) => {
      const { commits } = await evidenceOf((session) => session.ran(command, MADE));
      expect(commits).toMatchObject([{ hash: '3f602d1', unverified: true }]);
    },
  );

  it('says nothing of the hooks beside one that ran them', async () => {
    const command = 'git commit -m "fix: open before dusk" && git commit -n -am "fix: oil"';
    const { commits } = await evidenceOf((session) =>
      session.ran(command, `${MADE}\n[main 4a713e2] fix: oil`),
    );
    expect(commits.map(({ hash, unverified }) => [hash, unverified])).toEqual([
      ['3f602d1', undefined],
      ['4a713e2', undefined],
    ]);
  });

  it.each([
    ['Bash made a part of the subject', '[main 3f602d1] @ fix: open early', '@ fix: open early'],
    ['PowerShell reads them', '[main 3f602d1] fix: open early', 'fix: open early\n\nAn hour before dusk.'],
  ])('has the marks of a here-string only where %s', async (_, printed, message) => {
    const command = `git commit -m @'\nfix: open early\n\nAn hour before dusk.\n'@`;
    const { commits } = await evidenceOf((session) => session.ran(command, printed));
    expect(commits.map((one) => one.message)).toEqual([message]);
  });

  const OILED = '[main 4a713e2] fix: oil';
  it.each([
    ['git commit -m "fix: open before dusk" && git commit -am "fix: oil"', ['', '']],
    [
      'git commit -m "fix: open before dusk" -m "Why" -m "An hour."\ngit commit -am "fix: oil" -m "It\nsticks."',
      ['Why\n\nAn hour.', 'It\nsticks.'],
    ],
    [
      'git commit -m "fix: open before dusk" && git tag -a v1 -m "Release 1"; git -C lid commit -m "fix: oil"',
      ['', ''],
    ],
    [
      'if true; then git commit -m "fix: open before dusk" -m "An hour."; fi && git commit -m "fix: oil"',
      ['An hour.', ''],
    ],
    [
      `git commit -m "$(cat <<'EOF'\nfix: open before dusk\n\nThe "hour" && more.\nEOF\n)" && git commit -m "fix: oil" -m "It sticks."`,
      ['The "hour" && more.', 'It sticks.'],
    ],
    [
      'git commit -F - <<EOF && git commit -m "fix: oil"\nfix: open before dusk\n\nAn hour.\nEOF',
      ['An hour.', ''],
    ],
    [
      'git commit -m "fix: open before dusk (again)" -m "Late."; git commit -m "fix: open before dusk"; git commit -m "fix: oil"',
      ['', ''],
    ],
    [
      'git commit -m "fix: open before dusk" -m a || git commit -m "fix: open before dusk" -m b; git commit -m "fix: oil"',
      ['', ''],
    ],
    [
      `git commit -m "fix: open before dusk" -m "$(date)" && git commit -m 'fix: oil' -m "\`date\`"`,
      ['', ''],
    ],
    ['git commit -m "fix: open before dusk" -m "Late" && git commit -m "fix: oil" -m"Lid"', ['Late', 'Lid']],
    ['(cd lid && git commit -m "fix: open before dusk" && git commit -m "fix: oil" -m "Lid")', ['', 'Lid']],
  ])('has no other commit’s or tag’s message: %s', async (command, [first, second]) => {
    const { commits } = await evidenceOf((session) => session.ran(command, `${MADE}\n${OILED}`));
    const whole = (subject: string, body = '') => (body === '' ? subject : `${subject}\n\n${body}`);
    expect(commits.map(({ message }) => message)).toEqual([
      whole('fix: open before dusk', first),
      whole('fix: oil', second),
    ]);
  });

  it.each([
    ['rtk git add -A && rtk git commit -m "fix: oil"', 'ok ✓ 1 file changed\nok ✓ ', null],
    ['rtk git commit -m "fix: oil" && rtk git push', 'ok ✓ 3f602d1\nok ✓ main', '3f602d1'],
  ])('counts with the line of rtk in place of git’s: %s', async (command, printed, hash) => {
    const { commits } = await evidenceOf((session) => session.ran(command, printed));
    expect(commits).toEqual([{ hash, message: 'fix: oil', branch: null }]);
  });

  it.each(['ok ✓ 1 file changed\nFAILED: git commit\n$ npm test', 'ok ✓ 1 file changed', ''])(
    'of rtk that is not known to have succeeded does not count: %s',
    async (printed) => {
      const command = 'rtk git add -A && rtk git commit -m "fix: oil"';
      expect((await evidenceOf((session) => session.ran(command, printed))).commits).toEqual([]);
    },
  );

  const AGE = ' (19 hours ago) <ann@example.org>';
  const LONG = (subject: string) =>
    `commit 3f602d1a${'0'.repeat(32)} (HEAD -> main)\nAuthor: Ann <a@b.c>\nDate:   Mon Jan 5\n\n    ${subject}\n    \n    Why.\n`;
  it.each([
    [
      'git log --oneline -3',
      '3f602d1 (HEAD -> main) feat: open early\nb51c0de Oil the door',
      ['feat: open early', 'Oil the door'],
    ],
    ['rtk git log', `3f602d1 Oil the door${AGE}`, ['Oil the door']],
    ['git log', LONG('Oil the door'), ['Oil the door']],
    ['git show b51c0de', `${LONG('Oil the door')}\n${'+ oil\n'.repeat(200)}`, undefined],
    ['git log --oneline v1.0', '3f602d1 Oil the door', undefined],
    ['git log --oneline --skip 3', '3f602d1 Oil the door', undefined],
    ['git log --oneline', '20261129 nightly import finished\n3f602d1 Oil the door', ['Oil the door']],
    ['git log --oneline --grep=oil', '3f602d1 Oil the door', undefined],
    ['git log --oneline -- src', '3f602d1 Oil the door', undefined],
    ['git status', '3f602d1 Oil the door', undefined],
  ])('that git only lists is listed: %s', async (command, printed, listed) => {
    const { commits, listedCommits } = await evidenceOf((session) => session.ran(command, printed));
    expect([commits, listedCommits]).toEqual([[], listed]);
  });

  it('is listed as the last list shows it', async () => {
    const { listedCommits } = await evidenceOf((session) =>
      session
        .ran('git log --oneline', '3f602d1 Oak\nb51c0de Oil')
        .ran('git log -2', '7ab51c0 Ash\n3f602d1 Oak'),
    );
    expect(listedCommits).toEqual(['Ash', 'Oak']);
  });

  it('with a long message is cut between words, and shows it', async () => {
    const body = 'The hatch asks the clock. '.repeat(60);
    const { commits } = await evidenceOf((session) =>
      session.ran(`git commit -m "fix: open before dusk" -m "${body}"`, MADE),
    );
    expect(commits[0]!.message).toMatch(/ (?:The|hatch|asks|the|clock\.)…$/);
    expect(commits[0]!.message.length).toBeLessThanOrEqual(1_000);
  });

  it('counts although a later command failed', async () => {
    const { commits } = await evidenceOf((session) =>
      session.failed('git commit -am "fix: open before dusk" && git push', `Exit code 1\n${MADE}\nrejected`),
    );
    expect(commits.map(({ hash }) => hash)).toEqual(['3f602d1']);
  });

  it.each([
    [
      'a wrapper says that it failed',
      'git commit -m "fix: open"',
      'FAILED: git commit -m "fix: open"\nsee log',
    ],
    ['a hook refused it', 'git commit -m "fix: open" || true', 'husky - pre-commit script failed (code 1)'],
    ['nothing was printed', 'git commit -qm "fix: open"', ''],
    ['there was nothing to commit', 'git commit -m "fix: open"; echo done', 'nothing to commit\ndone'],
    ['only its end was shown', 'git commit -m "fix: open" | tail -1', ' 1 file changed'],
    [
      'it was a trial beside another text',
      'cat old.log; git commit --dry-run -m "fix: open"',
      '[main 3f602d1] fix: another one\nOn branch main',
    ],
    [
      'a text beside it has the line of another commit',
      'cat old.log; git commit -m "fix: open" || true',
      '[main 3f602d1] fix: another one\nhusky - pre-commit script failed',
    ],
    ['it was a trial', 'git commit --dry-run -m "fix: open"', 'On branch main\nChanges to be committed:'],
    [
      'it is in a repository of the moment',
      'cd /tmp/x && git init && git commit -m "init"',
      '[main (root-commit) 3f602d1] init',
    ],
    ['it is in a repository of the moment', 'T=$(mktemp -d); cd $T; git commit -m "x"', '[main 3f602d1] x'],
    ['a rebase made it on its way', 'git rebase -i HEAD~3', '[detached HEAD 3f602d1] fix: open'],
  ])('does not count when %s', async (_, command, printed) => {
    expect((await evidenceOf((session) => session.ran(command, printed))).commits).toEqual([]);
  });

  it('is kept together with the commit that reverts it', async () => {
    const { commits } = await evidenceOf((session) =>
      session
        .ran('git commit -am "fix: open before dusk"', MADE)
        .ran('git revert --no-edit HEAD', '[main 4a713e2] Revert "fix: open before dusk"\n 1 file changed'),
    );
    expect(commits.map(({ hash }) => hash)).toEqual(['3f602d1', '4a713e2']);
  });

  it.each([
    ['gone with its branch', 'git checkout -q main && git branch -D trial', []],
    ['kept where the branch was merged first', 'git merge trial && git branch -D trial', ['3f602d1']],
    ['gone with its branch, quietly', 'git checkout -q main && git branch -q -D trial', []],
    ['gone with a quiet reset', 'git reset -q --hard other', []],
    ['kept where another branch is deleted', 'git branch -D other', ['3f602d1']],
  ])('is %s', async (_, command, hashes) => {
    const { commits } = await evidenceOf((session) =>
      session
        .ran('git checkout -qb trial && git commit -am "fix: open"', '[trial 3f602d1] fix: open')
        .ran(command, ''),
    );
    expect(commits.map(({ hash }) => hash)).toEqual(hashes);
  });

  it.each(['git reset -q --hard rewritten', 'git branch -q -D trial', 'git checkout -q -B main other'])(
    'of earlier turns may be gone: %s',
    async (command) => {
      expect((await evidenceOf((session) => session.ran(command, ''))).rewroteHistory).toBe(true);
    },
  );

  it('of earlier turns are kept where only backups are deleted', async () => {
    const command = 'git branch -D backup/one backup/two && git branch --list';
    const { rewroteHistory, deletedBranches } = await evidenceOf((session) => session.ran(command, ''));
    expect([rewroteHistory, deletedBranches]).toEqual([false, ['backup/one', 'backup/two']]);
  });

  it.each([
    ['git rebase origin/main', 'Successfully rebased and updated refs/heads/main.', null],
    ['git rebase origin/main', 'Current branch main is up to date.', '3f602d1'],
    ['git pull --rebase && git push', '   1111111..4a713e2  main -> main', null],
    ['git pull --rebase', 'Already up to date.', '3f602d1'],
  ])('has no known hash once the same turn rebased it: %s, %s', async (command, printed, hash) => {
    const { commits } = await evidenceOf((session) =>
      session.ran('git commit -am "fix: open before dusk"', MADE).ran(command, printed),
    );
    expect(commits).toEqual([{ hash, message: 'fix: open before dusk', branch: 'main' }]);
  });

  it('is kept where only the one after it was reset', async () => {
    const { commits } = await evidenceOf((session) =>
      session
        .ran('git commit -am "fix: open before dusk"', MADE)
        .ran('git commit -am "fix: oil"', '[main 4a713e2] fix: oil')
        .ran('git reset --hard HEAD~1', 'HEAD is now at 3f602d1 fix: open before dusk'),
    );
    expect(commits.map(({ hash }) => hash)).toEqual(['3f602d1']);
  });

  const TWO = (session: Session) =>
    session.ran('git commit -am wip', '[main 3f602d1] wip').ran('git commit -am wip', '[main 4a713e2] wip');

  it('is kept beside another one with the same message', async () => {
    expect((await evidenceOf(TWO)).commits.map(({ hash }) => hash)).toEqual(['3f602d1', '4a713e2']);
    const rtk = (session: Session) =>
      session.ran('rtk git commit -m "wip"', 'ok ✓').ran('rtk git commit -m "wip"', 'ok ✓');
    expect((await evidenceOf(rtk)).commits.map(({ message }) => message)).toEqual(['wip', 'wip']);
    const both = await evidenceOf((session) =>
      session.ran('git commit -am wip; git commit -am wip', '[main 3f602d1] wip\n[main 4a713e2] wip'),
    );
    expect(both.commits.map(({ hash }) => hash)).toEqual(['3f602d1', '4a713e2']);
  });

  it('with the message of another one is reset with it, and none of an earlier turn', async () => {
    const { commits, rewrites } = await evidenceOf((session) =>
      TWO(session).ran('git reset --soft HEAD~2', ''),
    );
    expect([commits, rewrites]).toEqual([[], []]);
  });

  it.each([
    ['git commit --amend --no-edit', '[main 5b824f3] wip', ['3f602d1', '5b824f3']],
    ['git branch -D old; git commit -am wip', '[main 5b824f3] wip', ['3f602d1', '4a713e2', '5b824f3']],
    [
      'git commit -am wip && git commit --amend --no-edit',
      '[main 7c935a4] wip\n[main 5b824f3] wip',
      ['3f602d1', '4a713e2', '5b824f3'],
    ],
  ])('with the message of another one is not rewritten with it: %s', async (command, printed, hashes) => {
    const { commits } = await evidenceOf((session) => TWO(session).ran(command, printed));
    expect(commits.map(({ hash }) => hash)).toEqual(hashes);
  });

  it.each([
    ['git commit --amend --no-edit', '[main 5b824f3] wip'],
    ['git reset --soft HEAD~1 && git commit -m wip', '[main 5b824f3] wip'],
    ['git checkout next && git cherry-pick main', '[next 5b824f3] wip'],
  ])('is only once there after %s', async (command, printed) => {
    const { commits } = await evidenceOf((session) =>
      session.ran('git commit -am wip', '[main 3f602d1] wip').ran(command, printed),
    );
    expect(commits.map(({ hash }) => hash)).toEqual(['5b824f3']);
  });

  const STOPS = 'Exit code 1\nCONFLICT (content): Merge conflict in src/feed.ts';
  const DONE = 'Successfully rebased and updated refs/heads/main.';
  it.each([
    ['skipped it', ['git rebase main', 'git rebase --skip'], []],
    ['skipped it, though it was pushed', ['push', 'git rebase main', 'git rebase --skip'], [null]],
    ['skipped it and stopped again', ['git rebase main', '!git rebase --skip', 'git rebase --continue'], []],
    ['began interactively', ['git rebase -i HEAD~2', 'git rebase --continue'], []],
    ['changed its list', ['git rebase main', 'git rebase --edit-todo', 'git rebase --continue'], []],
    ['only stopped', ['git rebase main', 'git rebase --continue'], [null]],
    [
      'was aborted before',
      ['git rebase -i HEAD~2', 'git rebase --abort', '!git rebase main', 'git rebase --continue'],
      [null],
    ],
  ])('is not known to exist after a rebase that %s', async (_, [first, ...others], hashes) => {
    const { commits } = await evidenceOf((session) => {
      session.ran('git commit -am "fix: open before dusk"', MADE);
      if (first === 'push') session.ran('git push', '   1111111..3f602d1  main -> main');
      else session.failed(first!, STOPS);
      for (const one of others)
        one.startsWith('!') ? session.failed(one.slice(1), STOPS) : session.ran(one, DONE);
    });
    expect(commits.map(({ hash }) => hash)).toEqual(hashes);
  });

  it('is kept when it was made while an interactive rebase had stopped', async () => {
    const { commits } = await evidenceOf((session) =>
      session
        .ran('git commit -am wip', '[main 4a713e2] wip')
        .ran('git rebase -i HEAD~3', 'Stopped at 1111111... feed')
        .ran('git commit -am "fix: open before dusk"', '[detached HEAD 3f602d1] fix: open before dusk')
        .ran('git rebase --continue', DONE),
    );
    expect(commits).toEqual([{ hash: null, message: 'fix: open before dusk', branch: null }]);
  });

  it('that was refused without output does not count by an older commit in the log', async () => {
    const { commits } = await evidenceOf((session) =>
      session
        .ran('./commit.sh git commit -m "fix: open before dusk"', 'FAILED')
        .ran('git log --oneline -2', '1111111 feat: feed\n2222222 chore: tidy'),
    );
    expect(commits).toEqual([]);
  });
});

describe('A commit of an earlier turn', () => {
  const OILED = '[main 4a713e2] fix: oil the hatch';

  /** Two commits in two turns, and what is known of them after a third. */
  async function rewrittenBy(tell: (session: Session) => void, pushed: string | null = null) {
    const session = new Session();
    const turn = (prompt: string, tellTurn: (session: Session) => void) => {
      session.prompt(prompt);
      session.edited('/home/u/app/src/feed.ts');
      tellTurn(session);
      session.reply('The feeder is changed as you asked, in the one file that decides when it opens.');
    };
    turn('Make the feeder open before dusk and commit it, please.', (one) =>
      one.ran('git commit -am "fix: open before dusk"', MADE),
    );
    turn('Now oil the hatch of the feeder and commit it, please.', (one) =>
      (pushed === null ? one : one.ran('git push', pushed)).ran('git commit -am "fix: oil the hatch"', OILED),
    );
    turn('The lid of the feeder has to be green, please.', tell);
    const { observations } = await remembered(session);
    return Object.fromEntries(rewrittenIn(observations.flatMap((row) => commitRow(row) ?? [])));
  }

  it.each([
    ['an amend', 'git commit --amend --no-edit', '[main 5b824f3] fix: oil the hatch', 'yes'],
    ['a hidden amend', 'git commit --amend --no-edit >/dev/null', '', 'maybe'],
    ['an amend with another message', 'git commit --amend -m "fix: oil"', '[main 5b824f3] fix: oil', 'maybe'],
    ['a reset', 'git reset --hard HEAD~1', 'HEAD is now at 3f602d1 fix: open before dusk', 'maybe'],
    ['a soft reset', 'git reset --soft HEAD^', '', 'maybe'],
    [
      'a reset whose output is cut',
      'git reset --hard HEAD~1 2>&1 | tail -1',
      'HEAD is now at 3f602d1',
      'maybe',
    ],
  ])('was the last one: %s rewrites only that', async (_, command, printed, how) => {
    expect(await rewrittenBy((session) => session.ran(command, printed))).toEqual({ '4a713e2': how });
  });

  it.each([
    ['git reset --soft HEAD~2 && git commit -m "fix: feeder"', '[main 5b824f3] fix: feeder'],
    ['git rebase -i --autosquash HEAD~5', 'Successfully rebased and updated refs/heads/main.'],
    ['git rebase origin/main', 'Successfully rebased and updated refs/heads/main.'],
    ['git pull && git rebase main', 'Already up to date.\nSuccessfully rebased and updated refs/heads/main.'],
    ['git filter-branch --tree-filter "rm -f key" HEAD', "Ref 'refs/heads/main' was rewritten"],
    ['git reset --hard origin/main', 'HEAD is now at 1111111 chore: begin'],
    ['git checkout -q -B main other', ''],
    ['git branch -f main "$OTHER"', ''],
  ])('may have been rewritten by %s', async (command, printed) => {
    const both = { '3f602d1': 'maybe', '4a713e2': 'maybe' };
    expect(await rewrittenBy((session) => session.ran(command, printed))).toEqual(both);
  });

  it.each([
    ['git reset -q --hard', ''],
    ['git reset HEAD~1 src/feed.ts', ''],
    ['git rebase --abort', ''],
    ['git rebase origin/main', 'Current branch main is up to date.'],
    ['git checkout -q -B green', ''],
    ['git branch -D trial', 'Deleted branch trial (was 1111111).'],
    ['git pull', 'Updating 1111111..2222222\nFast-forward'],
    ['git commit -am "fix: green" && git commit --amend --no-edit', '[main 5b824f3] fix: green'],
    ['cd $(mktemp -d) && git init && git commit -m a && git reset --hard HEAD~1', ''],
  ])('still exists after %s', async (command, printed) => {
    expect(await rewrittenBy((session) => session.ran(command, printed))).toEqual({});
  });

  it('still exists after a pull that failed, and after a reset that the person refused', async () => {
    const pull = (session: Session) =>
      session.failed('git pull --rebase', 'error: cannot pull with rebase: You have unstaged changes.');
    expect(await rewrittenBy(pull)).toEqual({});
    const refused = (session: Session) => {
      session.use('toolu_refused', 'Bash', { command: 'git reset --hard HEAD~1' });
      const words = "The user doesn't want to proceed with this tool use.";
      session.result('toolu_refused', words, {}, { is_error: true });
    };
    expect(await rewrittenBy(refused)).toEqual({});
  });

  it('may have been moved by a pull that rebases, unless it was pushed', async () => {
    const pull = (session: Session) =>
      session.ran('git pull --rebase', 'Successfully rebased and updated refs/heads/main.');
    expect(await rewrittenBy(pull)).toEqual({ '3f602d1': 'maybe', '4a713e2': 'maybe' });
    const pushed = '   1111111..3f602d1  main -> main';
    expect(await rewrittenBy(pull, pushed)).toEqual({ '4a713e2': 'maybe' });
    const amend = (session: Session) => pull(session).ran('git commit --amend --no-edit >/dev/null', '');
    expect(await rewrittenBy(amend, pushed)).toEqual({ '4a713e2': 'maybe' });
  });

  it('still exists where the turn amended a commit of its own, though git printed nothing of it', async () => {
    const rewritten = await rewrittenBy((session) =>
      session.ran('git commit -qam "fix: green"', '').ran('git commit -q --amend --no-edit', ''),
    );
    expect(rewritten).toEqual({});
  });

  it('may have been rewritten by a hidden amend though a hook refused a commit before, which rtk hides', async () => {
    const rewritten = await rewrittenBy((session) =>
      session
        .ran('rtk git commit -am "fix: green"', 'husky - pre-commit script failed (code 1)')
        .ran('git commit --amend --no-edit >/dev/null', ''),
    );
    expect(rewritten).toEqual({ '4a713e2': 'maybe' });
  });

  it('may have been rewritten where quiet commits of the turn were reset with it', async () => {
    const rewritten = await rewrittenBy((session) =>
      session
        .ran('git commit -qam "fix: green" && git commit -q --allow-empty -m "fix: lid"', '')
        .ran('git reset --hard HEAD~3', ''),
    );
    expect(rewritten).toEqual({ '4a713e2': 'maybe' });
  });

  it('is rewritten where the push after the amend failed', async () => {
    const printed = 'Exit code 1\n[main 5b824f3] fix: oil the hatch\n ! [rejected]        main -> main';
    const rewritten = await rewrittenBy((session) =>
      session.failed('git commit --amend --no-edit && git push', printed),
    );
    expect(rewritten).toEqual({ '4a713e2': 'yes' });
  });

  it('still exists where the commit of another branch was amended', async () => {
    const rewritten = await rewrittenBy((session) =>
      session.ran('git commit --amend --no-edit', '[green 5b824f3] chore: begin'),
    );
    expect(rewritten).toEqual({});
  });
});

describe('A push', () => {
  const PUSHED = '   1111111..3f602d1  main -> main';

  it('after its own trial counts once', async () => {
    const { pushes } = await evidenceOf((session) =>
      session.ran('git push --dry-run && git push', `To app.git\n${PUSHED}\nTo app.git\n${PUSHED}`),
    );
    expect(pushes).toEqual([{ branch: 'main', hash: '3f602d1' }]);
  });

  it.each([
    [
      'git push',
      'To example.org:app.git\n   1111111..3f602d1  main -> main',
      { branch: 'main', hash: '3f602d1' },
    ],
    ['git push -f', ' + 1111111...3f602d1 dusk -> dusk (forced update)', { branch: 'dusk', hash: '3f602d1' }],
    [
      'git push -u origin dusk 2>&1 | tail -3',
      ' * [new branch]      dusk -> dusk',
      { branch: 'dusk', hash: null },
    ],
    ['git push origin HEAD:dusk', '   1111111..3f602d1  HEAD -> dusk', { branch: 'dusk', hash: '3f602d1' }],
  ])('counts with git’s own line: %s', async (command, printed, push) => {
    expect((await evidenceOf((session) => session.ran(command, printed))).pushes).toEqual([push]);
  });

  it.each([
    ['it was rejected', 'git push || true', ' ! [rejected]        main -> main (fetch first)'],
    ['there was nothing to push', 'git push', 'Everything up-to-date'],
    ['a hook refused it', 'git push; echo done', 'husky - pre-push script failed (code 1)\ndone'],
    ['it was a trial', 'git push --dry-run', '   1111111..3f602d1  main -> main'],
    [
      'only its trial succeeded',
      'git push -n; git push',
      '   1111111..3f602d1  main -> main\n ! [rejected] main -> main',
    ],
    ['every one was a trial', 'git push -n && git push -fn', `${PUSHED}\n${PUSHED}`],
    ['it says what was fetched', 'git pull && git push', '   1111111..3f602d1  main -> origin/main'],
  ])('does not count when %s', async (_, command, printed) => {
    expect((await evidenceOf((session) => session.ran(command, printed))).pushes).toEqual([]);
  });

  it.each([
    ['with a sentence', ''],
    ['by a hook that prints much', 'The hook checks.\n'.repeat(400)],
  ])('that was refused %s after its own trial does not count', async (_, more) => {
    const printed = `Exit code 1\n${PUSHED}\n${more} ! [rejected]        main -> main`;
    const { pushes } = await evidenceOf((session) => session.failed('git push -n && git push', printed));
    expect(pushes).toEqual([]);
  });

  it('of a new branch has the hash of the branch’s last commit', async () => {
    const { pushes } = await evidenceOf((session) =>
      session
        .ran('git commit -m "fix: open before dusk"', MADE)
        .ran('git push -u origin main', ' * [new branch]      main -> main'),
    );
    expect(pushes).toEqual([{ branch: 'main', hash: '3f602d1' }]);
  });

  it('of a new branch under another name has the hash of the last commit', async () => {
    const { pushes } = await evidenceOf((session) =>
      session
        .ran('git commit -m "fix: open before dusk"', MADE)
        .ran('git push origin HEAD:refs/heads/dusk', ' * [new branch]      HEAD -> dusk'),
    );
    expect(pushes).toEqual([{ branch: 'dusk', hash: '3f602d1' }]);
  });
});

describe('A pull request', () => {
  it('counts as opened when its address was printed', async () => {
    const { pullRequests } = await evidenceOf((session) =>
      session.ran('gh pr create --fill', 'Creating pull request\nhttps://example.org/a/app/pull/186'),
    );
    expect(pullRequests).toEqual([{ number: 186, address: 'https://example.org/a/app/pull/186' }]);
  });

  it.each([
    [
      'gh pr create --fill',
      'a pull request for branch "dusk" already exists:\nhttps://example.org/a/app/pull/186',
    ],
    ['gh pr create --fill || true', 'pull request create failed: no commits'],
    ['gh pr view 186', 'https://example.org/a/app/pull/186'],
  ])('is not opened by %s', async (command, printed) => {
    expect((await evidenceOf((session) => session.ran(command, printed))).pullRequests).toEqual([]);
  });
});
