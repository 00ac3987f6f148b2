import * as z from 'zod';
import type { Json } from '../../../log/index.ts';
import type { ShownItem } from '../../api.ts';
import { escapeLinesForPrompt } from '../../brief/escape-for-prompt.ts';
import { entryFields, entryOf, kindText } from '../common/entry.ts';
import {
  beginningOf,
  estimateShownTokens,
  estimateTokens,
  nextCall,
  shortLine,
  TOKENS_MAX,
} from '../common/past-text.ts';
import { type Call, defineTool, failureText, ToolFailure } from '../common/tool.ts';

const IDS_MAX = 10;
const FILES_MAX = 20;
/** A text that would begin with less room begins on the next page. */
const ROOM_MIN = 200;

const item = z.object({
  ...entryFields,
  project: z.string().nullable(),
  agent: z.string(),
  files: z.array(z.string()),
  text: z.string(),
  from: z.int().describe('Where this part begins in the whole text, characters.'),
  chars: z.int().describe('Of the whole text.'),
});
type Item = z.output<typeof item>;
type Problem = { readonly id: string; readonly problem: string };

export const get = defineTool({
  name: 'get',
  title: 'Open memories',
  description:
    'Opens things of earlier sessions by id, with their whole text: what search and timeline answered, a session, a turn or an ' +
    'event. A long text comes in parts: call again with the cursor for the next one.',
  input: z.strictObject({
    ids: z
      .array(z.string().min(1).max(500))
      .min(1)
      .max(IDS_MAX)
      .describe('Ids, or their unambiguous beginnings.'),
    cursor: z.string().max(40).optional().describe('`next` of the part before, with the same ids.'),
  }),
  output: z.object({
    items: z.array(item),
    problems: z
      .array(z.object({ id: z.string(), problem: z.string() }))
      .describe('Ids that could not be opened.'),
    next: z.string().nullable(),
  }),
  effect: 'reads',
  async run({ ids, cursor }, call) {
    const start = placeIn(cursor, ids.length);
    const items: Item[] = [];
    const problems: Problem[] = [];
    let next: string | null = null;
    let room = TOKENS_MAX;
    for (let index = start.index; index < ids.length && next === null; index++) {
      call.signal.throwIfAborted();
      const opened = await open(ids[index]!, call);
      if ('problem' in opened) {
        problems.push(opened);
        room -= estimateTokens(JSON.stringify(opened));
        continue;
      }
      const item = partOf(opened, index === start.index ? start.from : 0, room);
      room -= headTokens(item) + estimateShownTokens(item.text);
      if (items.length > 0 && room < 0) next = `${index}:0`;
      else {
        items.push(item);
        const end = item.from + item.text.length;
        if (end < item.chars) next = `${index}:${end}`;
      }
    }
    if (items.length === 0 && problems.length > 0)
      throw new ToolFailure(problems.map(({ problem }) => problem).join(' '));
    return openedAnswer(items, problems, next);
  },
});

/** As much of the text, from a character on, as has room; at least a little. */
function partOf(shown: ShownItem, from: number, room: number): Item {
  const whole = textOf(shown);
  const head = headOf(shown, from, whole.length);
  const left = room - headTokens(head);
  return { ...head, text: beginningOf(whole.slice(from), Math.max(left, ROOM_MIN)) };
}

function headTokens(item: Item): number {
  return estimateTokens(JSON.stringify({ ...item, text: '' }));
}

/** `2:16000`: the third id, from its character 16,000 on. */
function placeIn(cursor: string | undefined, ids: number): { readonly index: number; readonly from: number } {
  if (cursor === undefined) return { index: 0, from: 0 };
  const [index = '', from = ''] = /^(\d{1,2}):(\d{1,9})$/.exec(cursor)?.slice(1) ?? [];
  if (index === '' || Number(index) >= ids)
    throw new ToolFailure(
      'The cursor is not one that get answered for these ids. Leave it out to begin with the first part.',
    );
  return { index: Number(index), from: Number(from) };
}

async function open(id: string, call: Call): Promise<ShownItem | Problem> {
  try {
    return await call.ask((annals) => annals.get(id));
  } catch (error) {
    if (call.failureOf(error) === null) throw error;
    return { id: shortLine(id), problem: failureText(error, call) };
  }
}

function headOf(shown: ShownItem, from: number, chars: number): Item {
  const { agent, project, files, details } = shown;
  const isAgents = isObject(details) && details.author === 'agent';
  return {
    ...entryOf(isAgents ? { ...shown, author: 'agent' } : shown),
    project: project === null ? null : shortLine(project),
    agent: shortLine(agent),
    files: files.slice(0, FILES_MAX).map((file) => shortLine(file)),
    ...{ text: '', from, chars },
  };
}

/** A tool use's input and outcome stand above its result. */
function textOf({ kind, text, details }: ShownItem): string {
  const fields = isObject(details) ? details : {};
  const parts =
    kind === 'tool'
      ? [
          `input ${jsonText(fields.input)}`,
          `outcome ${jsonText(fields.outcome)}`,
          ...errorIn(fields, text),
          text,
        ]
      : kind === 'event'
        ? [text, jsonText(fields.body)]
        : kind === 'turn'
          ? listOf(fields.items)
          : [text];
  return escapeLinesForPrompt(parts.filter((part) => part !== '').join('\n'));
}

function errorIn({ error }: Fields, text: string): string[] {
  return typeof error === 'string' && error !== text ? [`error ${error}`] : [];
}

type Fields = { readonly [name: string]: Json };

/** `p-k3j5h2l6a7bc prompt Why does …` */
function listOf(items: Json | undefined): string[] {
  if (!Array.isArray(items)) return [];
  return items
    .filter(isObject)
    .map(({ id, kind, text }) => [id, kind, text].filter((part) => part !== null).join(' '));
}

function isObject(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonText(value: Json | undefined): string {
  return value === undefined ? 'unknown' : JSON.stringify(value);
}

function openedAnswer(items: Item[], problems: Problem[], next: string | null) {
  const [first] = items;
  return {
    answer: { items, problems, next },
    lines: [...items.flatMap(itemLines), ...problems.map(({ id, problem }) => `- ${id}: ${problem}`)],
    nextCalls: [
      ...(next === null ? [] : [`get with the same ids and cursor "${next}" for the rest`]),
      ...(first === undefined
        ? []
        : [nextCall('timeline', { around: first.id }), nextCall('why', { id: first.id })]),
    ],
  };
}

function itemLines(one: Item): string[] {
  const { id, title, project, session, agent, at, files, text, from, chars } = one;
  const inSession = session === null || session === id ? null : `session ${session}`;
  const facts = [id, kindText(one), project, at?.slice(0, 16) ?? null, agent, inSession];
  const isPart = from > 0 || text.length < chars;
  return [
    `## ${facts.filter((fact) => fact !== null).join(' · ')}: ${title}`,
    ...(files.length === 0 ? [] : [`Files: ${files.join(', ')}`]),
    ...(isPart ? [`Characters ${from} to ${from + text.length} of ${chars}:`] : []),
    // So that no line of it looks like the head of another item.
    ...text.split('\n').map((line) => `> ${line}`),
  ];
}
