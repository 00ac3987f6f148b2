// The agents that Annals knows: built-in ones, and those that a file in the home describes.
import { type FileHandle, open } from 'node:fs/promises';
import { LINE_BYTES_MAX } from '../capture/transcripts/line-splitter.ts';
import { list } from '../platform/disk-files.ts';
import type { Machine } from '../platform/machine.ts';
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

export interface KnownAgents {
  readonly agents: readonly Agent[];
  /** Sentences about descriptions that cannot be used. */
  readonly problems: readonly string[];
}

/** @param folder of the descriptions, in the home. Never rejects. */
export async function agentsAt(folder: string, machine: Machine): Promise<KnownAgents> {
  try {
    const names = (await list(folder)).filter((name) => name.endsWith('.json'));
    if (names.length === 0) return { agents: AGENTS, problems: [] };
    const { readDescriptions } = await import('./declared/read-descriptions.ts');
    const { agents, problems } = readDescriptions(folder, names, { machine, others: AGENTS });
    return { agents: [...AGENTS, ...agents], problems };
  } catch (error) {
    const reason = (error as Error).message;
    return { agents: AGENTS, problems: [`The descriptions of agents cannot be read: ${reason}`] };
  }
}

/** Whether a name below an agent's folders is that of a transcript. */
export function mayBeTranscript(path: string, agents: readonly Agent[]): boolean {
  return agents.some(({ transcripts }) => transcripts?.isTranscript(path) === true);
}

/**
 * Whether a file that was renamed or moved is a transcript of an agent that writes each as one JSON document. Throws what the
 * file system throws.
 */
export async function isDocumentTranscript(path: string, agents: readonly Agent[]): Promise<boolean> {
  if (!path.endsWith('.json')) return false;
  const file = await open(path);
  try {
    const start = await startOfFile(path, file);
    return agents.some(({ transcripts }) => {
      const format = transcripts?.otherFormat?.(start) ?? transcripts?.format;
      return format?.form === 'document' && transcripts?.recognises(start) === true;
    });
  } finally {
    await file.close();
  }
}

/**
 * Whose transcript a file is. The folder of a description counts most. One that no other agent recognises may be an odd one
 * of Claude Code.
 */
export function agentOfFile(start: FileStart, agents: readonly Agent[]): Agent {
  const declared = agents.filter((agent) => !AGENTS.includes(agent));
  const recognises = ({ transcripts }: Agent) => transcripts?.recognises(start) === true;
  return (
    declared.find(({ transcripts }) => transcripts?.isTranscript(start.path) === true) ??
    AGENTS.find((agent) => agent !== claudeCode && recognises(agent)) ??
    (recognises(claudeCode) ? claudeCode : declared.find(recognises)) ??
    claudeCode
  );
}

const START_BYTES = 64 * 1024;
/** The first line may hold the instructions of a project, or a prompt with a picture. It is looked for in steps. */
const LONGER = 16;
const LINES_MAX = 20;

export async function startOfFile(path: string, file: FileHandle): Promise<FileStart> {
  let bytes = await beginning(file, START_BYTES);
  const text = bytes.toString('utf8');
  for (let length = START_BYTES * LONGER; length <= LINE_BYTES_MAX; length *= LONGER) {
    if (bytes.includes('\n') || bytes.length < length / LONGER) break;
    bytes = await beginning(file, length);
  }
  const lines = bytes
    .toString('utf8')
    .split('\n', LINES_MAX)
    .map((line) => parseTranscriptLine(Buffer.from(line)))
    .filter((line) => line !== null);
  return { path, text, lines };
}

async function beginning(file: FileHandle, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}
