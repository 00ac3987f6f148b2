// The owner of copied lines: lines that a fork repeats belong to the session that wrote them, whatever its id is and
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
import { hookNewEvents } from '../../helpers/hooks/hook-generator.ts';
import { digestsOf, viewsOf } from '../../helpers/projected.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

const ORIGINAL = '88888888-0000-4000-8000-000000000000';
const SMALLER = '11111111-0000-4000-8000-000000000000';
const LARGER = 'eeeeeeee-0000-4000-8000-000000000000';
const BEGAN = Date.UTC(2026, 4, 4, 9);
const FORKED = BEGAN + 3_600_000;

function eventsOf(bytes: Buffer): readonly NewEvent[] {
  return readWhole(bytes).newEvents;
}

/** Two prompts, each with work; `then` is the next prompt of the original, with its time. */
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

/** Imports in both orders: the views are equal, and the original owns its prompts. */
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
  it.each(Object.keys(FORMS))('%s owns only its new lines when the original ended', async (form) => {
    const { shared, whole } = original();
    const copy = fork(shared, session, { ...FORMS[form], start: FORKED });
    const runner = await expectOriginalFirst([eventsOf(copy.bytes), eventsOf(whole)], 2);
    const sessions = await sessionsOf(runner);
    expect(sessions.get(session)).toMatchObject({ copies: 6, startedAt: FORKED, starts: 1 });
  });

  it.each(Object.keys(FORMS))(
    '%s owns only its new lines when the original continues later',
    async (form) => {
      const { shared, whole } = original('goes on after the fork');
      const copy = fork(shared, session, { ...FORMS[form], start: FORKED });
      await expectOriginalFirst([eventsOf(copy.bytes), eventsOf(whole)], 3);
    },
  );

  it.each(Object.keys(FORMS).filter((form) => Object.keys(FORMS[form]!).length > 0))(
    '%s owns only its new lines when the original continues at once',
    async (form) => {
      const { shared, whole } = original('goes on at once');
      const copy = fork(shared, session, { ...FORMS[form], start: FORKED });
      await expectOriginalFirst([eventsOf(copy.bytes), eventsOf(whole)], 3);
    },
  );

  it('owns only its new lines when hooks reported the original', async () => {
    const { shared, whole } = original('goes on at once');
    const copy = fork(shared, session, { start: FORKED });
    const hooks = hookNewEvents(whole, { promptId: true });
    await expectOriginalFirst([eventsOf(copy.bytes), hooks, eventsOf(whole)], 3);
  });

  it('owns only its new lines when a hook reported one shared tool use of the original', async () => {
    const { shared, whole } = original('goes on at once');
    const copy = fork(shared, session, { start: FORKED });
    const [use] = hookNewEvents(whole, { promptId: true }).filter(({ type }) => type === 'tool.used');
    await expectOriginalFirst([eventsOf(copy.bytes), [use!], eventsOf(whole)], 3);
  });

  it('owns only its new lines when it is a hand-over and the original continues at once', async () => {
    const { shared, whole } = original('goes on at once');
    const { next } = handOver(shared, session, 3);
    await expectOriginalFirst([eventsOf(next.bytes), eventsOf(whole)], 3);
  });

  it('owns only its new lines when the SDK made it', async () => {
    const script = new Script({ session: ORIGINAL, start: BEGAN });
    script.prompt('Why does the feeder jam?');
    script.reply('[Request interrupted by user]', {}, { model: '<synthetic>' });
    script.prompt('Widen the chute');
    script.reply('It is 9 cm wide now.');
    const copy = sdkFork(script.bytes(), session);
    const runner = await expectOriginalFirst([eventsOf(copy.bytes), eventsOf(script.bytes())], 2);
    expect((await sessionsOf(runner)).get(session)).toMatchObject({ turns: 1, copies: 4 });
  });

  it('owns only its new lines when it is an old-style resume', async () => {
    const { shared } = original();
    await expectOriginalFirst([eventsOf(oldResume(shared, session).bytes), eventsOf(shared)], 2);
  });

  it('owns only its new lines when it is a hand-over of the last lines', async () => {
    const { shared } = original();
    const { old, next } = handOver(shared, session, 3);
    await expectOriginalFirst([eventsOf(next.bytes), eventsOf(old)], 2);
  });

  it('owns only its new lines when it is a fork of a fork', async () => {
    const { shared, whole } = original('goes on after the fork');
    const first = fork(shared, session, { start: FORKED });
    for (const id of ['00000000-0000-4000-8000-000000000000', '99999999-0000-4000-8000-000000000000']) {
      const second = fork(first.bytes, id, { start: FORKED + 60_000 });
      await expectOriginalFirst([eventsOf(second.bytes), eventsOf(first.bytes), eventsOf(whole)], 3);
      await expectOriginalFirst([eventsOf(first.bytes), eventsOf(whole), eventsOf(second.bytes)], 3);
    }
  });
});

describe('A fork', () => {
  it('has its own title, not the one that was copied with the lines', async () => {
    const script = new Script({ session: ORIGINAL, start: BEGAN });
    script.prompt('Why does the feeder jam?');
    script.meta('custom-title', { customTitle: 'The jam' });
    script.reply('The chute is too narrow.');
    const copy = fork(script.bytes(), SMALLER, { start: FORKED });
    const sessions = await sessionsOf(await viewsOf([eventsOf(copy.bytes), eventsOf(script.bytes())]));
    expect(sessions.get(ORIGINAL)!.title).toBe('The jam');
    expect(sessions.get(SMALLER)!.title).toBeNull();
  });

  it('has no start time when it has no lines of its own', async () => {
    const { shared } = original();
    const copy = Buffer.from(shared.toString().replaceAll(ORIGINAL, LARGER));
    const sessions = await sessionsOf(await viewsOf([eventsOf(copy), eventsOf(shared)]));
    expect(sessions.get(LARGER)).toMatchObject({ copies: 6, startedAt: null, endedAt: null, turns: 0 });
  });
});

describe('A line that several sessions have', () => {
  it('belongs to the session with the earliest time, not to the smaller id', async () => {
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
      const owners = rows.flatMap(([key, row]) => (isItemRow(row) ? [[key.split('/')[2], row.owner]] : []));
      expect(owners).toEqual([
        ['a-later', 'b-earliest'],
        ['b-earliest', null],
        ['c-last', 'b-earliest'],
      ]);
    }
  });
});
