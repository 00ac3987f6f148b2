// The chain: a changed byte of any event is found at its position, however the events were batched.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventKey } from '../../log/format/keys.ts';
import { memoryStore, openMemoryLog } from '../helpers/logs.ts';
import { toolEvents } from '../helpers/new-events.ts';

test('a changed byte of any event is found by verify and by every reader', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (count, batch, where, offset, change) => {
        const store = memoryStore();
        const log = await openMemoryLog(store);
        const newEvents = toolEvents(count);
        for (let at = 0; at < count; at += batch) await log.append(newEvents.slice(at, at + batch));
        expect((await log.verify()).ok).toBe(true);
        const position = 1 + (where % count);
        const record = Buffer.from((await store.get(eventKey(position)))!);
        record[offset % record.length]! ^= change;
        await store.put(eventKey(position), record);
        const { ok, problems } = await log.verify();
        expect(ok).toBe(false);
        const workdirs = problems.map((problem) => problem.position);
        expect(workdirs.some((workdir) => workdir === position || workdir === position + 1)).toBe(true);
        await expect(log.page({ after: 0 })).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
      },
    ),
    { numRuns: 100, seed: 20260102 },
  ));

test('a checkpoint is held by another log with the same id exactly up to their last common event', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 }),
      async (one, other) => {
        const tell = async (kinds: readonly number[]) => {
          const log = await openMemoryLog();
          const checkpoints = [log.head()];
          for (const [index, kind] of kinds.entries()) {
            await log.append(toolEvents(1, index * 10 + kind));
            checkpoints.push(log.head());
          }
          return { log, checkpoints };
        };
        const [first, second] = [await tell(one), await tell(other)];
        const differs = one.findIndex((kind, index) => kind !== other[index]);
        const common = differs === -1 ? one.length : differs;
        for (const [position, checkpoint] of first.checkpoints.entries()) {
          const comparison = await second.log.compareCheckpoint(checkpoint);
          if (position <= common) expect(comparison, `position ${position}`).toBe('held');
          else expect(comparison, `position ${position}`).toBe(position > other.length ? 'ahead' : 'foreign');
        }
      },
    ),
    { numRuns: 60, seed: 20260103 },
  ));
