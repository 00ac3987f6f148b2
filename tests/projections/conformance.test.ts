import type { NewEvent } from '../../log/index.ts';
import { projectorSuite } from '../conformance/projector.ts';
import { counts, prompts, titles } from '../helpers/toy-projectors.ts';

projectorSuite({
  name: 'a count of prompts and an index of their words',
  projectors: [counts, titles],
  facts: () => bySession(prompts(120)),
  forget: {
    events: ({ dedupeKey }) => ['fact-17', 'fact-30'].includes(dedupeKey),
    words: ['number 17', 'number 30'],
  },
});

function bySession(newEvents: readonly NewEvent[]): readonly (readonly NewEvent[])[] {
  const sessions = new Set(newEvents.map(({ session }) => session));
  return [...sessions].map((session) => newEvents.filter((told) => told.session === session));
}
