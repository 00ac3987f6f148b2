// The block with a project's context in a Markdown file. Its outer lines are the tags that mark everything we give to an agent, so
// that capture removes it wherever an agent or an import reads the file. Texts may begin with a byte order mark.

/** `file`: the file was made for the block. */
const START = /<!-- annals:start\b[^>\n]*-->/g;
const END = /<!-- annals:end -->/g;
const BLOCK =
  /(?<=^|^\uFEFF)<annals-context[^\r\n]*>\r?\n<!-- annals:start\b[^>\r\n]*-->\r?\n[\s\S]*?^<!-- annals:end -->\r?\n<\/annals-context>$/m;
const MADE = ' (with this file)';

export interface Block {
  readonly start: number;
  readonly end: number;
  /** Whether the file was made for it. */
  readonly madeFile: boolean;
}

/** Null when there is none. `broken`: its lines are incomplete, changed, or there more than once. */
export function findBlock(text: string): Block | 'broken' | null {
  const starts = text.match(START)?.length ?? 0;
  const ends = text.match(END)?.length ?? 0;
  if (starts === 0 && ends === 0) return null;
  const match = BLOCK.exec(text);
  if (match === null || starts !== 1 || ends !== 1) return 'broken';
  const [block] = match;
  return { start: match.index, end: match.index + block.length, madeFile: block.includes(MADE) };
}

/**
 * The text with the block in it: in place of the old one, else at the end.
 * @param text null for a file that is missing
 * @param context as an agent gets it, from its opening to its closing tag
 */
export function withBlock(text: string | null, context: string, old: Block | null): string {
  const eol = text?.includes('\r\n') === true ? '\r\n' : '\n';
  const block = linesOf(context, text === null || old?.madeFile === true).join(eol);
  if (text === null) return `${block}${eol}`;
  if (old !== null) return text.slice(0, old.start) + block + text.slice(old.end);
  if (text.replace('\uFEFF', '') === '') return `${text}${block}${eol}`;
  // A file without a line end at its end keeps having none, so that removal gives the same text back.
  return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

/** The text as it was before the block was added. Null when the file was made for it and holds nothing else. */
export function withoutBlock(text: string, { start, end, madeFile }: Block): string | null {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const rest =
    after === ''
      ? before.replace(/\r?\n\r?\n$/, '')
      : (after.trim() === '' ? before.replace(/(\n)\r?\n$/, '$1') : before) + after.replace(/^\r?\n/, '');
  return madeFile && rest.trim() === '' ? null : rest;
}

function linesOf(context: string, madeFile: boolean): readonly string[] {
  const [opening = '', ...lines] = context.split('\n');
  const closing = lines.pop() ?? '';
  return [
    opening,
    `<!-- annals:start: written by \`annals context --write\`, which replaces it${madeFile ? MADE : ''} -->`,
    ...lines.map((line) => line.replaceAll('<!--', '‹!--')),
    '<!-- annals:end -->',
    closing,
  ];
}
