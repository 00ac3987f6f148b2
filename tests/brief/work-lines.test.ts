// What a line of work contains in a given room, and how many lines each session gets.

import { describe, expect, it } from 'vitest';
import type {
  Evidence,
  ObservationRow,
  SummaryRow,
} from '../../projections/extract/transcript/observation.ts';
import { mostInformative, pieceOf, sentencesIn, weightOf } from '../../src/brief/lines/informative-text.ts';
import { observation, summary, told, word } from '../projections/context/rows.ts';
import { agentText, materialOf } from './material.ts';

function toldOf(text: string, charsMax: number): string {
  return mostInformative(
    '',
    sentencesIn(text).map((one, at) => pieceOf(one, weightOf(one, at))),
    charsMax,
  );
}

describe('A line in little room', () => {
  const closing =
    'You can see it in the browser. All 12 tests pass and the linter is clean. The bug: the timer read local time because `clock.ts` parsed the plan without a zone. I looked at the other readers too. The fix: parsePlan() in plan.ts now takes the zone of the hatch.';

  it('keeps the cause and the fix, not passing tests or what was only looked at', () => {
    const text = toldOf(closing, 180);
    expect(text).toContain(
      'The bug: the timer read local time because `clock.ts` parsed the plan without a zone.',
    );
    expect(text).toContain('The fix: parsePlan() in plan.ts now takes the zone of the hatch.');
    expect(text).not.toMatch(/tests pass|looked at|browser/);
  });

  it('has everything, in order, if there is room', () => {
    expect(toldOf(closing, 1_000)).toBe(closing);
  });

  it.each([40, 80, 120, 200, 400])('is never longer than %i characters', (charsMax) => {
    expect(toldOf(closing.repeat(3), charsMax).length).toBeLessThanOrEqual(charsMax);
    expect(mostInformative('A heading of some words that is long', [], charsMax).length).toBeLessThanOrEqual(
      charsMax,
    );
  });

  it('does not repeat its heading', () => {
    const pieces = ['The hatch now opens before dusk.', 'The plan is read once a day.'].map((one, at) =>
      pieceOf(one, weightOf(one, at)),
    );
    expect(mostInformative('The hatch now opens before dusk', pieces, 75)).toBe(
      'The hatch now opens before dusk — The plan is read once a day.',
    );
  });
});

describe('A piece of work', () => {
  const text = async (request: string, title: string) =>
    agentText(
      await materialOf([
        told(observation(1, { title, narrative: `${title}.` })),
        told(summary(1, { request })),
        told(observation(2)),
        told(summary(2)),
      ]),
    );

  it('shows the request if its outcome does not mention it', async () => {
    expect(
      await text('use twenty cells of breathing room instead of thirty', 'The hatch shows the clock'),
    ).toContain('- “use twenty cells of breathing room instead of thirty” → The hatch shows the clock.');
  });

  it('leaves the request out if the outcome mentions it, and leaves out filler words', async () => {
    const same = await text(
      'can you move the feeding clock into its module',
      'Moved the feeding clock into its module',
    );
    expect(same).not.toContain('“can you');
    expect(await text('yes please go ahead', 'Moved the feeding clock')).not.toContain('“yes');
  });
});

describe('Of earlier work', () => {
  const work = async (...rows: readonly (ObservationRow | SummaryRow)[]) =>
    agentText(await materialOf(rows.map((row) => told(row)))).split('## Work by session')[1]!;
  const commit = {
    hash: 'abc1230',
    message: 'fix: oil\n\nFor now clock_a.ts stays. It is read by plan_a.ts, because it opens.',
  };
  const later = [observation(2), summary(2), observation(3), summary(3)];

  it.each([
    'The clock_a.ts test currently fails.',
    'The lamp of clock_a.ts is not lit yet.',
    'Two lamps are lit. The `npm test` run fails.',
    'Of clock_a.ts 2 tests fail.',
  ])('a state that later work may have ended is left out: %s', async (narrative) => {
    const shown = await work(observation(1, { narrative, title: narrative.slice(0, -1) }), ...later);
    expect(shown).toContain('o-0');
    expect(shown).not.toMatch(/currently fails|lit yet|run fails|tests fail/);
  });

  it.each([
    'The link check now fails on dead links of clock_a.ts.',
    'The signature check fails closed without a key of clock_a.ts.',
    'The build fails without clock_a.ts, because the plan reads it.',
    'For now clock_a.ts stays, because the old hatch reads it.',
  ])('what the product does is kept: %s', async (narrative) => {
    expect(await work(observation(1, { narrative }), ...later)).toContain(narrative.slice(0, -1));
  });

  it('what a commit says is kept', async () => {
    const shown = await work(observation(1, { evidence: { commits: [commit] } }), ...later);
    expect(shown).toContain('For now clock_a.ts stays');
  });

  it('a commit without its hooks says so', async () => {
    const commits = [
      { ...commit, hash: 'abc4560' },
      { ...commit, unverified: true as const },
    ];
    const shown = await work(observation(1, { evidence: { commits } }), observation(2), summary(2));
    expect(shown).toContain('[abc4560, abc1230 (with --no-verify)]');
  });

  it('a commit that was rewritten with its files has its title only', async () => {
    const one = observation(1, { evidence: { commits: [commit] } });
    const material = await materialOf([
      told(one),
      told(
        observation(2, {
          filesModified: one.filesModified,
          evidence: { commits: [{ ...commit, hash: 'abc9999' }] },
        }),
      ),
      told(observation(3)),
      told(summary(3)),
    ]);
    const observations = material.observations.map((row) =>
      row.id === one.id
        ? { ...row, commits: row.commits.map((made) => ({ ...made, rewritten: 'yes' as const })) }
        : row,
    );
    const rows = agentText({ ...material, observations })
      .split('## Work by session')[1]!
      .split('\n');
    expect(rows.find((row) => row.includes(one.id))).not.toContain('plan_a.ts');
  });

  it('what was said last in a turn without an answer is no outcome', async () => {
    const narrative = 'The sum in clock_a.ts was wrong, because forty leaves four.';
    const shown = await work(
      observation(1, { narrative }),
      summary(1, { end: null, completed: null }),
      observation(2),
      summary(2),
    );
    expect(shown).not.toContain('The sum');
  });
});

