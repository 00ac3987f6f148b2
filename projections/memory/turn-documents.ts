// Makes documents from the rows of a turn: a readable title and a body with the searchable text.

import { COMPACTION, type MemoryDocument, type RanTests, RECAP } from '../documents/document.ts';
import { endedTests } from '../extract/outcome/test-outcome.ts';
import { withoutEmphasis } from '../extract/text/emphasis.ts';
import { isPlan, planName } from '../extract/text/plans.ts';
import { wordCount } from '../extract/text/sentences.ts';
import { toolUseOf } from '../extract/transcript/turn-transcript.ts';
import { readPrompt, readReply, readStop, readTool } from '../sessions/merge-reports.ts';
import type { ItemOf, SavedRow, TurnRow } from '../sessions/session-rows.ts';
import { ranOf } from './called-commands.ts';
import { inputFiles, toolTitle } from './tool-titles.ts';

/** A title is one line that fits a terminal. */
const TITLE_CHARS_MAX = 110;
/** The summaries of all sessions begin with the same words. */
const COMPACTION_TITLE = 'The agent’s summary of the session when it was compacted';

export function promptDocument(item: ItemOf<'prompt'>, turn: TurnRow): MemoryDocument | null {
  const { text, author } = readPrompt(item);
  const document = messageDocument('prompt', item, turn, text);
  if (document === null || !(author === 'agent' || isPlan(document.body))) return document;
  return { ...document, type: 'plan', title: planName(document.body) };
}

/** null for replies without searchable text: thinking, what the sub-agent says that summarises a session for a compaction. */
export function answerDocument(item: ItemOf<'reply'>, turn: TurnRow): MemoryDocument | null {
  const { text, agentId, compaction, recap } = readReply(item);
  if (compaction === true && agentId !== undefined) return null;
  const document = messageDocument('answer', item, turn, text, agentId);
  if (document === null) return null;
  if (compaction === true) return { ...document, type: COMPACTION, title: COMPACTION_TITLE };
  return recap === true ? { ...document, type: RECAP } : document;
}

/** The final answer as a stop hook reported it; null for a stop without text. */
export function stopDocument(item: ItemOf<'stop'>, turn: TurnRow): MemoryDocument | null {
  const { text, agentId } = readStop(item);
  return messageDocument('answer', item, turn, text, agentId);
}

function messageDocument(
  kind: 'prompt' | 'answer',
  item: ItemOf<'prompt' | 'reply' | 'stop'>,
  turn: TurnRow,
  text: string | undefined,
  agentId?: string,
): MemoryDocument | null {
  if (text === undefined || text.trim() === '') return null;
  const title = textTitle(text);
  return {
    id: item.id,
    kind,
    type: null,
    title,
    body: text,
    files: [],
    concepts: [],
    neighbours: [],
    workdir: turn.workdir,
    agent: turn.agent,
    session: turn.session,
    turn: turn.id,
    agentId: agentId ?? null,
    at: item.at,
    order: item.order,
    tokens: tokensOf(title, text),
    outcome: null,
    events: eventsOf(item),
  };
}

export function toolDocument(item: ItemOf<'tool'>, turn: TurnRow): MemoryDocument {
  const tool = readTool(item);
  const title = oneLine(toolTitle(tool.name, tool.input));
  const tests = testsOf(item, turn);
  const ran = ranOf(toolUseOf(item, turn.workdir));
  const parts: string[] = [];
  for (const field in tool.input) {
    const value = tool.input[field];
    if (typeof value === 'string' && value !== title) parts.push(value);
  }
  if (tool.error !== undefined) parts.push(tool.error);
  const body = parts.join('\n');
  return {
    id: item.id,
    kind: 'tool',
    type: tool.name,
    title,
    body,
    files: inputFiles(tool.input),
    concepts: [],
    neighbours: [],
    workdir: turn.workdir,
    agent: turn.agent,
    session: turn.session,
    turn: turn.id,
    agentId: tool.agentId ?? null,
    at: item.at,
    order: item.order,
    tokens: tokensOf(title, body),
    outcome: tool.outcome ?? null,
    events: eventsOf(item),
    ...(tests === null ? {} : { tests }),
    ...(ran === null ? {} : { ran }),
  };
}

