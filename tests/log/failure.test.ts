import { afterEach, describe, expect, test } from 'vitest';
import type { Log } from '../../log/index.ts';
import { levelStore, type Store } from '../../log/store.ts';
import { memoryStore, openMemoryLog, openTestLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents } from '../helpers/new-events.ts';
import { temporaryFolder } from '../helpers/world.ts';

interface Faults {
  /** Batches that still go through; then writing fails. */
  good: number;
  /** What the failing write says. */
  message: string;
  /** Opening fails as well. */
  closed: boolean;
  /** The failing write reaches the disk all the same. */
  lands: boolean;
}

/** A store whose disk fills up when told to. */
function failing(store: Store, faults: Faults): Store {
  const batch = store.batch.bind(store) as (...given: unknown[]) => unknown;
  const open = store.open.bind(store) as () => Promise<void>;
  return Object.assign(store, {
    async open() {
      if (faults.closed) throw new Error(faults.message);
      await open();
    },
    batch(...given: unknown[]) {
      const made = batch(...given) as { write(options: object): Promise<void>; close(): Promise<void> };
      if (given.length > 0) return made;
      const write = made.write.bind(made);
      return Object.assign(made, {
        async write(options: object) {
          if (faults.good-- > 0) return write(options);
          if (faults.lands) await write(options);
          else await made.close();
          throw Object.assign(new Error(faults.message), { code: 'LEVEL_IO_ERROR' });
        },
      });
    },
  }) as unknown as Store;
}

const FULL = 'IO error: /home/log/000003.log: No space left on device';

describe.each(['on disk', 'in memory'])('a log %s whose disk is full', (where) => {
  let remove = async (): Promise<void> => {};
  afterEach(() => remove());

  async function openFailing(faults: Faults): Promise<Log> {
    if (where === 'in memory') return openMemoryLog(failing(memoryStore(), faults) as never);
    const folder = await temporaryFolder();
    remove = folder.remove;
    return openTestLog(folder.path, { store: failing(levelStore(`${folder.path}/log`), faults) });
  }

  test('fails every waiting call, keeps what was acknowledged, and works again when there is room', async () => {
    const faults = { good: 2, message: FULL, closed: false, lands: false };
    const log = await openFailing(faults);
    await log.append(toolEvents(10));
    const head = log.head();
    const calls = [log.append(toolEvents(600, 11)), log.append([toolEvent(1)]), log.append([toolEvent(700)])];
    for (const result of await Promise.allSettled(calls))
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'DISK_FULL' } });
    faults.good = Number.POSITIVE_INFINITY;
    expect(await log.compareCheckpoint(head)).toBe('held');
    const outcomes = await log.append(toolEvents(600, 11));
    expect(outcomes.map(({ position }) => position)).toEqual(Array.from({ length: 600 }, (_, at) => at + 11));
    expect(outcomes.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(256);
    expect(await log.verify()).toMatchObject({ ok: true, events: 610 });
    await log.close();
  });

  test('has no cursor of a call of which only the first batches were written', async () => {
    const faults = { good: 1, message: FULL, closed: false, lands: false };
    const log = await openFailing(faults);
    faults.good = 1;
    const cursors = [{ key: 'file', value: { offset: 600 } }];
    await expect(log.append(toolEvents(600), { cursors })).rejects.toMatchObject({ code: 'DISK_FULL' });
    faults.good = Number.POSITIVE_INFINITY;
    expect(await log.cursor('file')).toBeUndefined();
    expect(log.head().position).toBe(256);
    await log.append(toolEvents(600), { cursors });
    expect(await log.cursor('file')).toEqual({ offset: 600 });
    await log.close();
  });

  test('answers a retry as duplicates when the failed batch was on disk after all', async () => {
    const faults = { good: 0, message: FULL, closed: false, lands: true };
    const log = await openFailing(faults);
    await expect(log.append(toolEvents(5))).rejects.toMatchObject({ code: 'DISK_FULL' });
    faults.good = Number.POSITIVE_INFINITY;
    const outcomes = await log.append(toolEvents(6));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([...Array(5).fill('duplicate'), 'appended']);
    expect(await log.verify()).toMatchObject({ ok: true, events: 6 });
    await log.close();
  });

  test('tries to open again with each append until there is room', async () => {
    const faults = { good: 0, message: FULL, closed: false, lands: false };
    const log = await openFailing(faults);
    const first = log.append([toolEvent(1)]);
    faults.closed = true;
    await expect(first).rejects.toMatchObject({ code: 'DISK_FULL' });
    await expect(log.append([toolEvent(1)])).rejects.toMatchObject({ code: 'DISK_FULL' });
    faults.closed = false;
    faults.good = Number.POSITIVE_INFINITY;
    expect(await log.append([toolEvent(1)])).toMatchObject([{ outcome: 'appended', position: 1 }]);
    await log.close();
  });

  test('says plainly when it is something else than room', async () => {
    const log = await openFailing({
      good: 0,
      message: 'IO error: Input/output error',
      closed: false,
      lands: false,
    });
    await expect(log.append([toolEvent(1)])).rejects.toMatchObject({ code: 'HOME_UNWRITABLE' });
    await log.close();
  });
});
