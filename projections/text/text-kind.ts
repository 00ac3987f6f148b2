// The text index as an index kind: how it is built, changed, compacted, written and read. The arrays of its file, after
// the head with {ids, idBytes, sessions, terms, termBytes, postings}; the first five have 32-bit entries:
//
//   starts[terms × fields + 1] | lengths[ids × fields] | sessionOf[ids] | offsets[ids + 1] | offsets[terms + 1]
//   | documents[postings], 16 bits if that is enough for all ids, else 32 | counts[postings], 8 bits
//   | ids, UTF-8 | terms, UTF-8
import { type DocumentChange, type IndexKind, StringColumn } from '../project-indexes/index.ts';
import { compactContent } from './compact-index.ts';
import { EMPTY_COLUMNS, numberArray, TermTable, type TextColumns } from './text-columns.ts';
import { TextContent } from './text-content.ts';
import { FIELD_NAMES, RECIPE_VERSION } from './text-recipe.ts';

const FIELDS = FIELD_NAMES.length;
/** Changed documents that make an index fragmented: more than a quarter of all, and more than this. */
const FRAGMENTED_MIN = 2_000;

interface TextHead {
  readonly ids: number;
  readonly idBytes: number;
  readonly sessions: readonly string[];
  readonly terms: number;
  readonly termBytes: number;
  readonly postings: number;
}

export const TEXT_KIND: IndexKind<TextContent> = {
  name: 'text',
  format: 5,
  recipe: RECIPE_VERSION,
  damaged: 'A text index on disk was damaged; it was rebuilt from the documents.',
  async build(documents) {
    let content = new TextContent(EMPTY_COLUMNS);
    for await (const document of documents) {
      content.add(document);
      // Growing arrays take five times the memory of columns.
      if (content.changes > Math.max(FRAGMENTED_MIN, content.columns.ids.length))
        content = new TextContent(await compactContent(content, noPause));
    }
    return new TextContent(await compactContent(content, noPause));
  },
  holds: (content, id) => content.numberOf(id) >= 0,
  fold(content, changes: readonly DocumentChange[]) {
    for (const { id, document } of changes) {
      content.remove(id);
      if (document !== null) content.add(document);
    }
    return content;
  },
  isFragmented: ({ changes, columns }) => changes > Math.max(FRAGMENTED_MIN, columns.ids.length / 4),
  async compact(content, pause) {
    return content.changes === 0 ? content : new TextContent(await compactContent(content, pause));
  },
  write({ columns }) {
    const { ids, sessions, terms, documents, starts, lengths, sessionOf, counts } = columns;
    const head: TextHead = {
      ids: ids.length,
      idBytes: ids.bytes.length,
      sessions,
      terms: terms.length,
      termBytes: terms.bytes.length,
      postings: documents.length,
    };
    const numbers = [starts, lengths, sessionOf, ids.offsets, terms.offsets, documents, counts];
    return { head, arrays: [...numbers, ids.bytes, terms.bytes] };
  },
  read(head, body) {
    const { ids, idBytes, sessions, terms, termBytes, postings } = head as TextHead;
    let at = body.byteOffset;
    const numbers = (length: number) => {
      const array = new Uint32Array(body.buffer, at, length);
      at += array.byteLength;
      return array;
    };
    const starts = numbers(terms * FIELDS + 1);
    const lengths = numbers(ids * FIELDS);
    const sessionOf = numbers(ids);
    const idOffsets = numbers(ids + 1);
    const termOffsets = numbers(terms + 1);
    const documents = new (numberArray(ids))(body.buffer as ArrayBuffer, at, postings);
    at += documents.byteLength;
    const counts = new Uint8Array(body.buffer, at, postings);
    at += postings;
    const columns: TextColumns = {
      ids: new StringColumn(Buffer.from(body.buffer, at, idBytes), idOffsets),
      sessions,
      sessionOf,
      lengths,
      terms: new TermTable(Buffer.from(body.buffer, at + idBytes, termBytes), termOffsets),
      starts,
      documents,
      counts,
    };
    return new TextContent(columns);
  },
  bytes: (content) => content.bytes(),
};

async function noPause(): Promise<void> {}
