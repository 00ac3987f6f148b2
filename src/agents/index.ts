// The agents that Annals knows.
import type { FileHandle } from 'node:fs/promises';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import type { Agent, AgentTranscripts, FileStart } from './common/agent.ts';
import { parseTranscriptLine } from './common/json-fields.ts';
import { openRecords } from './common/open-records.ts';
import type { OpenTranscript } from './common/transcript-reader.ts';
import { copilot } from './copilot/index.ts';
import { cursor } from './cursor/index.ts';
import { geminiCli } from './gemini-cli/index.ts';
import { opencode } from './opencode/index.ts';
import { qwenCode } from './qwen-code/index.ts';
import { windsurf } from './windsurf/index.ts';

export const AGENTS: readonly Agent[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  copilot,
  cursor,
  qwenCode,
  windsurf,
];

export function agentNamed(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}

/** How a file of this agent is read. */
export function openerOf(agent: Agent, transcripts: AgentTranscripts, start: FileStart): OpenTranscript {
  if (transcripts.open !== undefined) return transcripts.open;
  return openRecords(agent.name, transcripts.otherFormat?.(start) ?? transcripts.format);
}

/** Whether a name below an agent's folders is that of a transcript. */
export function mayBeTranscript(path: string): boolean {
  return AGENTS.some(({ transcripts }) => transcripts?.isTranscript(path) === true);
}

/** Whose transcript a file is. One that no other agent recognises may be an odd one of Claude Code. */
export function agentOfFile(start: FileStart): Agent {
  return (
    AGENTS.find((agent) => agent !== claudeCode && agent.transcripts?.recognises(start) === true) ??
    claudeCode
  );
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
