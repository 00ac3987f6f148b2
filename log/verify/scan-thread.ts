// The worker thread that checks the events of a large log while the main thread reads them. scripts/build.mjs builds it
// as a separate program. Messages are processed in order:
//
//   workerData: ScanThreadData    {page, bytes} is answered by {page, events} when checked    {end} is answered by {tally}
//   page = (length record)*       length = 4 bytes, little-endian; record as in record.ts; pages are transferred
//
// On a bad event the thread replies {wrong}; the main thread then finds out what is wrong and where.
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
const scan = new IntegrityScan({ logId, origin, isForgotten: (id) => forgotten.has(id) });

parentPort!.on('message', (request: ScanRequest) => {
  if ('end' in request) return reply({ tally: scan.totals() });
  if (!isPageGood(Buffer.from(request.page, 0, request.bytes))) return reply({ wrong: true });
  reply({ page: request.page, events: scan.events }, [request.page]);
});

function isPageGood(page: Buffer): boolean {
  for (let at = 0; at < page.length; ) {
    const start = at + 4;
    at = start + page.readUInt32LE(at);
    if (!scan.isEventGood(scan.events + 1, page.subarray(start, at))) return false;
  }
  return true;
}

function reply(message: ScanReply, transfer: readonly ArrayBuffer[] = []): void {
  parentPort!.postMessage(message, transfer);
}
