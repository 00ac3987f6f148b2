// A turn with all of its rows and the documents that were last made from them. Documents of unchanged rows are reused, so a
// new event costs its own document, its neighbours', and what the rules say about the whole turn. The turn stays in memory
// between pages. Without it, the rows are read and all documents are made.

import type { MemoryDocument } from '../documents/document.ts';
import type { ViewReader } from '../engine/contract/projector.ts';
import { observe } from '../extract/observe-turn.ts';
import type { ObservationRow, SummaryRow } from '../extract/transcript/observation.ts';
import { firstNot } from '../sessions/collections.ts';
import { readPrompt, readReply } from '../sessions/merge-reports.ts';
import type { ItemRow, TurnRow } from '../sessions/session-rows.ts';
import { observedDocuments } from './observation-documents.ts';
import {
  answerDocument,
  inOrder,
  neighboursOf,
  promptDocument,
  stopDocument,
  toolDocument,
} from './turn-documents.ts';

/** The documents of a turn, and the rows of its observations and summary by id. */
export interface Made {
  readonly documents: readonly MemoryDocument[];
  readonly rows: ReadonlyMap<string, ObservationRow | SummaryRow>;
}

export class KnownTurn {
  #row: TurnRow | null = null;
  /** Sorted by id, as the view stores them. */
  #items: ItemRow[] = [];
  /** The stored documents, by id. */
  #documents: ReadonlyMap<string, MemoryDocument> = new Map();
  /** Documents of single items, without neighbours. */
  #ownDocuments = new WeakMap<ItemRow, MemoryDocument | null>();

  get items(): readonly ItemRow[] {
    return this.#items;
  }

  get documents(): ReadonlyMap<string, MemoryDocument> {
    return this.#documents;
  }

  /** Nothing of it becomes a document. */
  get isHidden(): boolean {
    return this.#row === null || this.#row.private;
  }

  /** Applies changed rows; a null row is read. `key` is that of the turn's row. */
  async update(
    shown: ReadonlyMap<string, TurnRow | ItemRow | null>,
    key: string,
    upstream: ViewReader,
  ): Promise<void> {
    const before = this.#row;
    const unknown = [...shown].flatMap(([name, row]) => (row === null ? [name] : []));
    const read = unknown.length === 0 ? [] : await upstream.getMany<TurnRow | ItemRow>(unknown);
    const found = new Map(unknown.map((name, index) => [name, read[index] ?? null]));
    const isAdded = this.#items.length === 0;
    for (const [name, row] of shown) {
      const now = row ?? found.get(name)!;
      if (name === key) this.#row = now as TurnRow | null;
      else if (isAdded && now !== null) this.#items.push(now as ItemRow);
      else this.#put(name.slice(name.lastIndexOf('/') + 1), now as ItemRow | null);
    }
    if (isAdded) this.#items.sort((one, other) => (one.id < other.id ? -1 : 1));
    if ((this.#row?.items ?? 0) !== this.#items.length || this.#row === null) await this.#read(key, upstream);
    if (before?.workdir !== this.#row?.workdir) this.#ownDocuments = new WeakMap();
  }

  make(): Made {
    const documents = this.#itemDocuments();
    const observed = observe(this.#row!, this.#items);
    const { observations, summary } = observed;
    const all = [...this.#withNeighbours(documents), ...observedDocuments(observed).map(this.#asBefore)];
    this.#documents = new Map(all.map((document) => [document.id, document]));
    return {
      documents: all,
      rows: new Map([...observations, ...(summary === null ? [] : [summary])].map((one) => [one.id, one])),
    };
  }

  #put(id: string, row: ItemRow | null): void {
    const index = firstNot(this.#items, (one) => one.id < id);
    const isThere = this.#items[index]?.id === id;
    if (row === null) this.#items.splice(index, isThere ? 1 : 0);
    else this.#items.splice(index, isThere ? 1 : 0, row);
  }

  async #read(key: string, upstream: ViewReader): Promise<void> {
    this.#row = (await upstream.get<TurnRow>(key)) ?? null;
    const rows = await upstream.range<ItemRow>(`${key}/`);
    this.#items = rows.map(([, item]) => item);
  }

  /** Documents of all items that this session owns. */
  #itemDocuments(): MemoryDocument[] {
    const documents: MemoryDocument[] = [];
    const stops: MemoryDocument[] = [];
    const carriesNothing = isCommandAlone(this.#items);
    for (const item of this.#items) {
      if (item.owner !== null || (carriesNothing && item.kind === 'prompt')) continue;
      const document = this.#documentOf(item);
      if (document !== null) (item.kind === 'stop' ? stops : documents).push(document);
    }
    if (stops.length === 0) return documents;
    const answered = new Set<string>();
    for (const document of documents) if (document.kind === 'answer') answered.add(closingWords(document));
    for (const document of stops) {
      if (answered.has(closingWords(document))) continue;
      answered.add(closingWords(document));
      documents.push(document);
    }
    return documents;
  }

  #documentOf(item: ItemRow): MemoryDocument | null {
    const known = this.#ownDocuments.get(item);
    if (known !== undefined) return known;
    const document = documentOf(item, this.#row!);
    this.#ownDocuments.set(item, document);
    return document;
  }

  /** Sorts the documents and gives each the titles before and after it. */
  #withNeighbours(documents: MemoryDocument[]): MemoryDocument[] {
    return inOrder(documents).map((document, index, all) => {
      const neighbours = neighboursOf(index, all);
      const known = this.#documents.get(document.id);
      if (known !== undefined && made.get(known) === document && isSame(known.neighbours, neighbours))
        return known;
      const whole = { ...document, neighbours };
      made.set(whole, document);
      return whole;
    });
  }

  /** The stored document if nothing in it changed, else the new one. */
  #asBefore = (document: MemoryDocument): MemoryDocument => {
    const known = this.#documents.get(document.id);
    return known !== undefined && JSON.stringify(known) === JSON.stringify(document) ? known : document;
  };
}

/** From a document with neighbours to the one it was made from. */
const made = new WeakMap<MemoryDocument, MemoryDocument>();

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** `/compact`, `/exit`: the agent runs these commands itself, no hook reports them, and there is nothing to remember. */
function isCommandAlone(items: readonly ItemRow[]): boolean {
  return items.every((item) => {
    if (item.kind === 'reply') return readReply(item).compaction === true;
    if (item.kind !== 'prompt') return false;
    const { kind, text } = readPrompt(item);
    return kind === 'command' && text?.startsWith('/') === true;
  });
}

function documentOf(item: ItemRow, turn: TurnRow): MemoryDocument | null {
  switch (item.kind) {
    case 'prompt':
      return promptDocument(item, turn);
    case 'tool':
      return toolDocument(item, turn);
    case 'reply':
      return answerDocument(item, turn);
    case 'stop':
      return stopDocument(item, turn);
  }
}

const closing = new WeakMap<MemoryDocument, string>();

/** A hook and the transcript both report the final answer: equal beginnings are the same answer. */
function closingWords(document: MemoryDocument): string {
  let words = closing.get(document);
  if (words === undefined) {
    words = document.body.replace(/\s+/g, ' ').trim().slice(0, 500);
    closing.set(document, words);
  }
  return words;
}