describe('A brief with much material', () => {
  /** Six sessions of ten pieces of work each. */
  const many = Array.from({ length: 60 }, (_, number) => [
    told(
      observation(number, {
        title: `The ${word(number)} feeder jams`,
        narrative: ['hinge', 'hatch', 'plan', 'clock']
          .map((what) => `The ${what} jams because ${what}_${word(number)}.ts never calls ${what}Opens().`)
          .join(' '),
        evidence:
          number === 25 ? { decisions: ['The person: never oil the hinge with butter, it melts.'] } : {},
      }),
    ),
    told(summary(number, { nextSteps: [{ kind: 'offered', text: 'paint it' }] })),
  ]).flat();

  it('shows some work of every session, and most of the newest', async () => {
    const work = agentText(await materialOf(many)).split('## Work by session')[1]!;
    const sessions = work.split('\n- Session ').slice(1);
    expect(sessions).toHaveLength(6);
    const counts = sessions.map((one) => one.split('\n  - ').length - 1);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
    expect(counts[0]).toBe(Math.max(...counts));
    expect(work).not.toContain('paint it');
  });

  it('shows what was finished in an older session before a turn without an end', async () => {
    const ending = many.map((change, index) => {
      const row = change.after as ObservationRow;
      const isLast = index % 20 === 18;
      return isLast ? told({ ...row, unfinished: true, title: `Unfinished: commit ${word(index)}` }) : change;
    });
    const work = agentText(await materialOf(ending)).split('## Work by session')[1]!;
    expect(work).not.toContain('Unfinished: ');
  });

  it('shows a rule with its outcome, and does not repeat its work', async () => {
    const all = agentText(await materialOf(many));
    expect(all).toMatch(/- never oil the hinge with butter, it melts\. → The cf feeder jams/);
    expect(all.match(/The cf feeder jams/g)).toHaveLength(1);
  });

  it('leaves little room unused', async () => {
    expect(agentText(await materialOf(many)).length).toBeGreaterThan(8_600);
  });
});

describe('The last session’s commits', () => {
  const state = async (evidence: Partial<Evidence>, more: Partial<SummaryRow> = {}) =>
    agentText(
      await materialOf([
        told(
          observation(1, {
            evidence: {
              commits: [{ hash: '1a2b3c4', message: 'Open before dusk', branch: 'dusk' }],
              ...evidence,
            },
          }),
        ),
        told(summary(2, more)),
      ]),
    );
  const pushes = [{ branch: 'dusk', hash: '1a2b3c4d' }];
  const pullRequests = [{ number: 186, address: 'https://example.org/a/app/pull/186' }];

  it('show whether they were pushed', async () => {
    expect(await state({})).toContain('Committed: 1a2b3c4 Open before dusk');
    expect(await state({ pushes })).toContain('Committed (pushed): 1a2b3c4');
    expect(await state({ pushes, pullRequests })).toContain(
      'Committed (pushed, pull request #186 opened): 1a2b3c4 Open before dusk',
    );
  });

  it.each([
    ['the agent speaks of a push', {}, { completed: 'Pushed to PR #186.' }],
    ['another commit was pushed', { pushes: [{ branch: 'dusk', hash: '9999999' }] }, {}],
    ['another branch was pushed', { pushes: [{ branch: 'main', hash: null }] }, {}],
  ])('say nothing about pushing if %s and git does not show it', async (_, evidence, more) => {
    expect(await state(evidence, more)).toContain('Committed: 1a2b3c4 Open before dusk');
  });

  it('are composed quickly, whatever characters the request contains', async () => {
    const request = `commit ${'.'.repeat(400)} and then go on with the next part of it please`;
    const rows = [observation(1, { turn: 'one' }), summary(1, { turn: 'one', request })];
    const text = agentText(await materialOf(rows.map((row) => told(row))));
    expect(text).toContain('<annals-context');
  });
});
