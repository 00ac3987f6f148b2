// Another log's event as the append queue takes it: checked by whoever read it, so it is not checked against
// the catalogue again. It may be of an older version, or of a type that only a newer one knows.

import type { CheckedEvent } from '../append/new-event.ts';
import type { NewEvent } from '../event.ts';
import type { ExportedEvent } from '../format/exported-event.ts';

export const FORGETTING = 'memory.forgotten';
type ImportedEvent = Pick<ExportedEvent, 'header' | 'body'>;

export function toCheckedEvent({ header, body }: ImportedEvent): CheckedEvent {
  return {
    id: header.id,
    version: header.v,
    // The queue takes the header's fields from `carried`; of a telling it needs no more than that there is one.
    newEvent: header as unknown as NewEvent,
    json: body.salt === null ? '' : body.json,
    imported: { header, body },
  };
}

/** The events in their order, each forgetting alone: it is written in the batch of what it blanks. */
export function runsOf(events: readonly ImportedEvent[]): readonly (readonly ImportedEvent[])[] {
  const runs: ImportedEvent[][] = [];
  let open = false;
  for (const event of events) {
    const alone = event.header.type === FORGETTING;
    if (alone || !open) runs.push([event]);
    else runs.at(-1)!.push(event);
    open = !alone;
  }
  return runs;
}

/** What a `memory.forgotten` names, whoever wrote it. */
export function idsForgottenBy({ body }: ImportedEvent): readonly string[] {
  if (body.salt === null) return [];
  const { events } = JSON.parse(body.json) as { events?: readonly { readonly ids?: readonly string[] }[] };
  return (events ?? []).flatMap(({ ids }) => ids ?? []);
}
