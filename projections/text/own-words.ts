// Records which documents contain which query terms in title or body. Reranking and quoted phrases use it. One mark per
// document and term costs less than looking terms up again.
import type { Postings, TextContent } from './text-content.ts';
import { FIELD_NAMES, type Field, OWN_WORDS } from './text-recipe.ts';

const OWN_FIELDS = OWN_WORDS.map((field: Field) => FIELD_NAMES.indexOf(field));

/** One term of a query. A widened term has no documents and no sessions. */
export interface OwnTerm {
  readonly term: string;
  /** Occurrences in the documents of each session. */
  readonly sessions: ReadonlyMap<string, number>;
  /** Number of documents that contain it. */
  readonly documents: number;
}

interface Marked extends OwnTerm {
  /** For each project, 1 at the numbers of the documents that contain it; null where none does. */
  readonly marks: readonly (Uint8Array | null)[];
}

export interface RankedContent {
  /** The id of the project index. */
  readonly id: string;
  readonly content: TextContent;
}

export class OwnWords {
  readonly #contents: readonly RankedContent[];
  readonly #slots: ReadonlyMap<string, number>;
  readonly #terms: Marked[] = [];

  constructor(contents: readonly RankedContent[]) {
    this.#contents = contents;
    this.#slots = new Map(contents.map(({ id }, index) => [id, index]));
  }

  /** In the order of the query. */
  get terms(): readonly OwnTerm[] {
    return this.#terms;
  }

  /** Adds the query's next term with its postings, by project and field. */
  add(term: string, found: readonly (readonly (readonly Postings[])[])[]): void {
    const sessions = new Map<string, number>();
    let documents = 0;
    const marks = this.#contents.map(({ content }, index) => {
      const fields = OWN_FIELDS.map((field) => found[index]![field]!);
      if (fields.every((field) => field.every(({ from, to }) => from === to))) return null;
      const { mark, marked } = markedIn(content, fields.flat(), sessions);
      documents += marked;
      return mark;
    });
    this.#terms.push({ term, sessions, documents, marks });
  }

  /** For each term, whether a document of this project index contains it. */
  termsHeldBy(id: string, projectIndex: string): readonly boolean[] {
    const index = this.#slots.get(projectIndex) ?? -1;
    const number = this.#contents[index]?.content.numberOf(id) ?? -1;
    return this.#terms.map(({ marks }) => marks[index]?.[number] === 1);
  }

  /** Ids of the documents that contain all of these terms. */
  holding(terms: readonly string[]): ReadonlySet<string> {
    const wanted = terms.map((term) => this.#terms.find((one) => one.term === term));
    const ids = new Set<string>();
    for (const [index, { content }] of this.#contents.entries()) {
      const marks = wanted.flatMap((one) => one?.marks[index] ?? []);
      if (marks.length < wanted.length) continue;
      for (let number = 0; number < content.numbers; number += 1)
        if (marks.every((mark) => mark[number] === 1)) ids.add(content.idOf(number));
    }
    return ids;
  }
}

function markedIn(content: TextContent, postings: readonly Postings[], sessions: Map<string, number>) {
  const { columns, removed } = content;
  const mark = new Uint8Array(content.numbers);
  const counted = new Uint32Array(columns.sessions.length);
  let marked = 0;
  for (const { documents, counts, from, to } of postings)
    for (let at = from; at < to; at += 1) {
      const number = documents[at]!;
      if (removed !== null && removed[number] === 1) continue;
      marked += 1 - mark[number]!;
      mark[number] = 1;
      if (number < columns.ids.length) counted[columns.sessionOf[number]!]! += counts[at]!;
      else add(sessions, content.sessionOf(number), counts[at]!);
    }
  counted.forEach((count, session) => {
    if (count > 0) add(sessions, columns.sessions[session]!, count);
  });
  return { mark, marked };
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
