// Vectors that a model made, on their way to `memory`: this view only keeps each as it was told, under the document
// that it belongs to. Whether it fits the text as it is now, `memory` knows, which makes the documents.
//
//   vector/<agent>/<session or nothing>/<document>/<recipe>/<event>   ToldVector
//
// A document may have several of one recipe, of texts that it once had: all stay, so that the rows depend on which
// events there are and never on their order, and a text that comes back is not paid for again.
import type { Fact } from '../../log/index.ts';
import { below, key } from '../keys.ts';
import type { ViewWriter } from '../projector.ts';
import type { ForgottenHere } from './forget.ts';

export interface ToldVector {
  readonly event: string;
  readonly recipe: string;
  readonly dim: number;
  readonly salt: string;
  /** Salted digest of the text that it was made of. */
  readonly input: string;
  /** As the event has it. */
  readonly vector: string;
}

export const toldVectorKeys = {
  all: () => below('vector'),
  ofDocument: (agent: string, session: string | null, document: string) =>
    below('vector', agent, session ?? '', document),
} as const;

export function putVectors(facts: readonly Fact[], view: ViewWriter): void {
  for (const fact of facts) {
    if (fact.type !== 'vectors.computed') continue;
    const { recipe, dim, salt, documents } = fact.body;
    for (const { id, input, vector } of documents) {
      const row: ToldVector = { event: fact.id, recipe, dim, salt, input, vector };
      view.put(key('vector', fact.agent, fact.session ?? '', id, recipe, fact.id), row);
    }
  }
}

export async function dropVectors({ events, places }: ForgottenHere, view: ViewWriter): Promise<void> {
  for (const [agent, session] of places)
    for (const [rowKey, { event }] of await view.range<ToldVector>(below('vector', agent, session ?? '')))
      if (events.has(event)) view.del(rowKey);
}
