// Claims of an agent are left out when its tools contradict them, and kept when in doubt.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from '../extract/observed.ts';

const FAILED = 'Exit code 1\n# tests 2\n# pass 1\n# fail 1';
const PASSED = '# tests 2\n# pass 2\n# fail 0';
const REFUSED = 'Exit code 1\nlint: TODO is not allowed\nhusky - pre-commit script failed (code 1)';
const REJECTED =
  'To ../app.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs';
const BROKEN = 'Exit code 2\nerror: the hatch has no hinge';
const ALSO = 'The feeder opens one hour before dusk on every day of the week.';

/** All texts derived from a turn that changed a file, without commands and their outcomes. */
async function textsOf(closing: string, work: (session: Session) => void): Promise<string> {
  const session = new Session();
  session.prompt('Let the feeder open an hour before dusk');
  session.edited('/home/u/app/src/feed.ts');
  work(session);
  session.reply(closing);
  const { observations, summaries } = await remembered(session);
  const [{ title, subtitle, narrative, facts }, { completed, learned, notes }] = [
    observations[0]!,
    summaries[0]!,
  ];
  return [title, subtitle, narrative, ...facts, completed, learned, notes].join('\n');
}

it.each([
  'Die Tests sind nicht bestanden.',
  'Les tests ne passent pas encore.',
  '测试没有通过。',
  'テストは成功しませんでした。',
  'Ich habe noch nichts committet.',
  'Added tests for passe-partout.',
])('A sentence that may be no claim is kept: %s', async (sentence) => {
  const work = (session: Session) =>
    session.failed('node --test', FAILED).failed('git commit -m "x"', REFUSED);
  expect(await textsOf(`${ALSO} ${sentence}`, work)).toContain(sentence.slice(0, -1));
});

