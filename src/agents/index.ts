// The agents that Annals knows.
import type { FileHandle } from 'node:fs/promises';
import { claudeCode } from './claude-code/index.ts';
import type { Agent, AgentTranscripts, FileStart } from './common/agent.ts';
import { parseTranscriptLine } from './common/json-fields.ts';
import { openRecords } from './common/open-records.ts';
import type { OpenTranscript } from './common/transcript-reader.ts';

export const AGENTS: readonly Agent[] = [claudeCode];

export function agentNamed(name: string): Agent | null {
  return AGENTS.find((agent) => agent.name === name) ?? null;
}

/** The agents whose hooks we can install. */
export const HOOKED = AGENTS.filter(({ hooks }) => hooks !== null);

/** How a file of this agent is read. */
export function openerOf(agent: Agent, transcripts: AgentTranscripts, start: FileStart): OpenTranscript {
  if ('open' in transcripts) return transcripts.open;
  return openRecords(agent.name, transcripts.otherFormat?.(start) ?? transcripts.format);
}

/** Whether a name below an agent's folders is that of a transcript. */
export function mayBeTranscript(path: string): boolean {
  return AGENTS.some(({ transcripts }) => transcripts?.isTranscript(path) === true);
}

/** Whose transcript a file is. One that no other agent recognises may be an odd one of Claude Code. */
export function agentOfFile(start: FileStart): Agent {
  return AGENTS.find(({ transcripts }) => transcripts?.recognises(start) === true) ?? claudeCode;
}

const START_BYTES = 64 * 1024;
const LINES_MAX = 20;

export async function startOfFile(path: string, file: FileHandle): Promise<FileStart> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
  const text = buffer.toString('utf8', 0, bytesRead);
  const lines = text
    .split('\n', LINES_MAX)
    .map((line) => parseTranscriptLine(Buffer.from(line)))
    .filter((line) => line !== null);
  return { path, text, lines };
}
