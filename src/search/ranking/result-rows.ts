// Collects results into rows, best first. A turn is one row: its best part, with the ids of its other parts. Parts that
// hardly match are left out, because nearly everything in a long turn holds one of the words.
// A near-duplicate from another turn is listed by id in the row it repeats.
import type { Condition } from '../query/query-conditions.ts';
import type { FoundDocument } from './found-documents.ts';
import { nearDuplicateFinder } from './near-duplicates.ts';
import { PART_SHARE_MIN } from './weights.ts';

export interface ResultRow {
  /** The best document of its turn. */
  readonly found: FoundDocument;
  /** The other matching documents of its turn, best first. */
  readonly parts: readonly FoundDocument[];
  /** Ids of results that say the same. */
  readonly nearDuplicates: readonly string[];
}

interface OpenRow extends ResultRow {
  readonly parts: FoundDocument[];
  readonly nearDuplicates: string[];
}

export class ResultRows {
  readonly #limit: number;
  readonly #foldsTools: boolean;
  readonly #rows: OpenRow[] = [];
  readonly #passed: FoundDocument[] = [];
  readonly #turns = new Map<string, OpenRow>();
  readonly #firsts = new Map<string, OpenRow>();
  readonly #firstOf = nearDuplicateFinder();
  #placed: { readonly row: OpenRow; readonly place: number } | null = null;

  /** @param conditions of the query; if one names a kind or a type, each tool use is its own row */
  constructor(limit: number, conditions: readonly Condition[]) {
    this.#limit = limit;
    this.#foldsTools = !conditions.some(({ field, not }) => !not && (field === 'kind' || field === 'type'));
  }

  /** The rows, best first, without the one from `showAt`. */
  get all(): readonly ResultRow[] {
    return this.#rows;
  }

  /** The rows as shown: best first, but the one from `showAt` at its place. */
  get shown(): readonly ResultRow[] {
    if (this.#placed === null) return this.#rows;
    const { row, place } = this.#placed;
    return [...this.#rows.slice(0, place), row, ...this.#rows.slice(place)].slice(0, this.#limit);
  }

  /** All results added, including those beyond the last row. */
  get passed(): readonly FoundDocument[] {
    return this.#passed;
  }

  get isFull(): boolean {
    return this.#rows.length >= this.#limit;
  }

  /** Puts this document's row before the row that would be at this place, from 0. Call it before `add`. */
  showAt(place: number, found: FoundDocument): void {
    const row: OpenRow = { found, parts: [], nearDuplicates: [] };
    this.#placed = { row, place };
    const turn = this.#turnOf(found);
    if (turn !== null) this.#turns.set(turn, row);
  }

  /** Adds the next best result. Once full, only further parts of known turns are taken. */
  add(found: FoundDocument): void {
    const { document, ranked } = found;
    this.#passed.push(found);
    if (document.id === this.#placed?.row.found.document.id) return;
    const turn = this.#turnOf(found);
    const known = turn === null ? undefined : this.#turns.get(turn);
    if (known !== undefined) {
      const isNamed = ranked.score >= PART_SHARE_MIN * known.found.ranked.score;
      if (isNamed) known.parts.push(found);
      return;
    }
    if (this.isFull) return;
    const first = this.#firstOf(found);
    if (first !== null) {
      this.#firsts.get(first)!.nearDuplicates.push(document.id);
      return;
    }
    const row: OpenRow = { found, parts: [], nearDuplicates: [] };
    this.#rows.push(row);
    this.#firsts.set(document.id, row);
    if (turn !== null) this.#turns.set(turn, row);
  }

  /** null if the document is its own row. */
  #turnOf({ document, ranked }: FoundDocument): string | null {
    const isFolded = document.turn !== null && (this.#foldsTools || document.kind !== 'tool');
    return isFolded ? `${ranked.projectIndex} ${document.turn}` : null;
  }
}
