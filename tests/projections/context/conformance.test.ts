import type { Telling } from '../../../log/index.ts';
import { contextProjector, memoryProjector, turnsProjector } from '../../../projections/index.ts';
import { projectorSuite } from '../../conformance/projector.ts';
import { fork } from '../../helpers/forks.ts';
import { hookTellings } from '../../helpers/told.ts';
import { readWhole } from '../../helpers/transcripts.ts';
import { fixedFeeder, movedReport } from './sessions.ts';

function saved(fact: string, title: string, type: string): Telling {
  const body = { title, text: `${title}, in full`, type, cwd: '/home/u/app', index: Number(fact) };
  return { type: 'memory.saved', agent: 'annals', session: null, fact, witness: 'api', occurredAt: 5, body };
}

projectorSuite({
  name: 'The chain from turns to context',
  projectors: [turnsProjector, memoryProjector, contextProjector],
  facts: () => [
    readWhole(fixedFeeder()).tellings,
    hookTellings(fixedFeeder(), { promptId: false }),
    readWhole(fork(fixedFeeder(), 'cccccccc-0000-4000-8000-000000000003').bytes).tellings,
    readWhole(movedReport()).tellings,
    [saved('1', 'Use tabs', 'decision'), saved('2', 'Never rebase main', 'change')],
  ],
  forget: {
    events: (event) =>
      event.session !== null && JSON.stringify(event.body).includes('existing schedules must stay readable'),
    words: ['existing schedules must stay readable'],
  },
  seeds: [1, 2, 3],
});
