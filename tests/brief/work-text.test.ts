// What is chosen from the text of a piece of work, and what is not repeated.

import { describe, expect, it } from 'vitest';
import type { ObservationRow } from '../../projections/index.ts';
import { workText } from '../../src/brief/sections/work-text.ts';
import { observation, summary, told, word } from '../projections/context/rows.ts';
import { materialOf, partOf, textOf } from './material.ts';

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

describe('A lesson', () => {
  const found = (...lessons: string[]) => textOf(observation(1, { evidence: { lessons } }));

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
    expect(partOf(await textOf(...rows), 'Work by session')).toContain('Moved the whole plan');
  });
});

it('A cause that is listed as a lesson is not repeated with the work it belongs to', async () => {
  const cause = 'the clock of the feeder reads local time, so the hatch opens an hour late in summer';
  const all = await textOf(
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

describe('What was answered without a change', () => {
  const asked = (number: number) =>
    observation(number, {
      filesModified: [],
      title: 'The clock is in `clock.ts`',
      narrative: 'Not necessarily. The clock is in `clock.ts` because plans have no zone. A third sentence.',
    });
  const answered = (learned: string) =>
    textOf(
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
    const all = await textOf(
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

it('What the request names comes before what was done beside it', async () => {
  const facts = [
    'Reduced the plans to 5 (down from 18) since nobody reads them',
    'TestHatchClock: covers empty days',
  ];
  const row = observation(1, { title: 'Reduced the plans to 5', narrative: 'All lamps are lit.', facts });
  const shown = async (request: string) =>
    partOf(await textOf(row, summary(1, { request }), observation(3), summary(3)), 'Work by session');
  expect(await shown('The HatchClock lacks tests in this feeder')).toMatch(/→ (?!Reduced the plans to 5 —)/);
  expect(await shown('Too many tests are in this feeder')).toMatch(/→ Reduced the plans to 5 —/);
});

describe('A fix', () => {
  it('is shown only with the problem before it', async () => {
    const facts = ['Problem: the lamp asks lampClock() twice', 'Fix: the lamp asks planClock() once'];
    const lines = await textOf(
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
