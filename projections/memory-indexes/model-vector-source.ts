// The documents of the memory view with their model vectors of one recipe. Adding or removing a vector counts as a
// change of its document, so that an index follows one feed.

import type { EmbeddedDocument, MemoryDocument } from '../documents/document.ts';
import { type AttachedVector, vectorKeys } from '../memory/attached-vectors.ts';
import type { ProjectIndex, SourcePosition } from '../project-indexes/index.ts';
import { type ChangedDocument, ViewSource } from './view-source.ts';

const DOCUMENTS_PER_READ = 500;

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

  override async changes(after: SourcePosition, limit?: number): Promise<readonly ChangedDocument[] | null> {
    const changes = await super.changes(after, limit);
    return changes && this.#withCurrent(changes);
  }

  protected override changeOf(
    parts: readonly string[],
    before: unknown,
    after: unknown,
  ): Omit<ChangedDocument, 'seq'> | null {
    if (parts[0] !== 'vector') return super.changeOf(parts, before, after);
    return parts[1] === this.#recipe ? { id: parts[2]!, before: null, after: null } : null;
  }

  /** Replaces `after` by the document's current state with its vector; a removed document keeps its last change. */
  async #withCurrent(pending: readonly ChangedDocument[]): Promise<readonly ChangedDocument[]> {
    const ids = [...new Set(pending.map(({ id }) => id))];
    const current = new Map<string, EmbeddedDocument>();
    for (let from = 0; from < ids.length; from += DOCUMENTS_PER_READ) {
      const found = await this.getMany(ids.slice(from, from + DOCUMENTS_PER_READ));
      const documents = found.filter((document) => document !== undefined);
      for (const document of await this.#attach(documents)) current.set(document.id, document);
    }
    return pending.map((change) => ({ ...change, after: current.get(change.id) ?? change.after }));
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
