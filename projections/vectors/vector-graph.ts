// A graph (HNSW) over the vectors of a large project, when the optional package hnswlib-node is installed: a search then
// visits a few thousand vectors instead of all. The graph only proposes candidates: scores come from the columns, rows
// added since it was built are scanned, and removed rows are dropped. Without it searches scan all vectors.
// The library saves and loads only through named files, so the caller passes in temporary files.
import { type Pause, StringColumn } from '../project-indexes/index.ts';
import type { SnapshotForm } from '../project-indexes/snapshot-file.ts';
import type { Columns } from './columns.ts';
import { rowFingerprint } from './row-fingerprint.ts';
import { idsOf, type Place, placeOf, type VectorContent, type VectorGraph } from './vector-content.ts';

/** The part of hnswlib-node used here. */
export interface GraphLibrary {
  readonly HierarchicalNSW: new (space: 'ip', dim: number) => NativeGraph;
}

export interface NativeGraph {
  initIndex(options: { maxElements: number; m: number; efConstruction: number; randomSeed: number }): void;
  addPoint(point: number[], label: number): void;
  setEf(ef: number): void;
  searchKnn(point: number[], count: number): { readonly neighbors: readonly number[] };
  readIndex(path: string): Promise<boolean>;
  writeIndex(path: string): Promise<boolean>;
}

/** Temporary files, each with its own path. */
export interface ScratchFiles {
  /** Returns what `write` wrote to the path it gets. */
  written(write: (path: string) => Promise<unknown>): Promise<Buffer>;
  /** Writes these bytes to a path for `read`. */
  read(content: Uint8Array, read: (path: string) => Promise<unknown>): Promise<void>;
}

const M = 16;
const EF_CONSTRUCTION = 200;
/**
 * Minimum number of candidates during a search. Found of the ten nearest, for questions over 50,000 pieces of real
 * transcripts and conversations: 99.2 % at 200, 99.9 at 400. Over 50,000 records of random words, the hardest case:
 * 82 % at 200, 91 at 400, 97 at 800, 98.3 at 1,200, 99.1 at 1,600.
 */
const EF_MIN = 1_600;
const SEED = 100;
/** Points added between two pauses: each takes one or two milliseconds. */
const SLICE_POINTS = 4;
/** A graph is rebuilt when more than this share of it is out of date. */
const OUTDATED_MAX = 0.25;
/** Bytes per node besides its float32 vector: links of the lowest layer and node data. */
const NODE_BYTES = 4 * (2 * M + 1) + 16;

export class Graph implements VectorGraph {
  readonly #native: NativeGraph;
  /** A node's label is its index here. */
  readonly ids: StringColumn;
  /** The fingerprint of each node's row. */
  readonly fingerprints: Uint32Array;
  /** Rows stamped later than this changed since the graph was built. */
  readonly #clock: number;

  constructor(native: NativeGraph, ids: StringColumn, fingerprints: Uint32Array, clock: number) {
    this.#native = native;
    this.ids = ids;
    this.fingerprints = fingerprints;
    this.#clock = clock;
  }

  /** Builds a graph from all rows, in slices; null when `stopped` returns true. */
  static async build(
    library: GraphLibrary,
    content: VectorContent,
    pause: Pause,
    stopped: () => boolean,
  ): Promise<Graph | null> {
    const { dim, chunks, clock } = content;
    const ids = idsOf(content);
    const native = new library.HierarchicalNSW('ip', dim);
    native.initIndex({ maxElements: ids.length, m: M, efConstruction: EF_CONSTRUCTION, randomSeed: SEED });
    const mean = meanOf(content);
    const fingerprints = new Uint32Array(ids.length);
    let label = 0;
    for (const columns of chunks)
      for (let row = 0; row < columns.ids.length; row += 1, label += 1) {
        native.addPoint(pointOf(columns, row, mean), label);
        fingerprints[label] = rowFingerprint(columns, row);
        if (label % SLICE_POINTS !== 0) continue;
        await pause();
        if (stopped()) return null;
      }
    return new Graph(native, ids, fingerprints, clock);
  }

