// Counts runs by kind: their events, faults and findings.
import type { What } from './check.ts';
import { KINDS, type Kind } from './faults.ts';
import type { Outcome } from './run.ts';

interface Row {
  runs: number;
  events: number;
  faults: number;
  /** Findings, by kind of problem. */
  readonly wrong: Record<What, number>;
  /** Runs with a finding. */
  wrongRuns: number;
  /** Processor time. */
  ms: number;
}

export type Rows = Readonly<Record<Kind, Row>>;

export class Tally {
  readonly rows: Rows = Object.fromEntries(KINDS.map((kind) => [kind, emptyRow()])) as Rows;

  add({ kind, events, faults, wrong }: Outcome, ms: number): void {
    const row = this.rows[kind];
    row.runs += 1;
    row.events += events;
    row.faults += faults;
    row.ms += ms;
    for (const { what } of wrong) row.wrong[what] += 1;
    if (wrong.length > 0) row.wrongRuns += 1;
  }

  /** Adds the counts of another tally. */
  addAll(rows: Rows): void {
    for (const kind of KINDS) sum(this.rows[kind], rows[kind]);
  }

  get all(): Readonly<Row> {
    const all = emptyRow();
    for (const row of Object.values(this.rows)) sum(all, row);
    return all;
  }

  table(): string {
    const head = [
      'kind',
      'runs',
      'events acknowledged',
      'faults injected',
      'lost',
      'doubled',
      'readable',
      'wrong views',
    ];
    head.push('else wrong', 'processor ms a run');
    const line = ['---', ...head.slice(1).map(() => '--:')];
    const rows = [...Object.entries(this.rows), ['all', this.all] as const].map(([kind, row]) => {
      const { lost, doubled, readable, view, other } = row.wrong;
      const counts = [row.runs, row.events, row.faults, lost, doubled, readable, view, other];
      const ms = row.runs === 0 ? '-' : (row.ms / row.runs).toFixed(1);
      return [kind, ...counts.map((count) => count.toLocaleString('en-US')), ms];
    });
    return [head, line, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }
}

function emptyRow(): Row {
  return {
    runs: 0,
    events: 0,
    faults: 0,
    wrong: { lost: 0, doubled: 0, readable: 0, view: 0, other: 0 },
    wrongRuns: 0,
    ms: 0,
  };
}

function sum(to: Row, from: Readonly<Row>): void {
  to.runs += from.runs;
  to.events += from.events;
  to.faults += from.faults;
  to.wrongRuns += from.wrongRuns;
  to.ms += from.ms;
  for (const what of Object.keys(to.wrong) as What[]) to.wrong[what] += from.wrong[what];
}
