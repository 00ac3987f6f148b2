// The documents of a turn's items, in order, each with the titles of the documents before and after it. A changed item
// changes its own document and its neighbours'.
import type { MemoryDocument } from '../documents/document.ts';
import { SetMap, Sorted } from '../sessions/collections.ts';
import { readPrompt, readReply } from '../sessions/merge-reports.ts';
import type { ItemRow, TurnRow } from '../sessions/session-rows.ts';
import { answerDocument, promptDocument, stopDocument, toolDocument } from './turn-documents.ts';

interface ItemDocument {
  readonly item: ItemRow;
  /** Without neighbours; null for an item without searchable text. */
  readonly own: MemoryDocument | null;
  /** The words that a final answer of a hook and the same answer in the transcript share; null for other kinds. */
  readonly words: string | null;
  /** Where it is shown among its neighbours; null where it is not. */
  shown: ShownDocument | null;
}

interface ShownDocument {
  readonly own: MemoryDocument;
  /** With the neighbours as last returned. */
  whole: MemoryDocument | null;
}

export class ItemDocuments {
  readonly #turn: TurnRow;
  readonly #items = new Map<string, ItemDocument>();
  readonly #shown = new Sorted<ShownDocument>(
    ({ own: a }, { own: b }) => compare(a.order, b.order) || compare(a.id, b.id),
  );
  /** Items whose documents may be shown or not, because others changed. */
  readonly #unsettled = new Set<ItemDocument>();
  readonly #moved = new Set<ShownDocument>();
  readonly #removed = new Set<string>();
  readonly #sameWords = new SetMap<ItemDocument>();
  readonly #prompts = new Set<ItemDocument>();
  /** Items beyond commands that the program carries out by itself. */
  #others = 0;

  constructor(turn: TurnRow) {
    this.#turn = turn;
  }

  /** Takes in an item that is new, or another one than before; null removes it. */
  change(id: string, item: ItemRow | null): void {
    const before = this.#items.get(id);
    if (before !== undefined) this.#remove(before);
    if (item === null) this.#items.delete(id);
    else this.#add(item);
  }

  /** The documents that are new or changed, by id; null for those that are gone. */
  settle(): Map<string, MemoryDocument | null> {
    const changed = new Map<string, MemoryDocument | null>();
    for (const one of this.#unsettled) this.#settleShown(one);
    for (const id of this.#removed) changed.set(id, null);
    const all = this.#shown.values;
    for (const one of this.#moved) {
      const index = this.#shown.indexOf(one);
      const neighbours = [all[index - 1], all[index + 1]].flatMap((other) => other?.own.title ?? []);
      if (one.whole !== null && isSame(one.whole.neighbours, neighbours)) continue;
      one.whole = { ...one.own, neighbours };
      changed.set(one.own.id, one.whole);
    }
    this.#unsettled.clear();
    this.#removed.clear();
    this.#moved.clear();
    return changed;
  }

  #add(item: ItemRow): void {
    const own = item.owner === null ? documentOf(item, this.#turn) : null;
    const words = own?.kind === 'answer' ? closingWords(own) : null;
    const one: ItemDocument = { item, own, words, shown: null };
    this.#items.set(item.id, one);
    if (item.kind === 'prompt') this.#prompts.add(one);
    if (!isCommand(item) && ++this.#others === 1) this.#settleLater(this.#prompts);
    this.#unsettled.add(one);
    if (words === null) return;
    this.#sameWords.add(words, one);
    this.#settleLater(this.#sameWords.get(words));
  }

  #remove(one: ItemDocument): void {
    this.#unsettled.delete(one);
    this.#hide(one);
    this.#prompts.delete(one);
    if (!isCommand(one.item) && --this.#others === 0) this.#settleLater(this.#prompts);
    if (one.words === null) return;
    this.#sameWords.delete(one.words, one);
    this.#settleLater(this.#sameWords.get(one.words));
  }

  #settleLater(items: Iterable<ItemDocument>): void {
    for (const one of items) this.#unsettled.add(one);
  }

  #settleShown(one: ItemDocument): void {
    const { own } = one;
    if (own === null || !this.#isShown(one)) this.#hide(one);
    else if (one.shown === null) {
      one.shown = { own, whole: null };
      const index = this.#shown.add(one.shown);
      this.#removed.delete(own.id);
      this.#moved.add(one.shown);
      this.#noteMoved(index - 1);
      this.#noteMoved(index + 1);
    }
  }

  #hide(one: ItemDocument): void {
    const { shown } = one;
    if (shown === null) return;
    one.shown = null;
    const index = this.#shown.delete(shown);
    this.#moved.delete(shown);
    this.#removed.add(shown.own.id);
    this.#noteMoved(index - 1);
    this.#noteMoved(index);
  }

  #noteMoved(index: number): void {
    const one = this.#shown.values[index];
    if (one !== undefined) this.#moved.add(one);
  }

  #isShown({ item, words }: ItemDocument): boolean {
    if (item.kind === 'prompt') return this.#others > 0;
    if (item.kind !== 'stop') return true;
    // The hook reports the final answer that the transcript has too.
    for (const { item: other } of this.#sameWords.get(words!))
      if (other.kind === 'reply' || (other.kind === 'stop' && other.id < item.id)) return false;
    return true;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/**
 * `/compact`, `/exit`: the program carries them out by itself and no hook reports them. A turn with nothing else has
 * nothing to remember.
 */
function isCommand(item: ItemRow): boolean {
  if (item.kind === 'reply') return readReply(item).compaction === true;
  if (item.kind !== 'prompt') return false;
  const { kind, text } = readPrompt(item);
  return kind === 'command' && text?.startsWith('/') === true;
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

function closingWords({ body }: MemoryDocument): string {
  return body.replace(/\s+/g, ' ').trim().slice(0, 500);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
