// The vector index: the vectors of each project's documents, searched by an exact scan, or in very large projects by a
// graph when its library is installed.
import {
  arrayBytes,
  type DocumentSource,
  type MemoryBudget,
  type OpenProjectIndex,
  type ProjectIndex,
  ProjectIndexSet,
  type Scored,
  type SnapshotFiles,
  TopK,
} from '../project-indexes/index.ts';
import { cosine, eachCosine, quantize, type Steps } from './cosine-scan.ts';
import type { Embedder } from './embedder.ts';
import { type Place, placeOf, type VectorContent } from './vector-content.ts';
import { type GraphOptions, Graphs } from './vector-graphs.ts';
import { vectorKind } from './vector-kind.ts';
import { vectorRecipe } from './vector-recipe.ts';

/** One searched project with its vectors. */
export interface SearchedVectors {
  readonly projectIndex: string;
  readonly content: VectorContent;
}

/** A document near the query; `score` is the cosine. */
export interface Near extends Scored {
  readonly projectIndex: string;
  readonly place: Place;
}

export interface VectorAnswer {
  readonly searched: readonly SearchedVectors[];
  /** The cosine of any document; 0 for one that was not searched. */
  readonly cosineOf: (id: string) => number;
  /** The nearest, nearest first, ties by id. Every score is 0 for a query without known words. */
  readonly nearest: readonly Near[];
  readonly degraded: readonly string[];
}

export class VectorIndex extends ProjectIndexSet<VectorContent> {
  readonly #embedder: Embedder;
  readonly #graphs: Graphs | null;

  /** Without files nothing is persisted between processes. */
  constructor(
    source: DocumentSource,
    embedder: Embedder,
    files: SnapshotFiles | null,
    budget?: MemoryBudget,
    graphs?: GraphOptions,
  ) {
    super(vectorKind(embedder), source, files, budget);
    this.#embedder = embedder;
    this.#graphs =
      graphs === undefined
        ? null
        : new Graphs(graphs, vectorRecipe(embedder), files, (id, work) => this.withContent(id, work));
  }

  /**
   * The documents of these projects nearest to a text.
   * @param textOf returns the text to embed, given the agents in these projects
   * @param depth number of documents; default all
   */
  search(
    projectIndexes: readonly ProjectIndex[],
    textOf: (agents: ReadonlySet<string>) => string,
    depth = Number.POSITIVE_INFINITY,
  ): Promise<VectorAnswer> {
    return this.ask(projectIndexes, async (opened, degraded) => {
      const chunks = opened.flatMap(({ content }) => content.chunks);
      const problems: string[] = [];
      const [query] = await this.#embedder.embed(
        [textOf(new Set(chunks.flatMap(({ agents }) => agents.names)))],
        (sentence) => problems.push(sentence),
      );
      const searched = opened.map(({ projectIndex, content }) => ({
        projectIndex: projectIndex.id,
        content,
      }));
      const steps = quantize(query!);
      return {
        searched,
        cosineOf: (id) => cosineAmong(searched, id, steps),
        nearest: this.#nearest(opened, query!, steps, depth),
        degraded: [...problems, ...degraded, ...(this.#graphs?.problems() ?? [])],
      };
    });
  }

  /** Sha-256 of the recipe and the bytes of every document. */
  digest(projectIndexes: readonly ProjectIndex[]): Promise<string> {
    const kind = vectorKind(this.#embedder);
    return this.digestOf(projectIndexes, async (hash, { projectIndex, content }) => {
      if (content.rows === 0) return;
      const { head, arrays } = kind.write(content);
      hash.update(`recipe ${vectorRecipe(this.#embedder)} of ${projectIndex.id}\n${JSON.stringify(head)}\n`);
      for (const array of arrays) hash.update(arrayBytes(array));
    });
  }

  /** Whether any of these projects has a graph. */
  hasGraph(projectIndexes: readonly ProjectIndex[]): Promise<boolean> {
    return this.ask(projectIndexes, (opened) => opened.some(({ content }) => content.cache.graph !== null));
  }

  /** Resolves when no graph is being read or built. */
  async graphsSettled(): Promise<void> {
    await this.#graphs?.settled();
  }

  /** Drops the graphs of these projects, also on disk, because they would still contain forgotten documents. */
  async dropGraphs(projectIndexes: readonly ProjectIndex[]): Promise<void> {
    await this.#graphs?.drop(projectIndexes);
    const loaded = projectIndexes.filter((one) => this.isLoaded(one));
    await this.ask(loaded, (opened) => {
      for (const { content } of opened) content.cache.graph = null;
    });
  }

  override release(): void {
    super.release();
    this.#graphs?.stop();
  }

  /** Stops building graphs and saves. An unfinished graph is built from the start next time. */
  async close(): Promise<void> {
    await this.#graphs?.close();
    await this.save();
  }

  #nearest(
    opened: readonly OpenProjectIndex<VectorContent>[],
    query: Float32Array,
    steps: Steps,
    depth: number,
  ): Near[] {
    const best = new TopK<Near>(depth);
    for (const one of opened) {
      const { projectIndex, content } = one;
      const least = () => best.least;
      const offer = (place: Place, score: number) =>
        best.offer({ id: place.columns.ids.at(place.row), score, projectIndex: projectIndex.id, place });
      const graph = this.#graphs?.of(one) ?? null;
      // A graph cannot return all documents.
      if (graph !== null && Number.isFinite(depth)) {
        for (const place of graph.candidates(content, query, depth)) {
          const score = cosine(place.columns, place.row, steps);
          if (score >= least()) offer(place, score);
        }
      } else
        for (const columns of content.chunks)
          eachCosine(columns, steps, least, (row, score) => offer({ columns, row }, score));
    }
    return best.sorted();
  }
}

function cosineAmong(searched: readonly SearchedVectors[], id: string, steps: Steps): number {
  for (const { content } of searched) {
    const place = placeOf(content, id);
    if (place !== null) return cosine(place.columns, place.row, steps);
  }
  return 0;
}
