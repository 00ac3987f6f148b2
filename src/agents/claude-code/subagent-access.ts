// Decides which sub-agent files may be read. A sub-agent's file does not hold the prompt that started it; the main file
// shows whether that turn was private. If the main file has no private turn, all sub-agents are read. If it has one, a
// sub-agent is read only when the main file shows that a public turn launched it. Without the main file this is
// unknown, so the sub-agent's file is not read.
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Log } from '../../../log/index.ts';
import type { PrivatePrompts } from '../../capture/private/private-prompts.ts';
import { redactText } from '../../capture/redact/index.ts';
import { linePages } from '../../capture/transcripts/line-pages.ts';
import { openRegularFile } from '../../platform/regular-file.ts';
import { idOf, parseTranscriptLine } from '../common/json-fields.ts';
import type { Sanitizer } from '../common/sanitizer.ts';
import { isCompaction } from './line-kinds.ts';
import { FRESH_STATE, type ReaderState } from './reader-state.ts';
import { worldOf } from './reader-world.ts';
import { readLines } from './transcript-reader.ts';

/** The id in a sub-agent's file name, or null for a main file. */
export function subagentIdOf(path: string): string | null {
  const id = /^agent-(.+)\.jsonl$/.exec(basename(path))?.[1];
  return id === undefined ? null : redactText(id);
}

/** What a main file with a private turn says about its sub-agents. */
export type PrivateParts = Pick<ReaderState, 'runs' | 'launched'>;

/** Null when nothing in the file is private. */
export function privatePartsOf(state: ReaderState): PrivateParts | null {
  const { anyPrivate, runs, launched } = state;
  return anyPrivate ? { runs, launched } : null;
}

export type SubagentAccess =
  | { readonly read: true; readonly privatePromptIds: ReadonlySet<string> }
  | { readonly read: false; readonly reason: string };

const READ_ALL: SubagentAccess = { read: true, privatePromptIds: new Set() };

/** How the main files of sub-agents are read. */
export interface MainFiles {
  readonly log: Pick<Log, 'pageBySession'>;
  readonly sanitizer: Sanitizer;
  readonly privatePrompts: PrivatePrompts;
  /** What is known of main files, by path. Extended here. */
  readonly mainFiles: Map<string, PrivateParts | null>;
}

/** Whether a sub-agent's file may be read. */
export async function subagentAccess(
  path: string,
  agentId: string,
  reading: MainFiles,
): Promise<SubagentAccess> {
  const head = await firstIds(path);
  const mainPath = await mainFileOf(path, head.session);
  if (mainPath === null)
    return {
      read: false,
      reason: 'the main file of its session is missing, and a private turn may have launched it',
    };
  const known = reading.mainFiles;
  const main = known.get(mainPath) ?? (known.has(mainPath) ? null : await scan(mainPath, reading));
  known.set(mainPath, main);
  if (main === null) return READ_ALL;
  if (isCompaction(agentId)) return { read: false, reason: 'it sums up a session that has a private turn' };
  const launched = new Map(main.launched).get(agentId);
  if (launched === false) return READ_ALL;
  const privateFrom = head.promptId === null ? undefined : new Map(main.runs).get(head.promptId);
  if (launched === true || typeof privateFrom === 'number')
    return { read: false, reason: 'a private turn launched it' };
  const privatePromptIds = new Set(main.runs.flatMap(([id, from]) => (from === null ? [] : [id])));
  if (privateFrom === null) return { read: true, privatePromptIds };
  return {
    read: false,
    reason: 'its session has a private turn, and nothing shows that a public turn launched it',
  };
}

/** The session file that a sub-agent's file belongs to. Null when it does not exist. */
async function mainFileOf(path: string, session: string | null): Promise<string | null> {
  const below = /^(.*)[\\/]subagents[\\/]/.exec(path)?.[1];
  const candidates = [
    ...(below === undefined ? [] : [`${below}.jsonl`]),
    ...(session === null ? [] : [join(dirname(path), `${session}.jsonl`)]),
  ];
  for (const candidate of candidates) {
    const found = await stat(candidate).catch(() => null);
    if (found?.isFile() === true) return candidate;
  }
  return null;
}

/** Session and prompt that a file's first lines name. */
async function firstIds(path: string): Promise<{ session: string | null; promptId: string | null }> {
  const file = await openRegularFile(path);
  try {
    for await (const page of linePages(file, 0, 1024 * 1024)) {
      for (const line of page.lines) {
        const parsed = line.bytes === null ? null : parseTranscriptLine(line.bytes);
        const session = idOf(parsed?.sessionId);
        if (session !== null) return { session, promptId: idOf(parsed?.promptId) };
      }
    }
    return { session: null, promptId: null };
  } finally {
    await file.close();
  }
}

/** Reads a main file only for what is private in it. No events are kept. */
async function scan(
  path: string,
  { log, sanitizer, privatePrompts }: MainFiles,
): Promise<PrivateParts | null> {
  const file = await openRegularFile(path);
  try {
    const { size } = await file.stat();
    const value: Sanitizer['value'] = (json, author) =>
      author === 'person' ? sanitizer.value(json, author) : null;
    const world = worldOf(path, file, { ...sanitizer, value }, privatePrompts);
    let state = FRESH_STATE;
    for await (const page of linePages(file, 0, size)) {
      const before = state;
      const read = () => readLines(before, page.lines, world);
      state = (await privatePrompts.publicPrompts.decide(log, read)).state;
    }
    return privatePartsOf(state);
  } finally {
    await file.close();
  }
}
