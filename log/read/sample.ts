// Samples a few events evenly over the log, so that `status` can estimate growth without reading the whole log.
import { eventKey } from '../format/keys.ts';
import { parseHeader } from '../format/record.ts';
import type { EventSize } from '../log.ts';
import type { ReadContext } from './read-events.ts';

/** At most `most` events, evenly spread over the positions. Nothing is checked: for estimates only. */
export async function sampleSizes({ store, tail }: ReadContext, most: number): Promise<EventSize[]> {
  const count = Math.min(most, tail.position);
  const step = count < 2 ? 0 : (tail.position - 1) / (count - 1);
  const positions = Array.from({ length: count }, (_, index) => 1 + Math.round(index * step));
  const records = await store.getMany(positions.map(eventKey));
  return records.flatMap((record) => {
    const header = record === undefined ? null : parseHeader(record);
    return header === null ? [] : [{ at: header.occurredAt, bytes: record!.length }];
  });
}
