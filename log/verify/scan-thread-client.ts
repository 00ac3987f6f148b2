// The calling side of scan-thread.ts: copies events into pages, transfers them to the thread and gets them back.
// A few pages are in flight at a time; a caller with more events waits for one to come back.
import type { LogFiles } from '../log.ts';
import type { ScanExpectation, ScanTotals } from './scan-state.ts';
import type { ScanReply, ScanRequest, ScanThreadData } from './scan-thread.ts';

const PAGES = 4;
/** An event that is larger than this gets a page of its own size. */
const PAGE_BYTES = 2 * 1024 * 1024;

export interface CheckingThread {
  /** Number of good events so far. */
  readonly checked: number;
  /** Sends the next records; resolves when they are sent. @throws when an earlier record is bad */
  check(records: readonly Buffer[]): Promise<void>;
  /** The totals of all events once they are checked. @throws when one is bad */
  tally(): Promise<ScanTotals>;
  stop(): Promise<void>;
}

/** null when no thread can be started. */
export function startChecking(
  request: ScanExpectation & {
    readonly forgottenIds: () => Iterable<string>;
    readonly startThread: LogFiles['startThread'];
  },
): CheckingThread | null {
  const { logId, origin } = request;
  const start: ScanThreadData = { logId, origin, forgotten: new Set(request.forgottenIds()) };
  const thread = request.startThread?.('scan-thread', start) ?? null;
  if (thread === null) return null;
  const free = Array.from({ length: PAGES }, () => new ArrayBuffer(PAGE_BYTES));
  const waiting: { page?: (page: ArrayBuffer) => void; tally?: (tally: ScanTotals) => void } = {};
  let checked = 0;
  const failed = new Promise<never>((_, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread ended.')));
    thread.on('message', (reply: ScanReply) => {
      if ('wrong' in reply) reject(new Error('An event is damaged.'));
      else if ('tally' in reply) waiting.tally?.(reply.tally);
      else {
        checked = reply.events;
        free.push(reply.page);
        if (waiting.page !== undefined) waiting.page(free.pop()!);
        delete waiting.page;
      }
    });
  });
  failed.catch(() => {});
  const send = (message: ScanRequest, transfer: readonly ArrayBuffer[] = []): void =>
    thread.postMessage(message, transfer);
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
      const free = await freePage();
      const bytes = records.reduce((sum, { length }) => sum + 4 + length, 0);
      const page = bytes <= free.byteLength ? free : new ArrayBuffer(bytes);
      fill(Buffer.from(page), records);
      send({ page, bytes }, [page]);
    },
    tally() {
      const received = new Promise<ScanTotals>((resolve) => {
        waiting.tally = resolve;
      });
      send({ end: true });
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
