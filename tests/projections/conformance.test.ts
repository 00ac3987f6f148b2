import type { Telling } from '../../log/index.ts';
import { projectorSuite } from '../conformance/projector.ts';
import { counts, prompts, titles } from '../helpers/toy-projectors.ts';

projectorSuite({
  name: 'a count of prompts and an index of their words',
  projectors: [counts, titles],
  facts: () => bySession(prompts(120)),
  forget: {
    events: ({ fact }) => ['fact-17', 'fact-30'].includes(fact),
    words: ['number 17', 'number 30'],
  },
});

function bySession(tellings: readonly Telling[]): readonly (readonly Telling[])[] {
  const sessions = new Set(tellings.map(({ session }) => session));
  return [...sessions].map((session) => tellings.filter((told) => told.session === session));
}
