// Runs the projector suite on all views of the product, with both indexes, in memory and on real LevelDB.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventId, type NewEvent } from '../../log/index.ts';
import {
  contextProjector,
  memoryProjector,
  projectsProjector,
  receiptsProjector,
  TextView,
  turnsProjector,
  VectorView,
  type ViewReader,
} from '../../projections/index.ts';
import { defaultEmbedder } from '../../src/embed/embedders/default-embedder.ts';
import { listProjectIndexes } from '../../src/home/home-projects.ts';
import { openAnnals } from '../../src/index.ts';
import { fork } from '../helpers/forks.ts';
import { hookNewEvents } from '../helpers/hooks/hook-generator.ts';
import { actEvent, actedItem, importEvent, workdirEvent } from '../helpers/new-events.ts';
import { readWhole, Script } from '../helpers/transcripts.ts';
import { diskGenerations } from '../helpers/views.ts';
import { scratchFolder } from '../simulation/scratch.ts';
import { type ProjectorSuite, projectorSuite } from './projector.ts';

const PROJECTORS = [turnsProjector, projectsProjector, memoryProjector, contextProjector, receiptsProjector];

function session(): Buffer {
  const script = new Script({ session: 'aaaaaaaa-0000-4000-8000-000000000000', version: '2.1.210' });
  script.prompt('Why does the login test flake?', { promptId: 'first' });
  script.use('toolu_1', 'Bash', { command: 'npm test' });
  script.result('toolu_1', 'Exit code 1\nExpected 2, got 3', {}, { is_error: true });
  script.use('toolu_2', 'Edit', { file_path: '/home/u/app/src/login.ts', old_string: 'a', new_string: 'b' });
  script.result('toolu_2', 'The file has been updated.');
  script.use('toolu_3', 'Bash', { command: 'npm test' });
  script.result('toolu_3', 'All tests passed');
  script.reply('Fixed: the clock was mocked too late.');
  script.prompt('continue', { promptId: 'second' });
  script.use('toolu_4', 'Bash', { command: 'sleep 100' });
  script.prompt('Please write that down in the README', { promptId: 'third' });
  script.reply('The README tells it now.');
  return script.bytes();
}

