// Finds what bears on a text that nobody typed as a query: a prompt, an error. Each turn comes with absolute evidence for
// it, so that a caller can stay silent: the best of bad results has a high score, but little evidence.
import type { MemoryDocument } from '../../projections/index.ts';
import type { Condition } from './query/query-conditions.ts';
import { isPasted, sentenceOf, withoutAddresses } from './query/query-pasted.ts';
import { bigramShare } from './ranking/bigrams.ts';
import { smoothedRarity } from './ranking/confidence.ts';
import { type FoundDocument, readFound } from './ranking/found-documents.ts';
import { rankResults } from './ranking/rank-results.ts';
import { rerank } from './ranking/rerank.ts';
import { type ResultRow, ResultRows } from './ranking/result-rows.ts';
import { DEPTH } from './ranking/weights.ts';
import type { SearchedProject, SearchWorld } from './search-projects.ts';

export interface Evidence {
  /** The best document of its turn. */
  readonly document: MemoryDocument;
  readonly parts: ResultRow['parts'];
  /** Sum of the rarities (natural logarithms) of the text's terms that the document holds. */
  readonly rarity: number;
  /** Their share of the rarities of all the text's terms, 0…1. */
  readonly coverage: number;
  /** The share of the text's adjacent term pairs that are adjacent in the document, 0…1. */
  readonly bigrams: number;
  readonly cosine: number;
  /** The share of the text's terms, by rarity, that another text holds, 0…1. */
  readonly coverageIn: (text: string) => number;
}

export interface EvidenceOptions {
  /** At most this many turns. */
  readonly limit: number;
  readonly passes: (document: MemoryDocument) => boolean;
  /** Whether the parts of a turn are one result. Default true. */
  readonly folds?: boolean;
}

/** A condition on the kind keeps tool uses apart. */
const SEPARATE: readonly Condition[] = [{ field: 'kind', value: 'tool', not: false }];
/** A longer text says what it wants at its beginning. */
const CHARS_MAX = 2_000;

/** Best first, without what a person superseded. Empty without vectors: then there is too little evidence. */
export async function findEvidence(
  world: SearchWorld,
  projects: readonly SearchedProject[],
  text: string,
  { limit, passes, folds = true }: EvidenceOptions,
): Promise<readonly Evidence[]> {
  const asked = searchedText(text);
  const words = await world.index.search(projects, asked, DEPTH);
  const { fused, form, near, own, termCoverageIn } = await rankResults(world.vectors, projects, asked, words);
  if (near === null) return [];
  const { found, rest } = await rerank(world.documents, fused.best, {
    query: asked,
    form,
    times: [],
    isDeep: false,
    termCoverageIn,
    own,
  });
  const rows = new ResultRows(limit, folds ? [] : SEPARATE);
  const take = (page: readonly FoundDocument[]) => {
    for (const one of page)
      if (one.document.marks?.superseded === undefined && passes(one.document)) rows.add(one);
  };
  take(found);
  // Prompts are judged by the best alone; a filter may pass few of them.
  if (!folds && !rows.isFull) take(await readFound(world.documents, rest));
  const documents = near.searched.reduce((sum, { content }) => sum + content.rows, 0);
  const rarities = own.terms.map(({ documents: holding }) => smoothedRarity(holding, documents));
  const all = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const bigrams = bigramShare(asked, own);
  const rarityOf = (one: FoundDocument) => {
    const held = new Set(one.terms());
    return own.terms.reduce((sum, { term }, index) => (held.has(term) ? sum + rarities[index]! : sum), 0);
  };
  return rows.all.map(({ found: one, parts }) => {
    const rarity = rarityOf(one);
    return {
      document: one.document,
      parts,
      rarity,
      coverage: all === 0 ? 0 : rarity / all,
      bigrams: bigrams(one),
      cosine: near.cosineOf(one.document.id),
      coverageIn: termCoverageIn,
    };
  });
}

/** Without what differs between runs; quotation marks are text here. */
function searchedText(text: string): string {
  const typed = text.normalize('NFC').trim();
  return (isPasted(typed) ? sentenceOf(typed) : withoutAddresses(typed)).slice(0, CHARS_MAX).toWellFormed();
}
