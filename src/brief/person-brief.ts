// Renders the brief for a person at session start: about one screen, fitted to the terminal's width, coloured if asked.
import picocolors from 'picocolors';
import { grouped } from '../terminal-text/grouped-number.ts';
import { width as cells, cutToCells, plainLine, toCells, wrap } from '../terminal-text/plain-text.ts';
import { minuteText } from '../terminal-text/time-text.ts';
import type { Brief, BriefLine, Cost, Section, SectionName } from './lines/brief.ts';

export interface PersonForm {
  /** Cells in a line. */
  readonly width: number;
  readonly color: boolean;
}

type Style = ReturnType<typeof picocolors.createColors>;

/** How many lines of each section are shown. */
const SHOWN: Readonly<Record<SectionName, number>> = {
  notes: 20,
  pinned: 4,
  last: 7,
  session: 10,
  asked: 8,
  open: 4,
  since: 8,
  problems: 3,
  decisions: 3,
  gotchas: 2,
  running: 4,
  saved: 4,
  work: 8,
  files: 1,
};
/** The widest label column: this share of a line, but at least so many cells. */
const LABELS_MAX = { share: 1 / 5, cells: 12 };
/** Rows that a long text of the last session may take; all others get one. */
const ROWS_MAX = 2;
/** A text narrower than this beside its id is unreadable. */
const TEXT_CELLS_MIN = 30;

export function fitPersonBrief(brief: Brief): Brief {
  return {
    ...brief,
    sections: brief.sections.map((one) => ({ ...one, lines: one.lines.slice(0, SHOWN[one.name]) })),
  };
}

/** One line of welcome if there is nothing to show. `tokens`: the cost of reading the agent's form. */
export function renderPersonBrief(brief: Brief, cost: Cost, tokens: number, form: PersonForm): string {
  const style = picocolors.createColors(form.color);
  const project = plainLine(brief.project);
  if (brief.sections.length === 0)
    return cutToCells(
      `Annals remembers what happens in ${project}; there is nothing to tell yet.`,
      form.width,
    );
  const head = style.bold(cutToCells(`${project}: what earlier sessions left`, form.width));
  const parts = brief.sections.flatMap((one) => ['', ...sectionLines(one, form, style)]);
  const foot = wrap(costLine(tokens, cost), form.width).map((line) => style.dim(line));
  return [head, ...parts, '', ...foot].join('\n');
}

function costLine(tokens: number, { found }: Cost): string {
  const reading = `Reading this costs about ${grouped(tokens)} tokens`;
  return found === null || found === 0
    ? `${reading}.`
    : `${reading}; finding it out cost about ${rounded(found)} (usage of the turns it is based on, cache included).`;
}

/** `840`, `12,300`, `34.9 million`. */
function rounded(tokens: number): string {
  if (tokens >= 1e6) return `${(tokens / 1e6).toFixed(1)} million`;
  return grouped(tokens >= 10_000 ? Math.round(tokens / 100) * 100 : tokens);
}

function sectionLines({ name, title, lines }: Section, form: PersonForm, style: Style): string[] {
  const most = Math.max(LABELS_MAX.cells, Math.floor(LABELS_MAX.share * form.width));
  const labels = Math.min(most, Math.max(...lines.map(({ label }) => cells(plainLine(label)))));
  const layout = { ...form, labels, rows: name === 'last' || name === 'files' ? ROWS_MAX : 1 };
  return [
    style.cyan(cutToCells(title, form.width)),
    ...lines.flatMap((line, index) => {
      const repeated = index > 0 && lines[index - 1]!.label === line.label;
      return lineRows(repeated ? { ...line, label: '' } : line, layout, style);
    }),
  ];
}

interface Layout extends PersonForm {
  /** Width of the label column in cells; 0 for none. */
  readonly labels: number;
  /** How many rows the text of a line may take. */
  readonly rows: number;
}

function lineRows(line: BriefLine, { width, labels, rows }: Layout, style: Style): string[] {
  const { id, at, nearDuplicates } = line;
  const left = labels === 0 ? '  ' : `  ${toCells(plainLine(line.label), labels)}  `;
  const more = nearDuplicates === 0 ? [] : [`+${nearDuplicates}`];
  const known = [
    ...more,
    ...(at === null ? [] : [minuteText(at)]),
    ...(id === null ? [] : [plainLine(id)]),
  ].join('  ');
  const indent = ' '.repeat(cells(left));
  const alongside = width - cells(left) - cells(known) - 2;
  // In a narrow terminal id and time get their own row.
  const room = alongside < TEXT_CELLS_MIN ? width - cells(left) : alongside;
  const [first = '', ...rest] = clippedRows(plainLine(line.text), room, rows);
  const below = rest.map((row) => `${indent}${row}`);
  if (known === '') return [`${style.green(left)}${first}`, ...below];
  return room === alongside
    ? [`${style.green(left)}${toCells(first, room)}  ${style.dim(known)}`, ...below]
    : [`${style.green(left)}${first}`, ...below, `${indent}${style.dim(cutToCells(known, room))}`];
}

/** At most `rows` rows; the last one ends in an ellipsis if text is missing. */
function clippedRows(text: string, room: number, rows: number): string[] {
  const wrapped = wrap(text, room);
  const kept = wrapped.slice(0, rows);
  if (wrapped.length > rows) kept[rows - 1] = `${kept[rows - 1]} ${wrapped[rows]}`;
  return kept.map((row) => cutToCells(row, room));
}