function saved(dedupeKey: string, title: string, cwd: string): NewEvent {
  const body = { title, text: `${title}, in full`, cwd };
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

function linked(cwd: string, project: string): NewEvent {
  const common = {
    agent: 'annals',
    session: null,
    dedupeKey: `link ${cwd}`,
    channel: 'cli',
    occurredAt: 9,
  } as const;
  return { ...common, type: 'project.linked', body: { cwd, project } };
}

function injected(session: string, file: string): NewEvent<'context.injected'> {
  const items = [{ id: 'o-wx1k9mjd5pqa', files: [file] }];
  return {
    ...{ type: 'context.injected', agent: 'claude-code', session, dedupeKey: file, channel: 'hook' },
    occurredAt: 3,
    body: { occasion: 'startup', cwd: '/home/u/app', items },
  };
}

/** A person's acts: on the first turn, on a memory, on something that is not here; and a proposal. */
function acts(turn: readonly NewEvent[]): readonly NewEvent[] {
  const ofTurn = { agent: 'claude-code', session: turn[0]!.session, workdir: '/home/u/app' };
  const observation = actedItem('observation', turn.slice(1, 6).map(eventId), ofTurn);
  const memory = actedItem('memory', [eventId(saved('1', 'Use tabs', '/home/u/app'))]);
  const gone = actedItem('answer', ['0'.repeat(32)], { ...ofTurn, text: 'The clock was mocked by hand.' });
  const superseded = actEvent('memory.superseded', { item: memory, by: observation });
  return [
    actEvent('memory.pinned', { item: observation }),
    actEvent('memory.edited', { item: observation, title: 'Fixed', text: 'The login clock was wrong.' }),
    actEvent('memory.pinned', { item: gone }),
    superseded,
    actEvent('memory.withdrawn', { acts: [{ id: eventId(superseded), session: null }] }),
    actEvent('memory.proposed', { act: 'pin', item: memory }),
  ];
}

/** What a model was asked about the first turn, and its answers: valid ones of two recipes, none, and a failure. */
function readings(turn: readonly NewEvent[]): readonly NewEvent[] {
  const covers = turn
    .filter(({ type }) => !type.startsWith('session.'))
    .slice(0, 6)
    .map(eventId);
  const { session } = turn[0]!;
  const asked = '0'.repeat(32);
  const about = { turn: 't-unknown', part: 1, parts: 1, covers, attempt: 1 };
  const event = (type: string, occurredAt: number, body: Record<string, unknown>): NewEvent =>
    ({
      ...{ type: `observer.${type}`, agent: 'claude-code', session, channel: 'api', occurredAt },
      dedupeKey: `${type} ${occurredAt}`,
      body: { ...about, ...body },
    }) as NewEvent;
  const reply = (recipe: string, at: number, text: string): NewEvent =>
    event('replied', at, { recipe, asked, text, form: 'tags', model: 'm' });
  return [
    event('asked', 20, { recipe: 'one', provider: 'p', model: 'm', settings: 's', worstTokens: 9 }),
    reply('one', 21, '<observation><title>The clock was mocked too late</title></observation>'),
    reply('two', 22, '<observation><title>Mocks of clocks</title></observation><skip_summary/>'),
    reply('two', 23, 'Nothing.'),
    event('failed', 24, { recipe: 'one', asked, class: 'transient', reason: 'It timed out.' }),
    {
      ...{ type: 'observer.chosen', agent: 'annals', session: null, channel: 'cli', occurredAt: 25 },
      ...{ dedupeKey: 'choice', body: { recipe: 'one' } },
    },
  ];
}

/** Two corpora, and a question to each. One corpus is built again, then deleted; one question has no answer. */
function corpora(): readonly NewEvent[] {
  const event = (type: string, occurredAt: number, body: Record<string, unknown>): NewEvent =>
    ({
      ...{ type, agent: 'annals', session: null, channel: 'api', occurredAt },
      ...{ dedupeKey: `${type} ${occurredAt}`, body },
    }) as NewEvent;
  const built = (name: string, query: string, at: number) =>
    event('corpus.built', at, { name, query, limit: 9, members: ['m-aaaaaaaaaaaa'], matched: 1 });
  const clock = built('clock', 'clock', 30);
  const question = (at: number) => ({
    ...{ recipe: 'p/m/corpus/1', turn: '', part: 1, parts: 1, covers: [eventId(clock)], attempt: 1 },
    corpus: { name: 'clock', digest: String(at) },
  });
  const asked = { provider: 'p', model: 'm', settings: 's', worstTokens: 9 };
  const answer = { asked: '0'.repeat(32), form: 'tags', model: 'm', question: 'Use tabs?' };
  return [
    clock,
    built('levers', 'brass levers', 31),
    built('levers', 'copper levers', 32),
    event('corpus.deleted', 33, { name: 'levers' }),
    event('observer.asked', 34, { ...question(34), ...asked }),
    event('observer.replied', 35, { ...question(34), ...answer, text: '<answer>Yes.</answer>' }),
    event('observer.asked', 36, { ...question(36), ...asked }),
  ];
}

const everyView: Omit<ProjectorSuite, 'name'> = {
  projectors: PROJECTORS,
  indexes: (view: (name: string) => ViewReader) => {
    const projectIndexes = () => listProjectIndexes({ memory: view('memory'), projects: view('projects') });
    return [
      new TextView({ files: null, projectIndexes }),
      new VectorView({ files: null, projectIndexes, embedder: defaultEmbedder }),
    ];
  },
  facts: () => {
    const bytes = session();
    return [
      readWhole(bytes).newEvents,
      hookNewEvents(bytes, { promptId: true }),
      readWhole(fork(bytes, 'bbbbbbbb-0000-4000-8000-000000000000').bytes).newEvents,
      [saved('1', 'Use tabs', '/home/u/app'), saved('2', 'Never rebase main', '/home/u/site')],
      [
        importEvent('1', { title: 'Brass levers', text: 'Steel jams.', project: 'app', version: 1 }),
        importEvent('1', { title: 'Copper levers', text: 'Brass jams.', project: 'app', version: 2 }),
        importEvent('2', {
          text: 'Never reuse a port',
          cwd: '/home/u/tool',
          parts: [{ name: 'fact', text: 'x' }],
        }),
        importEvent('3', { text: 'The plover port is odd' }, 'aaaaaaaa-0000-4000-8000-000000000000'),
      ],
      [
        injected('aaaaaaaa-0000-4000-8000-000000000000', 'src/login.ts'),
        injected('bbbbbbbb-0000-4000-8000-000000000000', 'README.md'),
      ],
      [workdirEvent('/home/u/app'), linked('/home/u/site', 'app')],
      acts(readWhole(bytes).newEvents),
      readings(readWhole(bytes).newEvents),
      corpora(),
    ];
  },
  forget: {
    events: ({ body }) => /login\.ts|clock was mocked|Use tabs|levers|plover/.test(JSON.stringify(body)),
    words: ['login.ts', 'clock was mocked', 'Use tabs', 'levers', 'plover'],
  },
  seeds: [1, 2],
};

projectorSuite({ name: 'All views in memory', ...everyView });

projectorSuite({
  name: 'All views on LevelDB',
  ...everyView,
  makeGenerations: async () => {
    const folder = scratchFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return diskGenerations(folder);
  },
});

test('every view of the product runs in the suite', async () => {
  const folder = await mkdtemp(join(scratchFolder(), 'home-'));
  const annals = await openAnnals({ home: join(folder, 'home') });
  const { views } = await annals.status();
  await annals.close();
  await rm(folder, { recursive: true });
  expect(views.map(({ name }) => name).sort()).toEqual(
    [...PROJECTORS.map(({ name }) => name), 'text', 'vectors'].sort(),
  );
});
