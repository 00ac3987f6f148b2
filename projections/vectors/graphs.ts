// Which partitions have a graph: those of so many vectors that a scan takes too long, where the library is there.
// A graph is read from its file or built, both beside everything else and one at a time; until it is there the scan
// serves. Its file is worth nothing but time, like every snapshot.
import { rm, writeFile } from 'node:fs/promises';
import type { Opened, Partition, Pause, SnapshotFiles } from '../partitions/index.ts';
import { readSnapshot, snapshotName, writeSnapshot } from '../partitions/snapshot-file.ts';
import { type Columns, firstAfter, type VectorGraph } from './columns.ts';
import { Graph, type GraphLibrary, graphForm, type StoredGraph } from './graph.ts';
import { rowPrint } from './row-print.ts';

/**
 * Vectors of a partition from which on a graph pays. The scan takes 7 to 8 ms of processor time for 100,000 (25 MB),
 * so that below this it takes less than 20 ms, and building a graph takes minutes.
 */
export const GRAPH_ROWS_MIN = 250_000;

export interface GraphOptions {
  /** The library, or null where it is not installed. Called when a partition is large enough. */
  load(): Promise<GraphLibrary | null>;
  /** A path beside which nothing lies, for the library's own file. */
  scratch(): string;
  readonly rowsMin?: number;
}

const NOWHERE = { generation: '', seq: 0 };

export class Graphs {
  readonly #options: GraphOptions;
  readonly #recipe: string;
  readonly #files: SnapshotFiles | null;
  readonly #rowsMin: number;
  #work: Promise<void> | null = null;
  /** Whether graphs are of no use here any more: no library, or closed. */
  #stopped = false;
  /** Raised when what is being made must not be taken. */
  #round = 0;
  /** What is to be said with the next answer. */
  #problems: string[] = [];

  constructor(options: GraphOptions, recipe: string, files: SnapshotFiles | null) {
    this.#options = options;
    this.#recipe = recipe;
    this.#files = files;
    this.#rowsMin = options.rowsMin ?? GRAPH_ROWS_MIN;
  }

  /** The partition's graph if it has one; begins to make one where it should have. */
  of(opened: Opened<Columns>, pause: Pause): VectorGraph | null {
    const { content } = opened;
    const { graph } = content.aside;
    const wanted = content.ids.length >= this.#rowsMin && (graph === null || graph.isOutdated(content));
    if (wanted && this.#work === null && !this.#stopped)
      this.#work = this.#make(opened, pause)
        .catch(() => undefined)
        .finally(() => {
          this.#work = null;
        });
    return graph;
  }

  /** What went wrong since it was last asked. */
  problems(): readonly string[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  /** Resolves when no graph is being made. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Removes the files of these projects, and throws away what is being made. */
  async drop(partitions: readonly Partition[]): Promise<void> {
    this.#round += 1;
    await this.#work;
    for (const partition of partitions)
      await this.#files?.remove(snapshotName(graphForm(this.#recipe), partition));
  }

  /** Nothing is begun any more, and what is being made is thrown away. */
  stop(): void {
    this.#stopped = true;
    this.#round += 1;
  }

  async close(): Promise<void> {
    this.stop();
    await this.#work;
  }

  async #make(opened: Opened<Columns>, pause: Pause): Promise<void> {
    const library = await this.#options.load();
    if (library === null) {
      this.#stopped = true;
      return;
    }
    const { content } = opened;
    const round = this.#round;
    const isOver = () => this.#round !== round;
    const known = content.aside.graph === null ? await this.#read(opened, library) : null;
    const graph = known ?? (await Graph.build(library, content, pause, isOver));
    if (graph === null || isOver()) return;
    content.aside.graph = graph;
    if (known !== null || this.#files === null) return;
    const stored: StoredGraph = {
      ids: graph.ids,
      prints: graph.prints,
      native: await graph.toBytes(this.#options.scratch()),
    };
    const form = graphForm(this.#recipe);
    const file = await writeSnapshot(form, opened.partition, NOWHERE, stored, pause);
    if (isOver()) return;
    await this.#files.write(snapshotName(form, opened.partition), file);
  }

  /** The graph of the file; null where there is none that is of use. */
  async #read({ partition, content }: Opened<Columns>, library: GraphLibrary): Promise<Graph | null> {
    const form = graphForm(this.#recipe);
    const file = await this.#files?.read(snapshotName(form, partition)).catch(() => Buffer.alloc(0));
    if (file == null) return null;
    const parsed = readSnapshot(form, partition, file);
    const graph = parsed.outcome === 'good' ? await this.#attached(parsed.content, content, library) : null;
    if (graph === null)
      this.#problems.push(
        `A graph of the vectors on disk was ${parsed.outcome === 'damaged' ? 'damaged' : 'out of date'}; it is being built again, and until then every vector is looked at.`,
      );
    return graph;
  }

  /** Rows that are not what the graph holds are stamped as changed since. */
  async #attached(
    { ids, prints, native: bytes }: StoredGraph,
    columns: Columns,
    library: GraphLibrary,
  ): Promise<Graph | null> {
    const covered = new Uint8Array(columns.ids.length);
    for (const [label, id] of ids.entries()) {
      const row = firstAfter(columns.ids, id, 0);
      if (columns.ids[row] === id && rowPrint(columns, row) === prints[label]) covered[row] = 1;
    }
    covered.forEach((is, row) => {
      if (is === 0) columns.stamps[row] = Math.max(1, columns.stamps[row]!);
      else columns.stamps[row] = 0;
    });
    const scratch = this.#options.scratch();
    const native = new library.HierarchicalNSW('ip', columns.dim);
    try {
      await writeFile(scratch, bytes);
      await native.readIndex(scratch);
    } finally {
      await rm(scratch, { force: true });
    }
    const graph = new Graph(native, ids, prints, 0);
    return graph.isOutdated(columns) ? null : graph;
  }
}
