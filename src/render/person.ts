// The brief as a person sees it when a session starts: a screen, not a page. Width-aware, coloured where asked.
import picocolors from 'picocolors';
import { width as cells, cut, oneLine, toCells, wrap } from '../cli/plain.ts';
import { ago } from '../cli/when.ts';
import { costLine } from './agent.ts';
import type { Brief, BriefLine, Cost, Section, SectionName } from './brief.ts';

export interface PersonForm {
  /** Cells in a line. */
  readonly width: number;
  readonly color: boolean;
  /** Unix ms. */
  readonly now: number;
}

type Style = ReturnType<typeof picocolors.createColors>;

/** How many lines of each section a screen holds. */
const SHOWN: Readonly<Record<SectionName, number>> = {
  last: 7,
  session: 10,
  since: 8,
  problems: 3,
  decisions: 4,
  gotchas: 3,
  running: 5,
  saved: 4,
  recent: 6,
  earlier: 3,
  files: 1,
};
const LABEL_CELLS_MAX = 12;
/** Lines that a long text of the last session may take; all others have one. */
const WRAPPED_MAX = 2;

export function fitPerson(brief: Brief): Brief {
  return {
    ...brief,
    sections: brief.sections.map((one) => ({ ...one, lines: one.lines.slice(0, SHOWN[one.name]) })),
  };
}

/** One line of welcome where there is nothing to tell. `tokens`: what the agent's form of it costs to read. */
export function drawPerson(brief: Brief, cost: Cost, tokens: number, form: PersonForm): string {
  const style = picocolors.createColors(form.color);
  const project = oneLine(brief.project);
  if (brief.sections.length === 0)
    return cut(`Annals remembers ${project} from now on; nothing is known of it yet.`, form.width);
  const head = style.bold(cut(`${project}: what earlier sessions left`, form.width));
  const parts = brief.sections.flatMap((one) => ['', ...sectionLines(one, form, style)]);
  const foot = wrap(costLine(tokens, cost), form.width).map((line) => style.dim(line));
  return [head, ...parts, '', ...foot].join('\n');
}

function sectionLines({ title, lines }: Section, form: PersonForm, style: Style): string[] {
  const labels = Math.min(LABEL_CELLS_MAX, Math.max(...lines.map(({ label }) => cells(oneLine(label)))));
  return [
    style.cyan(cut(title, form.width)),
    ...lines.flatMap((line, index) => {
      const repeated = index > 0 && lines[index - 1]!.label === line.label && line.label !== '';
      return lineRows(repeated ? { ...line, label: '' } : line, labels, form, style);
    }),
  ];
}

function lineRows(line: BriefLine, labels: number, { width, now }: PersonForm, style: Style): string[] {
  const { id, at, alike } = line;
  const left = labels === 0 ? '  ' : `  ${toCells(oneLine(line.label), labels)}  `;
  const more = alike === 0 ? [] : [`+${alike}`];
  const known = [...more, ...(at === null ? [] : [ago(at, now)]), ...(id === null ? [] : [id])].join('  ');
  const room = Math.max(16, width - cells(left) - cells(known) - 2);
  const wrapped = wrap(oneLine(line.text), room);
  const kept = wrapped
    .slice(0, WRAPPED_MAX)
    .map((row, index) =>
      cut(index === WRAPPED_MAX - 1 && wrapped.length > WRAPPED_MAX ? `${row} …` : row, room),
    );
  return kept.map((row, index) =>
    index === 0
      ? `${style.green(left)}${toCells(row, room)}  ${style.dim(known)}`.trimEnd()
      : `${' '.repeat(cells(left))}${row}`,
  );
}
