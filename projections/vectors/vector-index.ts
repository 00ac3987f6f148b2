// The `vectors` view: of each project its documents' vectors, searched by an exact scan.
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
import type { Columns } from './columns.ts';
import type { Embedder } from './embedder.ts';
import { vectorKind } from './kind.ts';
import { vectorRecipe } from './recipe.ts';
import { cosines } from './scan.ts';

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
  /** The nearest, nearest first, ties by id. All are as near as 0 to a query without known words. */
  readonly nearest: readonly Near[];
  readonly degraded: readonly string[];
}

export class VectorIndex extends Partitions<Columns> {
  readonly #embedder: Embedder;

  /** Without files nothing is kept between processes. */
  constructor(
    source: DocumentSource,
    embedder: Embedder,
    files: SnapshotFiles | null,
    budget?: MemoryBudget,
  ) {
    super(vectorKind(embedder), source, files, budget);
    this.#embedder = embedder;
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
      const agents = new Set(opened.flatMap(({ content }) => [...new Set(content.agents)]));
      const [query] = await this.#embedder.embed([textOf(agents)]);
      const searched = opened.map(({ partition, content }) => ({
        partition: partition.id,
        columns: content,
      }));
      return { searched, nearest: nearestOf(opened, query!, depth), degraded };
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
}

function nearestOf(opened: readonly Opened<Columns>[], query: Float32Array, depth: number): Near[] {
  const best = new Best<Near>(depth);
  for (const { partition, content } of opened)
    cosines(content, query).forEach((score, row) => {
      if (best.admits(score)) best.offer({ id: content.ids[row]!, score, partition: partition.id });
    });
  return best.sorted();
}
