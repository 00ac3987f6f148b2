// Which decisions and lessons are current: the newest about a thing, and no decision that was undone.
import { describe, expect, it } from 'vitest';
import { currentDecisions } from '../../src/overtaken/current-decisions.ts';
import { observation, summary, told } from '../projections/context/rows.ts';
import { agentText, materialOf } from './material.ts';

async function decided(statements: readonly string[], more: readonly string[] = []): Promise<string> {
  const rows = statements.map((text, index) =>
    told(
      observation(index + 1, {
        session: `session-${index}`,
        title: more[index] ?? `Work of some kind ${'abcdefgh'[index]}`,
        evidence: { decisions: text === '' ? [] : [text] },
      }),
    ),
  );
  const text = agentText(await materialOf(rows));
  return text
    .slice(text.indexOf('## Decisions made'))
    .split('\n## ')[0]!
    .concat(text.includes('## Decisions made') ? '' : text.slice(0, 0));
}

describe('A rule of the person in a longer request', () => {
  const request =
    'Harden the hatch of the northern feeder in three steps, with a commit after each of them. Do not change the roof.';
  const shown = async (rule: string) => {
    const all = agentText(
      await materialOf([
        told(observation(1, { evidence: { decisions: [`The person: ${rule}`] } })),
        told(summary(1, { request })),
      ]),
    );
    return all.split('## Decisions made')[1]!.split('\n## ')[0]!;
  };

  it.each([
    'Do not change the roof.',
    'don’t touch the tests except where the fix needs it',
    'keep the old hinge for now',
    'The roof is not part of this pass',
  ])('that limits the task names the task: %s', async (rule) => {
    expect(await shown(rule)).toContain(`${rule} (for the task “Harden the hatch of the northern feeder`);
  });

  it.each([
    'never force-push to main',
    'do not ever push to main',
    'do not build the roof on every run',
    'use pnpm and not npm',
    'we have no need of a second hatch',
  ])('that reads as lasting is shown without its task: %s', async (rule) => {
    expect(await shown(rule)).toContain(rule);
    expect(await shown(rule)).not.toContain('for the task');
  });

  it('names the task once', async () => {
    const decisions = ['The person: Do not change the roof.', 'The person: don’t touch the tests'];
    const all = agentText(
      await materialOf([told(observation(1, { evidence: { decisions } })), told(summary(1, { request }))]),
    );
    expect(all).toMatch(
      /change the roof\. \(for the task “Harden .*\n- don’t touch the tests \(for the same task\)/,
    );
  });

  it('is shown without a task if it is the whole request', async () => {
    const rule = 'Harden the hatch of the northern feeder in three steps, with a commit after each of them.';
    expect(await shown(rule)).not.toContain('for the task');
  });
});

describe('Of several decisions about one thing', () => {
  it.each([
    [
      'a value',
      'The person: keep HATCH_WIDTH at 241 millimetres',
      'The person: keep HATCH_WIDTH at 250 millimetres',
      '250',
    ],
    [
      'a question',
      'The person: Which roof? Chosen: The flat one',
      'The person: Which roof? Chosen: The steep one',
      'steep',
    ],
    [
      'a file',
      'I kept src/feed.ts as one module because it is short',
      'I kept src/feed.ts split in two modules because it grew',
      'grew',
    ],
    [
      'nearly the same words',
      'The person: always paint the northern feeder doors green',
      'The person: always paint the northern feeder doors brown',
      'brown',
    ],
  ])('%s', async (_, older, newer, current) => {
    const text = await decided([older, newer]);
    expect(text).toContain(current);
    expect(text).toContain('(replaces an earlier decision)');
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(1);
  });

  it('a plan stays while something that it names is changed, and goes when the plan itself is undone', async () => {
    const plan =
      'The person: Accepted plan “Paint the northern roof”. Chosen: Keep src/feed.ts small; No second hatch';
    expect(await decided([plan, ''], ['Work', 'Removed the old reader from src/feed.ts'])).toContain(
      'No second hatch',
    );
    expect(await decided([plan, ''], ['Work', 'Revert the paint of the northern roof'])).not.toContain(
      'No second',
    );
  });

  it('both are shown if they are about different things', async () => {
    const text = await decided(['The person: never touch the clock', 'The person: keep the hatch of oak']);
    expect(text).toContain('clock');
    expect(text).toContain('oak');
  });

  it('two of the same piece of work are both shown', () => {
    const row = told(observation(1)) as never;
    const stated = [
      { row, text: 'Keep HATCH_WIDTH at 241 millimetres' },
      { row, text: 'Measure HATCH_WIDTH in millimetres' },
    ];
    expect(currentDecisions(stated, () => false).map(({ text }) => text)).toEqual(
      stated.map(({ text }) => text),
    );
  });

  it.each([
    ['Revert the HATCH_WIDTH change'],
    ['HATCH_WIDTH is no longer used'],
    ['Removed HATCH_WIDTH from the plan'],
  ])('and none that was undone: “%s”', async (title) => {
    expect(
      await decided(['The person: keep HATCH_WIDTH at 241 millimetres', ''], ['Work', title]),
    ).not.toContain('241');
  });
});

it.each([
  ['Removed HATCH_WIDTH and its tests', true],
  ['Revert the removal of HATCH_WIDTH', false],
])('A decision to remove something is carried out by its removal: %s', async (title, isShown) => {
  const text = await decided(['The person: drop HATCH_WIDTH from the plan', ''], ['Work', title]);
  expect(text.includes('drop HATCH_WIDTH')).toBe(isShown);
});

describe('A number that was chosen', () => {
  const chose = observation(1, {
    filesModified: ['config.json'],
    narrative: 'The timeout is 45 now.',
    evidence: { decisions: ['I picked 45 seconds rather than 60 because the gateway gives up at 50.'] },
  });
  const told45 = async (title: string, file: string) => {
    const later = observation(2, { turn: 't-later', title, narrative: '', filesModified: [file] });
    return agentText(await materialOf([told(chose), told(later)])).includes('I picked 45');
  };

  it('is dropped once later work on its file has another number', async () => {
    expect(await told45('The timeout is 60 seconds now, since the gateway waits longer', 'config.json')).toBe(
      false,
    );
  });

  it.each([
    ['another file changed', 'The timeout is 60 seconds now, since the gateway waits longer', 'staging.json'],
    ['the number is said again', 'The timeout of 45 seconds is also that of the gateway', 'config.json'],
    ['it is about something else', 'There are 3 retries now', 'config.json'],
  ])('is still shown when %s', async (_, title, file) => {
    expect(await told45(title, file)).toBe(true);
  });
});

describe('A lesson that a later one supersedes', () => {
  const lessons = async (older: string, newer: string) => {
    const rows = [older, newer].map((lesson, at) =>
      told(observation(at + 1, { session: `s-${at}`, evidence: { lessons: [lesson] } })),
    );
    return agentText(await materialOf(rows))
      .split('## What went wrong')[1]!
      .split('\n## ')[0]!;
  };
  const older =
    'The private remote of the feeder must be in the tracked feeder/settings.json → Add it there and commit';
  const newer =
    'The tracked feeder/settings.json must not name the private remote of the feeder → Keep it in feeder/local.json';

  it('is replaced', async () => {
    const text = await lessons(older, newer);
    expect(text).toContain('must not name the private remote');
    expect(text).not.toContain('Add it there');
  });

  it.each([
    ['chore: no private remote in the tracked settings', 'feeder/settings.json', false],
    ['chore: no private remote in the tracked settings', 'src/a.ts', true],
    ['fix: oil the northern hatch twice', 'feeder/settings.json', true],
    ['chore: use the private remote of the feeder', 'feeder/settings.json', true],
  ])(
    'is left out if a later commit of the same file is about the same: %s of %s',
    async (message, file, isShown) => {
      const work = (number: number, subject: string, changed: string, lessons: string[]) =>
        told(
          observation(number, {
            filesModified: [changed],
            evidence: { lessons, commits: [{ hash: `1a2b3c${number}`, message: subject }] },
          }),
        );
      const own = 'chore: use the private remote of the feeder';
      const rows = [work(1, own, 'feeder/settings.json', [older]), work(2, message, file, [])];
      expect(agentText(await materialOf(rows)).includes('Add it there')).toBe(isShown);
    },
  );

  it('stays if the later one is about something else of the same file', async () => {
    const other =
      'The parser of feeder/settings.json never reads comments because it is strict → Remove the comments';
    const text = await lessons(older, other);
    expect(text).toContain('Add it there');
    expect(text).toContain('Remove the comments');
  });
});
