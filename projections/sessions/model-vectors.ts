// Vectors that a model made, on their way to `memory`: this view only keeps each as it was told, under the document
// that it belongs to. Whether it fits the text as it is now, `memory` knows, which makes the documents.
//
//   vector/<agent>/<session or nothing>/<document>/<recipe>/<event>   ToldVector
//
// A document may have several of one recipe, of texts that it once had: all stay, so that the rows depend on which
// events there are and never on their order, and a text that comes back is not paid for again.
import type { EventData } from '../../log/index.ts';
import type { ViewWriter } from '../engine/contract/projector.ts';
import { below, key } from '../engine/store/row-keys.ts';
import type { ForgottenHere } from './forget-reports.ts';

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

export async function dropVectors({ events, savedAt }: ForgottenHere, view: ViewWriter): Promise<void> {
  for (const [agent, session] of savedAt)
    for (const [rowKey, { event }] of await view.range<ModelVector>(below('vector', agent, session ?? '')))
      if (events.has(event)) view.del(rowKey);
}
