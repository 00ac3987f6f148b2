// Reads events for an export: bodies are neither decoded nor upcast, so another log gets exactly the stored bytes, also
// of events of an unknown type.
import { type ExportedEvent, type ExportedPage, exportedFrom } from '../format/exported-event.ts';
import { EVENT, eventKey } from '../format/keys.ts';
import { hexOf } from '../format/record.ts';
import { chainAt, damaged, PAGE_BYTES, PAGE_EVENTS, type ReadContext } from '../read/read-events.ts';

/** Events after a position, each checked; with a limit of 0 only the checkpoint at `after`. @throws AnnalsError LOG_DAMAGED */
export async function readExported(
  { store, logId, tail, isForgotten }: ReadContext,
  { after, limit = PAGE_EVENTS, bytesMax = PAGE_BYTES }: { after: number; limit?: number; bytesMax?: number },
): Promise<ExportedPage> {
  let chain = await chainAt(store, logId, after, tail);
  let bytes = 0;
  const events: ExportedEvent[] = [];
  if (limit === 0) return { events, end: { logId, position: after, chain: hexOf(chain) } };
  const range = { gte: eventKey(after + 1), lt: Buffer.from([EVENT + 1]), limit };
  const iterator = store.values({ ...range, ...{ highWaterMarkBytes: bytesMax } });
  try {
    for (const record of await iterator.nextv(limit)) {
      const position = after + events.length + 1;
      const event = exportedFrom(record, chain, position);
      if ('kind' in event) throw damaged(event.kind, position, event.message);
      if (event.body.salt === null && !isForgotten(event.header.id))
        throw damaged('body', position, 'the body is missing');
      events.push(event);
      chain = event.chain;
      bytes += record.length;
      if (bytes >= bytesMax) break;
    }
  } finally {
    await iterator.close();
  }
  return { events, end: { logId, position: after + events.length, chain: hexOf(chain) } };
}
