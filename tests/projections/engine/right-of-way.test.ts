// Who waits for an answer goes first; long work keeps its share. Time is a hand that the tests move.
import { describe, expect, it } from 'vitest';
import { LIKELY_MS, paced, RightOfWay, UNIT_MS } from '../../../projections/engine/contract/right-of-way.ts';

function withClock() {
  const clock = { ms: 0 };
  return { clock, way: new RightOfWay(() => clock.ms) };
}

/** Something that is over when it is told so. */
function waitingFor() {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}

describe('Long work that asks between its units', () => {
  it('goes in smaller pieces for a while after a question, and not for ever', async () => {
    const { clock, way } = withClock();
    expect(way.hadRecentQuery).toBe(false);
    clock.ms = 60_000;
    await way.first(async () => undefined);
    expect(way.hadRecentQuery).toBe(true);
    clock.ms += LIKELY_MS - 1;
    expect(way.hadRecentQuery).toBe(true);
    clock.ms += 1;
    expect(way.hadRecentQuery).toBe(false);
  });

  it('goes on at once while nobody asks and its time is not over', () => {
    const { clock, way } = withClock();
    clock.ms = UNIT_MS - 1;
    expect(way.pause()).toBeUndefined();
  });

  it('gives the event loop a turn when its time is over, and again after that', async () => {
    const { clock, way } = withClock();
    clock.ms = UNIT_MS;
    const utterance: string[] = [];
    setImmediate(() => utterance.push('a question'));
    const pausing = way.pause();
    expect(pausing).toBeDefined();
    await pausing;
    expect(utterance).toEqual(['a question']);
    expect(way.pause()).toBeUndefined();
  });

  it('does at most the unit under way between a question and its answer', async () => {
    const way = new RightOfWay(() => 0, 3_600_000);
    let units = 0;
    let isOver = false;
    const work = (async () => {
      while (!isOver) {
        units++;
        await new Promise((resume) => setImmediate(resume));
        await way.pause();
      }
    })();
    while (units < 5) await new Promise((resume) => setImmediate(resume));
    const before = units;
    const between = await way.first(async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resume) => setImmediate(resume));
      return units - before;
    });
    expect(between).toBeLessThanOrEqual(1);
    while (units < before + 5) await new Promise((resume) => setImmediate(resume));
    isOver = true;
    await work;
  });

  it('goes on after some patience although an answer is still being made, for one unit', async () => {
    const { clock, way } = withClock();
    const { over, end } = waitingFor();
    const answer = way.first(() => over);
    await way.pause();
    expect(way.pause()).toBeUndefined();
    clock.ms += UNIT_MS;
    const again = way.pause();
    expect(again).toBeDefined();
    end();
    await Promise.all([again, answer]);
  });

  it('goes on when an answer failed', async () => {
    const { way } = withClock();
    await expect(way.first(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    await way.pause();
    expect(way.pause()).toBeUndefined();
  });

  it('asks before every read of a page', async () => {
    const asked: string[] = [];
    const page = {
      get: async () => undefined,
      getMany: async () => [],
      range: async () => [],
      put: (key: string) => asked.push(`put ${key}`),
      del: () => undefined,
    };
    const writer = paced(page as unknown as Parameters<typeof paced>[0], () => {
      asked.push('may I');
      return undefined;
    });
    await writer.get('a');
    writer.put('b', 1);
    await writer.getMany(['c']);
    await writer.range('d');
    expect(asked).toEqual(['may I', 'put b', 'may I', 'may I']);
  });
});
