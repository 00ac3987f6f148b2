// How the server reaches the memory, with a worker and a home that only note what is done with them.
import { expect, test } from 'vitest';
import type { Annals } from '../../src/api.ts';
import { MemoryAccess, type MemoryWorld, type WorkerConnection } from '../../src/mcp/memory-access.ts';
import { fakeAnnals } from '../cli/fake-annals.ts';

const GONE = new Error('The worker ended before it answered.');

class World implements MemoryWorld {
  readonly done: string[] = [];
  runs = false;
  canStart = true;
  lose: () => void = () => {};

  async connect(): Promise<WorkerConnection | null> {
    this.done.push('connect');
    if (!this.runs) return null;
    const onDisconnect = (listener: () => void) => {
      this.lose = listener;
    };
    return { ...this.#annals('worker'), onDisconnect };
  }

  async start(): Promise<void> {
    this.done.push('start');
    if (!this.canStart) throw new Error('It cannot be started.');
    this.runs = true;
  }

  async open(): Promise<Annals> {
    this.done.push('open');
    return this.#annals('home');
  }

  isWorkerGone(error: unknown): boolean {
    return error === GONE;
  }

  #annals(home: string): Annals {
    return { ...fakeAnnals(), home, close: async () => void this.done.push(`close ${home}`) };
  }
}

const whereAsked = async (annals: Annals) => annals.home;

test('the first question starts a worker, and the connection to it is kept', async () => {
  const world = new World();
  const access = new MemoryAccess(world);
  expect(await Promise.all([access.ask(whereAsked), access.ask(whereAsked)])).toEqual(['worker', 'worker']);
  expect(await access.ask(whereAsked)).toBe('worker');
  expect(world.done).toEqual(['connect', 'start', 'connect']);
  await access.close();
  expect(world.done.at(-1)).toBe('close worker');
});

test('after a worker ended, the next question connects to the next one', async () => {
  const world = new World();
  const access = new MemoryAccess(world);
  await access.ask(whereAsked);
  world.lose();
  await access.ask(whereAsked);
  expect(world.done).toEqual(['connect', 'start', 'connect', 'connect']);
});

test('without a worker the home is shared by questions of the same time, and closed after the last one', async () => {
  const world = new World();
  world.canStart = false;
  const access = new MemoryAccess(world);
  const one = access.ask(whereAsked);
  expect(await Promise.all([one, access.ask(whereAsked)])).toEqual(['home', 'home']);
  expect(world.done).toEqual(['connect', 'start', 'open', 'close home']);
  expect(await access.ask(whereAsked)).toBe('home');
  expect(world.done.slice(4)).toEqual(['connect', 'start', 'open', 'close home']);
});

test('a question that fails closes the home too', async () => {
  const world = new World();
  world.canStart = false;
  const access = new MemoryAccess(world);
  const failing = access.ask(async () => {
    throw new Error('no such id');
  });
  await expect(failing).rejects.toThrow('no such id');
  expect(world.done.at(-1)).toBe('close home');
});

test('what only reads is asked again when the worker ends, and what changes something is not', async () => {
  const world = new World();
  const access = new MemoryAccess(world);
  let asked = 0;
  const lostOnce = async (annals: Annals) => {
    asked += 1;
    if (asked > 1) return annals.home;
    world.lose();
    throw GONE;
  };
  expect(await access.ask(lostOnce)).toBe('worker');
  asked = 0;
  await expect(access.ask(lostOnce, { changes: true })).rejects.toBe(GONE);
  expect(asked).toBe(1);
});
