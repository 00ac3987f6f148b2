// How long an exchange of events as they come waits before it connects again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as clock from '../../src/platform/clock.ts';
import { LiveExchange } from '../../src/share/live-exchange.ts';
import type { SharedLog } from '../../src/share/log/shared-log.ts';
import { Cut, machine, PROJECT } from './machines.ts';
import { MemoryServer } from './memory-shared-log.ts';

const pauses: number[] = [];

beforeEach(() => {
  pauses.length = 0;
  vi.spyOn(clock, 'wait').mockImplementation(async (ms) => void pauses.push(ms));
});
afterEach(() => void vi.restoreAllMocks());

/** `away`: nobody answers. `useless`: nothing can be read. `lost`: it works, and then breaks. */
type Connection = 'away' | 'useless' | 'lost';

const problems: (string | null | undefined)[] = [];

async function pausesAfter(connections: readonly Connection[]): Promise<readonly number[]> {
  const server = new MemoryServer();
  const { log, team, rows } = await machine('one');
  const left = [...connections];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let live: LiveExchange | undefined;
  problems.length = 0;
  live = new LiveExchange({
    home: { log } as never,
    machines: () => 1,
    connect: async () => {
      problems.push(live?.problem);
      const next = left.shift();
      if (next === undefined) end();
      if (next === undefined || next === 'away') throw new Cut();
      return breaking(server.connect(), next);
    },
    parts: (shared) => ({
      ...{ home: { log } as never, rows: rows(), team, shared },
      ...{ projects: [PROJECT], lookAt: () => null },
    }),
  });
  await ended;
  await live.close();
  return pauses.slice(0, connections.length);
}

function breaking(shared: SharedLog, when: 'useless' | 'lost'): SharedLog {
  const page = shared.page.bind(shared);
  shared.page = async (request) => {
    // As a connection does on which somebody waits.
    if (when === 'useless' || request.waitUntil !== undefined) throw new Cut();
    return page(request);
  };
  return shared;
}

test('the pause grows while nothing can be exchanged, up to a minute', async () => {
  expect(
    await pausesAfter(['away', 'useless', 'away', 'useless', 'away', 'useless', 'away', 'away']),
  ).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test('why the last exchange failed is known', async () => {
  await pausesAfter(['useless', 'away']);
  expect(problems).toEqual([undefined, 'It was cut.', 'It was cut.']);
});

test('the pause is short again after a connection that worked', async () => {
  expect(await pausesAfter(['away', 'useless', 'lost', 'lost', 'away', 'lost'])).toEqual([
    1_000, 2_000, 1_000, 1_000, 2_000, 1_000,
  ]);
});
