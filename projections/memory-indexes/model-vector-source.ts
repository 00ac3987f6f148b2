// The documents of the memory view with the vectors that a model made of them, each with the one of this recipe that
// stands beside it. A vector that comes or goes is a change of its document, so an index follows one feed.

import type { EmbeddedDocument, MemoryDocument } from '../documents/document.ts';
import { keyParts } from '../engine/store/row-keys.ts';
import { type AttachedVector, vectorKeys } from '../memory/attached-vectors.ts';
import type { DocumentChange, ProjectIndex, SourcePosition } from '../project-indexes/index.ts';
import { ViewSource } from './view-source.ts';

const DOCUMENTS_PER_READ = 500;
const CHANGES_PER_READ = 2_000;

/** A change by the document's id, until it is read as it is now. */
interface Seen {
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
    const seen: Seen[] = [];
    if (after.generation === upstream.feedPosition.generation && after.seq === upstream.feedPosition.seq)
      return [];
    for (let from = after; ; ) {
      const page = await upstream.changes(from, CHANGES_PER_READ);
      if (page === null) return null;
      for (const { key, before, after: now } of page.changes) {
        const parts = keyParts(key);
        const { seq } = page;
        if (parts[0] === 'document') seen.push({ seq, id: parts[1]!, before, after: now } as Seen);
        else if (parts[0] === 'vector' && parts[1] === this.#recipe)
          seen.push({ seq, id: parts[2]!, before: null, after: null });
      }
      if (page.seq === from.seq) return this.#asTheyAre(seen);
      from = { generation: from.generation, seq: page.seq };
    }
  }

  /** A document that is there is handed over as it is now; one that came and went is left to its last change. */
  async #asTheyAre(seen: readonly Seen[]): Promise<readonly DocumentChange[]> {
    const ids = [...new Set(seen.map(({ id }) => id))];
    const there = new Map<string, EmbeddedDocument>();
    for (let from = 0; from < ids.length; from += DOCUMENTS_PER_READ) {
      const found = await this.getMany(ids.slice(from, from + DOCUMENTS_PER_READ));
      const documents = found.filter((document) => document !== undefined);
      for (const document of await this.#attach(documents)) there.set(document.id, document);
    }
    return seen.map(({ seq, id, before, after }) => ({ seq, before, after: there.get(id) ?? after }));
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
