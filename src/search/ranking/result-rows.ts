// Results become rows as they come, best first. A turn is one row: its best part, and the ids of its other parts, but
// for those that hardly fit: of a long turn nearly everything holds one of the words.
// A result that says the same as a row of another turn is named by that row too.
import type { SearchPart } from '../../api.ts';
import type { Condition } from '../query/query-conditions.ts';
import type { FoundDocument } from './found-documents.ts';
import { nearDuplicateFinder } from './near-duplicates.ts';
import { PART_SHARE_MIN } from './weights.ts';

export interface ResultRow {
  /** The best of its turn. */
  readonly found: FoundDocument;
  /** The others of its turn that fit, best first. */
  readonly parts: readonly SearchPart[];
  /** Ids of results that say the same. */
  readonly nearDuplicates: readonly string[];
}

interface OpenRow extends ResultRow {
  readonly parts: SearchPart[];
  readonly nearDuplicates: string[];
}

export class ResultRows {
  readonly #limit: number;
  readonly #foldsTools: boolean;
  readonly #rows: OpenRow[] = [];
  readonly #passed: string[] = [];
  readonly #turns = new Map<string, OpenRow>();
  readonly #firsts = new Map<string, OpenRow>();
  readonly #firstOf = nearDuplicateFinder();
  #first: OpenRow | null = null;

  /** @param conditions of a query that names a kind or a type: tool uses are then rows of their own */
  constructor(limit: number, conditions: readonly Condition[]) {
    this.#limit = limit;
    this.#foldsTools = !conditions.some(({ field, not }) => !not && (field === 'kind' || field === 'type'));
  }

  /** Best first, without the one that was put first. */
  get all(): readonly ResultRow[] {
    return this.#rows;
  }

  /** As they are shown: the one that was put first, then best first. */
  get shown(): readonly ResultRow[] {
    return this.#first === null ? this.#rows : [this.#first, ...this.#rows].slice(0, this.#limit);
  }

  /** Ids of all that came, also beyond the last row. */
  get passed(): readonly string[] {
    return this.#passed;
  }

  get isFull(): boolean {
    return this.#rows.length >= this.#limit;
  }

  /** Its row is shown before all others. Nothing was added before. */
  showFirst(found: FoundDocument): void {
    this.#first = { found, parts: [], nearDuplicates: [] };
    const turn = this.#turnOf(found);
    if (turn !== null) this.#turns.set(turn, this.#first);
  }

  /** Of a full list only the parts of its turns are still taken. */
  add(found: FoundDocument): void {
    const { document, ranked } = found;
    this.#passed.push(document.id);
    if (document.id === this.#first?.found.document.id) return;
    const turn = this.#turnOf(found);
    const known = turn === null ? undefined : this.#turns.get(turn);
    if (known !== undefined) {
      const isNamed = ranked.score >= PART_SHARE_MIN * known.found.ranked.score;
      if (isNamed) known.parts.push({ id: document.id, kind: document.kind, type: document.type });
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

  /** null where it is a row of its own. */
  #turnOf({ document, ranked }: FoundDocument): string | null {
    const isFolded = document.turn !== null && (this.#foldsTools || document.kind !== 'tool');
    return isFolded ? `${ranked.projectIndex} ${document.turn}` : null;
  }
}
