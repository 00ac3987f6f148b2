// What a person marked as private, and what machines (ours too) put into a text, goes before anything is
// written: whole blocks with their tags. Blocks nest; the text between two removed blocks stays as it is.
//
// An opening <private> that is never closed hides all that follows, but only in what a person typed: a file
// or a page that an agent read may hold such a tag by accident or on purpose, and must not hide the rest.

/** Who wrote the text: a person at the prompt, a tool's input or output, the agent's own words. */
export type Author = 'person' | 'tool' | 'agent';

export interface Stripped {
  readonly text: string;
  /** Ranges taken out; 0 means that the text is the input, trimmed. */
  readonly removed: number;
  /** Nothing is left of a text that was not blank. */
  readonly empty: boolean;
}

/**
 * Takes tagged blocks out. A person's text is trimmed at both ends; tool and agent text is not, because white
 * space at its ends can be the content (a file, an indented block). Linear in the length of the text.
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
  return { text: rest, removed: ranges.length, empty: ranges.length > 0 && isBlank(rest) && !isBlank(text) };
}

/** Whether a person's prompt is private as a whole: words before stripping, none after. */
export function isPrivatePrompt(text: string): boolean {
  return stripTags(text, { author: 'person' }).empty;
}

/** Characters of the longest text still looked at as a task notification. */
const NOTIFICATION_CHARS_MAX = 256 * 1024;

/** Whether a prompt is exactly one task notification: the agent's own protocol, never a person's words. */
export function isTaskNotification(text: string): boolean {
  if (text.length > NOTIFICATION_CHARS_MAX) return false;
  const block = text.trim();
  if (!block.startsWith('<task-notification>') || !block.endsWith('</task-notification>')) return false;
  return block.indexOf('<task-notification>', 1) < 0 && block.split('</task-notification>').length === 2;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const TAG =
  /<(\/?)(private|claude-mem-context|annals-context|system[_-]instruction|persisted-output|system-reminder)(?=[\s/>])([^<>]*)>/gi;

/**
 * What is to be hidden, in order and without overlap. Each closing tag belongs to the last open one of its
 * name; blocks that overlap hide their union, so that no crossing of tags uncovers anything.
 */
function hiddenRanges(text: string, unclosedHides: boolean): Range[] {
  const open = new Map<string, number[]>();
  const blocks: Range[] = [];
  for (const match of text.matchAll(TAG)) {
    const [tag, slash, spelled, attributes] = match as unknown as [string, string, string, string];
    const name = spelled.toLowerCase().replace('_', '-');
    const starts = open.get(name) ?? [];
    if (slash === '/') {
      const start = starts.pop();
      if (start !== undefined) blocks.push({ start, end: match.index + tag.length });
    } else if (!attributes.endsWith('/')) {
      starts.push(match.index);
      open.set(name, starts);
    }
  }
  const merged = union(blocks);
  if (!unclosedHides) return merged;
  // The first <private> without an end that stands in what would be shown; one inside a hidden block does not count.
  const unclosed = (open.get('private') ?? []).find((at) => !covers(merged, at));
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

/** Whether a place lies in one of the ordered ranges (binary search). */
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

function isBlank(text: string): boolean {
  return text.trim() === '';
}
