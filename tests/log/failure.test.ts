import { afterEach, describe, expect, test } from 'vitest';
import type { Log } from '../../log/index.ts';
import { levelStore, type Store } from '../../log/store.ts';
import { memoryStore, openMemoryLog, openTestLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents } from '../helpers/new-events.ts';
import { temporaryFolder } from '../helpers/world.ts';

interface Faults {
  /** Number of batches that succeed before writing fails. */
  good: number;
  /** The message of the failing write. */
  message: string;
  /** Opening fails as well. */
  closed: boolean;
  /** The failing write reaches the disk nevertheless. */
  lands: boolean;
  /** The next look-up fails. */
  unreadable?: boolean;
  /** Called after each look-up. */
  onLookUp?: () => void;
  /** What each write waits for. */
  onWrite?: () => Promise<void>;
}

/** A store with these faults. */
function failing(store: Store, faults: Faults): Store {
  const batch = store.batch.bind(store) as (...args: unknown[]) => unknown;
  const open = store.open.bind(store) as () => Promise<void>;
  const getMany = store.getMany.bind(store) as (keys: Buffer[]) => Promise<unknown>;
  return Object.assign(store, {
    async open() {
      if (faults.closed) throw new Error(faults.message);
      await open();
    },
    async getMany(keys: Buffer[]) {
      if (faults.unreadable) {
        faults.unreadable = false;
        throw Object.assign(new Error(faults.message), { code: 'LEVEL_IO_ERROR' });
      }
      const found = await getMany(keys);
      faults.onLookUp?.();
      return found;
    },
    batch(...args: unknown[]) {
      const original = batch(...args) as { write(options: object): Promise<void>; close(): Promise<void> };
      if (args.length > 0) return original;
      const write = original.write.bind(original);
      return Object.assign(original, {
        async write(options: object) {
          await faults.onWrite?.();
          if (faults.good-- > 0) return write(options);
          if (faults.lands) await write(options);
          else await original.close();
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

  test('fails every waiting call, keeps acknowledged events, and works again when there is space', async () => {
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

  test('finishes the batch on its way to the disk when a call behind it cannot be looked up', async () => {
    const faults: Faults = { good: Number.POSITIVE_INFINITY, message: FULL, closed: false, lands: false };
    const log = await openFailing(faults);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const writing = new Promise<void>((resolve) => {
      faults.onWrite = () => {
        resolve();
        return released;
      };
    });
    const first = log.append([toolEvent(1)]);
    await writing;
    faults.unreadable = true;
    await expect(log.append([toolEvent(2)])).rejects.toMatchObject({ code: 'DISK_FULL' });
    const lookedUp = new Promise<void>((resolve) => {
      faults.onLookUp = resolve;
    });
    const again = log.append([toolEvent(1)]);
    await lookedUp;
    release();
    expect(await first).toMatchObject([{ outcome: 'appended', position: 1 }]);
    expect(await again).toMatchObject([{ outcome: 'duplicate', position: 1 }]);
    expect(await log.append([toolEvent(2)])).toMatchObject([{ outcome: 'appended', position: 2 }]);
    expect(await log.verify()).toMatchObject({ ok: true, events: 2 });
    await log.close();
  });

  test('stores no cursor of a call when only its first batches were written', async () => {
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

  test('retries opening the store with each append until there is space', async () => {
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

  test('scans after a failed opening once it can be opened', async () => {
    const faults = { good: 1, message: FULL, closed: false, lands: false };
    const log = await openFailing(faults);
    await log.append([toolEvent(1)]);
    const failing = log.append([toolEvent(2)]);
    faults.closed = true;
    await expect(failing).rejects.toMatchObject({ code: 'DISK_FULL' });
    faults.closed = false;
    const found = [];
    for await (const { position } of log.scan(() => true)) found.push(position);
    expect(found).toEqual([1]);
    await log.close();
  });

  test('reports another error code when the cause is not a full disk', async () => {
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
