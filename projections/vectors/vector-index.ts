// The `vectors` view: of each project its documents' vectors, searched by an exact scan, or in very large projects
// by a graph where its library is installed.
import {
  Best,
  bytesOf,
  type DocumentSource,
  type MemoryBudget,
  type Opened,
  type Partition,
  Partitions,
  type Scored,
  type SnapshotFiles,
} from '../partitions/index.ts';
import { type Columns, rowOf } from './columns.ts';
import type { Embedder } from './embedder.ts';
import { type GraphOptions, Graphs } from './graphs.ts';
import { vectorKind } from './kind.ts';
import { vectorRecipe } from './recipe.ts';
import { cosine, cosines, inSteps, type Steps } from './scan.ts';

/** One searched project: what is known of its documents. */
export interface SearchedVectors {
  readonly partition: string;
  readonly columns: Columns;
}

/** A document and how near it is to the query; `score` is the cosine. */
export interface Near extends Scored {
  readonly partition: string;
}

export interface VectorAnswer {
  readonly searched: readonly SearchedVectors[];
  /** How near any document is; 0 for one that is not among the searched. */
  readonly cosineOf: (id: string) => number;
  /** The nearest, nearest first, ties by id. All are as near as 0 to a query without known words. */
  readonly nearest: readonly Near[];
  readonly degraded: readonly string[];
}

export class VectorIndex extends Partitions<Columns> {
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
    partitions: readonly Partition[],
    textOf: (agents: ReadonlySet<string>) => string,
    depth = Number.POSITIVE_INFINITY,
  ): Promise<VectorAnswer> {
    return this.ask(partitions, async (opened, degraded) => {
      const agents = new Set(opened.flatMap(({ content }) => [...content.agentNames]));
      const [query] = await this.#embedder.embed([textOf(agents)]);
      const searched = opened.map(({ partition, content }) => ({
        partition: partition.id,
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
  digest(partitions: readonly Partition[]): Promise<string> {
    const kind = vectorKind(this.#embedder);
    return this.digestOf(partitions, async (hash, { partition, content }) => {
      if (content.ids.length === 0) return;
      const { head, arrays } = kind.write(content);
      hash.update(`recipe ${vectorRecipe(this.#embedder)} of ${partition.id}\n${JSON.stringify(head)}\n`);
      for (const array of arrays) hash.update(bytesOf(array));
    });
  }

  /** Which way a project is searched now. */
  hasGraph(partitions: readonly Partition[]): Promise<boolean> {
    return this.ask(partitions, (opened) => opened.some(({ content }) => content.aside.graph !== null));
  }

  /** Resolves when no graph is being read or built. */
  async graphsSettled(): Promise<void> {
    await this.#graphs?.settled();
  }

  /** Lets go of the graphs of these projects, also on disk: what was forgotten would stay in them. */
  async dropGraphs(partitions: readonly Partition[]): Promise<void> {
    await this.#graphs?.drop(partitions);
    await this.ask(partitions, (opened) => {
      for (const { content } of opened) content.aside.graph = null;
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

  #nearest(opened: readonly Opened<Columns>[], query: Float32Array, steps: Steps, depth: number): Near[] {
    const best = new Best<Near>(depth);
    for (const one of opened) {
      const { partition, content } = one;
      const offer = (row: number, score: number) => {
        if (best.admits(score)) best.offer({ id: content.ids[row]!, score, partition: partition.id });
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
    const row = rowOf(columns.ids, id);
    if (row >= 0) return cosine(columns, row, steps);
  }
  return 0;
}