  /** Where documents are that may be among the nearest: those the graph proposes and all that it does not contain. */
  candidates(content: VectorContent, query: Float32Array, count: number): Place[] {
    const point = Array.from(query);
    let places: Place[] = [];
    // Proposed rows may be removed or changed since; then ask for more.
    for (let asked = count; ; asked *= 2) {
      const wanted = Math.min(asked, this.ids.length);
      this.#native.setEf(Math.max(EF_MIN, wanted));
      const { neighbors } = this.#native.searchKnn(point, wanted);
      places = neighbors.flatMap((label) => this.#placeOf(label, content));
      if (places.length >= count || wanted === this.ids.length) break;
    }
    for (const columns of content.chunks)
      for (let row = 0; row < columns.stamps.length; row += 1)
        if (this.#isFresh(columns, row)) places.push({ columns, row });
    return places;
  }

  /** Where the document of a node is, unless it was removed or changed. */
  #placeOf(label: number, content: VectorContent): readonly Place[] {
    const place = placeOf(content, this.ids.at(label));
    return place === null || this.#isFresh(place.columns, place.row) ? [] : [place];
  }

  #isFresh({ stamps }: Columns, row: number): boolean {
    return stamps[row]! > this.#clock;
  }

  isOutdated({ chunks, rows }: VectorContent): boolean {
    let fresh = 0;
    for (const columns of chunks)
      for (let row = 0; row < columns.stamps.length; row += 1) if (this.#isFresh(columns, row)) fresh += 1;
    const dead = this.ids.length - (rows - fresh);
    return fresh + dead > OUTDATED_MAX * this.ids.length;
  }

  bytes(dim: number): number {
    return this.ids.length * (4 * dim + NODE_BYTES);
  }

  /** The graph in the library's file format. */
  toBytes(scratch: ScratchFiles): Promise<Buffer> {
    return scratch.written((path) => this.#native.writeIndex(path));
  }
}

/** The content of a graph's file: {ids, idBytes} in the head; fingerprints[ids], offsets[ids + 1], ids, the library's bytes. */
export interface StoredGraph {
  readonly ids: StringColumn;
  readonly fingerprints: Uint32Array;
  readonly native: Uint8Array;
}

export function graphForm(recipe: string): SnapshotForm<StoredGraph> {
  return {
    name: 'graph',
    format: 3,
    recipe: `${recipe}/hnsw-${M}-${EF_CONSTRUCTION}`,
    write: ({ ids, fingerprints, native }) => ({
      head: { ids: ids.length, idBytes: ids.bytes.length },
      arrays: [fingerprints, ids.offsets, ids.bytes, native],
    }),
    read(head, body) {
      const { ids, idBytes } = head as { readonly ids: number; readonly idBytes: number };
      const fingerprints = new Uint32Array(body.buffer, body.byteOffset, ids);
      const offsets = new Uint32Array(body.buffer, body.byteOffset + 4 * ids, ids + 1);
      const bytes = body.subarray(4 * (2 * ids + 1));
      return {
        ids: new StringColumn(bytes.subarray(0, idBytes), offsets),
        fingerprints,
        native: bytes.subarray(idBytes),
      };
    },
  };
}

/**
 * The row minus the mean of all rows. This shifts all products with a query by the same amount, so their order stays, and
 * separates near rows better. Found of the ten nearest at 200 candidates, with and without: 96 and 72 % for short queries
 * over 10,000 records of random words, 99.8 and 99.2 % over 50,000 real texts.
 */
function pointOf({ dim, scales, values }: Columns, row: number, mean: Float64Array): number[] {
  const scale = scales[row]!;
  return Array.from(mean, (middle, column) => values[row * dim + column]! * scale - middle);
}

function meanOf({ dim, chunks, rows }: VectorContent): Float64Array {
  const mean = new Float64Array(dim);
  for (const { scales, values } of chunks)
    for (let row = 0; row < scales.length; row += 1)
      for (let column = 0; column < dim; column += 1)
        mean[column]! += (values[row * dim + column]! * scales[row]!) / rows;
  return mean;
}
