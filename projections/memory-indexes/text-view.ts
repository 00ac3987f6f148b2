// The `text` view: one text index per resolved project.
import type { Upstream } from '../engine/index-view.ts';
import type { DocumentSource, SnapshotFiles } from '../project-indexes/index.ts';
import { TextIndex } from '../text/text-index.ts';
import { RECIPE_VERSION } from '../text/text-recipe.ts';
import { MemoryIndex } from './memory-index.ts';
import { ViewSource } from './view-source.ts';

export class TextView extends MemoryIndex<TextIndex> {
  readonly name = 'text';
  readonly version = RECIPE_VERSION;

  /** The index and its documents, for one query. */
  at(
    upstream: Upstream,
    isFrozen = false,
  ): { index: Pick<TextIndex, 'search'>; documents: Pick<DocumentSource, 'getMany'> } {
    return { index: this.opened(upstream, isFrozen)!, documents: this.source };
  }

  protected override open(): TextIndex {
    const { files, budget } = this.options;
    this.index ??= new TextIndex(this.source, files, budget);
    return this.index;
  }

  protected override separate(upstream: Upstream, files: SnapshotFiles | null): TextIndex {
    const source = new ViewSource();
    source.upstream = upstream;
    return new TextIndex(source, files);
  }
}
