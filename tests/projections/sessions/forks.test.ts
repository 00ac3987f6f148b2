// Who was first: the lines that a fork repeats belong to the session in which they were written, whatever its id is and
// whichever file is imported first.
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import {
  type ItemRow,
  isItemRow,
  type Runner,
  type SessionRow,
  sessionKeys,
  type TurnRow,
} from '../../../projections/index.ts';
import { type ForkForm, fork, handOver, oldResume, sdkFork } from '../../helpers/forks.ts';
import { digestsOf, hookNewEvents, viewsOf } from '../../helpers/projected.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

const ORIGINAL = '88888888-0000-4000-8000-000000000000';
const SMALLER = '11111111-0000-4000-8000-000000000000';
const LARGER = 'eeeeeeee-0000-4000-8000-000000000000';
const BEGAN = Date.UTC(2026, 4, 4, 9);
const FORKED = BEGAN + 3_600_000;

function told(bytes: Buffer): readonly NewEvent[] {
  return readWhole(bytes).newEvents;
}

/** Two prompts, each with work; `then` is what the original goes on with, and when. */
function original(then: 'ends' | 'goes on at once' | 'goes on after the fork' = 'ends') {
  const script = new Script({ session: ORIGINAL, version: '2.1.197', start: BEGAN });
  script.prompt('Why does the feeder jam?', { promptId: 'first' });
  script.use('toolu_1', 'Bash', { command: 'make check' });
  script.result('toolu_1', 'jammed at 3');
  script.reply('The chute is too narrow.');
  script.prompt('Widen it', { promptId: 'second' });
  script.use('toolu_2', 'Edit', { file_path: '/home/u/app/chute.ts' });
  script.result('toolu_2', 'done');
  script.reply('It is 9 cm wide now.');
  const shared = script.bytes();
  if (then === 'ends') return { shared, whole: shared };
  const more = new Script({
    session: ORIGINAL,
    firstUuid: 500,
    start: (then === 'goes on at once' ? BEGAN + 10_000 : FORKED + 7_200_000) - 500_000,
    parent: '00000008-0000-4000-8000-000000000000',
  });
  more.prompt('And the lid?', { promptId: 'third' });
  more.reply('The lid is fine.');
  return { shared, whole: Buffer.concat([shared, more.bytes()]) };
}

async function sessionsOf(runner: Runner): Promise<Map<string, SessionRow>> {
  const rows = await runner.view('turns').range<SessionRow>(sessionKeys.sessions());
  return new Map(rows.map(([, row]) => [row.session, row]));
}

/** What both orders of import come to: the same, with the original's prompts in the original. */
async function expectOriginalFirst(
  newEvents: readonly (readonly NewEvent[])[],
  prompts: number,
): Promise<Runner> {
  const runner = await viewsOf(newEvents);
  const reversed = await viewsOf([...newEvents].reverse());
  expect(await digestsOf(reversed)).toEqual(await digestsOf(runner));
  const sessions = await sessionsOf(runner);
  expect(sessions.get(ORIGINAL)!.copies).toBe(0);
  expect(Math.abs(sessions.get(ORIGINAL)!.startedAt! - BEGAN)).toBeLessThan(2_000);
  expect(sessions.get(ORIGINAL)!.counts.prompts).toBe(prompts);
  for (const [session, row] of sessions)
    if (session !== ORIGINAL) expect(row.counts.prompts, session).toBe(1);
  return runner;
}

const FORMS: Record<string, ForkForm> = {
  'of 2.1.197': {},
  'of 2.1.330, which rewrites prompt ids and names requests': { promptId: 'fork', namesRequests: true },
  'of a run with -p': { queued: true },
};

