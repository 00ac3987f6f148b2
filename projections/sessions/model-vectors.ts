// Vectors computed by a model. This view stores each one under its document; the `memory` view, which makes the documents,
// decides whether a vector matches the current text.
//
//   vector/<agent>/<session or nothing>/<document>/<recipe>/<event>   ModelVector
//
// A document may have several vectors of one recipe, for texts that it had earlier. All are kept: the rows then do not
// depend on the order of the events, and a text that returns needs no new vector.
import type { EventData } from '../../log/index.ts';
import type { ViewWriter } from '../engine/contract/projector.ts';
import { below, key } from '../engine/store/row-keys.ts';
import type { ForgottenInPage } from './forget-reports.ts';

export interface ModelVector {
  readonly event: string;
  readonly recipe: string;
  readonly dim: number;
  readonly salt: string;
  /** Salted digest of the text that it was made of. */
  readonly input: string;
  /** As the event has it. */
  readonly vector: string;
}

export const modelVectorKeys = {
  all: () => below('vector'),
  ofDocument: (agent: string, session: string | null, document: string) =>
    below('vector', agent, session ?? '', document),
} as const;

export function putVectors(events: readonly EventData[], view: ViewWriter): void {
  for (const event of events) {
    if (event.type !== 'vectors.computed') continue;
    const { recipe, dim, salt, documents } = event.body;
    for (const { id, input, vector } of documents) {
      const row: ModelVector = { event: event.id, recipe, dim, salt, input, vector };
      view.put(key('vector', event.agent, event.session ?? '', id, recipe, event.id), row);
    }
  }
}

export async function dropVectors({ events, savedAt }: ForgottenInPage, view: ViewWriter): Promise<void> {
  for (const [agent, session] of savedAt)
    for (const [rowKey, { event }] of await view.range<ModelVector>(below('vector', agent, session ?? '')))
      if (events.has(event)) view.del(rowKey);
}