/** null if it ran no tests. */
function testsOf(item: ItemOf<'tool'>, { workdir }: TurnRow): RanTests | null {
  const ends = endedTests(toolUseOf(item, workdir)).map(({ outcome }) => outcome);
  if (ends.length === 0) return null;
  if (ends.includes('failed')) return 'failed';
  return ends.includes(null) ? 'unknown' : 'passed';
}

export function savedDocument(row: SavedRow): MemoryDocument {
  const { id, type, workdir, agent, session, at, order, files, event } = row;
  const title = oneLine(row.title);
  const body = row.concepts.length === 0 ? row.text : `${row.text}\n${row.concepts.join(', ')}`;
  return {
    id,
    kind: 'memory',
    type,
    title,
    body,
    files,
    concepts: row.concepts,
    neighbours: [],
    workdir,
    agent,
    session,
    turn: null,
    agentId: null,
    at,
    order,
    tokens: tokensOf(title, body),
    outcome: null,
    events: [event],
    ...(row.author === undefined ? {} : { author: row.author }),
  };
}

/** Sorts documents by order, in place, and gives each the titles of the documents before and after it. */
export function withNeighbours(documents: MemoryDocument[]): MemoryDocument[] {
  return inOrder(documents).map((document, index, all) => ({
    ...document,
    neighbours: neighboursOf(index, all),
  }));
}

/** The titles of the documents before and after one. */
function neighboursOf(index: number, documents: readonly MemoryDocument[]): readonly string[] {
  return [documents[index - 1]?.title, documents[index + 1]?.title].filter((title) => title !== undefined);
}

function inOrder(documents: MemoryDocument[]): MemoryDocument[] {
  return documents.sort((a, b) => (a.order < b.order ? -1 : 1));
}

/** The first sentence or line of a text, without markup. */
export function textTitle(text: string): string {
  const [line, next] = firstLines(text);
  if (line === undefined) return oneLine(text);
  if (line.endsWith(':'))
    // Such a line leads to the next one. A short one says nothing without it.
    return oneLine(
      wordCount(line) > LEADING_WORDS_MAX || next === undefined
        ? line.replace(/\s*:+$/, '')
        : `${line} ${sentenceOf(next)}`,
    );
  return oneLine(sentenceOf(line));
}

const LEADING_WORDS_MAX = 5;

function sentenceOf(line: string): string {
  return line.match(/^.{12,}?[.!?](?=\s)/u)?.[0] ?? line;
}

/** Markup of headings, quotes and lists; a star that touches a word is emphasis. */
const LEAD = /^(?:\s|[#>\-–•]|\*(?=\s))+/;
/** `[[ ## user_query ## ]]` or `<user_query>` alone: a program wrote it around the text. */
const MARKER = /^(?:\[\[.*\]\]|<\/?[a-z][\w:-]*(?:\s[^<>]*)?>)$/i;
const TAGGED = /^<([a-z][\w:-]*)>\s*(.*\S)\s*<\/\1>$/i;

/** The first line that says something, and the next one if the first leads to it; a marker only if there is nothing else. */
function firstLines(text: string): readonly string[] {
  const found: string[] = [];
  let marker: string | null = null;
  for (let from = 0; from <= text.length && (found[0] ?? ':').endsWith(':') && found.length < 2; ) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    const raw = text.slice(from, to).replace(LEAD, '').trim();
    const line = withoutEmphasis(TAGGED.exec(raw)?.[2] ?? raw).trim();
    if (MARKER.test(raw)) marker ??= line;
    else if (/[\p{L}\p{N}]/u.test(line)) found.push(line);
    from = to + 1;
  }
  return found.length > 0 || marker === null ? found : [marker];
}

export function oneLine(text: string): string {
  const line = (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
  if (line.length <= TITLE_CHARS_MAX) return line;
  const cut = line.slice(0, TITLE_CHARS_MAX - 1).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${space > TITLE_CHARS_MAX / 2 ? cut.slice(0, space) : cut}…`;
}

function eventsOf({ reports }: { readonly reports: readonly { readonly event: string }[] }): string[] {
  const events = reports.map((report) => report.event);
  return events.length > 1 ? events.sort() : events;
}

function tokensOf(title: string, body: string): number {
  return Math.ceil((title.length + body.length) / 4);
}
