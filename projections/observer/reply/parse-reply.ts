// Reads the tags of a reply. The text between tags is free: it may hold code with `<`, fences, and even the names of these
// tags. A closing tag ends its field only where the form goes on after it, if there is such a place.
import {
  type Found,
  OBSERVATIONS_MAX,
  type ObservationParts,
  observationOfParts,
  REPLY_CHARS_MAX,
  type Reply,
  type ReplyObservation,
  type ReplySummary,
  replyOf,
  summaryOfParts,
} from './reply.ts';

const OBSERVATION_FIELDS = [
  'type',
  'title',
  'subtitle',
  'narrative',
  'facts',
  'concepts',
  'files_read',
  'files_modified',
] as const;
const SUMMARY_FIELDS = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'] as const;
const ITEMS: Readonly<Record<string, string>> = {
  facts: 'fact',
  concepts: 'concept',
  files_read: 'file',
  files_modified: 'file',
};

/** Linear in the text. Never throws. */
export function parseReply(text: string): Reply {
  if (typeof text !== 'string') return { valid: false, reason: 'The reply is no text.' };
  if (text.trim() === '') return { valid: false, reason: 'The reply is empty.' };
  if (text.length > REPLY_CHARS_MAX)
    return { valid: false, reason: `The reply has more than ${REPLY_CHARS_MAX} characters.` };
  return replyOf(readBlocks(text));
}

interface Block {
  readonly fields: ReadonlyMap<string, string>;
  readonly isClosed: boolean;
  /** Where reading goes on. */
  readonly end: number;
}

const ROOT =
  /<(observation|summary)(?:\s[^<>]*)?>|<skip_summary(?:\s+reason\s*=\s*(?:"([^"]*)"|'([^']*)'))?\s*\/?>/gi;

function readBlocks(text: string): Found {
  const observations: (ReplyObservation | null)[] = [];
  const problems: string[] = [];
  let summary: ReplySummary | null | undefined;
  let skipped: Found['skipped'] = null;
  const roots = new RegExp(ROOT);
  for (let root = roots.exec(text); root !== null; root = roots.exec(text)) {
    const name = root[1]?.toLowerCase();
    if (name === undefined) {
      skipped ??= { reason: (root[2] ?? root[3] ?? '').trim() || null };
      continue;
    }
    const block = readBlock(text, roots.lastIndex, name, problems);
    roots.lastIndex = block.end;
    if (!block.isClosed) continue;
    if (name === 'observation') observations.push(observationOfParts(observationParts(block, problems)));
    else if (summary) problems.push('There is more than one summary; the first counts.');
    else summary = summaryOfParts(summaryParts(block));
    if (observations.length < OBSERVATIONS_MAX) continue;
    problems.push(`Only the first ${OBSERVATIONS_MAX} observations count.`);
    break;
  }
  return { observations, summary, skipped, problems };
}

/** The fields of one block, each once. A block in which another one begins was not closed, or was only mentioned. */
function readBlock(text: string, start: number, root: string, problems: string[]): Block {
  const names: readonly string[] = root === 'summary' ? SUMMARY_FIELDS : OBSERVATION_FIELDS;
  const next = `\\s*(?:<(?:${names.join('|')}|observation|summary|skip_summary)[\\s>/]|</${root}\\s*>)`;
  const fields = new Map<string, string>();
  const tags = new RegExp(`<(/?)(observation|summary|${names.join('|')})(?:\\s[^<>]*)?>`, 'gi');
  tags.lastIndex = start;
  for (let tag = tags.exec(text); tag !== null; tag = tags.exec(text)) {
    const name = tag[2]!.toLowerCase();
    const opens = tag[1] === '';
    if (name === 'observation' || name === 'summary') {
      if (!opens && name === root) return { fields, isClosed: true, end: tags.lastIndex };
      if (!opens) continue;
      if (fields.size > 0) problems.push(`<${root}> is not closed.`);
      return { fields, isClosed: false, end: tag.index };
    }
    if (!opens) continue;
    const close = closeOf(name, tags.lastIndex, text, next);
    if (close === null) break;
    if (fields.has(name)) problems.push(`<${name}> occurs twice in one <${root}>; the first counts.`);
    else fields.set(name, text.slice(tags.lastIndex, close.start));
    tags.lastIndex = close.end;
  }
  problems.push(`<${root}> is not closed: the reply was cut off.`);
  return { fields, isClosed: false, end: text.length };
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The first closing tag that is followed by `next`; if there is none before the same field begins again, the first. */
function closeOf(name: string, from: number, text: string, next: string): Place | null {
  const tags = new RegExp(`<(/?)${name}(?:\\s[^<>]*)?>`, 'gi');
  const goesOn = new RegExp(next, 'iy');
  tags.lastIndex = from;
  let first: Place | null = null;
  for (let tag = tags.exec(text); tag !== null; tag = tags.exec(text)) {
    if (tag[1] === '') {
      if (first !== null) break;
      continue;
    }
    const place = { start: tag.index, end: tags.lastIndex };
    first ??= place;
    goesOn.lastIndex = place.end;
    if (goesOn.test(text)) return place;
  }
  return first;
}

function observationParts({ fields }: Block, problems: string[]): ObservationParts {
  const items = (name: string): readonly string[] => {
    const text = fields.get(name) ?? '';
    const found = itemsOf(text, ITEMS[name]!);
    if (found.length === 0 && text.trim() !== '') problems.push(`<${name}> holds no <${ITEMS[name]}>.`);
    return found;
  };
  return {
    type: fields.get('type') ?? null,
    title: fields.get('title') ?? null,
    subtitle: fields.get('subtitle') ?? null,
    narrative: fields.get('narrative') ?? null,
    facts: items('facts'),
    concepts: items('concepts'),
    filesRead: items('files_read'),
    filesModified: items('files_modified'),
  };
}

function summaryParts({ fields }: Block): ReplySummary {
  const of = (name: string) => fields.get(name) ?? null;
  return {
    request: of('request'),
    investigated: of('investigated'),
    learned: of('learned'),
    completed: of('completed'),
    nextSteps: of('next_steps'),
    notes: of('notes'),
  };
}

/** Each item ends at the last closing tag before the next one begins. */
function itemsOf(text: string, name: string): string[] {
  const [, ...pieces] = text.split(new RegExp(`<${name}(?:\\s[^<>]*)?>`, 'i'));
  return pieces.flatMap((piece) => {
    const end = piece.toLowerCase().lastIndexOf(`</${name}>`);
    return end < 0 ? [] : [piece.slice(0, end)];
  });
}
