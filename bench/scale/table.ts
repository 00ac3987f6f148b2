// Puts the reports of searches into one table, a line per size, for easy comparison.
import type { Figure, Report } from '../harness/report.ts';

const COLUMNS: readonly (readonly [title: string, figure: string])[] = [
  ['words', 'words alone'],
  ['with vectors', 'words and vectors'],
  ['FTS5', 'SQLite FTS5, porter'],
  ['first', 'first search, indexes read from disk'],
  ['memory', 'resident memory more than before'],
  ['unloaded', '— after unloading'],
  ['of FTS5', '— of SQLite FTS5'],
];
const WIDTH = 24;

/** The same reports, with those of searches as one. */
export function compact(reports: readonly Report[]): Report[] {
  const searches = reports.filter(({ bench }) => bench === 'scale');
  const others = reports.filter(({ bench }) => bench !== 'scale');
  const head = ['', ...COLUMNS.map(([title]) => title)];
  const lines = searches.map((report) => [
    report.data.replace(' synthetic records in', ',').replace(/, \d+ queries$/, ''),
    ...COLUMNS.map(([, name]) => cell(report.figures.find((figure) => figure.name === name))),
  ]);
  const notes = [head, ...lines].map(([first, ...rest]) =>
    [first!.padEnd(24), ...rest.map((text) => text.padStart(WIDTH))].join(''),
  );
  return [
    {
      bench: 'scale',
      data: 'synthetic records; p50 / p95 ms (processor time), memory in MiB',
      figures: [],
      notes,
      digest: searches.map(({ digest }) => digest).join(' '),
    },
    ...others,
  ];
}

function cell(figure: Figure | undefined): string {
  if (figure === undefined) return '';
  const { value, p95, cpu } = figure;
  if (p95 === undefined) return value.toFixed(0);
  return `${value.toFixed(1)} / ${p95.toFixed(1)} (${(cpu ?? 0).toFixed(1)})`;
}
