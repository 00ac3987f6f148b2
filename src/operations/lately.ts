// What was asked after the newest summary: prompts whose turns left nothing, with the last words of their answer.
import {
  type MemoryDocument,
  memoryKeys,
  type PromptLine,
  RECAP,
  rowKeys,
  type SummaryLine,
  type TurnRow,
  type ViewReader,
} from '../../projections/index.ts';
import type { Lately } from '../render/index.ts';

/** So many prompts are told, with so much of their answer. */
const LATELY = 3;
const ANSWER_CHARS_MAX = 700;

/** The newest session's prompts after the last summary, and how each was answered last. */
export async function latelyOf(
  prompts: readonly PromptLine[],
  summaries: readonly SummaryLine[],
  { memory, turns }: { readonly memory: ViewReader; readonly turns: ViewReader },
): Promise<Lately[]> {
  const session = prompts[0]?.session ?? null;
  const told = new Set(summaries.map(({ turn }) => turn));
  const newest = summaries[0]?.at ?? Number.NEGATIVE_INFINITY;
  const lately: Lately[] = [];
  for (const prompt of prompts) {
    if (session === null || prompt.session !== session || prompt.turn === null) continue;
    if (told.has(prompt.turn) || (prompt.at ?? 0) < newest || isCommand(prompt.text)) continue;
    if (lately.length === LATELY) break;
    const row = await turns.get<TurnRow>(rowKeys.turn(prompt.agent, session, prompt.turn));
    lately.push({
      prompt,
      unfinished: row?.unfinished === true,
      answer: await answerTo(prompt, prompt.turn, memory),
    });
  }
  return lately;
}

/** `/exit` and the like ask nothing, nor does `!pwd`, which runs in the shell. */
export function isCommand(text: string): boolean {
  return /^(?:\/[\w:-]+$|!)/.test(text.trim());
}

async function answerTo(
  { agent, session }: PromptLine,
  turn: string,
  memory: ViewReader,
): Promise<string | null> {
  const ids = await memory.get<string[]>(memoryKeys.group(agent, session ?? '', turn));
  const documents = await memory.getMany<MemoryDocument>((ids ?? []).map(memoryKeys.document));
  const answers = documents
    .filter((one) => one !== undefined)
    .filter(({ kind, type, agentId }) => kind === 'answer' && type !== RECAP && agentId === null)
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  return answers.at(-1)?.body.slice(0, ANSWER_CHARS_MAX).toWellFormed() ?? null;
}
