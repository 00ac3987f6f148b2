import { memoryProjector, turnsProjector } from '../../../projections/index.ts';
import { projectorSuite } from '../../conformance/projector.ts';
import { aFix, newEventsOf, Session } from '../extract/observed.ts';

projectorSuite({
  name: 'the memory view with observations and summaries',
  projectors: [turnsProjector, memoryProjector],
  facts: () => [
    [...newEventsOf(aFix({ session: 'aaaaaaaa-0000-4000-8000-000000000001' }))],
    [...newEventsOf(aLongTurn())],
    // The same lines under another session, an hour later: copies.
    [
      ...newEventsOf(
        aFix({ session: 'cccccccc-0000-4000-8000-000000000003', start: Date.UTC(2026, 0, 1, 1) }),
      ),
    ],
  ],
  forget: {
    events: ({ body }) => /page-7\.md|Renamed the option in 45/.test(JSON.stringify(body)),
    words: ['page-7.md', 'Renamed the option in 45'],
  },
  seeds: [1, 2],
});

function aLongTurn(): Session {
  const session = new Session({ session: 'bbbbbbbb-0000-4000-8000-000000000002', firstUuid: 5_000 });
  session.prompt('Please rename the option everywhere, it is called twice as often as it is used.');
  for (let index = 0; index < 45; index++) session.edited(`/home/u/app/src/file-${index}.ts`);
  session.ran('git commit -am "refactor: rename the option"', '[main abcdef1] refactor: rename the option');
  for (let index = 0; index < 22; index++) session.read(`/home/u/app/docs/page-${index}.md`);
  session.reply('Renamed the option in 45 files. The documentation already said the new name everywhere.');
  return session;
}
