// Sums of shows and uses. Each show adds to a sum, so the counts do not depend on the order of events.
import type { ViewWriter } from '../engine/contract/projector.ts';
import { type InjectionRow, receiptKeys, type Show, type TotalRow, type UseCounts } from './receipt-rows.ts';

/** An item that was shown so often and never used loses its place (docs/receipts.md says why so often). */
export const SHOWS_WITHOUT_USE = 5;

const NO_TOTAL: TotalRow = {
  ...{ injections: 0, unknown: 0, tokens: 0, durationMs: 0, timed: 0 },
  ...{ shown: 0, used: 0 },
};
const NO_COUNTS: UseCounts = { shown: 0, used: 0, cited: 0, fixed: 0, opened: 0 };

type Sums = Record<string, number>;

export class ReceiptCounts {
  readonly #totals = new Map<string, Sums>();
  readonly #items = new Map<string, Sums>();
  readonly #everywhere = new Map<string, Sums>();

  injection({ workdir, occasion, tokens, durationMs, ids }: InjectionRow, by: 1 | -1): void {
    add(this.#totals, receiptKeys.total(workdir, occasion), by, {
      injections: 1,
      unknown: ids === null ? 1 : 0,
      tokens: tokens ?? 0,
      durationMs: durationMs ?? 0,
      timed: durationMs === null ? 0 : 1,
    });
  }

  show(id: string, { workdir, occasion, used }: Show, by: 1 | -1): void {
    const counts = { shown: 1, ...(used === null ? {} : { used: 1 }) };
    const item = { ...counts, ...(used === null ? {} : { [used]: 1 }) };
    add(this.#totals, receiptKeys.total(workdir, occasion), by, counts);
    add(this.#items, receiptKeys.item(workdir, id), by, item);
    add(this.#everywhere, id, by, item);
  }

  async write(view: ViewWriter): Promise<void> {
    await writeSums(this.#totals, NO_TOTAL, view);
    await writeSums(this.#items, NO_COUNTS, view);
    const everywhere = new Map([...this.#everywhere].map(([id, sums]) => [receiptKeys.everywhere(id), sums]));
    const rows = await writeSums(everywhere, NO_COUNTS, view);
    for (const [index, id] of [...this.#everywhere.keys()].entries()) {
      const { shown = 0, used = 0 } = rows[index]!;
      if (shown >= SHOWS_WITHOUT_USE && used === 0) view.put(receiptKeys.unused(id), 1);
      else view.del(receiptKeys.unused(id));
    }
  }
}

function add(sums: Map<string, Sums>, name: string, by: 1 | -1, counts: Readonly<Sums>): void {
  const known = sums.get(name) ?? {};
  sums.set(name, known);
  for (const [field, count] of Object.entries(counts)) known[field] = (known[field] ?? 0) + by * count;
}

/** Returns the rows as they are now. */
async function writeSums(
  changes: ReadonlyMap<string, Sums>,
  none: object,
  view: ViewWriter,
): Promise<Sums[]> {
  const stored = await view.getMany<Sums>([...changes.keys()]);
  return [...changes].map(([rowKey, change], index) => {
    const row: Sums = { ...none, ...stored[index] };
    for (const [field, by] of Object.entries(change)) row[field] = (row[field] ?? 0) + by;
    if (Object.values(row).every((count) => count === 0)) view.del(rowKey);
    else view.put(rowKey, row);
    return row;
  });
}
