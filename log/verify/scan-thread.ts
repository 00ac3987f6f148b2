// The thread in which a large log's events are checked, while the other reads them: a program of its own beside the
// command, which scripts/build.mjs makes. What is asked comes in order:
//
//   workerData: Start    in: {page, bytes}, each answered by {page} once it is checked    in: {end} answered by {tally}
//   page = (length record)*      length = 4 bytes of this machine, record as in record.ts; pages change hands
//
// Whatever is wrong ends it with {wrong}: what it is and where, is found by who asked.
import { parentPort, workerData } from 'node:worker_threads';
import { IntegrityScan, type ScanTotals } from './scan-state.ts';

export interface ScanThreadData {
  readonly logId: string;
  readonly origin: string;
  readonly forgotten: ReadonlySet<string>;
}

export type ScanRequest = { readonly page: ArrayBuffer; readonly bytes: number } | { readonly end: true };
export type ScanReply =
  | { readonly page: ArrayBuffer; readonly events: number }
  | { readonly tally: ScanTotals }
  | { readonly wrong: true };

const { logId, origin, forgotten } = workerData as ScanThreadData;
const seen = new IntegrityScan({ logId, origin, isForgotten: (id) => forgotten.has(id) });

parentPort!.on('message', (asked: ScanRequest) => {
  if ('end' in asked) return answer({ tally: seen.totals() });
  if (!isPageGood(Buffer.from(asked.page, 0, asked.bytes))) return answer({ wrong: true });
  answer({ page: asked.page, events: seen.events }, [asked.page]);
});

function isPageGood(page: Buffer): boolean {
  for (let at = 0; at < page.length; ) {
    const start = at + 4;
    at = start + page.readUInt32LE(at);
    if (!seen.isEventGood(seen.events + 1, page.subarray(start, at))) return false;
  }
  return true;
}

function answer(answered: ScanReply, given: readonly ArrayBuffer[] = []): void {
  parentPort!.postMessage(answered, given);
}
