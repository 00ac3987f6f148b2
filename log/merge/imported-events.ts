// Prepares another log's events for the append queue. The reader of the export has checked them, so they are not
// checked against the catalogue again. They may be of an older version or of an unknown type.

import type { CheckedEvent } from '../append/new-event.ts';
import type { NewEvent } from '../event.ts';
import type { EventContent } from '../format/exported-event.ts';

/** The type of event that removes bodies. */
export const FORGETTING = 'memory.forgotten';

export function toCheckedEvent({ header, body }: EventContent): CheckedEvent {
  return {
    id: header.id,
    version: header.v,
    // The queue takes the header's fields from `imported`; `newEvent` only has to be present.
    newEvent: header as unknown as NewEvent,
    json: '',
    imported: { header, body },
  };
}

/** The events in order, in runs; each forgetting is a run of its own, because it is written with the records it blanks. */
export function runsOf(events: readonly EventContent[]): readonly (readonly EventContent[])[] {
  const runs: EventContent[][] = [];
  let open = false;
  for (const event of events) {
    const isForgetting = event.header.type === FORGETTING;
    if (isForgetting || !open) runs.push([event]);
    else runs.at(-1)!.push(event);
    open = !isForgetting;
  }
  return runs;
}

/** The event ids that a `memory.forgotten` names; empty for one without a list. */
export function idsForgottenBy({ body }: EventContent): readonly string[] {
  if (body.salt === null) return [];
  const { events } = JSON.parse(body.json) as { events?: readonly { readonly ids?: readonly string[] }[] };
  return (events ?? []).flatMap(({ ids }) => ids ?? []);
}
