// Whatever happens on the way, machines with the same set of shared events end with the same events.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { syncKeys } from '../../src/share/rows/sync-rows.ts';
import {
  Cut,
  contents,
  cutAfter,
  type Machine,
  machine,
  REMOTE,
  RUNS,
  reply,
  SEED,
  seen,
} from './machines.ts';
import { MemoryServer } from './memory-shared-log.ts';

test('machines with the same set of shared events hold the same events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const server = new MemoryServer();
      const machines = await Promise.all(['one', 'two', 'three'].map((name) => machine(name)));
      let number = 0;
      for (const machine of machines) {
        const at = `/${machines.indexOf(machine)}/app`;
        await machine.capture(
          ...[seen(at, REMOTE), seen('/any/app', REMOTE)],
          seen(`${at}/private`, 'github.com/me/diary'),
        );
      }
      for (const { kind, who, count, after } of steps) {
        const { [who]: at } = machines as [Machine, Machine, Machine];
        const folder = `/${who}/app`;
        if (kind === 'capture')
          for (let index = 0; index < count; index++) {
            // Some sessions are known to several machines.
            await at!.capture(reply(`s-${index % 2}`, ++number, folder));
            await at!.capture(reply(`private-${who}`, number, `${folder}/private`));
          }
        if (kind === 'same')
          for (const machine of machines) await machine.capture(reply('same', 900 + count, '/any/app'));
        if (kind === 'sync') await at!.sync(server.connect());
        if (kind === 'cut') await at!.sync(cutAfter(server.connect(), after)).catch(onlyCut);
        if (kind === 'restart') await at!.restart();
        if (kind === 'wipe') server.wipe();
        if (kind === 'lose') server.lose(({ position }) => position % 5 === count);
        if (kind === 'roll back') server.rollBack(count);
        if (kind === 'again')
          for (const message of server.messages.slice(0, count)) server.storeAgain(message);
        if (kind === 'rotate') at!.team.rotate(`key${++number}`);
      }
      await settle(machines, server);
      const all = await Promise.all(machines.map(sharedOf));
      expect(all[1]).toEqual(all[0]);
      expect(all[2]).toEqual(all[0]);
      for (const [index, machine] of machines.entries()) {
        const text = [...(await contents(machine.log)).values()].join();
        for (const other of [0, 1, 2]) if (other !== index) expect(text).not.toContain(`of private-${other}`);
        expect(machine.rows().startingWith('share:unopened:')).toEqual([]);
        expect(machine.rows().get(syncKeys.copied)).toBeNull();
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
/** Everybody exchanges until nobody has anything to say. */
async function settle(machines: readonly Machine[], server: MemoryServer): Promise<void> {
  for (let round = 0; ; round++) {
    const before = server.head;
    for (const machine of machines) await machine.sync(server.connect());
    if (server.head === before) return;
    if (round === ROUNDS_MAX) throw new Error('They talk on for ever.');
  }
}

const ROUNDS_MAX = 15;

const step = fc.record({
  kind: fc.constantFrom(
    'capture',
    'capture',
    'same',
    'sync',
    'sync',
    'cut',
    'cut',
    'restart',
    'wipe',
    'lose',
    'roll back',
    'again',
    'rotate',
  ),
  who: fc.integer({ min: 0, max: 2 }),
  count: fc.integer({ min: 1, max: 4 }),
  after: fc.integer({ min: 0, max: 4 }),
});

/** Without the events that this machine keeps for itself. */
async function sharedOf({ log }: Machine): Promise<readonly (readonly [string, string])[]> {
  const found = [...(await contents(log))].filter(([, json]) => !/private|diary/.test(json));
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

function onlyCut(error: unknown): void {
  if (!(error instanceof Cut)) throw error;
}