describe('A claim of the final answer', () => {
  it.each<[string, string, (session: Session) => void]>([
    [
      'that tests pass, after a run that failed',
      'Both tests of the clock pass on all machines now.',
      (one) => one.failed('node --test', FAILED),
    ],
    ['that tests pass, where nothing was run', 'All tests pass already.', () => undefined],
    [
      'of a commit, where a hook refused it',
      'I committed the change.',
      (one) => one.failed('git commit -m "x"', REFUSED),
    ],
    [
      'of a commit, where only tests were run',
      'It is committed as 9f8e7d6.',
      (one) => one.ran('npm test', PASSED),
    ],
    [
      'of a push that was refused',
      'Pushed to origin/main.',
      (one) => one.failed('git push', `Exit code 1\n${REJECTED}`),
    ],
    [
      'of a push that was refused behind a pipe',
      'It is merged and pushed.',
      (one) => one.ran('git push 2>&1 | tail -3', REJECTED),
    ],
    [
      'of a push that was only tried',
      'Pushed to origin/main.',
      (one) => one.ran('git push --dry-run', '   1a2b3c4..5d6e7f8  main -> main'),
    ],
    [
      'of a push whose command failed in other words than git’s',
      'Pushed main to origin.',
      (one) => one.failed('git push origin main', 'remote: Permission denied'),
    ],
    [
      'of a merge that was refused',
      'Merged pull request #12 into main.',
      (one) => one.failed('gh pr merge 12', 'Exit code 1\nnot mergeable'),
    ],
    [
      'of a pull request, where nothing could open one',
      'I opened pull request #41.',
      (one) => one.ran('npm test', PASSED),
    ],
    [
      'of a pull request that could not be opened',
      'Opened a pull request for the feeder.',
      (one) => one.failed('gh pr create --fill', 'GraphQL: Resource not accessible (createPullRequest)'),
    ],
    ['of a build that failed', 'The build succeeded.', (one) => one.failed('npm run build', BROKEN)],
    [
      'of a build that failed behind another command',
      'It builds cleanly on all machines.',
      (one) => one.failed('cd app && npm run build', BROKEN),
    ],
    [
      'of a build that failed and was looked into',
      'The build of the feeder passes.',
      (one) => one.failed('cargo build', BROKEN).read('/home/u/app/src/feed.ts').ran('ls target', ''),
    ],
    [
      'that it works, after tests that failed',
      'The clock of the feeder is fully working.',
      (one) => one.failed('node --test', FAILED),
    ],
    [
      'that it is ready, after a build that failed and a server that was started',
      'The page of the feeder is now ready for use.',
      (one) => one.failed('npm run build', BROKEN).ran('npx next dev --port 3000', 'running'),
    ],
    [
      'of types that are wrong',
      'Type checking passes as well.',
      (one) => one.failed('npx tsc --noEmit', BROKEN),
    ],
    ['of a clean linter', 'Lint is clean.', (one) => one.failed('npm run lint', BROKEN)],
    [
      'of a deployment that failed',
      'Deployed the feeder to staging.',
      (one) => one.failed('./deploy.sh staging', BROKEN),
    ],
    [
      'of a migration that failed',
      'All migrations were applied successfully.',
      (one) => one.failed('npx prisma migrate deploy', BROKEN),
    ],
    ['of a release that failed', 'Published 1.4.0.', (one) => one.failed('npm publish', BROKEN)],
    [
      'of an installation that failed',
      'The packages are installed.',
      (one) => one.failed('npm install', BROKEN),
    ],
  ])('is left out: %s', async (_, claim, work) => {
    const texts = await textsOf(`${ALSO} ${claim}`, work);
    expect(texts).toContain('before dusk on every day');
    expect(texts).not.toContain(claim.slice(0, -1));
  });

  it.each<[string, string, (session: Session) => void]>([
    [
      'tests passed in the end',
      'Both tests of the clock pass on all three machines now.',
      (one) => one.failed('node --test', FAILED).ran('node --test', PASSED),
    ],
    [
      'a script may have built it',
      'The clock of the feeder is fully working.',
      (one) => one.failed('npm run build', BROKEN).ran('./rebuild.sh dev', 'done'),
    ],
    [
      'another command before the server may have built it',
      'The clock of the feeder is fully working.',
      (one) => one.failed('npm run build', BROKEN).ran('./rebuild.sh && npm run dev', 'running'),
    ],
    [
      'it says that not all pass',
      'All tests pass except the one of the clock.',
      (one) => one.failed('node --test', FAILED),
    ],
    [
      'git shows the commit',
      'I committed the change.',
      (one) => one.ran('git commit -m "x"', '[main 1a2b3c4] x'),
    ],
    ['a script may have committed', 'I committed the change.', (one) => one.ran('./ship.sh', 'done')],
    ['a commit was quiet', 'I committed the change.', (one) => one.ran('git commit -qm "x"', '')],
    ['it says that nothing was committed', 'Nothing is committed yet.', (one) => one.ran('npm test', PASSED)],
    [
      'it speaks of something of that name',
      'Committed checkpoints are kept apart.',
      (one) => one.ran('npm test', PASSED),
    ],
    [
      'it speaks of an earlier commit',
      'The helper was committed earlier.',
      (one) => one.ran('npm test', PASSED),
    ],
    ['a push printed nothing', 'I pushed the branch.', (one) => one.ran('git push -q', '')],
    [
      'what failed came after the push',
      'I pushed the branch.',
      (one) => one.failed('git push && ./deploy.sh', 'Exit code 1\nEverything up-to-date\ndeploy: no token'),
    ],
    [
      'what failed came after the pull request was opened',
      'I opened a pull request for the feeder.',
      (one) =>
        one.failed(
          'gh pr create --fill && ./announce.sh',
          'Exit code 1\nhttps://example.org/a/app/pull/7\nannounce: no token',
        ),
    ],
    [
      'it says how something works',
      'The cache of the feeder works by name.',
      (one) => one.failed('node --test', FAILED),
    ],
    [
      'the build succeeded in the end',
      'The build passes on all three machines.',
      (one) => one.failed('npm run build', BROKEN).ran('npm run build', 'done'),
    ],
    [
      'a script may have built it since',
      'The build passes on all three machines.',
      (one) => one.failed('npm run build', BROKEN).ran('./all.sh', 'done'),
    ],
    [
      'what failed came after the build',
      'The build passes on all three machines.',
      (one) => one.failed('npm run build && ./upload.sh', BROKEN),
    ],
    [
      'it says that not all of it builds',
      'The build passes except for the lamp.',
      (one) => one.failed('npm run build', BROKEN),
    ],
    [
      'something else failed',
      'Deployed the feeder to staging.',
      (one) => one.ran('./deploy.sh', 'done').failed('npm run lint', BROKEN),
    ],
  ])('is kept when %s', async (_, claim, work) => {
    expect(await textsOf(`${ALSO} ${claim}`, work)).toContain(claim.replace(/^I /, '').slice(1, -1));
  });
});
