// A session of one turn, and a model's replies about it.
import { type BodyInput, eventId, type NewEvent } from '../../../log/index.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

export const SESSION = 'aaaaaaaa-0000-4000-8000-000000000000';
export const START = Date.UTC(2026, 4, 1);

function transcript(): readonly NewEvent[] {
  const script = new Script({ session: SESSION, cwd: '/home/u/feeder', start: START });
  script.prompt('Why does the feeder jam at night?', { promptId: 'first' });
  script.use('toolu_1', 'Bash', { command: 'npm test' });
  script.result('toolu_1', 'Exit code 1\nExpected 9, got 5', {}, { is_error: true });
  script.use('toolu_2', 'Edit', { file_path: '/home/u/feeder/chute.ts', old_string: '5', new_string: '9' });
  script.result('toolu_2', 'The file has been updated.');
  script.use('toolu_3', 'Bash', { command: 'npm test' });
  script.result('toolu_3', 'Tests  12 passed (12)');
  script.reply('The chute was too narrow. I widened it to 9 centimetres.');
  return readWhole(script.bytes()).newEvents;
}

export const EVENTS = transcript();
/** The prompt first. */
const COVERS = EVENTS.filter(({ type }) => !type.startsWith('session.')).map(eventId);

export const FROST = `<observation><type>bugfix</type><title>Frost narrowed the chute</title><narrative>It froze.</narrative>
<facts><fact>9 cm is enough</fact></facts><files_modified><file>invented.ts</file></files_modified></observation>
<observation><type>lesson</type><title>Nights are colder than days</title></observation>
<summary><learned>Frost builds up.</learned><next_steps>Heat the chute.</next_steps></summary>`;

export function replied(
  turn: string,
  text: string,
  more: Partial<BodyInput<'observer.replied'>> = {},
  at = START + 1e6,
): NewEvent {
  const body = {
    ...{ recipe: 'haiku', turn, part: 1, parts: 1, covers: COVERS, attempt: 1 },
    ...{ asked: 'a'.repeat(32), askedAt: at, text, form: 'tags' as const, model: 'haiku' },
    ...more,
  };
  return {
    ...{ type: 'observer.replied', agent: 'claude-code', session: SESSION, channel: 'api', occurredAt: at },
    dedupeKey: `${body.recipe} ${text}`,
    body,
  };
}
