// The text index: one per project, searched together. Its checkpoint is {generation, seq} of the view it follows. It
// catches up at each search.
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
  /** Which documents contain which of the terms in title or body. */
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

  /** All hits below the best, in order. Sorted on demand, because few searches need them. */
  others(): readonly TextHit[] {
    return this.#others();
  }
}

export class TextIndex extends ProjectIndexSet<TextContent> {
  /** Without files nothing is persisted between processes. */
  constructor(source: DocumentSource, files: SnapshotFiles | null, budget?: MemoryBudget) {
    super(TEXT_KIND, source, files, budget);
  }

  /**
   * Documents of these projects that contain a term of the query, by BM25 as if all projects were one collection.
   * A term that no document contains is widened to similar ones.
   * @param depth number of hits; default all
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

  /** Content and answers of the index, as sha-256. A freshly built index has the same digest, unless this one is damaged. */
  digest(projectIndexes: readonly ProjectIndex[]): Promise<string> {
    return this.digestOf(projectIndexes, async (hash, { projectIndex, content }, documents) => {
      const rows = await documents();
      if (rows.length > 0 || content.documentCount > 0)
        await digestText(hash, projectIndex.id, content, rows);
    });
  }
}
