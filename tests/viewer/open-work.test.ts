import { expect, test } from 'vitest';
import type { ListedSummary } from '../../src/viewer/api/types.ts';
import { openWork } from '../../src/viewer/project/open-work.ts';

const turn = (session: string, ...nextSteps: readonly string[]) => ({ session, nextSteps }) as ListedSummary;
const steps = (...summaries: readonly ListedSummary[]) =>
  openWork(summaries).map(({ nextSteps }) => nextSteps[0]);

test('What a session left open is what its last turn says', () => {
  expect(steps(turn('b', 'Paint the feeder'), turn('b', 'Weigh the seeds'))).toEqual(['Paint the feeder']);
  expect(steps(turn('b'), turn('b', 'Weigh the seeds'))).toEqual([]);
});

test('A later session that speaks of the same says what is left of it now', () => {
  const states = [
    turn('c', 'Two files modified, uncommitted'),
    turn('b', 'Five files sit uncommitted'),
    turn('a', 'Offered: widen the chute of the feeder'),
    turn('0', 'Five files modified, uncommitted'),
  ];
  expect(steps(...states)).toEqual([
    'Two files modified, uncommitted',
    'Offered: widen the chute of the feeder',
  ]);
});

test('Texts without long words are not taken for the same', () => {
  expect(steps(turn('b', 'Go on'), turn('a', 'Do it'))).toEqual(['Go on', 'Do it']);
});
