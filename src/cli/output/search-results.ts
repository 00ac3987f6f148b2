// Prints search results on one grid. First line: number, time, kind, title, project. Second line: id, tokens, number
// of near-duplicates, `failed` of a tool use, snippet with highlighted matches or the decisions that were asked for. Then,
// for a prompt or an announcement, what another part of its turn says, and the other parts.
import type { SearchPart, SearchResult, SearchShares } from '../../api.ts';
import { cutToCells, plainLine, toCells, width, wrap } from '../../terminal-text/plain-text.ts';
import { ago, dayText } from '../../terminal-text/time-text.ts';
import type { Session } from '../command/command.ts';
import { TEXT_CELLS_MIN } from '../command/terminal.ts';
import { emphasise, windowOn } from './emphasise.ts';
import { marksText } from './marks-text.ts';

const KIND_WIDTH = 8;
const PROJECT_WIDTH_MAX = 24;
const NARROW = 76;

export async function printResults(
  { terminal, world }: Session,
  query: string,
  results: readonly SearchResult[],
): Promise<void> {
  const { style } = terminal;
  const now = world.now();
  const numbers = String(results.length).length;
  const left = Math.max(...results.flatMap((result) => [width(when(result, now)), width(result.id)]));
  const projects = results.map(({ project }) => cutToCells(plainLine(project), PROJECT_WIDTH_MAX));
  const projectWidth = terminal.width < NARROW ? 0 : Math.max(...projects.map(width));
  const before = numbers + left + KIND_WIDTH + 5;
  const isStacked = terminal.width - before < TEXT_CELLS_MIN;
  // In a narrow terminal title and snippet get lines of their own.
  const indent = isStacked ? numbers + 2 : before;
  const middle = terminal.width - indent;
  const beside = (head: string, text: string) =>
    terminal.line(
      isStacked && text !== ''
        ? `${head.trimEnd()}\n${' '.repeat(indent)}${text}`
        : `${head}${text}`.trimEnd(),
    );

  for (const [index, result] of results.entries()) {
    const number = String(index + 1).padStart(numbers);
    const titleWidth = projectWidth === 0 ? middle : middle - projectWidth - 2;
    const title = plainLine(result.title) || '(no title)';
    const project = projectWidth === 0 ? '' : `  ${style.cyan(projects[index] ?? '')}`;
    await beside(
      `${style.dim(number)}  ${toCells(when(result, now), left)}  ${style.green(toCells(kindOf(result), KIND_WIDTH))} `,
      `${style.bold(projectWidth === 0 ? cutToCells(title, titleWidth) : toCells(title, titleWidth))}${project}`,
    );
    const tokens = `${result.tokens} tok`;
    const snippetText = plainLine(result.snippet);
    const similar = result.nearDuplicates.length === 0 ? '' : `+${result.nearDuplicates.length} similar  `;
    const failed = result.outcome === 'failed' ? 'failed  ' : '';
    const room = middle - width(similar) - width(failed);
    const [snippet = '', ...more] =
      result.decisions?.flatMap(({ by, text }) => wrap(`The ${by}: ${plainLine(text)}`, room)) ??
      (snippetText === title && width(title) <= titleWidth ? [] : [windowOn(snippetText, query, room)]);
    await beside(
      `${' '.repeat(numbers)}  ${style.dim(toCells(result.id, left))}  ${style.dim(toCells(tokens, KIND_WIDTH))} `,
      `${style.dim(similar)}${style.yellow(failed)}${emphasise(snippet, query, style)}`,
    );
    for (const line of more) await terminal.line(`${' '.repeat(indent)}${emphasise(line, query, style)}`);
    const marks = marksText(result.marks);
    if (marks !== '')
      await terminal.line(
        `${' '.repeat(numbers)}  ${style.yellow(cutToCells(marks, terminal.width - numbers - 2))}`,
      );
    const whole = terminal.width - numbers - 2;
    const { statement } = result;
    if (statement !== undefined) {
      const part = `+ ${plainLine(kindOf(statement))} ${statement.id}  `;
      const text = windowOn(plainLine(statement.text), query, Math.max(1, whole - width(part)));
      await terminal.line(`${' '.repeat(numbers)}  ${style.dim(part)}${emphasise(text, query, style)}`);
    }
    const others = result.parts.filter(({ id }) => id !== statement?.id);
    if (others.length > 0)
      await terminal.line(`${' '.repeat(numbers)}  ${style.dim(partsText(others, whole))}`);
    if (result.shares !== undefined)
      for (const line of terminal.wrapped(sharesText(result.score, result.shares), numbers + 2))
        await terminal.line(`${' '.repeat(numbers)}  ${style.dim(line)}`);
  }
  terminal.tip('');
}

/** `+ answer a-…, prompt p-…, 4 more`: as many as fit, and the number of the rest. */
function partsText(parts: readonly SearchPart[], cells: number): string {
  const shown: string[] = [];
  let used = width('+ ');
  for (const part of parts) {
    const name = `${plainLine(kindOf(part))} ${part.id}`;
    const left = parts.length - shown.length;
    if (used + width(name) + (left > 1 ? width(`, , ${left} more`) : 0) > cells) break;
    shown.push(name);
    used += width(`, ${name}`);
  }
  const left = parts.length - shown.length;
  return `+ ${[...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ')}`;
}

/** `0.93 = words 0.60 + meaning 0.13 + …`, without parts below 0.005. */
function sharesText(score: number, shares: SearchShares | null): string {
  if (shares === null) return `${score.toFixed(2)}: ranked by words only, below the best results`;
  const parts = Object.entries(shares).filter(([, share]) => Math.abs(share) >= 0.005);
  return `${score.toFixed(2)} = ${parts.map(([name, share]) => `${name} ${share.toFixed(2)}`).join(' + ')}`.replaceAll(
    /\+ (\w+) -/g,
    '− $1 ',
  );
}

/** `2 d ago · 18 Nov`. */
function when({ at }: SearchResult, now: number): string {
  if (at === null) return 'time unknown';
  const time = Date.parse(at);
  return `${ago(time, now).padEnd(10)} ${dayText(time, now)}`;
}

/** A tool use is shown by its tool, a memory by its type. */
function kindOf({ kind, type }: SearchPart): string {
  return kind === 'prompt' || (kind === 'answer' && type !== 'recap') || type === null
    ? kind
    : plainLine(type);
}
