// Files read and files modified, from tool inputs only: what an agent says it touched is not believed.
import { baseName, insidePlace } from './paths.ts';
import type { Use } from './story.ts';

const READERS = new Set(['Read', 'NotebookRead', 'read_file', 'View']);
const WRITERS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'write_file', 'apply_patch']);
const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'filePath'];
const FILES_MAX = 50;

export interface Files {
  readonly read: readonly string[];
  readonly modified: readonly string[];
  /** Modified, but outside the project and for the moment: scratch pads, temporary folders. */
  readonly scratch: readonly string[];
  readonly events: readonly string[];
}

export function filesOf(uses: readonly Use[], place: string): Files {
  const read = new Set<string>();
  const modified = new Set<string>();
  const scratch = new Set<string>();
  const events: string[] = [];
  for (const use of uses) {
    const path = pathOf(use);
    if (path === null || use.outcome !== 'ok') continue;
    const file = insidePlace(path, place);
    const kind = isWriter(use) ? (isScratch(file) ? scratch : modified) : readsFile(use, path) ? read : null;
    if (kind === null || kind.has(file) || kind.size >= FILES_MAX) continue;
    kind.add(file);
    events.push(...use.events);
  }
  return {
    read: [...read].filter((file) => !modified.has(file)),
    modified: [...modified],
    scratch: [...scratch],
    events,
  };
}

/** Last parts of the paths whose writing never succeeded. */
export function refusedOf(uses: readonly Use[]): string[] {
  const refused = new Set<string>();
  const written = new Set<string>();
  for (const use of uses) {
    const path = isWriter(use) ? pathOf(use) : null;
    if (path === null) continue;
    if (use.outcome === 'ok') written.add(baseName(path));
    // A failed edit is often made again another way; a whole file that was not written is not there.
    else if (use.outcome !== null && use.name === 'Write') refused.add(baseName(path));
  }
  return [...refused].filter((file) => !written.has(file));
}

/** The order of the last use that changed a file, documents aside; empty where there is none. */
export function lastChangeOf(uses: readonly Use[]): string {
  const changes = (use: Use) => isWriter(use) && use.outcome === 'ok' && !isDocument(pathOf(use) ?? '');
  return uses.findLast(changes)?.order ?? '';
}

export function isDocument(path: string): boolean {
  return DOCUMENT.test(path);
}

const DOCUMENT = /\.(?:md|mdx|rst|txt|adoc)$/i;

export function isWriter({ name }: Use): boolean {
  return WRITERS.has(name);
}

export function pathOf({ input }: Use): string | null {
  const path = PATH_FIELDS.map((field) => input[field]).find((value) => typeof value === 'string');
  return typeof path === 'string' && path !== '' ? path : null;
}

function readsFile({ name }: Use, path: string): boolean {
  return READERS.has(name) || (name === 'Grep' && /\.[A-Za-z0-9]{1,8}$/.test(path));
}

function isScratch(file: string): boolean {
  return (
    /^(?:\/|[a-z]:\/).*\b(?:te?mp|scratchpad|T)\//i.test(file) || /^\/tmp\/|^\/var\/folders\//.test(file)
  );
}
