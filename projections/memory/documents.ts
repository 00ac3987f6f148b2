// From rows to documents: titles a person would have written, bodies with what may be searched, and nothing that
// only the log has to hold.
import { readPrompt, readReply, readStop, readTool } from '../turns/merge.ts';
import type { ItemOf, SavedRow, TurnRow } from '../turns/rows.ts';
import type { MemoryDocument } from './document.ts';
import { filesOf, toolTitle } from './tools.ts';

/** A title is one line that fits a terminal. 110 characters. */
const TITLE_CHARS_MAX = 110;

export function promptDocument(item: ItemOf<'prompt'>, turn: TurnRow): MemoryDocument | null {
  return saidDocument('prompt', item, turn, readPrompt(item).text);
}

/** null for what holds no words: thinking, a compaction's summary. */
export function answerDocument(item: ItemOf<'reply'>, turn: TurnRow): MemoryDocument | null {
  const { text, agentId, compaction } = readReply(item);
  return compaction === true ? null : saidDocument('answer', item, turn, text, agentId);
}

/** The closing words that a hook told; null for a stop without any. */
export function stopDocument(item: ItemOf<'stop'>, turn: TurnRow): MemoryDocument | null {
  const { text, agentId } = readStop(item);
  return saidDocument('answer', item, turn, text, agentId);
}

function saidDocument(
  kind: 'prompt' | 'answer',
  item: ItemOf<'prompt' | 'reply' | 'stop'>,
  turn: TurnRow,
  text: string | undefined,
  agentId?: string,
): MemoryDocument | null {
  if (text === undefined || text.trim() === '') return null;
  return {
    ...base(item, turn, agentId),
    kind,
    type: null,
    ...words(titleOf(text), text),
    files: [],
    outcome: null,
    events: eventsOf(item),
  };
}

export function toolDocument(item: ItemOf<'tool'>, turn: TurnRow): MemoryDocument {
  const tool = readTool(item);
  const title = oneLine(toolTitle(tool.name, tool.input));
  const said = Object.values(tool.input).filter((value) => typeof value === 'string' && value !== title);
  const body = [...said, ...(tool.error === undefined ? [] : [tool.error])].join('\n');
  return {
    ...base(item, turn, tool.agentId),
    kind: 'tool',
    type: tool.name,
    ...words(title, body),
    files: filesOf(tool.input),
    outcome: tool.outcome ?? null,
    events: eventsOf(item),
  };
}

export function savedDocument(row: SavedRow): MemoryDocument {
  const { id, type, place, agent, session, at, order, files, event } = row;
  const concepts = row.concepts.length === 0 ? '' : `\n${row.concepts.join(', ')}`;
  return {
    id,
    kind: 'memory',
    type,
    ...words(oneLine(row.title), `${row.text}${concepts}`),
    files,
    neighbours: [],
    place,
    agent,
    session,
    turn: null,
    agentId: null,
    at,
    order,
    outcome: null,
    events: [event],
  };
}

/** Sorts by order and gives each document the titles before and after it. */
export function withNeighbours(documents: readonly MemoryDocument[]): MemoryDocument[] {
  const sorted = [...documents].sort((a, b) => (a.order < b.order ? -1 : 1));
  return sorted.map((document, index) => ({
    ...document,
    neighbours: [sorted[index - 1]?.title, sorted[index + 1]?.title].filter((title) => title !== undefined),
  }));
}

/** The first sentence or line, without markup. */
export function titleOf(text: string): string {
  const line = text
    .split('\n')
    .map((one) =>
      one
        .replace(/^[\s#>*\-–•]+/, '')
        .replace(/[*`_]{1,3}/g, '')
        .trim(),
    )
    .find((one) => /[\p{L}\p{N}]/u.test(one));
  const sentence = line?.match(/^.{12,}?[.!?](?=\s)/u)?.[0] ?? line ?? text;
  return oneLine(sentence);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= TITLE_CHARS_MAX) return line;
  const cut = line.slice(0, TITLE_CHARS_MAX - 1).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${space > TITLE_CHARS_MAX / 2 ? cut.slice(0, space) : cut}…`;
}

function base(
  item: { id: string; order: string; at: number | null },
  turn: TurnRow,
  agentId: string | null | undefined,
) {
  const { agent, session, place, id } = turn;
  return {
    id: item.id,
    neighbours: [],
    place,
    agent,
    session,
    turn: id,
    agentId: agentId ?? null,
    at: item.at,
    order: item.order,
  };
}

function eventsOf({ tellings }: { readonly tellings: readonly { readonly event: string }[] }): string[] {
  return tellings.map((telling) => telling.event).sort();
}

function words(title: string, body: string): Pick<MemoryDocument, 'title' | 'body' | 'tokens'> {
  return { title, body, tokens: Math.ceil((title.length + body.length) / 4) };
}
