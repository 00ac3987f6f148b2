import type { NewEvent } from '../../../log/index.ts';
import { contextProjector, memoryProjector, turnsProjector } from '../../../projections/index.ts';
import { projectorSuite } from '../../conformance/projector.ts';
import { fork } from '../../helpers/forks.ts';
import { hookNewEvents } from '../../helpers/hooks/hook-generator.ts';
import { readWhole } from '../../helpers/transcripts.ts';
import { fixedFeeder, movedReport } from './sessions.ts';

function saved(dedupeKey: string, title: string, type: string): NewEvent {
  const body = { title, text: `${title}, in full`, type, cwd: '/home/u/app', index: Number(dedupeKey) };
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    dedupeKey,
    channel: 'api',
    occurredAt: 5,
    body,
  };
}

projectorSuite({
  name: 'The chain from turns to context',
  projectors: [turnsProjector, memoryProjector, contextProjector],
  facts: () => [
    readWhole(fixedFeeder()).newEvents,
    hookNewEvents(fixedFeeder(), { promptId: false }),
    readWhole(fork(fixedFeeder(), 'cccccccc-0000-4000-8000-000000000003').bytes).newEvents,
    readWhole(movedReport()).newEvents,
    [saved('1', 'Use tabs', 'decision'), saved('2', 'Never rebase main', 'change')],
  ],
  forget: {
    events: (event) =>
      event.session !== null && JSON.stringify(event.body).includes('existing schedules must stay readable'),
    words: ['existing schedules must stay readable'],
  },
  seeds: [1, 2, 3],
});
