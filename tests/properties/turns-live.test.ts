// The rows of `turns` depend only on the set of events: folded in any order, in pages of any size, twice, with cached
// sessions or with sessions read back, and with some events forgotten in between, they equal the rows of one page
// with the remaining events.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventData } from '../../log/index.ts';
import {
  isItemRow,
  keyParts,
  placeOfTurn,
  type SessionRow,
  sessionKeys,
  type TurnRow,
  turnsProjector,
} from '../../projections/index.ts';
import { MemoryView } from '../helpers/memory-view.ts';

const RUNS = Number(process.env.ANNALS_TEST_LIVES ?? 300);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 20261123);

/** Few names, so that events refer to the same things. */
const one = <T>(...values: T[]) => fc.constantFrom(...values);
const mostly = <T>(value: fc.Arbitrary<T>, weight = 3) =>
  fc.oneof({ weight, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });
const sessions = one('s-1', 's-1', 's-1', 's-2', 's-3');
const number = (max: number) => fc.integer({ min: 0, max });
const texts = one('do it', 'do it', 'go on', 'look', '!ls', 'do  it', `long ${'x'.repeat(1_100)}`);
const uuids = number(9).map((index) => `uuid-${index}`);
const usage = fc.record({
  input: number(3),
  output: number(3),
  cacheRead: number(1),
  cacheCreation: number(1),
});

const workdir = fc.record({
  session: sessions,
  at: mostly(number(60), 9),
  offset: number(40),
  promptId: mostly(one('run-1', 'run-2', 'run-3')),
  promptUuid: mostly(uuids, 1),
  uuid: mostly(uuids, 6),
  agentId: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: one('sub-1', 'sub-2', 'sub-3') },
  ),
  branch: mostly(one('main', 'side'), 1),
  cwd: mostly(one('/a', '/b'), 1),
  sidechain: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
  requestSession: number(12).map((value) => (value === 0 ? 's-2' : null)),
});
const prompt = fc.record({
  what: fc.constant('prompt' as const),
  workdir,
  via: one('line', 'line', 'hook', 'hook', 'queue', 'attachment'),
  text: texts,
  hidden: number(9).map((value) => value === 0),
  kind: number(6).map((value) => (value === 0 ? 'command' : 'prompt')),
});
const tool = fc.record({
  what: fc.constant('tool' as const),
  workdir,
  id: number(7),
  channel: one('transcript', 'hook'),
  unanswered: number(6).map((value) => value === 0),
  outcome: one('ok', 'failed', 'cancelled'),
  error: number(9).map((value) =>
    value === 0 ? '[Tool call interrupted: the session ended before it' : null,
  ),
  took: mostly(number(9)),
  launches: number(5).map((value) => (value === 0 ? 'sub-1' : value === 1 ? 'sub-2' : null)),
  messageId: mostly(one('m-1', 'm-2')),
  usage: mostly(usage),
});
const reply = fc.record({
  what: fc.constant('reply' as const),
  workdir,
  block: number(1),
  text: mostly(texts, 5),
  stopReason: mostly(one('end_turn', 'tool_use')),
  aside: number(9),
  messageId: mostly(one('m-1', 'm-2', 'm-3')),
  usage: mostly(usage),
});
const stop = fc.record({
  what: fc.constant('stop' as const),
  workdir,
  channel: one('transcript', 'hook'),
  id: number(3),
  text: mostly(texts),
});
const milestone = fc.record({
  what: fc.constant('milestone' as const),
  workdir,
  id: number(3),
  channel: one('transcript', 'hook'),
  type: one('session.started', 'session.ended', 'session.continued', 'session.titled'),
  source: one('startup', 'resume', 'compact'),
});
const event = fc.oneof(
  { weight: 4, arbitrary: prompt },
  { weight: 6, arbitrary: tool },
  { weight: 3, arbitrary: reply },
  { weight: 2, arbitrary: stop },
  { weight: 1, arbitrary: milestone },
);

/** Steps between times: seconds, or so long that two reports of a prompt no longer match. */
type Step = number;

