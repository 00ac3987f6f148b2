// The documents of the memory view with their model vectors of one recipe. Adding or removing a vector counts as a
// change of its document, so that an index follows one feed.

import type { EmbeddedDocument, MemoryDocument } from '../documents/document.ts';
import { type AttachedVector, vectorKeys } from '../memory/attached-vectors.ts';
import type { ProjectIndex, SourcePosition } from '../project-indexes/index.ts';
import { ViewSource } from './view-source.ts';

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

  override async getMany(ids: readonly string[]): Promise<readonly (EmbeddedDocument | undefined)[]> {
    const found = await super.getMany(ids);
    const attached = await this.#attach(found.filter((document) => document !== undefined));
    const byId = new Map(attached.map((document) => [document.id, document]));
    return ids.map((id) => byId.get(id));
  }

  protected override documentOf(parts: readonly string[]): string | null {
    if (parts[0] !== 'vector') return super.documentOf(parts);
    return parts[1] === this.#recipe ? parts[2]! : null;
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
