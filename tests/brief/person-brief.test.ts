import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { compose, fitPersonBrief, renderPersonBrief } from '../../src/brief/index.ts';
import type { BriefLine, Section } from '../../src/brief/lines/brief.ts';
import { width } from '../../src/terminal-text/plain-text.ts';
import { observation, summary, told } from '../projections/context/rows.ts';
import { materialOf } from './material.ts';

const rows = Array.from({ length: 60 }, (_, number) => [
  told(observation(number, { title: `鳥の餌箱を直した ${'very '.repeat(30)}` })),
  told(
    summary(number, {
      completed: 'It opens in time. '.repeat(20),
      learned: '\u001b[31mRed birds come first.',
    }),
  ),
]).flat();

it.each([40, 60, 100, 180])('The person’s form fits a terminal of %i cells and one screen', async (cells) => {
  const brief = fitPersonBrief(compose(await materialOf(rows)));
  const text = renderPersonBrief(brief, { found: 12_345 }, 700, { width: cells, color: true });
  expect(text).toContain('\u001b[1m');
  const lines = stripVTControlCharacters(text).split('\n');
  for (const line of lines) expect(width(line), line).toBeLessThanOrEqual(cells);
  expect(lines.length).toBeLessThan(60);
  expect(text).not.toContain('\u001b[31mRed');
});

it.each([
  [200, 'Tests last seen, in another session'],
  [100, 'Tests last seen, in…'],
  [40, 'Tests last…'],
])('In a terminal of %i cells a label is cut at its share of the line', (width, label) => {
  const line: BriefLine = {
    ...{ label: 'Tests last seen, in another session', text: 'passed', voice: 'record' },
    ...{ id: 's\u001b[2J', at: null, nearDuplicates: 0, turn: null },
  };
  const sections: Section[] = [{ name: 'last', title: 'Last', lines: [line], chars: [1, 1] }];
  const text = renderPersonBrief({ project: 'p', sections }, { found: null }, 0, { width, color: false });
  expect(text).toMatch(new RegExp(`^  ${label} +passed( +s)?$`, 'm'));
  expect(text).toBe(stripVTControlCharacters(text));
});

it('Without colour the person’s form has no control sequences', async () => {
  const brief = fitPersonBrief(compose(await materialOf(rows)));
  const text = renderPersonBrief(brief, { found: null }, 700, { width: 100, color: false });
  expect(text).toBe(stripVTControlCharacters(text));
  expect(text).toContain('about 700 tokens');
});

it('A project without any records gets one line of welcome', async () => {
  const brief = fitPersonBrief(compose(await materialOf([])));
  const text = renderPersonBrief(brief, { found: null }, 0, { width: 100, color: true });
  expect(text.split('\n')).toHaveLength(1);
  expect(text).toContain('feeder');
});
