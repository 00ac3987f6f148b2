// Which partitions have a graph: those of so many vectors that a scan takes too long, where the library is there.
// A graph is read from its file or built, both beside everything else and one at a time; until it is there the scan
// serves. Its file is worth nothing but time, like every snapshot.
import {
  nextTurn,
  type OpenProjectIndex,
  type ProjectIndex,
  type SnapshotFiles,
} from '../project-indexes/index.ts';
import { readSnapshot, snapshotName, writeSnapshot } from '../project-indexes/snapshot-file.ts';
import { type Columns, columnRow, type VectorGraph } from './columns.ts';
import { rowFingerprint } from './row-fingerprint.ts';
import { Graph, type GraphLibrary, graphForm, type ScratchFiles, type StoredGraph } from './vector-graph.ts';

export interface GraphOptions {
  /** The library, or null where it is not installed. Called when a partition is large enough. */
  load(): Promise<GraphLibrary | null>;
  /** For the library's own file. */
  readonly scratch: ScratchFiles;
  /**
   * Vectors of a partition from which on a graph pays. Among 50,000 the scan takes 3.5 ms of processor time, and a graph
   * that finds 98 of 100 whatever the texts are, up to 12; the scan grows with the vectors, the graph hardly. A graph also
   * takes 1 to 2 ms a vector to build, and 1.2 KB where the scan has 0.26. The setting's default is 200,000.
   */
  readonly rowsMin: number;
}

/** Gives a partition's columns to some work as they then are, while nothing changes them; null when they are let go of. */
export type Between = <T>(projectIndex: string, work: (columns: Columns) => T) => Promise<T | null>;

const NOWHERE = { generation: '', seq: 0 };

export class Graphs {
  readonly #options: GraphOptions;
  readonly #recipe: string;
  readonly #files: SnapshotFiles | null;
  readonly #rowsMin: number;
  readonly #between: Between;
  /** Partitions that were asked for before. */
  readonly #asked = new Set<string>();
  #work: Promise<void> | null = null;
  /** Whether graphs are of no use here any more: no library, or closed. */
  #stopped = false;
  /** Raised when what is being made must not be taken. */
  #round = 0;
  /** What is to be said with the next answer. */
  #problems: string[] = [];

  constructor(options: GraphOptions, recipe: string, files: SnapshotFiles | null, between: Between) {
    this.#options = options;
    this.#between = between;
    this.#recipe = recipe;
    this.#files = files;
    this.#rowsMin = options.rowsMin;
  }

  /**
   * The partition's graph if it has one. Begins to make one where it should have, when it is asked for the second time:
   * a process that asks once is over before a graph is of use.
   */
  of({ projectIndex, content }: OpenProjectIndex<Columns>): VectorGraph | null {
    if (content.ids.length < this.#rowsMin) return null;
    const { graph } = content.cache;
    const wanted = this.#asked.has(projectIndex.id) && (graph === null || graph.isOutdated(content));
    this.#asked.add(projectIndex.id);
    if (wanted && this.#work === null && !this.#stopped)
      this.#work = this.#make(projectIndex, content.dim, graph === null)
        .catch((error: unknown) => {
          this.stop();
          const reason = error instanceof Error ? error.message : String(error);
          this.#problems.push(`No graph of the vectors can be made: ${reason}. Every vector is looked at.`);
        })
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
  async drop(projectIndexes: readonly ProjectIndex[]): Promise<void> {
    this.#round += 1;
    await this.#work;
    for (const projectIndex of projectIndexes)
      await this.#files?.remove(snapshotName(graphForm(this.#recipe), projectIndex));
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

  async #make(projectIndex: ProjectIndex, dim: number, hasNone: boolean): Promise<void> {
    const library = await this.#options.load();
    if (library === null) {
      this.#stopped = true;
      return;
    }
    const round = this.#round;
    const isOver = () => this.#round !== round;
    if (hasNone && (await this.#read(projectIndex, dim, library))) return;
    const columns = await this.#between(projectIndex.id, (current) => current);
    if (columns === null || isOver()) return;
    const graph = await Graph.build(library, columns, nextTurn, isOver);
    if (graph === null || isOver()) return;
    columns.cache.graph = graph;
    if (this.#files === null) return;
    const stored: StoredGraph = {
      ids: graph.ids,
      prints: graph.prints,
      native: await graph.toBytes(this.#options.scratch),
    };
    const form = graphForm(this.#recipe);
    const file = await writeSnapshot(form, projectIndex, NOWHERE, stored, nextTurn);
    if (isOver()) return;
    await this.#files.write(snapshotName(form, projectIndex), file);
  }

  /** Takes over the graph of the file. False where there is none that is of use. */
  async #read(projectIndex: ProjectIndex, dim: number, library: GraphLibrary): Promise<boolean> {
    const form = graphForm(this.#recipe);
    const file = await this.#files?.read(snapshotName(form, projectIndex)).catch(() => Buffer.alloc(0));
    if (file == null) return false;
    const parsed = readSnapshot(form, projectIndex, file);
    const isTaken =
      parsed.outcome === 'good' && (await this.#takeOver(projectIndex, dim, parsed.content, library));
    if (!isTaken)
      this.#problems.push(
        `A graph of the vectors on disk was ${parsed.outcome === 'damaged' ? 'damaged' : 'out of date'}; it is being built again, and until then every vector is looked at.`,
      );
    return isTaken;
  }

  async #takeOver(projectIndex: ProjectIndex, dim: number, stored: StoredGraph, library: GraphLibrary) {
    const native = new library.HierarchicalNSW('ip', dim);
    await this.#options.scratch.read(stored.native, (path) => native.readIndex(path));
    const round = this.#round;
    const isTaken = await this.#between(projectIndex.id, (columns) => {
      if (this.#round !== round) return false;
      stampChanged(columns, stored);
      const graph = new Graph(native, stored.ids, stored.prints, 0);
      const isOutdated = graph.isOutdated(columns);
      // Whatever is made next is made of the rows as they are.
      if (isOutdated) columns.stamps.fill(0);
      else columns.cache.graph = graph;
      return !isOutdated;
    });
    return isTaken === true;
  }
}

/** Rows that are not what the graph holds are stamped as changed since it was made. */
function stampChanged(columns: Columns, stored: StoredGraph): void {
  columns.stamps.fill(1);
  for (const [label, id] of stored.ids.entries()) {
    const row = columnRow(columns.ids, id);
    if (row >= 0 && rowFingerprint(columns, row) === stored.prints[label]) columns.stamps[row] = 0;
  }
}
