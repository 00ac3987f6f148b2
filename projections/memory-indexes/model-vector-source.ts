// The documents of the memory view with their model vectors of one recipe. Adding or removing a vector counts as a
// change of its document, so that an index follows one feed.

import type { EmbeddedDocument, MemoryDocument } from '../documents/document.ts';
import { keyParts } from '../engine/store/row-keys.ts';
import { type AttachedVector, vectorKeys } from '../memory/attached-vectors.ts';
import type { DocumentChange, ProjectIndex, SourcePosition } from '../project-indexes/index.ts';
import { ViewSource } from './view-source.ts';

const DOCUMENTS_PER_READ = 500;
const CHANGES_PER_READ = 2_000;

/** A change of a document, before its current state is read. */
interface PendingChange {
  readonly seq: number;
  readonly id: string;
  readonly before: MemoryDocument | null;
  readonly after: MemoryDocument | null;
}

export class ModelVectorSource extends ViewSource {
  readonly #recipe: string;

  constructor(recipe: string) {
    super();
    this.#recipe = recipe;
  }

  override async documents(
    projectIndex: ProjectIndex,
  ): Promise<{ checkpoint: SourcePosition; documents: AsyncIterable<MemoryDocument> }> {
    const { checkpoint, documents } = await super.documents(projectIndex);
    return { checkpoint, documents: this.#withVectors(documents) };
  }

  override async changes(after: SourcePosition): Promise<readonly DocumentChange[] | null> {
    const upstream = this.upstream!;
    const pending: PendingChange[] = [];
    if (after.generation === upstream.feedPosition.generation && after.seq === upstream.feedPosition.seq)
      return [];
    for (let from = after; ; ) {
      const page = await upstream.changes(from, CHANGES_PER_READ);
      if (page === null) return null;
      for (const { key, before, after: now } of page.changes) {
        const parts = keyParts(key);
        const { seq } = page;
        if (parts[0] === 'document')
          pending.push({ seq, id: parts[1]!, before, after: now } as PendingChange);
        else if (parts[0] === 'vector' && parts[1] === this.#recipe)
          pending.push({ seq, id: parts[2]!, before: null, after: null });
      }
      if (page.seq === from.seq) return this.#withCurrent(pending);
      from = { generation: from.generation, seq: page.seq };
    }
  }

  /** Replaces `after` by the document's current state with its vector; a removed document keeps its last change. */
  async #withCurrent(pending: readonly PendingChange[]): Promise<readonly DocumentChange[]> {
    const ids = [...new Set(pending.map(({ id }) => id))];
    const current = new Map<string, EmbeddedDocument>();
    for (let from = 0; from < ids.length; from += DOCUMENTS_PER_READ) {
      const found = await this.getMany(ids.slice(from, from + DOCUMENTS_PER_READ));
      const documents = found.filter((document) => document !== undefined);
      for (const document of await this.#attach(documents)) current.set(document.id, document);
    }
    return pending.map(({ seq, id, before, after }) => ({ seq, before, after: current.get(id) ?? after }));
  }

  async *#withVectors(documents: AsyncIterable<MemoryDocument>): AsyncGenerator<EmbeddedDocument> {
    let batch: MemoryDocument[] = [];
    for await (const document of documents) {
      batch.push(document);
      if (batch.length < DOCUMENTS_PER_READ) continue;
      yield* await this.#attach(batch);
      batch = [];
    }
    yield* await this.#attach(batch);
  }

  async #attach(documents: readonly MemoryDocument[]): Promise<EmbeddedDocument[]> {
    const keys = documents.map(({ id }) => vectorKeys.vector(this.#recipe, id));
    const rows = await this.upstream!.rows.getMany<AttachedVector>(keys);
    return documents.map((document, index) => ({ ...document, vector: rows[index]?.vector }));
  }
}
