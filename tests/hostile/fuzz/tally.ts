// Counts cases by kind: the results, the failures, and the largest cost of one case.
import { KINDS, type Kind, type Outcome } from './case.ts';
import type { Fate } from './found.ts';

/** Limits for a case: processor time, and memory beyond what the process had. */
export const CPU_MS_MAX = 1_000;
export const GROWN_BYTES_MAX = 200 * 2 ** 20;

interface Row {
  cases: number;
  readonly fates: Record<Fate, number>;
  wrong: number;
  cpuMs: number;
  cpuMsMost: number;
  grownBytesMost: number;
}

export type Rows = Readonly<Record<Kind, Row>>;

export class Tally {
  readonly rows: Rows = Object.fromEntries(KINDS.map((kind) => [kind, emptyRow()])) as Rows;

  add(outcome: Outcome): void {
    const { kind, cpuMs, grownBytes } = outcome;
    const fates = { ...emptyRow().fates, ...outcome.fates };
    const wrong = problemsOf(outcome).length > 0 ? 1 : 0;
    sum(this.rows[kind], { cases: 1, fates, wrong, cpuMs, cpuMsMost: cpuMs, grownBytesMost: grownBytes });
  }

  /** Adds counts from elsewhere. */
  addAll(rows: Rows): void {
    for (const kind of KINDS) sum(this.rows[kind], rows[kind]);
  }

  get all(): Readonly<Row> {
    const all = emptyRow();
    for (const row of Object.values(this.rows)) sum(all, row);
    return all;
  }

  table(): string {
    const head = ['kind', 'cases', 'hostile inputs', 'taken', 'parked', 'refused', 'left alone', 'wrong'];
    head.push('processor ms a case', 'most', 'memory, most');
    const line = ['---', ...head.slice(1).map(() => '--:')];
    const rows = [...Object.entries(this.rows), ['all', this.all] as const].map(([kind, row]) => {
      const inputs = Object.values(row.fates);
      const total = inputs.reduce((sum, count) => sum + count, 0);
      const counts = [row.cases, total, ...inputs, row.wrong].map((count) => count.toLocaleString('en-US'));
      const ms = row.cases === 0 ? '-' : (row.cpuMs / row.cases).toFixed(1);
      return [
        kind,
        ...counts,
        ms,
        `${Math.round(row.cpuMsMost)} ms`,
        `${Math.round(row.grownBytesMost / 2 ** 20)} MiB`,
      ];
    });
    return [head, line, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }
}

/** The failures of a case, limits included. */
export function problemsOf({ wrong, cpuMs, grownBytes }: Outcome): readonly string[] {
  return [
    ...wrong,
    ...(cpuMs > CPU_MS_MAX ? [`it took ${Math.round(cpuMs)} ms`] : []),
    ...(grownBytes > GROWN_BYTES_MAX ? [`it took ${Math.round(grownBytes / 2 ** 20)} MiB`] : []),
  ];
}

function emptyRow(): Row {
  const fates = { taken: 0, parked: 0, refused: 0, 'left alone': 0 };
  return { cases: 0, fates, wrong: 0, cpuMs: 0, cpuMsMost: 0, grownBytesMost: 0 };
}

function sum(to: Row, from: Readonly<Row>): void {
  to.cases += from.cases;
  to.wrong += from.wrong;
  to.cpuMs += from.cpuMs;
  to.cpuMsMost = Math.max(to.cpuMsMost, from.cpuMsMost);
  to.grownBytesMost = Math.max(to.grownBytesMost, from.grownBytesMost);
  for (const fate of Object.keys(to.fates) as Fate[]) to.fates[fate] += from.fates[fate];
}
