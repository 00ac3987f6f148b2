// Makes text from the log safe for a terminal. A transcript may hold anything that a tool printed, so control
// sequences (titles, cursor moves, colours, links) and invisible direction marks are removed: shown text can neither
// control the terminal nor disguise itself. Widths count terminal cells, not characters.
import { stripVTControlCharacters } from 'node:util';

/** Characters that take one cell each and do not combine with their neighbours. */
const NARROW =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u259f]*$/;
let segmenter: Intl.Segmenter | null = null;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const wide = () =>
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Visible characters without control, joining or white space other than a single space. Matches most texts. */
const ORDINARY =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u259f]*$/;

/** Whether a text is one line of ordinary characters, so that nothing has to be removed. */
export function isOrdinary(text: string): boolean {
  return ORDINARY.test(text);
}

/** Removes control sequences and keeps line breaks. Tabs become two spaces. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, '\n'))
    .replace(CONTROL, '')
    .replaceAll('\t', '  ')
    .replace(/[\u2028\u2029]/g, '\n');
}

/** The same in one line; runs of white space become one space. */
export function plainLine(text: string): string {
  if (isOrdinary(text)) return (text.includes('  ') ? text.replace(/ {2,}/g, ' ') : text).trim();
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** The width of plain text in cells. */
export function width(text: string): number {
  if (NARROW.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of segmentsOf(text)) cells += cellsOf(segment);
  return cells;
}

/** Cuts to a number of cells. The last cell is an ellipsis if something was cut. */
export function cutToCells(text: string, cells: number): string {
  if (width(text) <= cells) return text;
  if (NARROW.test(text)) return `${text.slice(0, cells - 1).trimEnd()}…`;
  let taken = '';
  let used = 0;
  for (const { segment } of segmentsOf(text)) {
    const next = cellsOf(segment);
    if (used + next > cells - 1) break;
    taken += segment;
    used += next;
  }
  return `${taken.trimEnd()}…`;
}

/** Pads with spaces, or cuts, to exactly this many cells. */
export function toCells(text: string, cells: number): string {
  const short = cutToCells(text, cells);
  return short + ' '.repeat(Math.max(0, cells - width(short)));
}

/** Breaks plain text at spaces into lines of at most this many cells; a longer word gets a line of its own. */
export function wrap(text: string, cells: number): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    if (width(paragraph) <= cells) return [paragraph];
    const indent = /^\s*/.exec(paragraph)?.[0] ?? '';
    const lines: string[] = [];
    let line = indent;
    for (const word of paragraph.trim().split(' ')) {
      const longer = line === indent ? indent + word : `${line} ${word}`;
      if (line !== indent && width(longer) > cells) {
        lines.push(line);
        line = indent + word;
      } else line = longer;
    }
    return [...lines, line];
  });
}

/** Characters of one code unit that do not combine: dingbats, arrows, boxes, Chinese and Japanese. */
const SINGLE =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u9fff\uff01-\uff9d]*$/;

/** Splits text into grapheme clusters. Creating the segmenter takes 15 to 40 ms, so it is created on first use. */
function segmentsOf(text: string): Iterable<{ readonly segment: string }> {
  if (SINGLE.test(text)) return Array.from(text, (segment) => ({ segment }));
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

function cellsOf(segment: string): number {
  if (NARROW.test(segment)) return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(segment)) return 0;
  return wide().test(segment) ? 2 : 1;
}
