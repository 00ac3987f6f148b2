// The report of a benchmark: figures with units and goals, printed as a table, or with `--json` as one line per report.
// The digest covers the computed results: two runs on the same data must print the same digest.
import { cpus, loadavg, totalmem } from 'node:os';
import type { Timing } from './measure.ts';

export interface Figure {
  readonly name: string;
  /** The median when there are several runs. */
  readonly value: number;
  readonly unit: string;
  readonly p95?: number;
  /** Processor time, in the same unit. */
  readonly cpu?: number;
  /** The goal: `≥ 70`, `≤ 400`. */
  readonly goal?: string;
}

export interface Report {
  readonly bench: string;
  /** A description of the data. */
  readonly data: string;
  readonly figures: readonly Figure[];
  readonly digest: string;
  /** Additional lines below the table. */
  readonly notes?: readonly string[];
}

/** `full` for real figures, `small` for the tests: the same work on little data. */
export type Size = 'small' | 'full';

export function time(name: string, { ms, p95Ms, cpuMs }: Timing, goal?: string): Figure {
  const figure = { name, value: ms, unit: 'ms', p95: p95Ms, cpu: cpuMs };
  return goal === undefined ? figure : { ...figure, goal };
}

export function print(reports: readonly Report[]): void {
  if (process.argv.includes('--json'))
    for (const report of reports) say(JSON.stringify({ ...report, machine: machine() }));
  else {
    say(machine());
    for (const report of reports) say(table(report));
  }
}

/** The value of `--name value` or `--name=value`, or null. */
export function option(name: string): string | null {
  const words = process.argv;
  const joined = words.find((word) => word.startsWith(`--${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 3);
  const at = words.indexOf(`--${name}`);
  return at < 0 ? null : (words[at + 1] ?? null);
}

function table({ bench, data, figures, digest, notes = [] }: Report): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const rows = figures.map(({ name, value, unit, p95, cpu, goal }) =>
    [
      `  ${name.padEnd(width)} ${short(value).padStart(9)} ${unit.padEnd(10)}`,
      p95 === undefined ? '' : `p95 ${short(p95)}  `,
      cpu === undefined ? '' : `processor ${short(cpu)}  `,
      goal === undefined ? '' : `goal ${goal}`,
    ]
      .join('')
      .trimEnd(),
  );
  return [`\n${bench}: ${data}`, ...rows, ...notes.map((note) => `  ${note}`), `  digest ${digest}`].join(
    '\n',
  );
}

function machine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]!.toFixed(1);
  return `Node ${process.versions.node}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${gigabytes} GiB, load ${load}`;
}

function short(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
