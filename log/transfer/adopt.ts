// Another log's event as the append queue takes it: checked by whoever read it, so it is not checked against
// the catalogue again. It may be of an older version, or of a type that only a newer one knows.
import type { Telling } from '../event.ts';
import type { CheckedTelling } from '../telling.ts';
import type { CarriedEvent } from './carried.ts';

export function adopted({ header, body }: Pick<CarriedEvent, 'header' | 'body'>): CheckedTelling {
  return {
    id: header.id,
    version: header.v,
    // The queue takes the header's fields from `carried`; of a telling it needs no more than that there is one.
    telling: header as unknown as Telling,
    json: body.salt === null ? '' : body.json,
    carried: { header, body },
  };
}
