// A view of documents in memory: rows and a change feed of adjustable length.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MemoryDocument } from '../../../projections/documents/document.ts';
import type {
  DocumentChange,
  DocumentChanges,
  DocumentSource,
  ProjectIndex,
  SnapshotFiles,
  SourcePosition,
} from '../../../projections/text/index.ts';

export class DocumentsInMemory implements DocumentSource {
  readonly rows = new Map<string, MemoryDocument>();
  generation = 'one';
  #feed: { readonly seq: number; readonly id: string }[] = [];
  #seq = 0;
  /** How often all documents of a project were read. */
  reads = 0;
  /** Number of changes read. */
  changesRead = 0;

  constructor(documents: readonly MemoryDocument[] = []) {
    for (const document of documents) this.rows.set(document.id, document);
  }

  put(document: MemoryDocument): DocumentChange {
    this.rows.set(document.id, document);
    return this.#changed(document.id);
  }

  remove(id: string): DocumentChange {
    this.rows.delete(id);
    return this.#changed(id);
  }

  /** Rebuilds the view: another generation, no changes. */
  rebuild(generation: string): void {
    this.generation = generation;
    this.#feed = [];
    this.#seq = 0;
  }

  documents(
    projectIndex: ProjectIndex,
  ): Promise<{ checkpoint: SourcePosition; documents: AsyncIterable<MemoryDocument> }> {
    this.reads += 1;
    const workdirs = new Set(projectIndex.workdirs);
    const found = [...this.rows.values()].filter((document) => workdirs.has(document.workdir));
    return Promise.resolve({
      checkpoint: { generation: this.generation, seq: this.#seq },
      documents: (async function* () {
        yield* found;
      })(),
    });
  }

  getMany(ids: readonly string[]): Promise<(MemoryDocument | undefined)[]> {
    return Promise.resolve(ids.map((id) => this.rows.get(id)));
  }

  changes({ generation, seq }: SourcePosition, limit?: number): Promise<DocumentChanges | null> {
    if (generation !== this.generation) return Promise.resolve(null);
    const changes = this.#feed.filter((change) => change.seq > seq).slice(0, limit);
    this.changesRead += changes.length;
    return Promise.resolve({
      seq: changes.at(-1)?.seq ?? seq,
      changes: changes.map((change) => this.#withDocument(change)),
    });
  }

  #changed(id: string): DocumentChange {
    const change = { seq: ++this.#seq, id };
    this.#feed.push(change);
    return this.#withDocument(change);
  }

  #withDocument(change: { readonly seq: number; readonly id: string }): DocumentChange {
    return { ...change, document: this.rows.get(change.id) ?? null };
  }
}

/** Snapshots in a real folder. */
export function filesIn(folder: string): SnapshotFiles {
  return {
    read: (name) =>
      readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      }),
    async write(name, content) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${name}.tmp`), content);
      await rename(join(folder, `${name}.tmp`), join(folder, name));
    },
    names: () => readdir(folder),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

export function document(fields: Partial<MemoryDocument> & { readonly id: string }): MemoryDocument {
  return {
    kind: 'prompt',
    type: null,
    title: '',
    body: '',
    files: [],
    concepts: [],
    neighbours: [],
    workdir: '/home/u/one',
    agent: 'claude-code',
    session: 'session-1',
    turn: null,
    agentId: null,
    at: null,
    order: '0',
    tokens: 0,
    outcome: null,
    events: [],
    ...fields,
  };
}
