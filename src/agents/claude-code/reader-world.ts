// What the reader needs to know of the file it reads.
import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { redactText } from '../../capture/redact/index.ts';
import { lineIn } from '../../capture/transcripts/line-pages.ts';
import type { Sanitizer } from '../common/sanitizer.ts';
import type { ReaderWorld } from './reading.ts';

export function worldOf(
  path: string,
  file: FileHandle,
  sanitizer: Sanitizer,
  privatePrompts: ReaderWorld['privatePrompts'],
  agent: Pick<ReaderWorld, 'agentId' | 'privatePromptIds'> = { agentId: null, privatePromptIds: new Set() },
): ReaderWorld {
  return {
    sanitizer,
    fallbackSession: redactText(basename(path).replace(/\.jsonl$/, '')) || null,
    ...agent,
    privatePrompts,
    hasOwnFile: ownFileFinder(path),
    lineAt: lineIn(file),
  };
}

/**
 * Finds a sub-agent's own file: next to the main file in older versions, later in the session's folder. Results are
 * cached.
 */
export function ownFileFinder(path: string): (agentId: string) => boolean {
  const known = new Map<string, boolean>();
  const folders = [dirname(path), join(path.replace(/\.jsonl$/, ''), 'subagents')];
  return (agentId) => {
    let found = known.get(agentId);
    if (found === undefined) {
      found =
        /^[\w-]{1,128}$/.test(agentId) &&
        folders.some((one) => existsSync(join(one, `agent-${agentId}.jsonl`)));
      known.set(agentId, found);
    }
    return found;
  };
}
