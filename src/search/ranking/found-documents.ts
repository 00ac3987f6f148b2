// Reads the documents that were found and keeps each with its rank.
import type { MemoryDocument } from '../../../projections/index.ts';
import { type DocumentSource, termsOf } from '../../../projections/text/index.ts';
import type { Ranked } from './fusion.ts';

export interface FoundDocument {
  readonly document: MemoryDocument;
  readonly ranked: Ranked;
  /** Terms of its title and body; computed on first use, then kept. */
  readonly terms: () => readonly string[];
}

/** The documents that still exist, in the order given. */
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
