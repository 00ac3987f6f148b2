// What a brief says of commits, pull requests, edited files and commands: no more than is known of them.

import { describe, expect, it } from 'vitest';
import { NO_EDITS } from '../../projections/extract/outcome/pending-edits.ts';
import type { Evidence, ObservationRow } from '../../projections/index.ts';
import { observation, summary } from '../projections/context/rows.ts';
import { partOf, textOf } from './material.ts';

describe('A commit', () => {
  it('is shown by the body of its message, in the line of its work and at the end', async () => {
    const commits = (what: string) => ({
      commits: [
        {
          hash: '1a2b3c4',
          message: `feat: ${what}\n\nThe ${what} asks the clock because plans have no zone.`,
        },
      ],
    });
    const all = await textOf(
      observation(1, { title: 'Hatch of oak', evidence: commits('hatch of oak') }),
      observation(2),
      observation(3, { evidence: commits('lamp') }),
      summary(3),
    );
    expect(partOf(all, 'Work by session')).toContain(
      'Hatch of oak [1a2b3c4] — The hatch of oak asks the clock because plans have no zone.',
    );
    expect(partOf(all, 'Where the last session')).toContain(
      'Committed: [mixed] 1a2b3c4 feat: lamp — The lamp asks the clock because plans have no zone.',
    );
  });

  it('that only the agent mentions does not count: files modified after the last seen commit are listed', async () => {
    const all = await textOf(
      observation(1, { evidence: { commits: [{ hash: '1a2b3c4', message: 'Oil' }] } }),
      observation(2, { title: 'Committed, folded into the second one', filesModified: [] }),
      observation(3, { filesModified: ['src/after.ts', 'src/door.ts'] }),
      summary(3),
    );
    const last = partOf(all, 'Where the last session');
    expect(last).not.toContain('Committed, folded');
    expect(last).toMatch(/Edited after the last commit seen: src\/\{door\.ts, after\.ts\} \(/);
  });
});

it('The files of a piece of work are counted with those that its text names', async () => {
  const files = ['CHANGELOG.md', 'src/hatch.ts', 'src/lamp.ts'];
  const piece = observation(1, {
    filesModified: files,
    narrative: 'The hatch in src/hatch.ts asks the lamp in src/lamp.ts because plans have no zone.',
  });
  const shown = async (...more: readonly ObservationRow[]) =>
    partOf(await textOf(piece, ...more, observation(3), summary(3)), 'Work by session');
  expect(await shown()).toContain('Files (3 in all): CHANGELOG.md.');
  expect(await shown(observation(2, { turn: piece.turn, part: 2 }))).toContain(
    'Files of this part (3 in all): CHANGELOG.md',
  );
});

describe('Files that were edited', () => {
  const edits = (more: Partial<Evidence['edits']>) => ({
    edits: { ...NO_EDITS, lines: more.files?.map(() => null) ?? [], ...more },
  });
  const door = observation(1, { filesModified: ['src/door.ts'] });
  const hatch = observation(3, { filesModified: ['src/hatch.ts'] });
  const lastOf = async (evidence: Partial<Evidence>) =>
    partOf(await textOf(door, observation(2, { evidence }), hatch, summary(3)), 'Where the last session');

  it('are listed, the last one first', async () => {
    const last = await lastOf(edits({ files: ['src/lamp.ts'] }));
    expect(last).toContain('Edited: src/{hatch.ts, lamp.ts, door.ts} (');
  });

  it.each([
    [
      'a commit',
      edits({ earlier: [], committed: true }),
      'Edited after the last commit seen: src/hatch.ts (',
    ],
    ['a stash', edits({ earlier: [] }), 'Edited: src/hatch.ts ('],
    ['a status that does not list them', edits({ earlier: ['src/oak.ts'] }), 'Edited: src/hatch.ts ('],
    ['their removal', edits({ removed: ['src/door.ts'] }), 'Edited: src/hatch.ts ('],
  ])('before %s are not listed', async (_, evidence, line) => {
    expect(await lastOf(evidence)).toContain(line);
  });

  it('may be more, and others are listed by git', async () => {
    const listed = ['src/oak.ts', 'src/hatch.ts', 'ash.md', 'elm.md', 'fir.md', 'yew.md'];
    const listedAs = listed.map((_, at) => (at < 3 ? 'changed' : at < 5 ? 'deleted' : 'renamed'));
    const found = edits({ listed, listedAs, listedBefore: ['elm.md'], incomplete: true });
    const last = partOf(
      await textOf(observation(1, { evidence: found }), hatch, summary(3)),
      'Where the last',
    );
    expect(last).toContain(
      'Edited: at least src/hatch.ts; git also listed src/oak.ts, ash.md as changed, fir.md as deleted, 1 file as renamed (',
    );
    const committed = observation(4, {
      evidence: edits({ earlier: [], listed: ['ash.md'], listedAs: ['new'], committed: true }),
    });
    expect(await textOf(hatch, committed, summary(4))).toContain('- Listed by git: ash.md as new (');
  });

  it('before a status that lists them stay listed', async () => {
    const last = await lastOf(edits({ earlier: ['door.ts', 'src/oak.ts'] }));
    expect(last).toContain('Edited: src/{hatch.ts, door.ts} (');
  });

  it('and changed back later are not listed', async () => {
    const lamp = (lines: number | null, index: number) =>
      observation(4 + index, { evidence: edits({ files: ['src/lamp.ts'], lines: [lines] }) });
    const listed = async (...lines: (number | null)[]) =>
      partOf(await textOf(hatch, ...lines.map(lamp), summary(9)), 'Where the last session').includes(
        'lamp.ts',
      );
    expect(await listed(7, -7)).toBe(false);
    expect(await listed(7, 3, -10)).toBe(false);
    expect(await listed(7, -6)).toBe(true);
    expect(await listed(7, null)).toBe(true);
    expect(await listed(null, -7)).toBe(true);
    expect(await listed(7, -7, 4)).toBe(true);
  });

  it('have the name that they were given later', async () => {
    const last = await lastOf(
      edits({ moved: [['src/door.ts', 'src/hatch-door.ts']], files: ['src/oak.ts'] }),
    );
    expect(last).toContain('Edited: src/{hatch.ts, oak.ts, hatch-door.ts} (');
  });

  it('are counted, however many they are', async () => {
    const files = Array.from({ length: 25 }, (_, index) => `src/oak-${index}.ts`);
    expect(await lastOf(edits({ files }))).toContain(' and 21 more (');
  });

  it('are not listed if the last piece of work committed', async () => {
    const committed = observation(2, { evidence: edits({ earlier: [], committed: true }) });
    expect(partOf(await textOf(door, committed, summary(2)), 'Where the last session')).not.toContain(
      'Edited',
    );
  });
});

describe('A pull request', () => {
  const opened = (number: number) => ({ number, address: `https://example.org/pull/${number}` });
  const made = { commits: [{ hash: '1a2b3c4', message: 'Oil' }], pullRequests: [opened(7)] };
  const lastOf = async (command: string, evidence = made) => {
    const merged = observation(2, { evidence: { commands: [{ command, outcome: 'ok' }] } });
    return partOf(await textOf(observation(1, { evidence }), merged, summary(2)), 'Where the last session');
  };

  it.each([
    'gh pr merge 7 --squash --delete-branch',
    'gh pr merge --squash 7 && git pull',
    'gh pr merge https://example.org/pull/7',
    'gh pr merge --squash',
    'gh pr merge',
  ])('that was merged is not called opened: %s', async (command) =>
    expect(await lastOf(command)).toContain('pull request #7 merged'),
  );

  it('that may be another one than was merged was opened', async () => {
    const two = { ...made, pullRequests: [opened(7), opened(8)] };
    expect(await lastOf('gh pr merge --squash', two)).toContain('pull request #7 opened');
  });

  it.each(['gh pr merge 8 --squash', 'gh pr merge lamp', 'gh pr merge 7 --auto', 'gh pr view 7'])(
    'that was not merged was opened: %s',
    async (command) => expect(await lastOf(command)).toContain('pull request #7 opened'),
  );
});

describe('Commits of two branches', () => {
  const commitOn = (branch: string, hash: string, message: string, number: number) => ({
    commits: [{ hash, message, branch }],
    pushes: [{ branch, hash: null }],
    pullRequests: [{ number, address: `https://example.org/pull/${number}` }],
  });
  const one = observation(1, { evidence: commitOn('oak', '1a2b3c4', 'Oil the hinge', 7) });

  it('are not said to be in one pull request', async () => {
    const other = observation(2, { evidence: commitOn('elm', '5d6e7f8', 'Paint the door', 8) });
    const state = partOf(await textOf(one, other, summary(2)), 'Where the last session');
    expect(state).toContain('Committed (pull request #8 opened): 5d6e7f8 Paint the door');
    expect(state).toContain('Committed on oak (pull request #7 opened): 1a2b3c4 Oil the hinge');
  });

  it('say nothing of a pull request that may be of the other branch', async () => {
    const other = observation(2, {
      evidence: { ...commitOn('elm', '5d6e7f8', 'Paint the door', 8), pullRequests: [] },
    });
    const state = partOf(await textOf(one, other, summary(2)), 'Where the last session');
    expect(state).toContain('Committed: 5d6e7f8 Paint the door');
    expect(state).toContain('Committed on oak (pull request #7 opened): 1a2b3c4 Oil the hinge');
  });

  it('are pushed if the newest of each was', async () => {
    const pushed = (branch: string, hash: string) => ({
      evidence: { commits: [{ hash, message: `Work on ${branch}`, branch }], pushes: [{ branch, hash }] },
    });
    const rows = [observation(1, pushed('oak', '1a2b3c4')), observation(2, pushed('elm', '5d6e7f8'))];
    const state = partOf(await textOf(...rows, summary(2)), 'Where the last session');
    expect(state).toContain('Committed (pushed): 5d6e7f8 Work on elm');
    expect(state).toContain('Committed on oak (pushed): 1a2b3c4 Work on oak');
  });
});

describe('What an earlier piece of work says of uncommitted files', () => {
  const work = async (said: string) =>
    partOf(
      await textOf(
        observation(1, { narrative: `The hatch asks the clock because plans have no zone. ${said}` }),
        observation(2),
        summary(2),
      ),
      'Work by session',
    );

  it.each([
    ['The new plan file is untracked and main is behind origin/main by 2 commits.', 'untracked'],
    ['Current state: these fixes are present but not committed yet (3 modified files).', 'modified files'],
    ['Git status now shows only the oil in src/door.ts.', 'oil in'],
    ['It did not commit.', 'did not'],
    ['Working tree is clean after the commit.', 'clean'],
    ['The reviewer read the branch, not your current uncommitted changes to src/door.ts.', 'reviewer'],
  ])('is left out: %s', async (said, word) => {
    expect(await work(said)).toContain('asks the clock');
    expect(await work(said)).not.toContain(word);
  });

  it('is left out of a sentence that says more', async () => {
    const shown = await work('The roof of oak is in src/roof.ts, and nothing is committed yet.');
    expect(shown).toContain('The roof of oak is in src/roof.ts.');
    expect(shown).not.toContain('committed');
  });

  it.each([
    'The remaining modified files (oak.ts, ash.ts) now read the clock through it.',
    'The strategy resets the shadow branch when files are uncommitted.',
    'Untracked files are kept by a rewind, also those in ignored folders.',
    'The hatch is not pushed by the wind.',
  ])('stays if it speaks of the product: %s', async (said) => {
    expect(await work(said)).toContain(said.slice(0, -1));
  });
});

describe('The list of commands', () => {
  it('leaves out bookkeeping of tasks', async () => {
    const commands = ['tk close feeder-12.6 --reason=done', 'tk update 7 --status=open', 'make seeds'];
    const all = await textOf(
      observation(1, {
        evidence: { commands: commands.map((command) => ({ command, outcome: 'ok' as const })) },
      }),
    );
    expect(partOf(all, 'How things are run')).toContain('`make seeds`');
    expect(all).not.toContain('tk ');
  });

  it('does not explain a failure with the output of another tool that found nothing', async () => {
    const test = (number: number, after: 'passed' | 'failed', said: string) =>
      observation(number, {
        evidence: { tests: [{ command: 'npm test', before: null, after, runnerLine: said }] },
      });
    const all = await textOf(test(1, 'passed', '9 passed'), test(2, 'failed', '0 issues.'));
    expect(all).toContain('`npm test` passed once; last: failed (');
    expect(all).not.toContain('0 issues');
  });
});
