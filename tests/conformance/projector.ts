// What every projector must be able to take. Give it the projectors of one chain and some tellings; it runs
// them on the real runner and compares digests: told twice, resumed anywhere, any page size, other origins,
// unknown types, rebuilt, shuffled. A projector that fails here would show different rows after a crash, an
// update or a rebuild.
import { describe, expect, it } from 'vitest';
import type { Fact, Log, Telling } from '../../log/index.ts';
import { isFirst, type Projector, type ViewWriter } from '../../projections/projector.ts';
import type { Runner } from '../../projections/runner.ts';
import { chance } from '../helpers/chance.ts';
import { asLog, fakeLog } from '../helpers/fake-log.ts';
import { openMemoryLog } from '../helpers/logs.ts';
import { memoryShelf, testRunner } from '../helpers/views.ts';

export interface ProjectorSuite {
  readonly name: string;
  /** A whole chain, from the log on. */
  readonly projectors: readonly Projector[];
  /** Lists that may be interleaved in any way, each in the order in which it is told. */
  readonly facts: () => readonly (readonly Telling[])[];
  /** Whether tellings in any order must give the same rows; default true (law 4). */
  readonly anyOrder?: boolean;
  /** Seeds of the random cases; default 1 to 5. */
  readonly seeds?: readonly number[];
}

type Digests = Readonly<Record<string, string>>;

export function projectorSuite(suite: ProjectorSuite): void {
  const { projectors, anyOrder = true, seeds = [1, 2, 3, 4, 5] } = suite;
  const told = (): readonly Telling[] => suite.facts().flat();

  describe(`${suite.name}, as every projector`, () => {
    it('makes rows of these tellings, and no dead letter', async () => {
      const runner = await run(await logOf(told()), projectors);
      for (const { name } of projectors)
        expect(await runner.view(name).range('', { limit: 1 }), name).toHaveLength(1);
      expect(await runner.deadLetters()).toEqual([]);
    });

    it('gives the same rows when everything is told twice', async () => {
      const log = await logOf(told());
      const runner = await run(log, projectors);
      const once = await digests(runner, projectors);
      await log.append(told());
      await runner.catchUp();
      expect(await digests(runner, projectors)).toEqual(once);
    });

    it.each([1, 2, 7, 100])('gives the same rows in pages of %i', async (pageSize) => {
      const log = await logOf(told());
      const expected = await digests(await run(log, projectors), projectors);
      expect(await digests(await run(log, projectors, pageSize), projectors)).toEqual(expected);
    });

    it.each(seeds)('gives the same rows when it is stopped and resumed anywhere (seed %i)', async (seed) => {
      const { cut, below } = chance(seed);
      const expected = await digests(await run(await logOf(told()), projectors), projectors);
      const log = await logOf([]);
      const shelf = memoryShelf();
      let runner = await testRunner({ log, shelf, projectors, pageSize: 1 + below(20) });
      for (const piece of cut(told(), Math.ceil(told().length / 8))) {
        await log.append(piece);
        await runner.catchUp();
        if (below(2) === 0) continue;
        await runner.close();
        runner = await testRunner({ log, shelf, projectors, pageSize: 1 + below(20) });
      }
      expect(await digests(runner, projectors)).toEqual(expected);
    });

    it('is rebuilt to the same rows that it has live', async () => {
      const log = await logOf([]);
      const runner = await testRunner({ log, shelf: memoryShelf(), projectors, pageSize: 5 });
      for (const piece of chance(9).cut(told(), 50)) {
        await log.append(piece);
        await runner.catchUp();
      }
      for (const view of await runner.verifyRebuilt()) expect(view.rebuilt, view.name).toBe(view.live);
      const live = await digests(runner, projectors);
      await runner.rebuild();
      expect(await digests(runner, projectors)).toEqual(live);
    });

    it('gives the same rows whichever machines the events came from, and passes over unknown types', async () => {
      const expected = await digests(await run(await logOf(told()), projectors), projectors);
      const log = fakeLog('log-b', ['machine-a', 'machine-b', 'machine-c']);
      for (const piece of chance(4).cut(told(), 10)) {
        log.appendUnknown('star.seen');
        await log.append(piece);
      }
      const runner = await run(asLog(log), projectors);
      expect(await digests(runner, projectors)).toEqual(expected);
      expect(await runner.deadLetters()).toEqual([]);
    });

    it('reads nothing of this machine in a fact and changes none', async () => {
      const log = await logOf(told());
      const expected = await digests(await run(log, projectors), projectors);
      const runner = await run(log, projectors.map(seeingOnlyFacts));
      expect(await runner.deadLetters()).toEqual([]);
      expect(await digests(runner, projectors)).toEqual(expected);
    });

    it.runIf(anyOrder).each(seeds)('gives the same rows in any order of telling (seed %i)', async (seed) => {
      const { shuffled, interleaved } = chance(seed);
      const expected = await digests(await run(await logOf(told()), projectors), projectors);
      for (const order of [interleaved(suite.facts()), shuffled(told())]) {
        const runner = await run(await logOf(order), projectors, 13);
        expect(await digests(runner, projectors)).toEqual(expected);
      }
    });
  });
}

async function logOf(tellings: readonly Telling[]): Promise<Log> {
  const log = await openMemoryLog();
  await log.append(tellings);
  return log;
}

async function run(log: Log, projectors: readonly Projector[], pageSize = 1_000): Promise<Runner> {
  const runner = await testRunner({ log, shelf: memoryShelf(), projectors, pageSize });
  await runner.catchUp();
  return runner;
}

async function digests(runner: Runner, projectors: readonly Projector[]): Promise<Digests> {
  const found: Record<string, string> = {};
  for (const { name } of projectors) found[name] = await runner.digest(name);
  return found;
}

/** The projector with facts as its type says they are: without position and recordedAt, and frozen. */
function seeingOnlyFacts(projector: Projector): Projector {
  if (!isFirst(projector)) return projector;
  const { fold } = projector;
  return { ...projector, fold: (facts: readonly Fact[], view: ViewWriter) => fold(facts.map(bare), view) };
}

function bare(fact: Fact): Fact {
  const {
    position: _,
    recordedAt: __,
    ...kept
  } = structuredClone(fact) as Fact & {
    position?: number;
    recordedAt?: number;
  };
  return frozen(kept as Fact);
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
