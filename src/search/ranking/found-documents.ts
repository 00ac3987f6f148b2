// What was found and then read: a document with where it ranks.
import type { MemoryDocument } from '../../../projections/index.ts';
import { type DocumentSource, termsOf } from '../../../projections/text/index.ts';
import type { Ranked } from './fusion.ts';

export interface FoundDocument {
  readonly document: MemoryDocument;
  readonly ranked: Ranked;
  /** Of its title and body; made when they are first asked, and kept. */
  readonly terms: () => readonly string[];
}

/** Those of the documents that are still there. */
export async function readFound(
  documents: Pick<DocumentSource, 'getMany'>,
  ranked: readonly Ranked[],
): Promise<FoundDocument[]> {
  const there = await documents.getMany(ranked.map(({ id }) => id));
  return ranked.flatMap((one, index) => {
    const document = there[index];
    return document === undefined ? [] : [{ document, ranked: one, terms: termsIn(document) }];
  });
}

function termsIn({ title, body }: MemoryDocument): FoundDocument['terms'] {
  let terms: readonly string[] | null = null;
  return () => {
    terms ??= termsOf(`${title}\n${body}`);
    return terms;
  };
}
