// The `text` view: one index per project, searched together. Its anchor is {generation, seq} of the view it
// follows; it needs no runner, because it catches up whenever it is asked.
import {
  type DocumentSource,
  type MemoryBudget,
  type ProjectIndex,
  ProjectIndexSet,
  type SnapshotFiles,
} from '../project-indexes/index.ts';
import type { OwnWords } from './own-words.ts';
import { type Ranking, rankText, type TextHit } from './rank-text.ts';
import { termsOf } from './terms.ts';
import type { TextContent } from './text-content.ts';
import { digestText } from './text-digest.ts';
import { TEXT_KIND } from './text-kind.ts';

export class TextAnswer {
  /** The best, best first, ties by id. */
  readonly hits: readonly TextHit[];
  readonly terms: readonly string[];
  /** Which documents hold which of the terms in their own words. */
  readonly own: OwnWords;
  readonly degraded: readonly string[];
  readonly #others: () => readonly TextHit[];

  constructor({ hits, others, own }: Ranking, terms: readonly string[], degraded: readonly string[]) {
    this.hits = hits;
    this.terms = terms;
    this.own = own;
    this.degraded = degraded;
    this.#others = others;
  }

  /** All that was found below the best, in order; put in order when it is asked for, which few searches do. */
  others(): readonly TextHit[] {
    return this.#others();
  }
}

export class TextIndex extends ProjectIndexSet<TextContent> {
  /** Without files nothing is kept between processes. */
  constructor(source: DocumentSource, files: SnapshotFiles | null, budget?: MemoryBudget) {
    super(TEXT_KIND, source, files, budget);
  }

  /**
   * Documents of these projects that hold a term of the query, by BM25 as if all of them were one collection.
   * A term that none of them holds is widened to similar ones.
   * @param depth how many are the best; all when left out
   */
  search(
    projectIndexes: readonly ProjectIndex[],
    query: string,
    depth = Number.POSITIVE_INFINITY,
  ): Promise<TextAnswer> {
    const terms = [...new Set(termsOf(query))];
    return this.ask(projectIndexes, (opened, degraded) => {
      const contents = opened.map(({ projectIndex, content }) => ({ id: projectIndex.id, content }));
      return new TextAnswer(rankText(contents, terms, depth), terms, degraded);
    });
  }

  /** What the index holds and answers, as sha-256: that of an index without files and never asked before, or it is damaged. */
  digest(projectIndexes: readonly ProjectIndex[]): Promise<string> {
    return this.digestOf(projectIndexes, async (hash, { projectIndex, content }, documents) => {
      const rows = await documents();
      if (rows.length > 0 || content.documentCount > 0)
        await digestText(hash, projectIndex.id, content, rows);
    });
  }
}
