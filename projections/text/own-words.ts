// Which documents hold which of a query's terms in their own words, their titles and bodies: what is asked of the best
// once they are found, and of quoted phrases. A mark for each document and term costs less than looking them up.
import type { Postings, TextContent } from './text-content.ts';
import { FIELD_NAMES, type Field, OWN_WORDS } from './text-recipe.ts';

const OWN_FIELDS = OWN_WORDS.map((field: Field) => FIELD_NAMES.indexOf(field));

/** One term of a query. Of one that was widened nobody holds anything. */
export interface OwnTerm {
  readonly term: string;
  /** How often the documents of each session hold it. */
  readonly sessions: ReadonlyMap<string, number>;
  /** How many documents hold it. */
  readonly documents: number;
}

interface Marked extends OwnTerm {
  /** Of each project, 1 at the numbers of the documents that hold it; null where none does. */
  readonly marks: readonly (Uint8Array | null)[];
}

interface Searched {
  /** The project's partition. */
  readonly id: string;
  readonly content: TextContent;
}

export class OwnWords {
  readonly #contents: readonly Searched[];
  readonly #slots: ReadonlyMap<string, number>;
  readonly #terms: Marked[] = [];

  constructor(contents: readonly Searched[]) {
    this.#contents = contents;
    this.#slots = new Map(contents.map(({ id }, index) => [id, index]));
  }

  /** In the order of the query. */
  get terms(): readonly OwnTerm[] {
    return this.#terms;
  }

  /** Takes in the query's next term, as each project holds it, field by field. */
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

  /** Of each term, whether a document of this partition holds it. */
  termsHeldBy(id: string, projectIndex: string): readonly boolean[] {
    const index = this.#slots.get(projectIndex) ?? -1;
    const number = this.#contents[index]?.content.numberOf(id) ?? -1;
    return this.#terms.map(({ marks }) => marks[index]?.[number] === 1);
  }

  /** The first partition that a document stands in; null when it stands in none. Slower than knowing it. */
  projectIndexOf(id: string): string | null {
    return this.#contents.find(({ content }) => content.numberOf(id) >= 0)?.id ?? null;
  }

  /** The documents that hold all of these. */
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
  const { columns, gone } = content;
  const mark = new Uint8Array(content.numbers);
  const counted = new Uint32Array(columns.sessions.length);
  let marked = 0;
  for (const { documents, counts, from, to } of postings)
    for (let at = from; at < to; at += 1) {
      const number = documents[at]!;
      if (gone !== null && gone[number] === 1) continue;
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
