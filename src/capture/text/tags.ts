// Removes what a person marked as private, and what programs (ours too) add to a text, before anything is written:
// whole blocks with their tags. Blocks nest; the text between two removed blocks stays as it is.
//
// An unclosed <private> hides everything after it, but only in what a person typed. A file or a page that an agent read
// may hold such a tag by accident or on purpose, and must not hide the rest.

/** Who wrote the text: a person at the prompt, a tool (input or output), or the agent. */
export type Author = 'person' | 'tool' | 'agent';

export interface Stripped {
  readonly text: string;
  /** Ranges removed; 0 means that the text is the input, trimmed. */
  readonly removed: number;
  /** Blocks were removed, and no word is left. */
  readonly empty: boolean;
}

/**
 * Removes tagged blocks. A person's text is trimmed at both ends. Tool and agent text is not, because white space at
 * its ends can be content (a file, an indented block). Linear in the length of the text.
 */
export function stripTags(text: string, { author }: { readonly author: Author }): Stripped {
  const ranges = text.includes('<') ? hiddenRanges(text, author === 'person') : [];
  let rest = '';
  let kept = 0;
  for (const { start, end } of ranges) {
    rest += text.slice(kept, start);
    kept = end;
  }
  rest = ranges.length === 0 ? text : rest + text.slice(kept);
  if (author === 'person') rest = rest.trim();
  return { text: rest, removed: ranges.length, empty: ranges.length > 0 && hasNoWords(rest) };
}

/** Whether a person's prompt is private as a whole: words before stripping, none after. */
export function isPrivatePrompt(text: string): boolean {
  return stripTags(text, { author: 'person' }).empty;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const NAMES =
  'private|claude-mem-context|annals-context|system[_-]instruction|persisted-output|system-reminder';
/** White space and invisible characters. */
const INVISIBLE = String.raw`[\s\p{Cf}]*`;
const TAG_START = new RegExp(`<${INVISIBLE}(?:(/)${INVISIBLE})?(${NAMES})(?=[\\s/>\\p{Cf}]|$)`, 'giu');
/** A tag's attributes are read up to this length. */
const ATTRIBUTES_MAX = 256;

interface Tag {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
  readonly start: number;
  /** Where the text after the tag begins; null when the tag's `>` is missing. */
  readonly end: number | null;
}

function* tagsIn(text: string): Generator<Tag> {
  for (const match of text.matchAll(TAG_START)) {
    const [start, slash, tagName] = match as unknown as [string, string | undefined, string];
    const from = match.index + start.length;
    const end = endOfTag(text, from);
    const closesItself = end !== null && /(?:^|[\s"'])\/>$/.test(text.slice(Math.max(from, end - 3), end));
    yield {
      name: tagName.toLowerCase().replace('_', '-'),
      kind: slash === '/' ? 'close' : closesItself ? 'empty' : 'open',
      start: match.index,
      end,
    };
  }
}

/**
 * The position after the `>` that ends a tag; a `>` in a quoted value does not count. Null when another tag begins
 * first.
 */
function endOfTag(text: string, from: number): number | null {
  const until = Math.min(text.length, from + ATTRIBUTES_MAX);
  for (let at = from; at < until; at++) {
    const character = text[at];
    if (character === '>') return at + 1;
    if (character === '<') return null;
    if ((character === '"' || character === "'") && text[at - 1] === '=') {
      const close = text.slice(at + 1, until).indexOf(character);
      if (close >= 0) at += close + 1;
    }
  }
  return null;
}

/**
 * The ranges to hide, in order and without overlap. Each closing tag belongs to the last open one of its name.
 * Overlapping blocks hide their union, so that crossed tags never reveal anything.
 */
function hiddenRanges(text: string, unclosedHides: boolean): Range[] {
  const open = new Map<string, number[]>();
  const blocks: Range[] = [];
  let torn: number | undefined;
  for (const { name, kind, start, end } of tagsIn(text)) {
    const starts = open.get(name) ?? [];
    if (kind === 'close') {
      const opened = starts.pop();
      if (opened !== undefined) blocks.push({ start: opened, end: end ?? text.length });
    } else if (kind === 'open' && end !== null) {
      starts.push(start);
      open.set(name, starts);
    } else if (kind === 'open' && name === 'private') torn ??= start;
  }
  const merged = union(blocks);
  if (!unclosedHides) return merged;
  // The first unclosed <private> in the visible text; one inside a hidden block does not count. One without `>` counts
  // too, because the person meant to hide something.
  const starts = [...(open.get('private') ?? []), ...(torn === undefined ? [] : [torn])].sort(
    (a, b) => a - b,
  );
  const unclosed = starts.find((at) => !covers(merged, at));
  if (unclosed === undefined) return merged;
  return [...merged.filter((range) => range.start < unclosed), { start: unclosed, end: text.length }];
}

function union(blocks: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const block of [...blocks].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && block.start < last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, block.end) };
    else merged.push(block);
  }
  return merged;
}

/** Whether a position is in one of the ordered ranges (binary search). */
function covers(ranges: readonly Range[], at: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end <= at) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.start ?? Number.POSITIVE_INFINITY) <= at;
}

/** Whether it has neither letter nor number: white space, invisible characters, punctuation. */
function hasNoWords(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}
