// Opens a transcript of Claude Code, or of one of its sub-agents.
import { linePages } from '../../capture/transcripts/line-pages.ts';
import type { OpenTranscript, TranscriptReader, TranscriptRun } from '../common/transcript-reader.ts';
import { FRESH_STATE, type ReaderState } from './reader-state.ts';
import { worldOf } from './reader-world.ts';
import { type PrivateParts, privatePartsOf, subagentAccess, subagentIdOf } from './subagent-access.ts';
import { readLines } from './transcript-reader.ts';

/** What is known of main files, by path, during one run. */
const mainFilesOfRun = new WeakMap<TranscriptRun['privatePrompts'], Map<string, PrivateParts | null>>();

export const openTranscript: OpenTranscript = async (path, file, run) => {
  const mainFiles = mainFilesOfRun.get(run.privatePrompts) ?? new Map<string, PrivateParts | null>();
  mainFilesOfRun.set(run.privatePrompts, mainFiles);
  const agentId = subagentIdOf(path);
  const access = agentId === null ? null : await subagentAccess(path, agentId, { ...run, mainFiles });
  if (access?.read === false) return { heldBack: access.reason };
  const privatePromptIds = access?.privatePromptIds ?? new Set<string>();
  const world = worldOf(path, file, run.sanitizer, run.privatePrompts, { agentId, privatePromptIds });
  const size = Number((await file.stat({ bigint: true })).size);
  const reader: TranscriptReader<ReaderState> = {
    fresh: FRESH_STATE,
    isOutdated: () => false,
    pages: (state) => linePages(file, state.offset, size),
    read: (state, lines) => readLines(state, lines, world),
    openToolUses: ({ open }) => open.flatMap((one) => (one.side === 'use' && !one.private ? [one.id] : [])),
    ended: (state) => {
      if (agentId === null) mainFiles.set(path, privatePartsOf(state));
    },
  };
  return { reader: reader as unknown as TranscriptReader };
};
