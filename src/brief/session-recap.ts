// Reads the agent's own recap of where a session was; the agent's program asks for one when the person was away.
import {
  type MemoryDocument,
  memoryKeys,
  newestDocuments,
  type PromptLine,
  RECAP,
  type ViewReader,
} from '../../projections/index.ts';
import type { BriefMaterial } from './index.ts';
import { isCommand } from './lines/asked-part.ts';

const RECAP_CHARS_MAX = 700;

/** The newest recap, if it belongs to this session and no prompt came after it. */
export async function recapOf(
  session: string | null,
  prompts: readonly PromptLine[],
  workdirs: readonly string[],
  memory: ViewReader,
): Promise<BriefMaterial['recap']> {
  const mayPass = (kind: string, type: string | null) => kind === 'answer' && type === RECAP;
  for await (const [newest] of newestDocuments(memory, workdirs, { mayPass })) {
    if (newest === undefined || newest.session !== session || newest.at === null) return null;
    const { id, at } = newest;
    const asked = prompts.find((prompt) => prompt.session === session && !isCommand(prompt.text));
    if (asked !== undefined && (asked.at ?? 0) > at) return null;
    const document = await memory.get<MemoryDocument>(memoryKeys.document(id));
    if (document === undefined) return null;
    return { id, at, text: document.body.slice(0, RECAP_CHARS_MAX).toWellFormed() };
  }
  return null;
}
