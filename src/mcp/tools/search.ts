import * as z from 'zod';
import type { SearchResult } from '../../api.ts';
import { entryFields, entryOf, kindText } from '../common/entry.ts';
import { fittingEntries, nextCall, shortLine } from '../common/past-text.ts';
import { projectInput, scopeOf } from '../common/scope.ts';
import { defineTool, ToolFailure } from '../common/tool.ts';

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 50;
/** The library finds no more. */
const FOUND_MAX = 1_000;
const SNIPPET_CHARS_MAX = 400;
const DECISION_CHARS_MAX = 500;

const result = z.object({
  ...entryFields,
  snippet: z.string(),
  decisions: z
    .array(z.string())
    .exactOptional()
    .describe('What was decided and who decided, instead of a snippet: with type decision.'),
  project: z.string(),
});

export const search = defineTool({
  name: 'search',
  title: 'Search memory',
  description:
    'Searches what earlier sessions of coding agents asked, did, decided and learned, by words and by meaning. Use it before ' +
    'you repeat an investigation, when a person refers to earlier work, or when an error may have been solved before. ' +
    'Answers short entries with ids, best first; get opens them. In the query "a phrase" must match and -word excludes.',
  input: z.strictObject({
    query: z.string().max(10_000).describe('Words, an error message, a file name. Empty: the newest.'),
    project: projectInput,
    kind: z
      .enum(['prompt', 'answer', 'tool', 'memory', 'observation', 'summary', 'imported'])
      .optional()
      .describe('Only this kind.'),
    type: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only this type: decision, bugfix, …, the name of a tool, or test for runs of tests.'),
    file: z.string().min(1).max(1_000).optional().describe('Only what touched this file: a path or its end.'),
    since: z.string().min(1).max(100).optional().describe('Not older than 7d, 12h, yesterday or a date.'),
    until: z.string().min(1).max(100).optional().describe('Not newer than this.'),
    limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT),
    cursor: z
      .string()
      .max(20)
      .optional()
      .describe('`next` of the page before, with the same other arguments.'),
  }),
  output: z.object({
    project: z.string().nullable().describe('Null: all projects.'),
    results: z.array(result),
    lowConfidence: z.boolean().describe('Nothing matches well: these are only the nearest.'),
    notes: z.array(z.string()),
    next: z.string().nullable(),
  }),
  effect: 'reads',
  async run({ query, project, limit, cursor, ...conditions }, call) {
    const from = offsetIn(cursor);
    const scope = await scopeOf(project, call);
    const none = { project: scope.name, results: [], lowConfidence: false, notes: [], next: null };
    if (scope.unknown !== null) return answerOf({ ...none, notes: [scope.unknown] });
    const options = Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined));
    const found = await call.ask((annals) =>
      annals.search(query, { ...options, ...scope.option, limit: Math.min(from + limit + 1, FOUND_MAX) }),
    );
    const results = fittingEntries(found.results.slice(from, from + limit).map(shownResult));
    const next = from + results.length < found.results.length ? String(from + results.length) : null;
    const notes = [...found.degraded, ...(found.hints ?? [])].map((sentence) =>
      shortLine(sentence, SNIPPET_CHARS_MAX),
    );
    return answerOf({
      project: scope.name,
      results: [...results],
      lowConfidence: found.lowConfidence,
      notes,
      next,
    });
  },
});

function offsetIn(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = Number(cursor);
  if (/^\d{1,3}$/.test(cursor) && offset > 0) return offset;
  throw new ToolFailure(
    'The cursor is not one that search answered. Leave it out to begin with the first page.',
  );
}

type Result = z.output<typeof result>;

function shownResult(found: SearchResult): Result {
  const entry = entryOf(found);
  const project = shortLine(found.project);
  if (found.decisions !== undefined) {
    const decisions = found.decisions.map(({ by, text }) =>
      shortLine(`The ${by}: ${text}`, DECISION_CHARS_MAX),
    );
    return { ...entry, snippet: '', decisions, project };
  }
  const { statement } = found;
  const shown =
    statement === undefined ? found.snippet : `${statement.kind} ${statement.id}: ${statement.text}`;
  const snippet = shortLine(shown, SNIPPET_CHARS_MAX);
  return { ...entry, snippet: snippet === entry.title ? '' : snippet, project };
}

interface Answer {
  readonly project: string | null;
  readonly results: Result[];
  readonly lowConfidence: boolean;
  readonly notes: string[];
  readonly next: string | null;
}

function answerOf(answer: Answer) {
  const { project, results, lowConfidence, notes, next } = answer;
  const [first] = results;
  const lines = [
    ...(lowConfidence ? ['Nothing matches well. These are only the nearest:'] : []),
    ...results.flatMap(resultLines),
    ...(first === undefined && notes.length === 0
      ? ['Nothing matches. Try other words, or fewer conditions.']
      : []),
    ...notes,
  ];
  const id = first?.id ?? '';
  const calls = [
    nextCall('get', { ids: [id] }),
    nextCall('timeline', { around: id }),
    nextCall('why', { id }),
    ...(next === null ? [] : [`the same search with cursor "${next}"`]),
  ];
  return { answer, project, lines, nextCalls: first === undefined ? [] : calls };
}

function resultLines(one: Result): string[] {
  const { id, title, snippet, decisions, project, at } = one;
  const line = `- ${[id, kindText(one), project, at?.slice(0, 16) ?? 'time unknown'].join(' · ')}: ${title}`;
  return [line, ...(decisions ?? [snippet]).filter((text) => text !== '').map((text) => `  ${text}`)];
}
