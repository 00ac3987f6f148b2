// Another log's event as the append queue takes it: checked by whoever read it, so it is not checked against
// the catalogue again. It may be of an older version, or of a type that only a newer one knows.
import type { Telling } from '../event.ts';
import type { CheckedTelling } from '../telling.ts';
import type { CarriedEvent } from './carried.ts';

export const FORGETTING = 'memory.forgotten';
type Adopted = Pick<CarriedEvent, 'header' | 'body'>;

export function adopted({ header, body }: Adopted): CheckedTelling {
  return {
    id: header.id,
    version: header.v,
    // The queue takes the header's fields from `carried`; of a telling it needs no more than that there is one.
    telling: header as unknown as Telling,
    json: body.salt === null ? '' : body.json,
    carried: { header, body },
  };
}

/** The events in their order, each forgetting alone: it is written in the batch of what it blanks. */
export function runsOf(events: readonly Adopted[]): readonly (readonly Adopted[])[] {
  const runs: Adopted[][] = [];
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
export function idsForgottenBy({ body }: Adopted): readonly string[] {
  if (body.salt === null) return [];
  const { events } = JSON.parse(body.json) as { events?: readonly { readonly ids?: readonly string[] }[] };
  return (events ?? []).flatMap(({ ids }) => ids ?? []);
}