function factOf(made: typeof event extends fc.Arbitrary<infer T> ? T : never, step: Step): EventData {
  const { session, at, offset, ...line } = made.workdir;
  const channel =
    made.what === 'prompt'
      ? made.via === 'hook'
        ? 'hook'
        : 'transcript'
      : made.what === 'reply'
        ? 'transcript'
        : made.channel;
  const isHook = channel === 'hook';
  const occurredAt = at === null ? null : 1_000_000 + at * step;
  const body = { ...line, offset: isHook ? null : offset * 100, uuid: isHook ? null : line.uuid };
  const common = { agent: 'claude-code', session, channel, occurredAt };
  const named = (type: string, dedupeKey: string, more: object): EventData =>
    ({
      ...common,
      type,
      dedupeKey,
      id: `${session} ${type} ${dedupeKey} ${channel}`,
      body: { ...body, ...more },
    }) as unknown as EventData;
  switch (made.what) {
    case 'prompt': {
      const text = made.hidden ? null : made.text;
      const dedupeKey = isHook ? `file-${offset}` : `${made.via}-${line.uuid ?? offset}`;
      return named('prompt.submitted', dedupeKey, {
        via: made.via,
        kind: made.kind,
        text,
        private: made.hidden,
        agentId: null,
        sidechain: false,
      });
    }
    case 'tool': {
      const { id, unanswered, outcome, error, took, launches, messageId, usage } = made;
      const endedAt =
        occurredAt === null || took === null ? null : isHook ? occurredAt : occurredAt + took * step;
      const more = { name: 'Bash', input: { command: `run ${id}` }, messageId, usage };
      if (unanswered) return named('tool.unanswered', `tool-${id}`, more);
      const durationMs = isHook && took !== null ? took * step : null;
      return named('tool.used', `tool-${id}`, {
        ...more,
        outcome,
        error,
        result: null,
        durationMs,
        endedAt,
        launchedAgentId: launches,
      });
    }
    case 'reply': {
      const { block, text, stopReason, messageId, usage, aside } = made;
      return named('agent.replied', `${line.uuid ?? offset}:${block}`, {
        text,
        block,
        stopReason,
        messageId,
        usage,
        compaction: aside === 0,
        recap: aside === 1,
      });
    }
    case 'stop':
      return named('agent.stopped', `stop-${made.id}`, { reason: 'stop', text: made.text });
    case 'milestone':
      return named(made.type, `milestone-${made.id}`, {
        source: made.source,
        reason: 'exit',
        into: 's-9',
        title: `title ${made.id}`,
      });
  }
}

function forgetting(forgotten: readonly EventData[], number: number): EventData {
  const events = forgotten.map(({ agent, session, id }) => ({ agent, session, ids: [id] }));
  return {
    agent: 'annals',
    session: null,
    type: 'memory.forgotten',
    id: `forgotten ${number}`,
    dedupeKey: `forgotten ${number}`,
    body: { events },
  } as unknown as EventData;
}

const life = fc.record({
  generated: fc.array(event, { minLength: 1, maxLength: 45 }),
  step: one<Step>(1_000, 4_000, 60_000, 300_000),
  pageSizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }),
  restarts: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
  twice: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
  /** After a page, some of its events and earlier ones are forgotten. */
  forgets: fc.array(mostly(fc.array(number(44), { minLength: 1, maxLength: 3 }), 1), {
    minLength: 1,
    maxLength: 8,
  }),
  forgetful: number(2).map((value) => value === 0),
});

test('live rows equal the rows of a fold in one page', () =>
  fc.assert(
    fc.asyncProperty(life, async ({ generated, step, pageSizes, restarts, twice, forgets, forgetful }) => {
      const byId = new Map<string, EventData>();
      for (const made of generated) {
        const event = factOf(made, step);
        if (!byId.has(event.id)) byId.set(event.id, event);
      }
      const events = [...byId.values()];
      const live = new MemoryView();
      const forgotten = new Set<string>();
      const acts: EventData[] = [];
      for (let from = 0, page = 0; from < events.length; page++) {
        const to = from + pageSizes[page % pageSizes.length]!;
        const batch = events.slice(from, to);
        await turnsProjector.fold(batch, live);
        if (twice[page % twice.length])
          await turnsProjector.fold(
            batch.filter(({ id }) => !forgotten.has(id)),
            live,
          );
        const wanted = forgetful ? (forgets[page % forgets.length] ?? []) : [];
        const some = [...new Set(wanted)].flatMap((index) => events.slice(0, to)[index] ?? []);
        if (some.length > 0) {
          const act = forgetting(some, page);
          acts.push(act);
          for (const { id } of some) forgotten.add(id);
          await turnsProjector.fold([act], live);
        }
        if (restarts[page % restarts.length]) live.restart();
        from = to;
      }
      const onePage = new MemoryView();
      await turnsProjector.fold([...events.filter(({ id }) => !forgotten.has(id)), ...acts], onePage);
      expect(live.dump()).toEqual(onePage.dump());
      expectListed(live.dump());
    }),
    { numRuns: RUNS, seed: SEED },
  ));

/** Every session and turn is in the lists of its session and workdir, under its time; nothing else is. */
function expectListed(rows: readonly (readonly [string, unknown])[]): void {
  const wanted = rows.flatMap(([rowKey, row]) => {
    if (rowKey.startsWith('session/')) {
      const { workdir, startedAt, endedAt, agent, session } = row as SessionRow;
      return [sessionKeys.recentSession(workdir, endedAt ?? startedAt, agent, session)];
    }
    if (!rowKey.startsWith('turn/') || isItemRow(row as TurnRow)) return [];
    const { workdir, agent, session, id } = row as TurnRow;
    const place = placeOfTurn(row as TurnRow);
    return [
      sessionKeys.recentTurn(workdir, place, agent, session, id),
      sessionKeys.turnAt(agent, session, place, id),
    ];
  });
  const lists = new Set(['recent-session', 'recent-turn', 'turn-at']);
  const listed = rows.flatMap(([rowKey]) => (lists.has(keyParts(rowKey)[0]!) ? [rowKey] : []));
  expect(listed.sort()).toEqual(wanted.sort());
}
