// Manages the graphs of large projects, where the library is installed. A graph is read from its file or built in the
// background, one at a time; until then searches scan. Losing its file costs only time.
import {
  nextTurn,
  type OpenProjectIndex,
  type ProjectIndex,
  type SnapshotFiles,
} from '../project-indexes/index.ts';
import { readSnapshot, snapshotName, writeSnapshot } from '../project-indexes/snapshot-file.ts';
import { rowFingerprint } from './row-fingerprint.ts';
import { placeOf, type VectorContent, type VectorGraph } from './vector-content.ts';
import { Graph, type GraphLibrary, graphForm, type ScratchFiles, type StoredGraph } from './vector-graph.ts';

export interface GraphOptions {
  /** The library, or null when it is not installed. Called when a project is large enough. */
  load(): Promise<GraphLibrary | null>;
  /** Temporary files for the library. */
  readonly scratch: ScratchFiles;
  /**
   * Minimum number of vectors for a graph. With 50,000 a scan takes 3.5 ms of processor time and a graph that always finds
   * 98 of 100 up to 12 ms; the cost of a scan grows with the vectors, that of a graph hardly. A graph also takes 1 to 2 ms
   * per vector to build, and 1.2 KB per vector, where the scan takes 0.26. The setting's default is 200,000.
   */
  readonly rowsMin: number;
}

/** Runs work on a project's current vectors while nothing changes them; null when they are not loaded any more. */
export type WithContent = <T>(projectIndex: string, work: (content: VectorContent) => T) => Promise<T | null>;

const NOWHERE = { generation: '', seq: 0 };

export class Graphs {
  readonly #options: GraphOptions;
  readonly #recipe: string;
  readonly #files: SnapshotFiles | null;
  readonly #rowsMin: number;
  readonly #withContent: WithContent;
  /** Projects searched before. */
  readonly #asked = new Set<string>();
  #work: Promise<void> | null = null;
  /** No library, or closed: no graph is built any more. */
  #stopped = false;
  /** Raised to discard the graph that is being built. */
  #round = 0;
  /** Problems to report with the next answer. */
  #problems: string[] = [];

  constructor(options: GraphOptions, recipe: string, files: SnapshotFiles | null, withContent: WithContent) {
    this.#options = options;
    this.#withContent = withContent;
    this.#recipe = recipe;
    this.#files = files;
    this.#rowsMin = options.rowsMin;
  }

  /**
   * The project's graph, if it has one. Starts building one where needed at the second search, because a process that
   * searches once ends before a graph is useful.
   */
  of({ projectIndex, content }: OpenProjectIndex<VectorContent>): VectorGraph | null {
    if (content.rows < this.#rowsMin) return null;
    const { graph } = content.cache;
    const wanted = this.#asked.has(projectIndex.id) && (graph === null || graph.isOutdated(content));
    this.#asked.add(projectIndex.id);
    if (wanted && this.#work === null && !this.#stopped)
      this.#work = this.#make(projectIndex, content.dim, graph === null)
        .catch((error: unknown) => {
          this.stop();
          const reason = error instanceof Error ? error.message : String(error);
          this.#problems.push(
            `Building the vector graph failed: ${reason}. Searches scan every vector instead.`,
          );
        })
        .finally(() => {
          this.#work = null;
        });
    return graph;
  }

  /** Problems since the last call. */
  problems(): readonly string[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  /** Resolves when no graph is being built. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Removes the graph files of these projects and discards the graph that is being built. */
  async drop(projectIndexes: readonly ProjectIndex[]): Promise<void> {
    this.#round += 1;
    await this.#work;
    for (const projectIndex of projectIndexes)
      await this.#files?.remove(snapshotName(graphForm(this.#recipe), projectIndex));
  }

  /** Discards the graph that is being built and builds no more. */
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
    const content = await this.#withContent(projectIndex.id, (current) => current);
    if (content === null || isOver()) return;
    const graph = await Graph.build(library, content, nextTurn, isOver);
    if (graph === null || isOver()) return;
    content.cache.graph = graph;
    if (this.#files === null) return;
    const stored: StoredGraph = {
      ids: graph.ids,
      fingerprints: graph.fingerprints,
      native: await graph.toBytes(this.#options.scratch),
    };
    const form = graphForm(this.#recipe);
    const file = await writeSnapshot(form, projectIndex, NOWHERE, stored, nextTurn);
    if (isOver()) return;
    await this.#files.write(snapshotName(form, projectIndex), file);
  }

  /** Loads the graph from its file. False when there is no usable file. */
  async #read(projectIndex: ProjectIndex, dim: number, library: GraphLibrary): Promise<boolean> {
    const form = graphForm(this.#recipe);
    const file = await this.#files?.read(snapshotName(form, projectIndex)).catch(() => Buffer.alloc(0));
    if (file == null) return false;
    const parsed = readSnapshot(form, projectIndex, file);
    const isTaken =
      parsed.outcome === 'good' && (await this.#takeOver(projectIndex, dim, parsed.content, library));
    if (!isTaken)
      this.#problems.push(
        `The vector graph on disk was ${parsed.outcome === 'damaged' ? 'damaged' : 'out of date'}; it is being rebuilt, and until then searches scan every vector.`,
      );
    return isTaken;
  }

  async #takeOver(projectIndex: ProjectIndex, dim: number, stored: StoredGraph, library: GraphLibrary) {
    const native = new library.HierarchicalNSW('ip', dim);
    await this.#options.scratch.read(stored.native, (path) => native.readIndex(path));
    const round = this.#round;
    const isTaken = await this.#withContent(projectIndex.id, (content) => {
      if (this.#round !== round) return false;
      stampChanged(content, stored);
      const graph = new Graph(native, stored.ids, stored.fingerprints, 0);
      const isOutdated = graph.isOutdated(content);
      // The next graph is built from the current rows.
      if (isOutdated) stampAll(content, 0);
      else content.cache.graph = graph;
      return !isOutdated;
    });
    return isTaken === true;
  }
}

/** Stamps the rows that differ from the stored graph as changed since it was built. */
function stampChanged(content: VectorContent, stored: StoredGraph): void {
  stampAll(content, 1);
  for (let label = 0; label < stored.ids.length; label += 1) {
    const place = placeOf(content, stored.ids.at(label));
    if (place === null) continue;
    const { columns, row } = place;
    if (rowFingerprint(columns, row) === stored.fingerprints[label]) columns.stamps[row] = 0;
  }
}

function stampAll({ chunks }: VectorContent, stamp: number): void {
  for (const { stamps } of chunks) stamps.fill(stamp);
}
