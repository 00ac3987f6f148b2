// Reads prompts with the end of their answers: those after the newest summary, and those of a compacted session.
import {
  COMPACTION,
  type ContextRow,
  type ItemRow,
  type MemoryDocument,
  memoryKeys,
  type PromptLine,
  RECAP,
  readStop,
  type SummaryLine,
  sessionKeys,
  type TurnRow,
  type ViewReader,
} from '../../projections/index.ts';
import type { RecentPrompt } from './index.ts';
import { clipSentence } from './lines/brief.ts';

/** How many prompts are shown, and how much of each answer. */
const RECENT = 3;
const ANSWER_CHARS_MAX = 700;
/** For how many prompts of a compacted session the answer is read. */
const ANSWERED = 40;
/** How many prompts at the ends of earlier sessions are looked at. */
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
 * Prompts at the end of earlier sessions that the person stopped or that have no answer, newest first.
 * @param prompts not older than the summaries, which are newest first
 */
export async function unansweredOf(
  prompts: readonly PromptLine[],
  summaries: readonly SummaryLine[],
  views: Views,
): Promise<RecentPrompt[]> {
  const newest = new Set([prompts[0]?.session, summaries[0]?.session]);
  const ends = new Map<string | null, number>();
  for (const { session, at } of summaries) if (!ends.has(session)) ends.set(session, at ?? 0);
  const last = prompts.filter(
    ({ session, at, text }) =>
      !newest.has(session) && !isCommand(text) && (at ?? 0) > (ends.get(session) ?? 0),
  );
  const read = await Promise.all(last.slice(0, UNANSWERED_READ).map((prompt) => answered(prompt, views)));
  return read.filter(({ stopped, answer }) => stopped || answer === null);
}

/** The prompts of one session, newest first; with answers where no summary covers the turn. */
export async function askedIn(rows: readonly ContextRow[], views: Views): Promise<RecentPrompt[]> {
  const summarized = new Set(rows.filter(({ kind }) => kind === 'summary').map(({ turn }) => turn));
  const prompts = rows.filter((row): row is PromptLine => row.kind === 'prompt' && !isCommand(row.text));
  return Promise.all(
    prompts.map((prompt, index) =>
      index >= ANSWERED || summarized.has(prompt.turn)
        ? { prompt, unfinished: false, stopped: false, answer: null }
        : answered(prompt, views),
    ),
  );
}

async function answered(prompt: PromptLine, { memory, turns }: Views): Promise<RecentPrompt> {
  const { agent, session, turn } = prompt;
  if (session === null || turn === null) return { prompt, unfinished: false, stopped: false, answer: null };
  const row = await turns.get<TurnRow>(sessionKeys.turn(agent, session, turn));
  const items = await turns.range<ItemRow>(sessionKeys.itemsOfTurn(agent, session, turn));
  return {
    prompt,
    unfinished: row?.unfinished === true,
    stopped: wasStopped(items.map(([, item]) => item)),
    answer: await answerTo(prompt, turn, memory),
  };
}

/** Whether an interruption is the last thing in a turn, apart from its sub-agents. */
function wasStopped(items: readonly ItemRow[]): boolean {
  const own = items.filter(({ reports }) => !reports.some(({ agentId, sidechain }) => agentId || sidechain));
  if (own.length === 0) return false;
  const last = own.reduce((a, b) => (a.order > b.order ? a : b));
  return last.kind === 'stop' && readStop(last).reason === 'interrupted';
}

/** `/exit` and similar commands, and `!pwd`, which runs in the shell. */
export function isCommand(text: string): boolean {
  return /^(?:\/[\w:-]+$|!)/.test(text.trim());
}

async function answerTo(
  { agent, session }: PromptLine,
  turn: string,
  memory: ViewReader,
): Promise<string | null> {
  const rows = await memory.range(memoryKeys.ofTurn(agent, session ?? '', turn));
  const ids = rows.map(([rowKey]) => memoryKeys.documentIn(rowKey));
  const documents = await memory.getMany<MemoryDocument>(ids.map(memoryKeys.document));
  const answers = documents
    .filter((one) => one !== undefined)
    .filter(
      ({ kind, type, agentId }) =>
        kind === 'answer' && type !== RECAP && type !== COMPACTION && agentId === null,
    )
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  return answers.length === 0 ? null : clipSentence(inLine(answers.at(-1)!.body), ANSWER_CHARS_MAX);
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
