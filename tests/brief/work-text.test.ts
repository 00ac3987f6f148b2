// What is kept if not everything fits, and what is never shown.
import { describe, expect, it } from 'vitest';
import { endedIn } from '../../projections/extract/answer/ended.ts';
import { NO_EDITS } from '../../projections/extract/outcome/pending-edits.ts';
import type { Evidence, ObservationRow, Step } from '../../projections/index.ts';
import { clipSentence } from '../../src/brief/lines/brief-lines.ts';
import { fileNames, unnamed } from '../../src/brief/lines/file-names.ts';
import {
  antecedentsIn,
  beginningOf,
  mostInformative,
  pieceOf,
  sentencesIn,
  withLeadsOnce,
  withoutRepeats,
} from '../../src/brief/lines/informative-text.ts';
import { workText } from '../../src/brief/sections/work-text.ts';
import { observation, promptLine, summary, told, word } from '../projections/context/rows.ts';
import { agentText, materialOf } from './material.ts';

async function text(...rows: readonly Parameters<typeof told>[0][]): Promise<string> {
  return agentText(await materialOf(rows.map((row) => told(row))));
}

const partOf = (all: string, title: string) => all.split(`## ${title}`)[1]?.split('\n## ')[0] ?? '';

/** Forty pieces of work with long texts, so that little fits. */
function crowd(more: (number: number) => Partial<ObservationRow> = () => ({})) {
  return Array.from({ length: 40 }, (_, number) =>
    observation(number, {
      title: `Look at the ${word(number)} feeder`,
      narrative: `The ${word(number)} feeder opens ${word(number)}Hatch() and closes it. `.repeat(6),
      ...more(number),
    }),
  );
}

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
    const all = await text(
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
    const all = await text(
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
    partOf(await text(piece, ...more, observation(3), summary(3)), 'Work by session');
  expect(await shown()).toContain('Files (3 in all): CHANGELOG.md.');
  expect(await shown(observation(2, { turn: piece.turn, part: 2 }))).toContain(
    'Files of this part (3 in all): CHANGELOG.md',
  );
});

it('What was open only then is no outcome', async () => {
  const open = [
    'Question: should hatch_2.ts close at dusk or at dawn?',
    'Options: keep hatch_3.ts in the roof.',
    'Best solution: move hatch_4.ts to the door.',
    'If you want, I can oil hatch_5.ts.',
    'One side note: hatch_6.ts squeaks.',
    'Rebuild hatch_7 and try again.',
    'The door is built of oak; the working tree is ready for you to review and commit.',
  ];
  const kept = 'Delete requests now use the pool to verify the owner. Run make lint to check the hatch.';
  const rows = [
    observation(1, { narrative: `The hatch opens. ${open.join(' ')} ${kept}` }),
    observation(2),
    summary(2),
  ];
  const shown = partOf(await text(...rows), 'Work by session');
  expect(shown).toContain(`The hatch opens. The door is built of oak. ${kept.slice(0, -1)}`);
  expect(shown).not.toMatch(/hatch_|review and commit/);
});

describe('Files that were edited', () => {
  const edits = (more: Partial<Evidence['edits']>) => ({
    edits: {
      ...{ files: [], lines: more.files?.map(() => null) ?? [], earlier: null, removed: [], moved: [] },
      ...{ listed: null, listedBefore: [], incomplete: false, committed: false, discarded: [], ...more },
    },
  });
  const door = observation(1, { filesModified: ['src/door.ts'] });
  const hatch = observation(3, { filesModified: ['src/hatch.ts'] });
  const lastOf = async (evidence: Partial<Evidence>) =>
    partOf(await text(door, observation(2, { evidence }), hatch, summary(3)), 'Where the last session');

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
    const found = edits({ listed, listedBefore: ['elm.md'], incomplete: true });
    const last = partOf(await text(observation(1, { evidence: found }), hatch, summary(3)), 'Where the last');
    expect(last).toContain(
      'Edited: at least src/hatch.ts; git also listed src/oak.ts, ash.md, fir.md and 1 more as changed (',
    );
    const committed = observation(4, {
      evidence: edits({ earlier: [], listed: ['ash.md'], committed: true }),
    });
    expect(await text(hatch, committed, summary(4))).toContain('- Listed by git as changed: ash.md (');
  });

  it('before a status that lists them stay listed', async () => {
    const last = await lastOf(edits({ earlier: ['door.ts', 'src/oak.ts'] }));
    expect(last).toContain('Edited: src/{hatch.ts, door.ts} (');
  });

  it('and changed back later are not listed', async () => {
    const lamp = (lines: number | null, index: number) =>
      observation(4 + index, { evidence: edits({ files: ['src/lamp.ts'], lines: [lines] }) });
    const listed = async (...lines: (number | null)[]) =>
      partOf(await text(hatch, ...lines.map(lamp), summary(9)), 'Where the last session').includes('lamp.ts');
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
    expect(partOf(await text(door, committed, summary(2)), 'Where the last session')).not.toContain('Edited');
  });
});

