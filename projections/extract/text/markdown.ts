// An agent's answer as plain blocks: headings, labels, list items and paragraphs, without code, tables and markup.
// Not a Markdown parser: it only has to tell apart what a reader would quote and what a reader would skip.

import { outsideCode, unmarked } from './emphasis.ts';

export interface MarkdownBlock {
  readonly kind: 'heading' | 'label' | 'item' | 'text';
  readonly text: string;
}

/** From here on an item takes no more of those below it. */
const ITEM_CHARS_MAX = 260;

export function markdownBlocks(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let fence: string | null = null;
  let open = false;
  let depth = 0;
  let children = 0;
  for (const raw of markdown.split('\n')) {
    // A list whose numbers stand inside the emphasis is a list.
    const line = raw.replace(/^(\s*)\*{1,2}(?=\d{1,2}[.)]\s)/, '$1');
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
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
    if (joins) blocks[blocks.length - 1] = { kind: last.kind, text: `${last.text} ${text}` };
    else if (below) {
      blocks[blocks.length - 1] = { kind: 'item', text: withChild(last.text, text, children) };
      children += 1;
    } else {
      blocks.push({ kind, text });
      depth = indent;
      children = 0;
    }
    open = kind === 'text' || kind === 'item';
  }
  return blocks.map((block) => (isLabel(block) ? { kind: 'label', text: block.text } : block));
}

/** An item below an item says nothing without it: both are one, as long as a reader would read it as one. */
function withChild(parent: string, child: string, children: number): string {
  if (parent.length > ITEM_CHARS_MAX) return parent;
  const between = children > 0 ? '; ' : /[:：]$/.test(parent) ? ' ' : ': ';
  return `${parent}${between}${child}`;
}

/** Words and single spaces only: most lines. */
const PLAIN = /^[A-Za-z("'](?:[A-Za-z0-9.,;:!?'"()/=&%$@-]| (?! ))*[A-Za-z0-9.,;:!?'")]$/;
/** Pictures and check marks; the sign that joins or colours them goes too. */
const EMOJI = /(?![©®™↔])\p{Extended_Pictographic}|\u2713|\u2717|\u200d|\ufe0f/gu;

/** Markup of a page. `<hash>` is a placeholder and stays, unless it is closed again. */
const TAGS =
  /<\/?(?:a|b|i|p|br|hr|em|ul|ol|li|td|tr|th|div|img|kbd|sub|sup|pre|code|span|table|strong|center|picture|details|summary|h[1-6])(?:\s[^<>]{0,80})?\/?>|<([a-z][\w-]{0,40})(?:\s[^<>]{0,80})?>(?=.*<\/\1>)|<\/[a-z][\w-]{0,40}>|^\s*<[a-z][\w-]{0,40}>\s*$/gi;

/** Without links' targets, emphasis, code marks, check marks and emoji; white space is one space. */
export function plainMarkdown(markdown: string): string {
  if (PLAIN.test(markdown)) return markdown;
  const text = (/[^\u0000-\u007f]/.test(markdown) ? markdown.replace(EMOJI, '') : markdown).replace(
    /^\s*(?:#{1,6}\s+|>\s*|[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+)+/,
    '',
  );
  const words = outsideCode(text, (rest) => unmarked(withoutPage(rest)));
  return words.replace(/\s+/g, ' ').trim();
}

/** Without links' targets, tags, colours, and Elixir's mark of an exception. */
function withoutPage(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(TAGS, ' ')
    .replaceAll('~~', '')
    .replace(/(?<!\S)\*\* (?=\()/g, '')
    .replace(/\u001b\[[0-9;]*m/g, '');
}

/** null: a line that is not for quoting (blank, a table's row, a ruler). */
function kindOf(line: string): MarkdownBlock['kind'] | null {
  if (/^\s*$/.test(line) || /^\s*\|.*\|\s*$/.test(line) || /^\s*(?:[-*_=─]\s*){3,}$/.test(line)) return null;
  if (/^\s*[│├└┌┐┘┤↓▼]/.test(line)) return null;
  // A line that is bold from end to end, and no sentence, heads what follows.
  if (/^\s*#{1,6}\s|^\s*\*\*[^*]{3,90}[^*.!?:：]\*\*\s*$/.test(line)) return 'heading';
  if (/^\s*(?:[-*+•]|\d{1,2}[.)])\s+\S/.test(line)) return 'item';
  return 'text';
}

/** "Changes made:" opens what follows; it says nothing by itself. */
function isLabel({ kind, text }: MarkdownBlock): boolean {
  return kind === 'text' && text.length <= 80 && /[:：]$/.test(text) && !/[.!?]\s/.test(text);
}
