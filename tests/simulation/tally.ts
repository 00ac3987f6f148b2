// Runs counted by kind.
import { KINDS, type Kind } from './faults.ts';
import type { Outcome } from './run.ts';

interface Row {
  runs: number;
  events: number;
  kills: number;
  refused: number;
  wrong: number;
  ms: number;
}

export class Tally {
  readonly #rows = new Map<Kind, Row>(
    KINDS.map((kind) => [kind, { runs: 0, events: 0, kills: 0, refused: 0, wrong: 0, ms: 0 }]),
  );

  add({ kind, events, kills, refused, wrong }: Outcome, ms: number): void {
    const row = this.#rows.get(kind)!;
    row.runs += 1;
    row.events += events;
    row.kills += kills;
    row.refused += refused;
    row.ms += ms;
    if (wrong.length > 0) row.wrong += 1;
  }

  /** Runs in which something did not hold. */
  get wrong(): number {
    return [...this.#rows.values()].reduce((sum, row) => sum + row.wrong, 0);
  }

  table(): string {
    const head = ['kind', 'runs', 'events', 'kills', 'writes refused', 'runs gone wrong', 'ms a run'];
    const rows = [...this.#rows].map(([kind, row]) => [
      kind,
      ...[row.runs, row.events, row.kills, row.refused, row.wrong].map((count) =>
        count.toLocaleString('en-US'),
      ),
      row.runs === 0 ? '-' : (row.ms / row.runs).toFixed(1),
    ]);
    return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }
}
