// Reads the documents of a view for an index that is built in the background while another one serves. It pauses between
// documents. The caller checks afterwards whether the view changed meanwhile.

import type { OptionalPause } from '../engine/contract/right-of-way.ts';
import type { Upstream } from '../engine/index-view.ts';
import type { DocumentChange, DocumentSource, SourcePosition } from '../project-indexes/index.ts';
import type { Embedder } from '../vectors/embedder.ts';
import { ViewSource } from './view-source.ts';

/** Changes that are applied. With more of them the documents are read again, which takes no longer. */
const CHANGES_MAX = 1_000;
/** Texts embedded between two pauses: about 2 ms. */
const TEXTS_AT_ONCE = 16;

export function pacedSource(upstream: Upstream, pause: OptionalPause): DocumentSource {
  const source = new ViewSource();
  source.upstream = upstream;
  return {
    getMany: (ids) => source.getMany(ids),
    async documents(projectIndex) {
      const { checkpoint, documents } = await source.documents(projectIndex);
      return { checkpoint, documents: paused(documents, pause) };
    },
    async changes(after: SourcePosition): Promise<readonly DocumentChange[] | null> {
      const { generation, seq } = upstream.feedPosition;
      if (after.generation !== generation || seq - after.seq > CHANGES_MAX) return null;
      return source.changes(after);
    },
  };
}

async function* paused<T>(items: AsyncIterable<T>, pause: OptionalPause): AsyncGenerator<T> {
  for await (const item of items) {
    await pause();
    yield item;
  }
}

/** The same embedder, a few texts at a time. */
export function pacedEmbedder(embedder: Embedder, pause: OptionalPause): Embedder {
  return {
    ...embedder,
    embed: async (texts) => {
      const vectors: Float32Array[] = [];
      for (let index = 0; index < texts.length; index += TEXTS_AT_ONCE) {
        await pause();
        vectors.push(...(await embedder.embed(texts.slice(index, index + TEXTS_AT_ONCE))));
      }
      return vectors;
    },
  };
}
