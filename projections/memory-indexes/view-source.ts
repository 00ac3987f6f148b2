// Reads the documents of the `memory` view and their changes for an index.

import type { MemoryDocument } from '../documents/document.ts';
import type { ViewReader } from '../engine/contract/projector.ts';
import type { Upstream } from '../engine/index-view.ts';
import { keyParts } from '../engine/store/row-keys.ts';
import { memoryKeys } from '../memory/memory-projector.ts';
import { documentIdsAt } from '../memory/recent-rows.ts';
import type {
  DocumentChange,
  DocumentChanges,
  DocumentSource,
  ProjectIndex,
  SourcePosition,
} from '../project-indexes/document-source.ts';

/** Documents fetched from the view at once. */
const DOCUMENTS_PER_READ = 500;
const CHANGES_PER_READ = 2_000;

/** The owner sets `upstream` and leaves it unchanged during a read. */
export class ViewSource implements DocumentSource {
  upstream: Upstream | null = null;
  /** Set for a query that takes the index as it is: there are no changes then. */
  isFrozen = false;

  async documents(
    projectIndex: ProjectIndex,
  ): Promise<{ checkpoint: SourcePosition; documents: AsyncIterable<MemoryDocument> }> {
    const { feedPosition, rows } = this.current();
    return { checkpoint: feedPosition, documents: documentsAt(projectIndex.workdirs, rows) };
  }

  async getMany(ids: readonly string[]): Promise<readonly (MemoryDocument | undefined)[]> {
    return documentsOf(this.current().rows, ids);
  }

  async changes(after: SourcePosition, limit = Number.POSITIVE_INFINITY): Promise<DocumentChanges | null> {
    const upstream = this.current();
    const { generation } = after;
    const changes: DocumentChange[] = [];
    let { seq } = after;
    if (this.isFrozen && generation === upstream.feedPosition.generation) return { seq, changes };
    if (!upstream.reaches(after)) return null;
    const entries = Math.min(limit, CHANGES_PER_READ);
    for (let read = 0; seq < upstream.feedPosition.seq && read < limit; read += entries) {
      const page = await upstream.changes({ generation, seq }, entries);
      if (page === null) return null;
      const ids = [...new Set(page.keys.flatMap((key) => this.documentOf(keyParts(key)) ?? []))];
      seq = page.seq;
      for (let at = 0; at < ids.length; at += DOCUMENTS_PER_READ) {
        const some = ids.slice(at, at + DOCUMENTS_PER_READ);
        const documents = await this.getMany(some);
        changes.push(...some.map((id, index) => ({ seq: page.seq, id, document: documents[index] ?? null })));
      }
    }
    return { seq, changes };
  }

  /** The id of the document that a changed row belongs to; null if the index does not read that row. */
  protected documentOf([kind, id]: readonly string[]): string | null {
    return kind === 'document' ? id! : null;
  }

  protected current(): Upstream {
    if (this.upstream === null) throw new Error('An index was read before its upstream was set.');
    return this.upstream;
  }
}

async function* documentsAt(workdirs: readonly string[], rows: ViewReader): AsyncGenerator<MemoryDocument> {
  for (const workdir of workdirs) {
    for await (const ids of documentIdsAt(rows, workdir))
      for (const document of await documentsOf(rows, ids)) if (document !== undefined) yield document;
  }
}

/** A row that lost a field on a damaged disk counts as missing: `verify` reports the damage, and a search goes on. */
async function documentsOf(
  rows: ViewReader,
  ids: readonly string[],
): Promise<readonly (MemoryDocument | undefined)[]> {
  const found = await rows.getMany<MemoryDocument>(ids.map(memoryKeys.document));
  return found.map((row) => (isWhole(row) ? row : undefined));
}

function isWhole(row: MemoryDocument | undefined): boolean {
  return typeof row?.title === 'string' && typeof row.body === 'string' && typeof row.id === 'string';
}
