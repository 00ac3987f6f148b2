// The files that were read and modified, from tool inputs only; the agent's own statements do not count.
import { baseName, insideWorkdir } from '../shell/file-paths.ts';
import type { ToolUse } from './turn-transcript.ts';

const READERS = new Set(['Read', 'NotebookRead', 'read_file', 'View']);
const WRITERS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'write_file', 'apply_patch']);
const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'filePath'];
const FILES_MAX = 50;

export interface TouchedFiles {
  readonly read: readonly string[];
  readonly modified: readonly string[];
  /** Modified temporary files outside the project: scratch pads, temporary folders. */
  readonly scratch: readonly string[];
  readonly events: readonly string[];
}

export function touchedFilesOf(toolUses: readonly ToolUse[], workdir: string): TouchedFiles {
  const read = new Set<string>();
  const modified = new Set<string>();
  const scratch = new Set<string>();
  const events: string[] = [];
  for (const toolUse of toolUses) {
    const path = toolUsePath(toolUse);
    if (path === null || toolUse.outcome !== 'ok') continue;
    const file = insideWorkdir(path, workdir);
    const kind = isWriter(toolUse)
      ? isScratch(file)
        ? scratch
        : modified
      : readsFile(toolUse, path)
        ? read
        : null;
    if (kind === null || kind.has(file) || kind.size >= FILES_MAX) continue;
    kind.add(file);
    events.push(...toolUse.events);
  }
  return {
    read: [...read].filter((file) => !modified.has(file)),
    modified: [...modified],
    scratch: [...scratch],
    events,
  };
}

/** Base names of the files whose writing failed and never succeeded, and of those that were written. */
export interface WrittenFiles {
  readonly refused: readonly string[];
  readonly written: readonly string[];
}

export function writtenFilesOf(toolUses: readonly ToolUse[]): WrittenFiles {
  const refused = new Set<string>();
  const written = new Set<string>();
  for (const toolUse of toolUses) {
    const path = isWriter(toolUse) ? toolUsePath(toolUse) : null;
    if (path === null) continue;
    if (toolUse.outcome === 'ok') written.add(baseName(path));
    // A failed edit is often repeated in another way; a new file that was not written does not exist.
    else if (toolUse.outcome !== null && toolUse.name === 'Write') refused.add(baseName(path));
  }
  return { refused: [...refused].filter((file) => !written.has(file)), written: [...written] };
}

/** The order of the last use that changed a file, except documents; empty when there is none. */
export function lastChangeOf(toolUses: readonly ToolUse[]): string {
  const changes = (toolUse: ToolUse) =>
    isWriter(toolUse) && toolUse.outcome === 'ok' && !isDocument(toolUsePath(toolUse) ?? '');
  return toolUses.findLast(changes)?.order ?? '';
}

export function isDocument(path: string): boolean {
  return DOCUMENT.test(path);
}

const DOCUMENT = /\.(?:md|mdx|rst|txt|adoc)$/i;

export function isWriter({ name }: ToolUse): boolean {
  return WRITERS.has(name);
}

export function toolUsePath({ input }: ToolUse): string | null {
  const path = PATH_FIELDS.map((field) => input[field]).find((value) => typeof value === 'string');
  return typeof path === 'string' && path !== '' ? path : null;
}

function readsFile({ name }: ToolUse, path: string): boolean {
  return READERS.has(name) || (name === 'Grep' && /\.[A-Za-z0-9]{1,8}$/.test(path));
}

function isScratch(file: string): boolean {
  return (
    /^(?:\/|[a-z]:\/).*\b(?:te?mp|scratchpad|T)\//i.test(file) || /^\/tmp\/|^\/var\/folders\//.test(file)
  );
}
