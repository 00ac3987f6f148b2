// What is said to have come of a turn beside an item of it.
import { expect, it } from 'vitest';
import type { MemoryDocument } from '../../projections/index.ts';
import { outcomeOf } from '../../src/recall/item-text.ts';
import { summary } from '../projections/context/rows.ts';

const SAID =
  'Heating the hinge with the relay keeps the chute of the feeder open in the frost of a whole night.';

async function outcomeOfItem(body: string) {
  const row = summary(1, { completed: `“${SAID}”\n\nCommitted 1a2b3c4: Heat the hinge.` });
  const { agent, session, turn } = row;
  const document = { kind: 'answer', agent, session, turn, body } as MemoryDocument;
  return outcomeOf(document, { memory: { get: async () => row, range: async () => [] } } as never);
}

it('An answer is not followed by its own quote', async () => {
  expect(await outcomeOfItem(`${SAID} It took an hour.`)).toBe('');
});

it('Another item of the turn is followed by the quote, without its marks', async () => {
  expect(await outcomeOfItem('Look at the hinge')).toBe(`${SAID} Committed 1a2b3c4: Heat the hinge.`);
});
