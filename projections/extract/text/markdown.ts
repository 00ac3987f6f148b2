// Splits an agent's answer into plain blocks: headings, labels, list items, paragraphs and where code or a table was, without
// markup. Not a Markdown parser: it only separates text worth quoting from the rest.

import { outsideCode, unmarked } from './emphasis.ts';

export interface MarkdownBlock {
  /** `code` is code or a table; only a single short line of code is kept. */
  readonly kind: 'heading' | 'label' | 'item' | 'text' | 'code';
  readonly text: string;
  /** Of an item: "-", or its number, "2.". */
  readonly mark?: string;
  /** Of code: its only line; empty when there are more. */
  readonly line?: string;
}

/** In a quote: something is left out. */
export const LEFT_OUT = '[…]';
/** A longer item takes no further sub-items. */
const ITEM_CHARS_MAX = 260;
/** Code of one line that is no longer may be a term that the next sentence defines. */
const TERM_CHARS_MAX = 40;
const LINE_CHARS_MAX = 120;

export function markdownBlocks(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let fence: string | null = null;
  let code: string[] = [];
  let open = false;
  let depth = 0;
  let children = 0;
  for (const raw of markdown.split('\n')) {
    // A number inside emphasis still makes a list item.
    const line = raw.replace(/^(\s*)\*{1,2}(?=\d{1,2}[.)]\s)/, '$1');
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) {
        fence = null;
        const line = code.length === 1 && code[0]!.length <= LINE_CHARS_MAX ? code[0]! : '';
        blocks.push({ kind: 'code', text: line.length <= TERM_CHARS_MAX ? line : '', line });
      } else if (line.trim() !== '') code.push(line.trim());
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      open = false;
      code = [];
      continue;
    }
    if (TABLE_ROW.test(line)) {
      if (blocks.at(-1)?.kind !== 'code') blocks.push({ kind: 'code', text: '' });
      open = false;
      continue;
    }
    const kind = kindOf(line);
    const text = kind === null ? '' : plainMarkdown(line);
    if (kind === null || text === '') {
      open = false;
      continue;
    }
    const last = blocks.at(-1);
    const joins = kind === 'text' && open && last !== undefined && last.kind !== 'heading';
    const indent = kind === 'item' ? line.search(/\S/) : 0;
    const below = kind === 'item' && last?.kind === 'item' && indent >= depth + 2;
    if (joins) blocks[blocks.length - 1] = { ...last, text: `${last.text} ${text}` };
    else if (below) {
      blocks[blocks.length - 1] = { ...last, text: withChild(last.text, text, children) };
      children += 1;
    } else {
      blocks.push(kind === 'item' ? { kind, text, mark: markOf(line) } : { kind, text });
      depth = indent;
      children = 0;
    }
    open = kind === 'text' || kind === 'item';
  }
  return blocks.map((block) => (isLabel(block) ? { kind: 'label', text: block.text } : block));
}

function markOf(line: string): string {
  const number = /^\s*(\d{1,2})[.)]\s/.exec(line)?.[1];
  return number === undefined ? '-' : `${number}.`;
}

/** Joins a sub-item to its item, because it says nothing alone, up to `ITEM_CHARS_MAX`. */
function withChild(parent: string, child: string, children: number): string {
  if (parent.length > ITEM_CHARS_MAX) return parent.endsWith(LEFT_OUT) ? parent : `${parent}; ${LEFT_OUT}`;
  const between = children > 0 ? '; ' : /[:：]$/.test(parent) ? ' ' : ': ';
  return `${parent}${between}${child}`;
}

/** Text without markup: most lines. */
const PLAIN = /^[A-Za-z("'](?:[A-Za-z0-9.,;:!?'"()/=&%$@-]| (?! ))*[A-Za-z0-9.,;:!?'")]$/;
/** "**The fix.** It reads the clock": a heading within its paragraph, and no sentence. */
const RUN_IN_HEADING = /^\s*\*\*(\p{L}{3}[^\s*.]*(?: [^\s*.]+){0,2})\.\*\*(?=\s+\S)/u;
/** Emoji and check marks, with joiners and variation selectors. */
const EMOJI = /(?![©®™↔])\p{Extended_Pictographic}|\u2713|\u2717|\u200d|\ufe0f/gu;

/** Text without link targets, emphasis, backticks, check marks and emoji; white space becomes one space. */
export function plainMarkdown(markdown: string): string {
  if (PLAIN.test(markdown)) return markdown;
  const text = (/[^\u0000-\u007f]/.test(markdown) ? markdown.replace(EMOJI, '') : markdown).replace(
    /^\s*(?:#{1,6}\s+|>\s*|[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+)+/,
    '',
  );
  const words = outsideCode(text.replace(RUN_IN_HEADING, '$1:'), (rest) => unmarked(withoutPageMarkup(rest)));
  return words.replace(/\s+/g, ' ').trim();
}

/** Removes link targets, and Elixir's `**` before an exception. */
function withoutPageMarkup(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('~~', '')
    .replace(/(?<!\S)\*\* (?=\()/g, '');
}

const TABLE_ROW = /^\s*\|.*\|\s*$/;

/** null for a line that is not quoted: blank, a rule, a drawing. */
function kindOf(line: string): MarkdownBlock['kind'] | null {
  if (/^\s*$/.test(line) || /^\s*(?:[-*_=─]\s*){3,}$/.test(line)) return null;
  if (/^\s*[│├└┌┐┘┤↓▼]/.test(line)) return null;
  // A line that is bold throughout, and no sentence, is a heading.
  if (/^\s*#{1,6}\s|^\s*\*\*[^*]{3,90}[^*.!?:：]\*\*\s*$/.test(line)) return 'heading';
  if (/^\s*(?:[-*+•]|\d{1,2}[.)])\s+\S/.test(line)) return 'item';
  return 'text';
}

/** "Changes made:" introduces what follows and says nothing by itself. */
function isLabel({ kind, text }: MarkdownBlock): boolean {
  return kind === 'text' && text.length <= 80 && /[:：]$/.test(text) && !/[.!?]\s/.test(text);
}
