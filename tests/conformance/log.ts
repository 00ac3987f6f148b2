// The suite that every log must pass, whatever its store. It takes a function that opens an empty store, and one that
// reopens the same store as the next process would.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventKey, identityKey, positionBytes, sessionGroup, sessionKey } from '../../log/format/keys.ts';
import { genesis, sealEvent } from '../../log/format/record.ts';
import { type AppendOutcome, eventId, type Log, type NewEvent, openLog } from '../../log/index.ts';
import type { Store } from '../../log/store.ts';
import { chance } from '../helpers/chance.ts';
import { toolEvent, toolEvents, workdirEvent } from '../helpers/new-events.ts';
import { testFiles, testWorld } from '../helpers/world.ts';

export interface LogSuite {
  readonly name: string;
  /** An empty store. */
  readonly makeStore: () => Promise<Store>;
  /** The most recent store, after its log was closed. */
  readonly sameStore: () => Promise<Store>;
}

export function logConformance({ name, makeStore, sameStore }: LogSuite): void {
  describe(`${name} passes the log suite: it`, () => {
    const world = testWorld('conformance');
    const opened: Log[] = [];
    let log: Log;

    async function open(store: Store): Promise<Log> {
      const one = await openLog({ directory: '', headFile: null, world, files: testFiles, store });
      opened.push(one);
      return one;
    }

    beforeEach(async () => {
      log = await open(await makeStore());
    });

    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
    });

    const ids = async (): Promise<readonly string[]> =>
      (await log.page({ after: 0, limit: 10_000 })).events.map(({ id }) => id);

    it('begins empty', async () => {
      expect(log.head().position).toBe(0);
      expect(await log.page({ after: 0 })).toEqual({ events: [], end: log.head() });
      expect(await log.verify()).toEqual({ ok: true, events: 0, problems: [] });
    });

    it('assigns dense positions in call order, also to callers that do not wait', async () => {
      const calls = chance(1).cut(toolEvents(300), 40);
      const outcomes = (await Promise.all(calls.map((call) => log.append(call)))).flat();
      expect(outcomes.map(({ position }) => position)).toEqual(outcomes.map((_, index) => index + 1));
      expect(await ids()).toEqual(toolEvents(300).map(eventId));
    });

    it('stores an event once when it is repeated later, in one call, or by two callers at once', async () => {
      const newEvents = toolEvents(20);
      const first = await log.append([...newEvents, ...newEvents]);
      const others = await Promise.all([log.append(newEvents), log.append([...newEvents].reverse())]);
      const fresh = (all: readonly AppendOutcome[]) => all.filter(({ outcome }) => outcome === 'appended');
      expect(fresh(first)).toHaveLength(20);
      expect(others.flatMap(fresh)).toEqual([]);
      for (const { id, position } of others.flat())
        expect(first.find((one) => one.id === id)?.position).toBe(position);
      expect(log.head().position).toBe(20);
    });

    it('stores nothing of a call with one invalid event', async () => {
      const wrong = { ...toolEvent(2), dedupeKey: '' };
      await expect(log.append([toolEvent(1), wrong])).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      expect(log.head().position).toBe(0);
    });

    it.each([1, 2, 7, 1_000])('reads the same events in pages of %i', async (limit) => {
      await log.append(toolEvents(40));
      const read: string[] = [];
      for (let after = 0; ; ) {
        const { events, end } = await log.page({ after, limit });
        expect(events.length).toBeLessThanOrEqual(limit);
        read.push(...events.map(({ id }) => id));
        if (events.length === 0) break;
        expect(await log.compareCheckpoint(end)).toBe('held');
        after = end.position;
      }
      expect(read).toEqual(toolEvents(40).map(eventId));
    });

    it('returns every event as it was appended', async () => {
      const newEvents = [...toolEvents(3), workdirEvent('/home/u/app')];
      await log.append(newEvents);
      const { events } = await log.page({ after: 0 });
      expect(events).toMatchObject(newEvents);
      expect(await log.getMany(events.map(({ id }) => id))).toEqual(events);
      expect(await log.get('0'.repeat(32))).toBeUndefined();
    });

    it('finds the events of one session among those of others', async () => {
      const { interleaved } = chance(2);
      const one = toolEvents(15, 1, 'one');
      await log.append(interleaved<NewEvent>([one, toolEvents(15, 50, 'two'), [workdirEvent('/a')]]));
      const { events, end } = await log.pageBySession({ agent: 'claude-code', session: 'one' });
      expect(events.map(({ id }) => id)).toEqual(one.map(eventId));
      expect(await log.compareCheckpoint(end)).toBe('held');
      const rest = await log.pageBySession({ agent: 'claude-code', session: 'one', after: end.position });
      expect(rest.events).toEqual([]);
    });

    it('finds events by dedupe key and ids by prefix', async () => {
      const byHook = { ...toolEvent(1), channel: 'hook' as const };
      await log.append([toolEvent(1), byHook, toolEvent(2)]);
      const { agent, session, type, dedupeKey } = byHook;
      const newEvents = await log.byDedupeKey({ agent, session, type, dedupeKey });
      expect(newEvents.map(({ channel }) => channel).sort()).toEqual(['hook', 'transcript']);
      const id = eventId(byHook);
      expect(await log.idsByPrefix(id.slice(0, 8), 5)).toEqual([id]);
    });

    it('writes cursors with the events of their call, replaces and removes them', async () => {
      await log.append([toolEvent(1)], { cursors: [{ key: 'a', value: { at: 1 } }] });
      await log.append([toolEvent(1)], { cursors: [{ key: 'b', value: [2] }] });
      expect(await log.cursors()).toEqual([
        { key: 'a', value: { at: 1 } },
        { key: 'b', value: [2] },
      ]);
      await log.append([], {
        cursors: [
          { key: 'a', value: null },
          { key: 'b', value: 3 },
        ],
      });
      expect([await log.cursor('a'), await log.cursor('b')]).toEqual([undefined, 3]);
    });

    it('tells its own checkpoints from those of another log and of a longer one', async () => {
      await log.append(toolEvents(5));
      const head = log.head();
      expect(await log.compareCheckpoint({ ...head, position: 0, chain: '' })).toBe('held');
      expect(await log.compareCheckpoint({ ...head, position: 6 })).toBe('ahead');
      expect(await log.compareCheckpoint({ ...head, position: 4 })).toBe('foreign');
      expect(await log.compareCheckpoint({ ...head, logId: 'another' })).toBe('foreign');
    });

    it('calls head listeners until they unsubscribe', async () => {
      const heads: number[] = [];
      const stop = log.onHead(({ position }) => heads.push(position));
      await log.append(toolEvents(3));
      await log.append([toolEvent(1)]);
      stop();
      await log.append([toolEvent(9)]);
      expect(heads).toEqual([3]);
    });

    it('calls write listeners also after a batch of cursors alone', async () => {
      let writes = 0;
      const stop = log.onWrite(() => {
        writes += 1;
      });
      await log.append(toolEvents(1));
      await log.append([], { cursors: [{ key: 'a', value: 1 }] });
      stop();
      await log.append([], { cursors: [{ key: 'a', value: 2 }] });
      expect(writes).toBe(2);
    });

    it('is the same log for the next process, which continues its chain', async () => {
      await log.append(toolEvents(30), { cursors: [{ key: 'a', value: 1 }] });
      const before = { head: log.head(), ids: await ids() };
      await log.close();
      log = await open(await sameStore());
      expect(log.head()).toEqual(before.head);
      expect(await ids()).toEqual(before.ids);
      expect(await log.cursor('a')).toBe(1);
      expect(await log.append(toolEvents(31))).toMatchObject([
        ...Array(30).fill({ outcome: 'duplicate' }),
        { outcome: 'appended', position: 31 },
      ]);
      expect(await log.verify()).toMatchObject({ ok: true, events: 31, problems: [] });
    });

    it('returns events of unknown types as unknown, and all others intact', async () => {
      await log.close();
      const store = await makeStore();
      await store.open();
      await putUnknown(store);
      log = await open(store);
      await log.append(toolEvents(2));
      const { events } = await log.page({ after: 0 });
      expect(events.map(({ type }) => type)).toEqual(['unknown', 'tool.used', 'tool.used']);
      expect(await log.get(events[0]!.id)).toBeUndefined();
      const { events: good, problems } = await log.verify();
      expect([good, problems.filter(({ kind }) => kind !== 'meta')]).toEqual([3, []]);
    });

    it('finishes waiting calls before it closes, and then refuses new ones', async () => {
      const waiting = log.append(toolEvents(300));
      await log.close();
      expect(await waiting).toHaveLength(300);
      await expect(log.append([toolEvent(1)])).rejects.toMatchObject({ code: 'LOG_CLOSED' });
      await expect(log.page({ after: 0 })).rejects.toMatchObject({ code: 'LOG_CLOSED' });
    });
  });
}

const LOG_ID = '0123456789abcdef0123456789abcdef';

/** The first event of a log, as a newer version would store it. */
async function putUnknown(store: Store): Promise<void> {
  const { agent, session, channel, occurredAt } = toolEvent(1);
  const newEvent = { type: 'star.seen', agent, session, dedupeKey: 'one', channel } as unknown as NewEvent;
  const id = eventId(newEvent);
  const header = {
    ...{ id, type: 'star.seen', v: 1, agent, session, dedupeKey: 'one', origin: LOG_ID, originSeq: 1 },
    ...{ occurredAt, recordedAt: 5, channel, causation: null },
  };
  const { record } = sealEvent(header, testWorld().randomBytes(16), '{"star":"Vega"}', genesis(LOG_ID));
  await store.put(eventKey(1), record);
  await store.put(identityKey(id), positionBytes(1));
  await store.put(sessionKey(sessionGroup(agent, session!), 1), Buffer.alloc(0));
}
