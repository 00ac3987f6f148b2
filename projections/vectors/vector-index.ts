// The `vectors` view: of each project its documents' vectors, searched by an exact scan, or in very large projects
// by a graph where its library is installed.
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
import { type Columns, columnRow } from './columns.ts';
import { cosine, cosines, inSteps, type Steps } from './cosine-scan.ts';
import type { Embedder } from './embedder.ts';
import { type GraphOptions, Graphs } from './vector-graphs.ts';
import { vectorKind } from './vector-kind.ts';
import { vectorRecipe } from './vector-recipe.ts';

/** One searched project: what is known of its documents. */
export interface SearchedVectors {
  readonly projectIndex: string;
  readonly columns: Columns;
}

/** A document and how near it is to the query; `score` is the cosine. */
export interface Near extends Scored {
  readonly projectIndex: string;
}

export interface VectorAnswer {
  readonly searched: readonly SearchedVectors[];
  /** How near any document is; 0 for one that is not among the searched. */
  readonly cosineOf: (id: string) => number;
  /** The nearest, nearest first, ties by id. All are as near as 0 to a query without known words. */
  readonly nearest: readonly Near[];
  readonly degraded: readonly string[];
}

export class VectorIndex extends ProjectIndexSet<Columns> {
  readonly #embedder: Embedder;
  readonly #graphs: Graphs | null;

  /** Without files nothing is kept between processes. */
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
        : new Graphs(graphs, vectorRecipe(embedder), files, (id, work) => this.between(id, work));
  }

  /**
   * The documents of these projects that are nearest to a text.
   * @param textOf the text to embed, once the projects' own names are known
   * @param depth how many; all when left out
   */
  search(
    projectIndexes: readonly ProjectIndex[],
    textOf: (agents: ReadonlySet<string>) => string,
    depth = Number.POSITIVE_INFINITY,
  ): Promise<VectorAnswer> {
    return this.ask(projectIndexes, async (opened, degraded) => {
      const agents = new Set(opened.flatMap(({ content }) => [...content.agentNames]));
      const [query] = await this.#embedder.embed([textOf(agents)]);
      const searched = opened.map(({ projectIndex, content }) => ({
        projectIndex: projectIndex.id,
        columns: content,
      }));
      const problems = this.#graphs?.problems() ?? [];
      const steps = inSteps(query!);
      return {
        searched,
        cosineOf: (id) => cosineAmong(searched, id, steps),
        nearest: this.#nearest(opened, query!, steps, depth),
        degraded: [...degraded, ...problems],
      };
    });
  }

  /** Every document with its recipe and its bytes, as sha-256. */
  digest(projectIndexes: readonly ProjectIndex[]): Promise<string> {
    const kind = vectorKind(this.#embedder);
    return this.digestOf(projectIndexes, async (hash, { projectIndex, content }) => {
      if (content.ids.length === 0) return;
      const { head, arrays } = kind.write(content);
      hash.update(`recipe ${vectorRecipe(this.#embedder)} of ${projectIndex.id}\n${JSON.stringify(head)}\n`);
      for (const array of arrays) hash.update(arrayBytes(array));
    });
  }

  /** Which way a project is searched now. */
  hasGraph(projectIndexes: readonly ProjectIndex[]): Promise<boolean> {
    return this.ask(projectIndexes, (opened) => opened.some(({ content }) => content.cache.graph !== null));
  }

  /** Resolves when no graph is being read or built. */
  async graphsSettled(): Promise<void> {
    await this.#graphs?.settled();
  }

  /** Lets go of the graphs of these projects, also on disk: what was forgotten would stay in them. */
  async dropGraphs(projectIndexes: readonly ProjectIndex[]): Promise<void> {
    await this.#graphs?.drop(projectIndexes);
    await this.ask(projectIndexes, (opened) => {
      for (const { content } of opened) content.cache.graph = null;
    });
  }

  override release(): void {
    super.release();
    this.#graphs?.stop();
  }

  /** Stops what is being built aside; what is not done by then is begun again another time. */
  async close(): Promise<void> {
    await this.#graphs?.close();
    await this.save();
  }

  #nearest(
    opened: readonly OpenProjectIndex<Columns>[],
    query: Float32Array,
    steps: Steps,
    depth: number,
  ): Near[] {
    const best = new TopK<Near>(depth);
    for (const one of opened) {
      const { projectIndex, content } = one;
      const offer = (row: number, score: number) => {
        if (best.admits(score)) best.offer({ id: content.ids[row]!, score, projectIndex: projectIndex.id });
      };
      const graph = this.#graphs?.of(one) ?? null;
      // Everything is more than a graph can find.
      if (graph !== null && Number.isFinite(depth)) {
        for (const row of graph.candidates(content, query, depth)) offer(row, cosine(content, row, steps));
      } else {
        const scores = cosines(content, steps);
        for (let row = 0; row < scores.length; row += 1) offer(row, scores[row]!);
      }
    }
    return best.sorted();
  }
}

function cosineAmong(searched: readonly SearchedVectors[], id: string, steps: Steps): number {
  for (const { columns } of searched) {
    const row = columnRow(columns.ids, id);
    if (row >= 0) return cosine(columns, row, steps);
  }
  return 0;
}
