// Real transcripts and contracts are outside the repository (licences, size). A test that needs them looks
// here and is reported as skipped when they are missing: `describe.skipIf(!transcripts)`.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = process.env.ANNALS_TEST_DATA ?? resolve(import.meta.dirname, '../../../shared');

/** Folder of the shared data, or null when this machine has none. */
export const sharedData: string | null = existsSync(root) ? root : null;

/** Folder of real Claude Code transcripts, or null. */
export const claudeCodeTranscripts: string | null = folder('data/transcripts/claude-code');

/** `npm run test:long` reads all real transcripts. */
export const readsAllTranscripts: boolean = process.env.ANNALS_TEST_ALL_TRANSCRIPTS === '1';

/** All of them in `npm run test:long`, those of one project in `npm test`: for tests whose cost grows with them. */
export const someClaudeCodeTranscripts: string | null = readsAllTranscripts
  ? claudeCodeTranscripts
  : folder('data/transcripts/claude-code/d-kimuson__claude-code-viewer');

/** Folder of more real Claude Code transcripts, of another repository, or null. */
export const moreClaudeCodeTranscripts: string | null = folder('data/more/claude-code');

/** Folder of real transcripts of an agent, or null. */
export const agentTranscripts = (agent: string): string | null => folder(`data/transcripts/${agent}`);

/** Folder of what a version of a real agent sent and wrote: `hooks`, `transcripts`, `settings`. Or null. */
export const agentSamples = (agent: string, version: string): string | null =>
  folder(`real-agents/samples/${agent}/${version}`);

/** The LoCoMo file, or null. */
export const locomo: string | null = folder('data/locomo/locomo10.json');

function folder(path: string): string | null {
  if (sharedData === null) return null;
  const fullPath = join(sharedData, path);
  return existsSync(fullPath) ? fullPath : null;
}
