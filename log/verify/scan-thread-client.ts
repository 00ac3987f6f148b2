// The near side of scan-thread.ts: events are copied into pages, which change hands and come back. A few are under
// way at a time; whoever has more waits for one to come back.
import type { LogFiles } from '../log.ts';
import type { ScanExpectation, ScanTotals } from './scan-state.ts';
import type { ScanReply, ScanRequest, ScanThreadData } from './scan-thread.ts';

const PAGES = 4;
/** Larger events than fit come in a page of their own size. */
const PAGE_BYTES = 2 * 1024 * 1024;

export interface CheckingThread {
  /** How many events were found good so far. */
  readonly checked: number;
  /** Resolves when the records were taken, which go on from those before. @throws when an earlier one is not good */
  check(records: readonly Buffer[]): Promise<void>;
  /** What the events call for, once all were checked. @throws when one is not good */
  tally(): Promise<ScanTotals>;
  stop(): Promise<void>;
}

/** null where no thread can be had. */
export function startChecking(
  request: ScanExpectation & {
    readonly forgottenIds: () => Iterable<string>;
    readonly startThread: LogFiles['startThread'];
  },
): CheckingThread | null {
  const { logId, origin } = request;
  const start: ScanThreadData = { logId, origin, forgotten: new Set(request.forgottenIds()) };
  const thread = request.startThread?.('sweep-thread', start) ?? null;
  if (thread === null) return null;
  const free = Array.from({ length: PAGES }, () => new ArrayBuffer(PAGE_BYTES));
  const waiting: { page?: (page: ArrayBuffer) => void; tally?: (tally: ScanTotals) => void } = {};
  let checked = 0;
  const failed = new Promise<never>((_, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread ended.')));
    thread.on('message', (answered: ScanReply) => {
      if ('wrong' in answered) reject(new Error('An event is not as it was written.'));
      else if ('tally' in answered) waiting.tally?.(answered.tally);
      else {
        checked = answered.events;
        free.push(answered.page);
        if (waiting.page !== undefined) waiting.page(free.pop()!);
        delete waiting.page;
      }
    });
  });
  failed.catch(() => {});
  const ask = (asked: ScanRequest, given: readonly ArrayBuffer[] = []): void =>
    thread.postMessage(asked, given);
  const freePage = (): Promise<ArrayBuffer> | ArrayBuffer =>
    free.pop() ??
    Promise.race([
      failed,
      new Promise<ArrayBuffer>((resolve) => {
        waiting.page = resolve;
      }),
    ]);
  return {
    get checked() {
      return checked;
    },
    async check(records) {
      const given = await freePage();
      const bytes = records.reduce((sum, { length }) => sum + 4 + length, 0);
      const page = bytes <= given.byteLength ? given : new ArrayBuffer(bytes);
      fill(Buffer.from(page), records);
      ask({ page, bytes }, [page]);
    },
    tally() {
      const received = new Promise<ScanTotals>((resolve) => {
        waiting.tally = resolve;
      });
      ask({ end: true });
      return Promise.race([failed, received]);
    },
    async stop() {
      await thread.terminate();
    },
  };
}

function fill(page: Buffer, records: readonly Buffer[]): void {
  let at = 0;
  for (const record of records) {
    page.writeUInt32LE(record.length, at);
    page.set(record, at + 4);
    at += 4 + record.length;
  }
}
