// Reads prompts with the end of their answers: those after the newest summary, and those of a compacted session.
import {
  COMPACTION,
  CONTINUING_STOP_REASONS,
  type ContextRow,
  type ItemRow,
  type MemoryDocument,
  memoryKeys,
  type PromptLine,
  RECAP,
  readReply,
  readStop,
  readTool,
  type SummaryLine,
  sessionKeys,
  type TurnRow,
  toolKind,
  type ViewReader,
} from '../../projections/index.ts';
import { isCommand } from './lines/asked-part.ts';
import { clipSentence } from './lines/brief.ts';
import type { RecentPrompt, TurnCut } from './lines/material.ts';

/** How many prompts are shown, and how much of each answer. */
const RECENT = 3;
const ANSWER_CHARS_MAX = 700;
/** For how many prompts of a compacted session the answer is read. */
const ANSWERED = 40;
/** How many prompts at the ends of sessions are looked at. */
const UNANSWERED_READ = 12;

interface Views {
  readonly memory: ViewReader;
  readonly turns: ViewReader;
}

/** The newest session's prompts after the last summary, each with the end of its answer. */
export async function recentPromptsOf(
  prompts: readonly PromptLine[],
  summaries: readonly SummaryLine[],
  views: Views,
): Promise<RecentPrompt[]> {
  const session = prompts[0]?.session ?? null;
  const summarized = new Set(summaries.map(({ turn }) => turn));
  const newest = summaries[0]?.at ?? Number.NEGATIVE_INFINITY;
  const recent: RecentPrompt[] = [];
  for (const prompt of prompts) {
    if (session === null || prompt.session !== session || prompt.turn === null) continue;
    if (summarized.has(prompt.turn) || (prompt.at ?? 0) < newest || isCommand(prompt.text)) continue;
    if (recent.length === RECENT) break;
    recent.push(await answered(prompt, views));
  }
  return recent;
}

/**
 * Prompts at the ends of sessions whose turn was cut off or that have no answer, newest first; not those that
 * `recentPromptsOf` chooses from.
 * @param prompts not older than the summaries, which are newest first
 */
export async function unansweredOf(
  prompts: readonly PromptLine[],
  summaries: readonly SummaryLine[],
  views: Views,
): Promise<RecentPrompt[]> {
  const newest = prompts[0]?.session;
  const summarized = summaries[0]?.at ?? Number.NEGATIVE_INFINITY;
  const ends = new Map<string | null, number>();
  for (const { session, at } of summaries) if (!ends.has(session)) ends.set(session, at ?? 0);
  const last = prompts.filter(
    ({ session, at, text }) =>
      (session !== newest || (at ?? 0) < summarized) &&
      !isCommand(text) &&
      (at ?? 0) > (ends.get(session) ?? 0),
  );
  const read = await Promise.all(last.slice(0, UNANSWERED_READ).map((prompt) => answered(prompt, views)));
  return read.filter(({ cut, answer }) => cut !== null || answer === null);
}

/** The prompts of one session, newest first; with answers where no summary covers the turn. */
export async function askedIn(rows: readonly ContextRow[], views: Views): Promise<RecentPrompt[]> {
  const summarized = new Set(rows.filter(({ kind }) => kind === 'summary').map(({ turn }) => turn));
  const prompts = rows.filter((row): row is PromptLine => row.kind === 'prompt' && !isCommand(row.text));
  return Promise.all(
    prompts.map((prompt, index) =>
      index >= ANSWERED || summarized.has(prompt.turn) ? { prompt, ...NOT_READ } : answered(prompt, views),
    ),
  );
}

const NOT_READ = { cut: null, answer: null, onTheWay: false };

async function answered(prompt: PromptLine, { memory, turns }: Views): Promise<RecentPrompt> {
  const { agent, session, turn } = prompt;
  if (session === null || turn === null) return { prompt, ...NOT_READ };
  const row = await turns.get<TurnRow>(sessionKeys.turn(agent, session, turn));
  const items = await turns.range<ItemRow>(sessionKeys.itemsOfTurn(agent, session, turn));
  const own = items
    .map(([, item]) => item)
    .filter(({ reports }) => !reports.some(({ agentId, sidechain }) => agentId || sidechain))
    .sort((one, other) => (one.order < other.order ? -1 : 1));
  const answer = await answerTo(prompt, turn, memory);
  const isUnfinished = row?.unfinished === true && answer !== undefined;
  return {
    prompt,
    cut: cutBy(own.at(-1)) ?? (isUnfinished ? 'unfinished' : null),
    answer: answer === undefined ? null : clipSentence(inLine(answer.body), ANSWER_CHARS_MAX),
    onTheWay: isBeforeToolUse(answer?.id, own),
  };
}

/** @param last the last item of a turn, apart from its sub-agents */
function cutBy(last: ItemRow | undefined): TurnCut | null {
  if (last?.kind !== 'stop') return null;
  const { reason } = readStop(last);
  return reason === 'interrupted' ? 'stopped' : reason === 'error' ? 'failed' : null;
}

/**
 * By the stop reason, else by what follows: tools of other kinds may only keep the agent's own list of tasks.
 * @param items in their order
 */
function isBeforeToolUse(answer: string | undefined, items: readonly ItemRow[]): boolean {
  const at = items.findIndex(({ id }) => id === answer);
  const item = items[at];
  if (item?.kind !== 'reply') return false;
  const { stopReason } = readReply(item);
  if (stopReason !== undefined) return CONTINUING_STOP_REASONS.has(stopReason);
  return items.slice(at).some((one) => one.kind === 'tool' && toolKind(readTool(one).name ?? '') !== null);
}

async function answerTo(
  { agent, session }: PromptLine,
  turn: string,
  memory: ViewReader,
): Promise<MemoryDocument | undefined> {
  const rows = await memory.range(memoryKeys.ofTurn(agent, session ?? '', turn));
  const ids = rows.map(([rowKey]) => memoryKeys.documentIn(rowKey));
  const documents = await memory.getMany<MemoryDocument>(ids.map(memoryKeys.document));
  return documents
    .filter((one) => one !== undefined)
    .filter(
      ({ kind, type, agentId }) =>
        kind === 'answer' && type !== RECAP && type !== COMPACTION && agentId === null,
    )
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .at(-1);
}

const FENCED = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n[ \t]*\1[ \t]*$/gm;
const CODE_CHARS_MAX = 160;

/** With the beginning of each code block between single backticks: a brief shows an answer in one line. */
function inLine(markdown: string): string {
  return markdown.replace(FENCED, (_, __, code: string) => {
    const line = clipSentence(code.replaceAll('`', "'").replace(/\s+/g, ' ').trim(), CODE_CHARS_MAX);
    return line === '' ? '' : `\`${line}\``;
  });
}