describe.each([
  ['a smaller', SMALLER],
  ['a larger', LARGER],
])('A fork with %s id than its original', (_, session) => {
  it.each(Object.keys(FORMS))('%s owns only what is new in it, the original ended', async (form) => {
    const { shared, whole } = original();
    const copy = fork(shared, session, { ...FORMS[form], start: FORKED });
    const runner = await expectOriginalFirst([told(copy.bytes), told(whole)], 2);
    const sessions = await sessionsOf(runner);
    expect(sessions.get(session)).toMatchObject({ copies: 6, startedAt: FORKED, starts: 1 });
  });

  it.each(Object.keys(FORMS))('%s owns only what is new in it, the original goes on later', async (form) => {
    const { shared, whole } = original('goes on after the fork');
    const copy = fork(shared, session, { ...FORMS[form], start: FORKED });
    await expectOriginalFirst([told(copy.bytes), told(whole)], 3);
  });

  it.each(Object.keys(FORMS).filter((form) => Object.keys(FORMS[form]!).length > 0))(
    '%s owns only what is new in it, the original goes on at once',
    async (form) => {
      const { shared, whole } = original('goes on at once');
      const copy = fork(shared, session, { ...FORMS[form], start: FORKED });
      await expectOriginalFirst([told(copy.bytes), told(whole)], 3);
    },
  );

  it('owns only what is new in it where hooks told of the original', async () => {
    const { shared, whole } = original('goes on at once');
    const copy = fork(shared, session, { start: FORKED });
    const hooks = hookNewEvents(whole, { promptId: true });
    await expectOriginalFirst([told(copy.bytes), hooks, told(whole)], 3);
  });

  it('owns only what is new in it where a hook told of one shared tool use in the original', async () => {
    const { shared, whole } = original('goes on at once');
    const copy = fork(shared, session, { start: FORKED });
    const [use] = hookNewEvents(whole, { promptId: true }).filter(({ type }) => type === 'tool.used');
    await expectOriginalFirst([told(copy.bytes), [use!], told(whole)], 3);
  });

  it('as a hand-over owns only what is new in it, the original goes on at once', async () => {
    const { shared, whole } = original('goes on at once');
    const { next } = handOver(shared, session, 3);
    await expectOriginalFirst([told(next.bytes), told(whole)], 3);
  });

  it('by the SDK owns only what is new in it', async () => {
    const script = new Script({ session: ORIGINAL, start: BEGAN });
    script.prompt('Why does the feeder jam?');
    script.reply('[Request interrupted by user]', {}, { model: '<synthetic>' });
    script.prompt('Widen the chute');
    script.reply('It is 9 cm wide now.');
    const copy = sdkFork(script.bytes(), session);
    const runner = await expectOriginalFirst([told(copy.bytes), told(script.bytes())], 2);
    expect((await sessionsOf(runner)).get(session)).toMatchObject({ turns: 1, copies: 4 });
  });

  it('as an old resume owns only what is new in it', async () => {
    const { shared } = original();
    await expectOriginalFirst([told(oldResume(shared, session).bytes), told(shared)], 2);
  });

  it('as a hand-over of the last lines owns only what is new in it', async () => {
    const { shared } = original();
    const { old, next } = handOver(shared, session, 3);
    await expectOriginalFirst([told(next.bytes), told(old)], 2);
  });

  it('of a fork owns only what is new in it', async () => {
    const { shared, whole } = original('goes on after the fork');
    const first = fork(shared, session, { start: FORKED });
    for (const id of ['00000000-0000-4000-8000-000000000000', '99999999-0000-4000-8000-000000000000']) {
      const second = fork(first.bytes, id, { start: FORKED + 60_000 });
      await expectOriginalFirst([told(second.bytes), told(first.bytes), told(whole)], 3);
      await expectOriginalFirst([told(first.bytes), told(whole), told(second.bytes)], 3);
    }
  });
});

describe('A fork', () => {
  it('has its own title, and not the one that was copied with the lines', async () => {
    const script = new Script({ session: ORIGINAL, start: BEGAN });
    script.prompt('Why does the feeder jam?');
    script.meta('custom-title', { customTitle: 'The jam' });
    script.reply('The chute is too narrow.');
    const copy = fork(script.bytes(), SMALLER, { start: FORKED });
    const sessions = await sessionsOf(await viewsOf([told(copy.bytes), told(script.bytes())]));
    expect(sessions.get(ORIGINAL)!.title).toBe('The jam');
    expect(sessions.get(SMALLER)!.title).toBeNull();
  });

  it('without lines of its own says of no time that it began then', async () => {
    const { shared } = original();
    const copy = Buffer.from(shared.toString().replaceAll(ORIGINAL, LARGER));
    const sessions = await sessionsOf(await viewsOf([told(copy), told(shared)]));
    expect(sessions.get(LARGER)).toMatchObject({ copies: 6, startedAt: null, endedAt: null, turns: 0 });
  });
});

describe('A line that several sessions have', () => {
  it('belongs to the session in which its time is earliest, not to the smaller id', async () => {
    const use = (session: string, at: number): NewEvent<'tool.used'> => ({
      type: 'tool.used',
      agent: 'claude-code',
      session,
      dedupeKey: 'toolu_same',
      channel: 'api',
      occurredAt: at,
      body: { toolUseId: 'toolu_same', name: 'Bash', outcome: 'ok' },
    });
    const newEvents = [[use('a-later', 2_000)], [use('b-earliest', 1_000)], [use('c-last', 3_000)]];
    for (const order of [newEvents, [...newEvents].reverse()]) {
      const runner = await viewsOf(order);
      const rows = await runner.view('turns').range<TurnRow | ItemRow>('turn/');
      const homes = rows.flatMap(([key, row]) => (isItemRow(row) ? [[key.split('/')[2], row.home]] : []));
      expect(homes).toEqual([
        ['a-later', 'b-earliest'],
        ['b-earliest', null],
        ['c-last', 'b-earliest'],
      ]);
    }
  });
});
