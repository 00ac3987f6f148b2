import type { NewEvent } from '../../../log/index.ts';
import { memoryProjector, projectsProjector, turnsProjector } from '../../../projections/index.ts';
import { projectorSuite } from '../../conformance/projector.ts';
import { fork } from '../../helpers/forks.ts';
import { hookNewEvents } from '../../helpers/hooks/hook-generator.ts';
import { importEvent } from '../../helpers/new-events.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

/** A session with every kind of item, reported by hooks as well, and forked once. */
function session(): Buffer {
  const script = new Script({ session: 'aaaaaaaa-0000-4000-8000-000000000000', version: '2.1.210' });
  script.prompt('Why does the login test flake?', { promptId: 'first' });
  script.reply('Let me run it.');
  script.use('toolu_1', 'Bash', { command: 'npm test' });
  script.result('toolu_1', 'Exit code 1\nExpected 2, got 3', {}, { is_error: true });
  script.use('toolu_2', 'Edit', { file_path: '/home/u/app/src/login.ts', old_string: 'a', new_string: 'b' });
  script.result('toolu_2', 'The file has been updated.');
  script.use('toolu_3', 'Bash', { command: 'npm test' });
  script.result('toolu_3', 'All tests passed');
  script.reply('Fixed: the clock was mocked too late.');
  script.prompt('continue', { promptId: 'second' });
  script.use('toolu_4', 'Bash', { command: 'sleep 100' });
  script.prompt('continue', { promptId: 'third' });
  script.reply('Nothing is left to do.');
  return script.bytes();
}

function saved(dedupeKey: string, title: string): NewEvent {
  const body = { title, text: `${title}, in full`, project: 'app', index: Number(dedupeKey) };
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
  name: 'Turns, documents and projects',
  projectors: [turnsProjector, memoryProjector, projectsProjector],
  facts: () => {
    const bytes = session();
    return [
      readWhole(bytes).newEvents,
      hookNewEvents(bytes, { promptId: false }),
      readWhole(fork(bytes, 'bbbbbbbb-0000-4000-8000-000000000000').bytes).newEvents,
      [saved('1', 'Use tabs'), saved('2', 'Never rebase main')],
      [
        importEvent('1', { title: 'Brass levers', project: 'app', version: 1 }),
        importEvent('1', { title: 'Copper levers', project: 'app', version: 2 }),
        importEvent('2', { text: 'The plover port is odd' }, 'aaaaaaaa-0000-4000-8000-000000000000'),
      ],
    ];
  },
  forget: {
    events: ({ body }) =>
      /test flake|login\.ts|clock was mocked|Use tabs|levers|plover/.test(JSON.stringify(body)),
    words: ['test flake', 'login.ts', 'clock was mocked', 'Use tabs', 'levers', 'plover'],
  },
});
