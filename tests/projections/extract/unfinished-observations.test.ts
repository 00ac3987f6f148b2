// Observations of unfinished turns: interim work and replies, never presented as the outcome.
import { expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

const GOES_ON = { stop_reason: 'tool_use' };
const INTERIM =
  'The importer now reads every line once, all of its tests pass and it is twice as fast as it was before the change.';

/** A turn whose agent was killed during a call. */
function killed(): Session {
  const session = new Session();
  session.prompt('Make the importer faster');
  session.edited('/home/u/app/src/importer.ts');
  session.reply(INTERIM, {}, GOES_ON);
  session.use('toolu_open', 'Bash', { command: 'npm test' }, {}, GOES_ON);
  return session;
}

it('A turn that was cut off is unfinished, and interim replies are not its outcome', async () => {
  const { summaries, observations, documents } = await remembered(killed());
  expect(summaries).toMatchObject([
    { unfinished: true, end: null, completed: 'Changed importer.ts.', request: 'Make the importer faster' },
  ]);
  expect(observations).toHaveLength(1);
  expect(observations[0]).toMatchObject({ unfinished: true, filesModified: ['src/importer.ts'] });
  expect(observations[0]!.title).toMatch(/^Unfinished: /);
  expect(observations[0]!.title).not.toContain('twice as fast');
  expect(documents.find(({ kind }) => kind === 'summary')!.body).toContain('Unfinished: no end of this turn');
});

it('It is finished once its end is reported', async () => {
  const session = killed();
  session.result('toolu_open', 'Tests  3 passed (3)');
  session.reply(INTERIM, {}, { stop_reason: 'end_turn' });
  const { summaries, observations } = await remembered(session);
  expect(summaries[0]).toMatchObject({ unfinished: false, end: 'answered' });
  expect(summaries[0]!.completed).toContain('twice as fast');
  expect(observations[0]).toMatchObject({ unfinished: false });
  expect(observations[0]!.title).not.toMatch(/Unfinished/);
});

it('A reply before an error ended the turn is not its outcome', async () => {
  const session = new Session();
  session.prompt('Make the importer faster');
  session.reply(INTERIM, {}, GOES_ON);
  session.edited('/home/u/app/src/importer.ts');
  session.reply('API Error: 529 Overloaded', { isApiErrorMessage: true, error: 'server_error' });
  const { summaries, observations } = await remembered(session);
  expect(summaries).toMatchObject([{ end: null, completed: 'Changed importer.ts.', notes: null }]);
  expect(observations[0]!.title).not.toContain('twice as fast');
});

it('A reply before the person interrupted the turn is not its outcome', async () => {
  const session = new Session();
  session.prompt('Make the importer faster');
  session.edited('/home/u/app/src/importer.ts');
  session.reply('The importer is fast.', {}, GOES_ON);
  session.ran('npm test');
  session.prompt('[Request interrupted by user]');
  const { summaries } = await remembered(session);
  expect(summaries[0]).toMatchObject({ end: 'stopped', completed: 'Changed importer.ts.' });
});

it('A turn that ends with a tool use has no end on record', async () => {
  const session = new Session();
  session.prompt('Make the importer faster');
  session.reply(INTERIM);
  session.edited('/home/u/app/src/importer.ts');
  const { summaries } = await remembered(session);
  expect(summaries[0]).toMatchObject({ end: null });
});

it('What was said before the person answered a question is not the outcome of a turn without an answer', async () => {
  const session = new Session();
  session.prompt('Should the importer wait for the clock?');
  session.edited('/home/u/app/src/importer.ts');
  session.reply('Waiting would make the importer slower than it was before.');
  session.use('toolu_ask', 'AskUserQuestion', { questions: [] });
  session.result('toolu_ask', '"Which one?"="Wait for the clock"');
  const { observations } = await remembered(session);
  expect(observations[0]!.narrative).toBe('');
});

it('A plan before the edits is not the outcome of a turn that ends with few words', async () => {
  const session = new Session();
  session.prompt('Make the importer faster');
  session.reply(
    'The importer fails on every second line, because it reads the file twice and never closes it.',
  );
  session.edited('/home/u/app/src/importer.ts');
  session.reply('Mended.');
  const { summaries } = await remembered(session);
  expect(summaries[0]!.completed).not.toContain('fails');
});

it('A report before a last edit is quoted as what was said, not as the outcome', async () => {
  const session = new Session();
  session.prompt('Make the importer faster');
  session.edited('/home/u/app/src/importer.ts');
  const report = [
    'The importer reads each line once.',
    '- it closes the file',
    '- it counts lines',
    '- it is fast',
  ];
  session.reply(report.join('\n'), {}, GOES_ON);
  session.use(
    'toolu_last',
    'Edit',
    { file_path: '/home/u/app/src/a.ts', old_string: 'a', new_string: 'b' },
    {},
    GOES_ON,
  );
  session.result('toolu_last', 'ok');
  const { summaries } = await remembered(session);
  expect(summaries[0]).toMatchObject({ unfinished: true, completed: 'Changed importer.ts, a.ts.' });
  expect(summaries[0]!.learned).toContain('The importer reads each line once.');
});
