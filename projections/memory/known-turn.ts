// A turn with its rows, its documents and what was last derived from them, so that a changed row costs its own document,
// its neighbours', the last observation and the summary. The turn stays in memory between pages. Without it, all of its
// rows are read.

import type { MemoryDocument } from '../documents/document.ts';
import type { ViewReader } from '../engine/contract/projector.ts';
import { type Observed, ObservedTurn } from '../extract/observed-turn.ts';
import type { ObservationRow, SummaryRow } from '../extract/transcript/observation.ts';
import type { ItemRow, TurnRow } from '../sessions/session-rows.ts';
import { ItemDocuments } from './item-documents.ts';
import { observationDocument, summaryDocument } from './observation-documents.ts';
import type { ReadingsOf } from './readings-of-turns.ts';
import { type Reading, withReadings } from './with-readings.ts';

/** A document before, if it is known, and after a change: null where it is gone. */
export interface ChangedDocument {
  readonly before: MemoryDocument | undefined;
  readonly after: MemoryDocument | null;
}

export interface ChangedDocuments {
  readonly documents: ReadonlyMap<string, ChangedDocument>;
  /** New rows of observations and summaries, by id. */
  readonly rows: ReadonlyMap<string, ObservationRow | SummaryRow>;
}

export class KnownTurn {
  #row: TurnRow | null = null;
  readonly #items = new Map<string, ItemRow>();
  /** The stored documents, by id. */
  readonly #documents = new Map<string, MemoryDocument>();
  #derived: { readonly items: ItemDocuments; readonly observed: ObservedTurn } | null = null;
  #observationIds: readonly string[] = [];
  #summaryId: string | null = null;
  #hasReadings = false;

  /** How many items and documents it holds. */
  get size(): number {
    return this.#items.size + this.#documents.size;
  }

  get documentCount(): number {
    return this.#documents.size;
  }

  /** Applies changed rows; a null row is read. `key` is that of the turn's row, `readingsOf` finds a model's. */
  async update(
    shown: ReadonlyMap<string, TurnRow | ItemRow | null>,
    key: string,
    upstream: ViewReader,
    readingsOf: ReadingsOf,
  ): Promise<ChangedDocuments> {
    const workdir = this.#row?.workdir;
    const items = await this.#updateRows(shown, key, upstream);
    const changed = new Map<string, MemoryDocument | null>();
    const rows = new Map<string, ObservationRow | SummaryRow>();
    const row = this.#row;
    if (row === null || row.private || row.workdir !== workdir) {
      this.#derived = null;
      for (const id of this.#documents.keys()) changed.set(id, null);
    }
    if (row !== null && !row.private) {
      const isNew = this.#derived === null;
      this.#derived ??= { items: new ItemDocuments(row), observed: new ObservedTurn(row.workdir) };
      for (const id of inOrder(isNew ? [...this.#items.keys()] : items, this.#items)) {
        this.#derived.items.change(id, this.#items.get(id) ?? null);
        this.#derived.observed.change(id, this.#items.get(id) ?? null);
      }
      for (const [id, document] of this.#derived.items.settle()) changed.set(id, document);
      const readings = await readingsOf(row, this.#named());
      this.#noteObserved(this.#withReadings(this.#derived.observed.observe(row), readings), changed, rows);
    }
    return { documents: this.#noteDocuments(changed), rows };
  }

  /** The events by which a model's readings name this turn: those of its prompts, else all. */
  *#named(): Iterable<string> {
    for (const { kind, reports } of this.#items.values())
      if (kind === 'prompt' || this.#row!.prompt === null) for (const { event } of reports) yield event;
  }

  /** Where readings count, or counted before, no row can be taken for unchanged. */
  #withReadings(observed: Observed, readings: readonly Reading[]): Observed {
    const hadReadings = this.#hasReadings;
    this.#hasReadings = readings.length > 0;
    return hadReadings && !this.#hasReadings
      ? { ...observed, kept: 0 }
      : withReadings(observed, readings, this.#items.values());
  }

  /** Returns the ids of changed items. */
  async #updateRows(
    shown: ReadonlyMap<string, TurnRow | ItemRow | null>,
    key: string,
    upstream: ViewReader,
  ): Promise<string[]> {
    const unknown = [...shown].flatMap(([name, row]) => (row === null ? [name] : []));
    const read = unknown.length === 0 ? [] : await upstream.getMany<TurnRow | ItemRow>(unknown);
    const found = new Map(unknown.map((name, index) => [name, read[index] ?? null]));
    const changed: string[] = [];
    for (const [name, row] of shown) {
      const now = row ?? found.get(name)!;
      if (name === key) this.#row = now as TurnRow | null;
      else {
        const id = name.slice(name.lastIndexOf('/') + 1);
        changed.push(id);
        if (now === null) this.#items.delete(id);
        else this.#items.set(id, now as ItemRow);
      }
    }
    if (this.#row !== null && this.#row.items === this.#items.size) return changed;
    // Not all rows are known yet.
    this.#row = (await upstream.get<TurnRow>(key)) ?? null;
    const all = await upstream.range<ItemRow>(`${key}/`);
    const before = [...this.#items.keys()];
    this.#items.clear();
    for (const [, item] of all) this.#items.set(item.id, item);
    return [...new Set([...changed, ...before, ...this.#items.keys()])];
  }

  #noteObserved(
    { observations, summary, kept }: Observed,
    changed: Map<string, MemoryDocument | null>,
    rows: Map<string, ObservationRow | SummaryRow>,
  ): void {
    const now = new Set(observations.map(({ id }) => id));
    for (const id of this.#observationIds) if (!now.has(id)) changed.set(id, null);
    if (this.#summaryId !== null && this.#summaryId !== summary?.id) changed.set(this.#summaryId, null);
    for (const row of observations.slice(kept)) rows.set(row.id, row);
    // The last document that is kept names the next one's title.
    for (let index = Math.max(0, kept - 1); index < observations.length; index++)
      this.#noteIfChanged(observationDocument(observations, index), changed);
    if (summary !== null) {
      rows.set(summary.id, summary);
      this.#noteIfChanged(summaryDocument(summary), changed);
    }
    this.#observationIds = observations.map(({ id }) => id);
    this.#summaryId = summary?.id ?? null;
  }

  #noteIfChanged(document: MemoryDocument, changed: Map<string, MemoryDocument | null>): void {
    const known = this.#documents.get(document.id);
    if (known === undefined || JSON.stringify(known) !== JSON.stringify(document))
      changed.set(document.id, document);
    else changed.delete(document.id);
  }

  #noteDocuments(changed: ReadonlyMap<string, MemoryDocument | null>): Map<string, ChangedDocument> {
    const documents = new Map<string, ChangedDocument>();
    for (const [id, after] of changed) {
      const before = this.#documents.get(id);
      if (after === null && before === undefined) continue;
      documents.set(id, { before, after });
      if (after === null) this.#documents.delete(id);
      else this.#documents.set(id, after);
    }
    return documents;
  }
}

/** Items in their order are added fastest. */
function inOrder(ids: string[], items: ReadonlyMap<string, ItemRow>): string[] {
  const order = (id: string): string => items.get(id)?.order ?? '';
  return ids.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}