describe('A pull request', () => {
  const opened = (number: number) => ({ number, address: `https://example.org/pull/${number}` });
  const made = { commits: [{ hash: '1a2b3c4', message: 'Oil' }], pullRequests: [opened(7)] };
  const lastOf = async (command: string, evidence = made) => {
    const merged = observation(2, { evidence: { commands: [{ command, outcome: 'ok' }] } });
    return partOf(await text(observation(1, { evidence }), merged, summary(2)), 'Where the last session');
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

describe('The list of commands', () => {
  it('leaves out bookkeeping of tasks', async () => {
    const commands = ['tk close feeder-12.6 --reason=done', 'tk update 7 --status=open', 'make seeds'];
    const all = await text(
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
    const all = await text(test(1, 'passed', '9 passed'), test(2, 'failed', '0 issues.'));
    expect(all).toContain('`npm test` passed once; last: failed (');
    expect(all).not.toContain('0 issues');
  });
});

describe('A lesson', () => {
  const found = (...lessons: string[]) => text(observation(1, { evidence: { lessons } }));

  it('is shown once, however often the agent repeated it', async () => {
    const all = await found(
      'The styles are only in the ignored folder public/styles',
      'The styles in the ignored folder public/styles are the source itself, because nothing builds them',
    );
    expect(all).toContain('because nothing builds them');
    expect(all).not.toContain('styles are only in');
  });
});

describe('In little room', () => {
  it('a piece that changed much is preferred to those that only read files', async () => {
    const rows = crowd((number) => ({
      filesModified: number === 3 ? ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'] : [],
      title: number === 3 ? 'Moved the whole plan' : `Look at the ${word(number)} feeder`,
      type: number === 3 ? 'feature' : 'discovery',
    }));
    expect(partOf(await text(...rows), 'Work by session')).toContain('Moved the whole plan');
  });
});

describe('Names in little room', () => {
  it('of files of one folder are grouped', () => {
    const files = ['src/feeder/clock.ts', 'src/feeder/plan.ts', 'README.md', 'src/lamp.ts'];
    expect(fileNames(files, 4)).toBe('src/feeder/{clock.ts, plan.ts}, README.md, src/lamp.ts');
    expect(fileNames(files, 1)).toBe('src/feeder/clock.ts and 3 more');
    expect(unnamed(files, 'plan.ts reads README.md')).toEqual(['src/feeder/clock.ts', 'src/lamp.ts']);
  });

  it('that lead a list stay before its first item only', () => {
    expect(withLeadsOnce(['New tests: one for dusk.', 'New tests: one for dawn.', 'The lamp: off.'])).toEqual(
      ['New tests: one for dusk.', 'one for dawn.', 'The lamp: off.'],
    );
  });
});

it('A cause that is listed as a lesson is not repeated with the work it belongs to', async () => {
  const cause = 'the clock of the feeder reads local time, so the hatch opens an hour late in summer';
  const all = await text(
    observation(1, {
      narrative: `The root cause: ${cause}. The lamp got a second switch in src/lamp.ts.`,
      evidence: { lessons: [`Cause: T${cause.slice(1)} → Read it as UTC instead`] },
    }),
    observation(2),
    summary(2),
  );
  expect(partOf(all, 'What went wrong')).toContain('reads local time');
  expect(partOf(all, 'Work by session')).toContain('second switch');
  expect(partOf(all, 'Work by session')).not.toContain('reads local time');
});

describe('What an earlier piece of work says of uncommitted files', () => {
  const work = async (said: string) =>
    partOf(
      await text(
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

describe('What was answered without a change', () => {
  const asked = (number: number) =>
    observation(number, {
      filesModified: [],
      title: 'The clock is in `clock.ts`',
      narrative: 'Not necessarily. The clock is in `clock.ts` because plans have no zone. A third sentence.',
    });
  const answered = (learned: string) =>
    text(
      asked(1),
      summary(1, { request: 'Do I need to run the clock of the hatch by hand?', learned, completed: null }),
      summary(3),
    );

  it('is shown from its beginning, in order', async () => {
    const all = await answered(
      '“Not necessarily. For the oak hatch, yes: run `oak()` because it has no clock.”',
    );
    expect(partOf(all, 'Work by session')).toContain(
      '→ Not necessarily. For the oak hatch, yes: run `oak()` because it has no clock. (',
    );
    const aside = 'Not necessarily. By the way, the lamp is lit. The oak hatch runs `oak()` by itself.';
    expect(partOf(await answered(`“${aside}”`), 'Work by session')).toContain(
      '→ Not necessarily. The oak hatch runs `oak()` by itself.',
    );
  });

  it('is shown from its conclusion', async () => {
    const all = await answered(
      '“The oak hatch has a clock. The lamp has none. Logic: […] Overall, the plan holds.”',
    );
    expect(partOf(all, 'Work by session')).toContain('→ Overall, the plan holds. (');
  });

  it('is shown from what judges the findings in it if it does not fit', async () => {
    const finding = 'The reviewer found that the oak hatch has no clock of its own. ';
    const shown = async (judged: string, charsMax: number) => {
      const said = summary(1, { learned: `“${finding}${judged}”`, completed: null });
      const { observations, summaries } = await materialOf([told(asked(1)), told(said)]);
      return workText(observations[0]!, summaries[0]!, '').outcome(charsMax);
    };
    const judged = 'Triage of them: the clock is by design.';
    expect(await shown(judged, 90)).toBe(judged);
    expect(await shown(judged, 200)).toBe(`${finding}${judged}`);
    for (const other of [
      'Triage of them: the first is by design.',
      'Triage: #1 is a real bug, and the other is by design.',
      'Verdict: a real bug. Another finding. Verdict: no problem.',
      'Triage runs in src/triage.ts at each release.',
    ])
      expect(await shown(other, 90)).toContain(finding.trim());
  });

  it('is cut at its end if it does not fit', async () => {
    const long = `“Not necessarily. ${'The oak hatch asks the clock because it has none of its own. '.repeat(30)}”`;
    const request = 'Do I need to run the clock of the hatch by hand?';
    const all = await text(
      ...crowd(),
      asked(45),
      summary(45, { request, learned: long, completed: null }),
      summary(49),
    );
    const [line = ''] = partOf(all, 'Work by session')
      .split('\n')
      .filter((one) => one.includes('Not necessarily'));
    expect(line).toMatch(/→ Not necessarily\. The oak hatch asks .*… \(/);
  });
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
    const state = partOf(await text(one, other, summary(2)), 'Where the last session');
    expect(state).toContain('Committed (pull request #8 opened): 5d6e7f8 Paint the door');
    expect(state).toContain('Committed on oak (pull request #7 opened): 1a2b3c4 Oil the hinge');
  });

  it('say nothing of a pull request that may be of the other branch', async () => {
    const other = observation(2, {
      evidence: { ...commitOn('elm', '5d6e7f8', 'Paint the door', 8), pullRequests: [] },
    });
    const state = partOf(await text(one, other, summary(2)), 'Where the last session');
    expect(state).toContain('Committed: 5d6e7f8 Paint the door');
    expect(state).toContain('Committed on oak (pull request #7 opened): 1a2b3c4 Oil the hinge');
  });

  it('are pushed if the newest of each was', async () => {
    const pushed = (branch: string, hash: string) => ({
      evidence: { commits: [{ hash, message: `Work on ${branch}`, branch }], pushes: [{ branch, hash }] },
    });
    const rows = [observation(1, pushed('oak', '1a2b3c4')), observation(2, pushed('elm', '5d6e7f8'))];
    const state = partOf(await text(...rows, summary(2)), 'Where the last session');
    expect(state).toContain('Committed (pushed): 5d6e7f8 Work on elm');
    expect(state).toContain('Committed on oak (pushed): 1a2b3c4 Work on oak');
  });
});

describe('A sentence that depends on the one before it', () => {
  const sentences = ['The hatch is slow.', 'This is because of the clock in readClock().'];
  const pieces = (weight: number) => [
    pieceOf(sentences[0]!, weight),
    pieceOf(sentences[1]!, 3, antecedentsIn(sentences).get(sentences[1]!)),
  ];

  it('is shown with it', () => {
    expect(mostInformative('', pieces(1), 200)).toBe(sentences.join(' '));
  });

  it('is left out without it', () => {
    expect(mostInformative('', pieces(1).slice(1), 200)).toBe('');
    expect(mostInformative('', pieces(1), 50)).toBe(sentences[0]);
  });
});

it.each([
  ['Rewriting that out would lose the tags.', true],
  ['If any of them have a lamp, it must go.', true],
  ['I’ll delete them.', true],
  ['Worth fixing in a follow-up.', true],
  ['Should be fixed before winter.', true],
  ['Should it stay open in winter?', false],
  ['Still open: the lamp of the hatch.', false],
  ['Keeping the plan would cost them a day.', false],
  ['I removed both `pre.sh` and `post.sh` because nothing calls `hooks()` any more.', false],
  ['We call it `feedTime` everywhere now.', false],
])('Depends on the sentence before it by a later word: %s %s', (one, depends) => {
  expect(antecedentsIn(['The hatch is slow.', one]).has(one)).toBe(depends);
});

describe('A list that is shown in part', () => {
  const lead = 'Findings of the audit of the feeder, with their hatch: ';
  const item = (name: string) => pieceOf(`${lead}the ${name} asks ${name}Clock() because of rain.`, 2);

  it('says so, after its last item', () => {
    const items = [item('lamp'), item('door'), item('bell'), pieceOf('The plan has a zone.', 3)];
    const text = mostInformative('', items, 160);
    expect(text).toContain('because of rain. […] The plan has a zone.');
    expect(text.length).toBeLessThanOrEqual(160);
    expect(mostInformative('', items, 900)).not.toContain('[…]');
  });

  it('is not taken for one item that is repeated', () => {
    expect(withoutRepeats([`${lead}the lamp`, `${lead}the door`], '')).toHaveLength(2);
  });

  it('names its sub-agent before its first item', () => {
    const made = (text: string) => `Sub-agent “Build the hatch”: Made: ${text}`;
    expect(withLeadsOnce([made('a lamp'), made('a door')])).toEqual([made('a lamp'), 'a door']);
  });
});

it('Sentences of other scripts have their own full stop', async () => {
  const narrative = '喂食器的舱门在黄昏前一小时打开。门上的灯在夜里一直亮着！';
  const rows = [observation(1, { narrative }), observation(3), summary(3)];
  expect(await text(...rows)).toContain('喂食器的舱门在黄昏前一小时打开。 门上的灯在夜里一直亮着！');
  expect(await text(...rows)).not.toMatch(/[。！]\./);
  expect(sentencesIn('门上写着「请敲门。」灯亮着。')).toEqual(['门上写着「请敲门。」', '灯亮着。']);
});

describe('What takes back the beginning of a sentence', () => {
  const said =
    'The hatch and the lamp of the feeder live outside the plan of the day, which is useful prior art but too new.';

  it('is not cut off: the sentence is left out', () => {
    const [first, more] = ['The plan has a zone of its own.', pieceOf(said, 2)];
    expect(mostInformative('', [pieceOf(first, 1), more], 100)).toBe(first);
    expect(clipSentence(`${first} ${said}`, 130)).toBe(first);
    expect(beginningOf(`${first} ${said}`, 130)).toBe(first);
  });

  it('is shown, or at least named, if there is nothing else', () => {
    expect(clipSentence(said, 100)).toMatch(/ plan of the day… but too new\.$/);
    const long = said.replace('too new', 'too new for all of the keepers of this farm and of the next one');
    expect(clipSentence(long, 100)).toMatch(/… but…$/);
    for (const one of [said, long, `${said} ${long}`])
      expect(clipSentence(one, 100).length).toBeLessThanOrEqual(100);
    expect(clipSentence(`${said} It rains, but not much.`, 100)).toMatch(/… but too new\.$/);
  });

  it('is shown from the first clause that was cut', () => {
    const lock = 'but it lacks a lock, unless one worker runs.';
    const cache = 'The cache of the plan is shared by all feeders of the garden and of the yard behind';
    expect(clipSentence(`${cache}, ${lock}`, 110)).toMatch(
      /… but it lacks a lock, unless one worker runs\.$/,
    );
    expect(clipSentence(`${cache}, ${lock}`, 80)).toMatch(/… but…$/);
  });

  it.each([
    [
      'Die Klappe und die Lampe des Futterhauses liegen außerhalb des Plans für den Tag',
      ', aber',
      'das ist zu neu.',
    ],
    [
      'La trappe et la lampe de la mangeoire sont en dehors du plan de la journée',
      ', mais',
      'c’est trop récent.',
    ],
    ['La trampilla y la lámpara del comedero están fuera del plan del día', ', pero', 'es demasiado nuevo.'],
    [
      '喂食器的舱门和灯都不在当天的计划之内而且由另外一个时钟来控制它们的开关所以它们在夏天的早晨会打开得比较晚而在冬天的傍晚又会关得太早',
      '，但',
      '这还太新了。',
    ],
  ])('is shown in other languages: %s', (first, turn, rest) => {
    const text = `${first}${turn} ${rest}`;
    expect(clipSentence(text, Math.max(45, first.length - 2))).toMatch(
      new RegExp(`… ${turn.slice(1).trim()} ${rest}$`),
    );
  });
});

it('What the request names comes before what was done beside it', async () => {
  const facts = [
    'Reduced the plans to 5 (down from 18) since nobody reads them',
    'TestHatchClock: covers empty days',
  ];
  const row = observation(1, { title: 'Reduced the plans to 5', narrative: 'All lamps are lit.', facts });
  const shown = async (request: string) =>
    partOf(await text(row, summary(1, { request }), observation(3), summary(3)), 'Work by session');
  expect(await shown('The HatchClock lacks tests in this feeder')).toMatch(/→ (?!Reduced the plans to 5 —)/);
  expect(await shown('Too many tests are in this feeder')).toMatch(/→ Reduced the plans to 5 —/);
});

describe('A fix', () => {
  it('is shown only with the problem before it', async () => {
    const facts = ['Problem: the lamp asks lampClock() twice', 'Fix: the lamp asks planClock() once'];
    const lines = await text(
      observation(1, { facts: [...facts, 'The door stays open'] }),
      observation(2, {
        narrative: 'La porte est dans le plan. Prend un plan et une lampe.',
        facts: facts.slice(1),
      }),
      observation(3),
      summary(3),
    );
    expect(lines).toContain(`${facts.join('. ')}.`);
    expect(lines.split('Fix: ')).toHaveLength(2);
  });
});

const ended = (text: string) => ({ ended: endedIn([text]) });

describe('What later work undid', () => {
  const edited = observation(1, {
    filesModified: ['src/hatch.ts'],
    narrative: 'The hatch now opens twice. The branch hatch-backup is kept.',
  });
  const undid = (discarded: readonly string[], deletedBranches: readonly string[] = []) =>
    observation(2, {
      evidence: { edits: { ...NO_EDITS, discarded }, deletedBranches },
      filesModified: [],
    });
  const work = async (...rows: readonly Parameters<typeof told>[0][]) =>
    partOf(await text(edited, ...rows, observation(3), summary(3)), 'Work by session');

  it.each([
    ['another file', undid(['src/lamp.ts'])],
    ['a branch with a word as its name', undid([], ['hatch'])],
    ['another branch', undid([], ['backup'])],
  ])('is shown while what was undone is %s', async (_, row) => {
    const shown = await work(row);
    expect(shown).toContain('The hatch now opens twice.');
    expect(shown).toContain('hatch-backup');
  });

  it('is no result', async () => expect(await work(undid(['src/hatch.ts']))).not.toContain('hatch'));

  it('is a file that its own work made and removed', async () => {
    const made = { filesModified: ['src/door.ts', 'src/try.ts'] };
    const row = observation(1, { ...made, evidence: { edits: { ...NO_EDITS, removed: ['src/try.ts'] } } });
    const shown = partOf(await text(row, observation(2), summary(2)), 'Work by session');
    expect(shown).toContain('src/door.ts');
    expect(shown).not.toContain('src/try.ts');
  });

  it('is no branch that is still there', async () => {
    const shown = await work(undid([], ['hatch-backup']));
    expect(shown).toContain('The hatch now opens twice.');
    expect(shown).not.toContain('hatch-backup');
  });

  it.each([
    ['a file that was removed', { removed: ['docs/hatch.md'] }],
    ['a file that has another name', { moved: [['docs/hatch.md', 'docs/door.md']] as const }],
  ])('is %s', async (_, more) => {
    const named = observation(1, {
      narrative: 'The lamp stays on. The page is docs/hatch.md now.',
      filesModified: ['docs/hatch.md'],
    });
    const later = (edits: object, number = 2) =>
      observation(number, { filesModified: [], evidence: { edits: { ...NO_EDITS, ...edits } } });
    const again = { filesModified: ['docs/hatch.md'], evidence: { edits: NO_EDITS } };
    const shown = async (edits: object) =>
      partOf(await text(named, later(edits), observation(3), summary(3)), 'Work by session');
    expect(await shown(more)).toContain('The lamp stays on.');
    expect(await shown(more)).not.toContain('docs/hatch.md');
    expect(await shown({})).toContain('docs/hatch.md now');
    const written = [named, later(more), observation(3, again), observation(4), summary(4)];
    expect(partOf(await text(...written), 'Work by session')).toContain('docs/hatch.md now');
    const twice = [named, observation(2, again), later(more, 3), observation(4), summary(4)];
    expect(partOf(await text(...twice), 'Work by session')).not.toContain('docs/hatch.md now');
  });

  it.each([
    [{ edits: { ...NO_EDITS, removed: ['docs/hatch.md'] } }, 'The page is docs/hatch.md now.'],
    [ended('Moved loadPlan() from lamp/ package to hatch/ package'), 'Use lamp.loadPlan() for it.'],
    [ended('Renamed loadPlan() to readPlan()'), 'Use loadPlan() for it.'],
  ])('is what was named in an earlier piece of work: %j', async (evidence, gone) => {
    const first = observation(1, { narrative: `The lamp stays on. ${gone}`, filesModified: ['src/a.ts'] });
    const second = observation(2, { filesModified: ['src/b.ts'], evidence });
    const shown = async (...rows: readonly ObservationRow[]) =>
      partOf(await text(...rows, observation(4), summary(4)), 'Work by session');
    expect(await shown(first)).toContain(gone);
    expect(await shown(first, second)).toContain('The lamp stays on.');
    expect(await shown(first, second)).not.toContain(gone);
  });

  it.each([
    ['another file', 'Use hatch.ts for it.', 'Renamed scheduler.ts to planner.ts'],
    ['the folder of a word', 'Use the loadPlan() for it.', 'Moved loadPlan() from the hatch package to lamp'],
    ['a file', 'Use loadPlan() of hatch.ts for it.', 'Moved loadPlan() from src/plan.ts to lamp'],
    [
      'what was not done',
      'Use loadPlan() for it.',
      'The name was not renamed; we could have renamed loadPlan() to readPlan()',
    ],
    [
      'what was moved back',
      'Use loadPlan() of lamp for it.',
      'Moved loadPlan() from lamp to hatch',
      'Moved loadPlan() from hatch to lamp',
    ],
    [
      'a name in use again',
      'Use loadPlan() for it.',
      'Renamed loadPlan() to readPlan()',
      'Use loadPlan() again',
    ],
  ])('is not %s', async (_, narrative, title, later = 'Oiled the hatch') => {
    const first = observation(1, { narrative, filesModified: ['src/a.ts'] });
    const second = observation(2, { title, filesModified: ['src/b.ts'], evidence: ended(title) });
    const third = observation(3, { title: later, filesModified: ['src/c.ts'], evidence: ended(later) });
    const shown = await text(first, second, third, observation(4), summary(4));
    expect(partOf(shown, 'Work by session')).toContain(narrative);
  });

  it('is a commit that has another name', async () => {
    const named = observation(1, {
      narrative: 'The lamp stays on. The lamp went into e0a1e8ad.',
      filesModified: [],
    });
    const shown = async (rewroteHistory: boolean) => {
      const later = observation(2, { filesModified: [], evidence: { rewroteHistory } });
      return partOf(await text(named, later, observation(3), summary(3)), 'Work by session');
    };
    expect(await shown(true)).toContain('The lamp stays on.');
    expect(await shown(true)).not.toContain('e0a1e8ad');
    expect(await shown(false)).toContain('e0a1e8ad');
  });

  it('is no answer to which the person objected, also if no file was changed', async () => {
    const answer = observation(1, { filesModified: [], narrative: 'The lamp hangs in the northern roof.' });
    const shown = async (request: string, more: Parameters<typeof materialOf>[1] = {}) => {
      const next = { filesModified: [], turn: 't-2', narrative: 'The hatch is oiled.' };
      const rows = [answer, observation(2, next), summary(2, { request }), observation(3), summary(3)];
      const material = await materialOf(
        rows.map((row) => told(row)),
        more,
      );
      return partOf(agentText(material), 'Work by session');
    };
    for (const objection of [
      'i meant the lamp of the door',
      'Falsch, es geht um die Tür',
      'Faux, la lampe de la porte',
      'Incorrecto, la lámpara de la puerta',
      '不對，是門上的燈',
    ])
      expect(await shown(objection)).not.toContain('northern roof');
    expect(await shown('Yes, that is what I meant')).toContain('northern roof');
    expect(await shown('ah, the lamp was not lit, I see. Thanks, now oil it')).toContain('northern roof');
    expect(await shown('and the lamp of the door?')).toContain('northern roof');
    const asked = promptLine(1, { turn: 't-between', at: answer.at! + 1 });
    expect(await shown('i meant the lamp of the door', { prompts: [asked] })).toContain('northern roof');
    expect(await shown("no, that's fine")).toContain('northern roof');
  });

  it('is no answer to which the person objected, if the same file was changed again', async () => {
    const again = { filesModified: ['src/hatch.ts'], turn: 't-2', narrative: 'The lamp stays off by day.' };
    const objection = summary(2, { request: 'it should not open twice' });
    expect(await work(observation(2, again), objection)).not.toContain('opens twice.');
    for (const request of ['Nein, nur einmal', 'non, une seule fois', 'No, una sola vez', '不对，只开一次'])
      expect(await work(observation(2, again), summary(2, { request }))).not.toContain('opens twice.');
    for (const request of [
      'Sollten wir nicht auch das Licht prüfen?',
      'Mal, wenn du Zeit hast: das Licht',
      '不是很急，看看灯',
    ])
      expect(await work(observation(2, again), summary(2, { request }))).toContain('opens twice.');
    expect(await work(observation(2, again), summary(2))).toContain('opens twice.');
  });
});

it('A decision after which the agent asked which way to go is not in force', async () => {
  const decisions = ['The person: I prefer the lamp in the session'];
  const shown = async (nextSteps: readonly Step[]) =>
    text(observation(1, { evidence: { decisions } }), summary(1, { nextSteps }), observation(3), summary(3));
  expect(await shown([])).toContain('## Decisions made');
  expect(await shown([{ kind: 'asked', text: 'Which approach do you prefer?' }])).not.toContain(
    '## Decisions made',
  );
});
