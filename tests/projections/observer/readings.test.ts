// A model's prose takes the place of the rules', on the evidence of the events, in whatever order its reply arrives.
import { expect, test } from 'vitest';
import { eventId, type NewEvent } from '../../../log/index.ts';
import {
  type MemoryDocument,
  memoryKeys,
  type ObservationRow,
  type Runner,
  type SummaryRow,
  type TurnRow,
} from '../../../projections/index.ts';
import { digestsOf, viewsOf } from '../../helpers/projected.ts';
import { EVENTS, FROST, replied, SESSION, START } from './replies.ts';

async function turnOf(runner: Runner): Promise<string> {
  const rows = await runner.view('turns').range<TurnRow>(`turn/claude-code/${SESSION}/`);
  return rows[0]![1].id;
}

function chosen(recipe: string | null, at: number): NewEvent {
  return {
    ...{ type: 'observer.chosen', agent: 'annals', session: null, channel: 'cli', occurredAt: at },
    dedupeKey: `choice ${at}`,
    body: { recipe },
  };
}

interface Memory {
  readonly observations: readonly ObservationRow[];
  readonly summary: SummaryRow;
  readonly documents: readonly MemoryDocument[];
}

async function memoryOf(runner: Runner): Promise<Memory> {
  const view = runner.view('memory');
  const rows = async <T>(prefix: string) => (await view.range<T>(prefix)).map(([, row]) => row);
  const documents = await rows<MemoryDocument>('document/');
  return {
    // The first of a part keeps the id of the rules' observation, and the part's evidence.
    observations: (await rows<ObservationRow>(memoryKeys.observations())).sort(
      (a, b) => b.evidence.commands.length - a.evidence.commands.length,
    ),
    summary: (await rows<SummaryRow>(memoryKeys.summaries()))[0]!,
    documents: documents.filter(({ kind }) => kind === 'observation' || kind === 'summary'),
  };
}

async function withReplies(...replies: readonly ((turn: string) => NewEvent)[]): Promise<Runner> {
  const turn = await turnOf(await viewsOf([EVENTS]));
  const runner = await viewsOf([EVENTS, ...replies.map((reply) => [reply(turn)])]);
  await expectSameWhenRebuilt(runner);
  return runner;
}

async function expectSameWhenRebuilt(runner: Runner): Promise<void> {
  for (const view of await runner.verifyRebuilt()) expect(view.rebuilt, view.name).toBe(view.live);
}

test('a reply replaces the prose, and the evidence stays', async () => {
  const rules = await memoryOf(await viewsOf([EVENTS]));
  const text = FROST.replace('Heat the chute.', 'Open question: Heat the chute or the lid');
  const reply = replied(await turnOf(await viewsOf([EVENTS])), text);
  const { observations, summary, documents } = await memoryOf(await withReplies(() => reply));
  const [rule] = rules.observations;
  expect(observations).toHaveLength(2);
  expect(observations[0]).toMatchObject({
    id: rule!.id,
    type: 'bugfix',
    title: 'Frost narrowed the chute',
    narrative: 'It froze.',
    facts: ['9 cm is enough'],
    filesModified: ['chute.ts'],
    recipe: 'haiku',
    evidence: { ...rule!.evidence, events: [...rule!.evidence.events, eventId(reply)].sort() },
  });
  expect(observations[1]).toMatchObject({
    type: 'lesson',
    filesModified: [],
    evidence: { commits: [], errors: [] },
  });
  expect(summary).toMatchObject({
    request: rules.summary.request,
    learned: 'Frost builds up.',
    completed: null,
    nextSteps: [{ kind: 'asked', text: 'Heat the chute or the lid' }],
    events: expect.arrayContaining([eventId(reply)]),
  });
  expect(documents.map(({ title }) => title)).toContain('Nights are colder than days');
});

test('a file counts as read only if a tool was given it, whatever the model says', async () => {
  const files = ['/home/u/feeder/chute.ts', '/home/u/feeder/auth.ts', '../.ssh/id'];
  const read = files.map((file) => `<file>${file}</file>`).join('');
  const text = FROST.replace('</facts>', `</facts><files_read>${read}</files_read>`);
  const { observations, documents } = await memoryOf(await withReplies((turn) => replied(turn, text)));
  expect(observations[0]!.filesRead).toEqual([files[0]]);
  expect(JSON.stringify(documents)).not.toContain('auth.ts');
});

test.each([
  ['is invalid', 'I cannot say.'],
  ['skips, after a fixed error', '<skip_summary reason="routine"/>'],
])('a reply that %s leaves the words of the rules', async (_, text) => {
  const rules = await memoryOf(await viewsOf([EVENTS]));
  expect(await memoryOf(await withReplies((turn) => replied(turn, text)))).toEqual(rules);
});

test('a reply about other events is not used', async () => {
  const rules = await memoryOf(await viewsOf([EVENTS]));
  const runner = await withReplies((turn) => replied(turn, FROST, { covers: ['0'.repeat(32)] }));
  expect(await memoryOf(runner)).toEqual(rules);
});

test('the newest reading counts; a second reading of history when it is chosen, until another choice', async () => {
  const later = (turn: string) =>
    replied(turn, FROST.replace('Frost narrowed', 'Ice closed'), {}, START + 2e6);
  const again = (turn: string) =>
    replied(
      turn,
      FROST.replace('Frost narrowed', 'Snow filled'),
      { recipe: 'sonnet', again: true },
      START + 3e6,
    );
  const runner = await withReplies(again, later, (turn) => replied(turn, FROST));
  const title = async (one: Runner) => (await memoryOf(one)).observations[0]!.title;
  expect(await title(runner)).toBe('Ice closed the chute');
  const choices: readonly [string | null, number, string][] = [
    ['sonnet', 4e6, 'Snow filled the chute'],
    ['haiku', 5e6, 'Ice closed the chute'],
    ['latest', 6e6, 'Ice closed the chute'],
    [null, 7e6, (await memoryOf(await viewsOf([EVENTS]))).observations[0]!.title],
  ];
  const turn = await turnOf(runner);
  for (let count = 1; count <= choices.length; count++) {
    const events = choices.slice(0, count).map(([recipe, at]) => chosen(recipe, START + at));
    const pieces = [EVENTS, [replied(turn, FROST), later(turn), again(turn)], ...events.map((one) => [one])];
    const one = await viewsOf(pieces);
    expect(await title(one)).toBe(choices[count - 1]![2]);
    await expectSameWhenRebuilt(one);
  }
});

test('the rows do not depend on when the reply arrives', async () => {
  const turn = await turnOf(await viewsOf([EVENTS]));
  const reply = replied(turn, FROST);
  const wanted = await digestsOf(await viewsOf([[...EVENTS, reply]]));
  expect(await digestsOf(await viewsOf([[reply], EVENTS]))).toEqual(wanted);
  expect(await digestsOf(await viewsOf([EVENTS.slice(0, 4), [reply], EVENTS.slice(4)]))).toEqual(wanted);
  expect(await digestsOf(await viewsOf([[...EVENTS].reverse(), [reply]]))).toEqual(wanted);
});
