// Settings that change while calls run, with a clock that the test moves: after ten seconds the library is closed under
// them and opened again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnnalsError } from '../../log/index.ts';
import type { Annals, ChangeState } from '../../src/api.ts';
import { WorkerLibrary } from '../../src/worker/worker-library.ts';

let opened: number;
let library: WorkerLibrary;

/** The first one answers no call until it is closed. */
function annals(): Annals {
  opened += 1;
  const number = opened;
  let close = () => {};
  const closed = new Promise<never>((_, reject) => {
    close = () => reject(new AnnalsError('LOG_CLOSED', 'The log was closed.'));
  });
  closed.catch(() => undefined);
  const answer = () => (number === 1 ? closed : Promise.resolve(`answer of ${number}`));
  return {
    home: '/home',
    onChange(listener: (state: ChangeState) => void) {
      listener({ head: number, projected: number });
      return () => {};
    },
    ...{ search: answer, import: answer, save: answer },
    async *log({ after = 0, limit = 4, last }: { after?: number; limit?: number; last?: number } = {}) {
      if (last !== undefined) {
        yield { position: 4 - last + 1 };
        if (number === 1) await closed;
      }
      for (let position = after + 1; position <= Math.min(4, after + limit); position++) {
        if (number === 1 && position === 3) await closed;
        yield { position };
      }
    },
    close: async () => close(),
  } as unknown as Annals;
}

beforeEach(async () => {
  vi.useFakeTimers();
  opened = 0;
  library = await WorkerLibrary.open({
    open: async () => annals(),
    onCall: () => {},
    beforeReading: async () => {},
    keep: () => () => {},
    workerStatus: () => ({ pid: 1 }),
    problems: () => [],
  });
});
afterEach(() => vi.useRealTimers());

async function changeSettings(): Promise<void> {
  // The call begins.
  await vi.advanceTimersByTimeAsync(0);
  const reopened = library.reopen(new AbortController().signal);
  await vi.advanceTimersByTimeAsync(10_000);
  await reopened;
}

test.each([
  ['search', () => library.annals.search('heron')],
  ['import', () => library.annals.import(['/a'])],
])('a call that was cut off is made again: %s', async (_, call) => {
  const answer = call();
  await changeSettings();
  expect(await answer).toBe('answer of 2');
});

test('a call that could do its work twice fails, and says why', async () => {
  const saved = expect(library.annals.save({ title: 'Ibis', text: 'fed' })).rejects.toMatchObject({
    code: 'WORKER_GONE',
    message: 'The settings changed before the call was done.',
  });
  await changeSettings();
  await saved;
});

test('a stop meanwhile does not wait for the calls, and nothing is opened again', async () => {
  const ended = expect(library.annals.search('heron')).rejects.toMatchObject({ code: 'LOG_CLOSED' });
  await vi.advanceTimersByTimeAsync(0);
  const stop = new AbortController();
  const reopened = library.reopen(stop.signal);
  await vi.advanceTimersByTimeAsync(0);
  stop.abort();
  await reopened;
  const closed = library.close(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all([ended, closed]);
  expect(opened).toBe(1);
});

test('a call that is cut off because the worker ends is not made again', async () => {
  const ended = expect(library.annals.search('heron')).rejects.toMatchObject({ code: 'LOG_CLOSED' });
  await vi.advanceTimersByTimeAsync(0);
  const closed = library.close(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all([ended, closed]);
  expect(opened).toBe(1);
});

test.each([
  [{}, [1, 2, 3, 4]],
  [{ limit: 3 }, [1, 2, 3]],
  [{ after: 1, limit: 2 }, [2, 3]],
  [{ last: 3 }, [2, 3, 4]],
])('a reading of the log that was cut off goes on where it was: %j', async (options, positions) => {
  const read: number[] = [];
  const reading = (async () => {
    for await (const { position } of library.annals.log(options)) read.push(position);
  })();
  await changeSettings();
  await reading;
  expect(read).toEqual(positions);
});

test('a listener is told the state at once, and that of the library that was opened again', async () => {
  const heard: ChangeState[] = [];
  library.annals.onChange((state) => void heard.push(state));
  expect(heard).toEqual([{ head: 1, projected: 1 }]);
  await changeSettings();
  expect(heard).toEqual([1, 2].map((number) => ({ head: number, projected: number })));
});
