// The files that were read and modified, from tool inputs only; the agent's own statements do not count.
import { PATH_FIELDS, toolKind, writesFiles } from '../../tools/known-tools.ts';
import { baseName, insideWorkdir, isSameFile } from '../shell/file-paths.ts';
import { parseShell } from '../shell/shell.ts';
import type { ToolUse } from './turn-transcript.ts';

const FILES_MAX = 50;

export interface TouchedFiles {
  /** Read and not modified. */
  readonly read: readonly string[];
  /** Read, also those that were modified. */
  readonly opened: readonly string[];
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
  const created = new Set<string>();
  for (const toolUse of toolUses) {
    if (toolUse.outcome !== 'ok') continue;
    // What was created and removed again is no change.
    const undone = removedBy(toolUse).flatMap((path) =>
      [...created].filter((file) => isSameFile(insideWorkdir(path, workdir), file)),
    );
    for (const file of undone) modified.delete(file);
    for (const names of movedBy(toolUse)) {
      const [from, to] = [insideWorkdir(names[0], workdir), insideWorkdir(names[1], workdir)];
      if (to === '' || !modified.delete(from)) continue;
      (isScratch(to) ? scratch : modified).add(to);
      if (created.delete(from)) created.add(to);
    }
    for (const path of toolUsePaths(toolUse)) {
      const file = insideWorkdir(path, workdir);
      if (undone.includes(file)) continue;
      const kind = isWriter(toolUse)
        ? isScratch(file)
          ? scratch
          : modified
        : readsFile(toolUse, path)
          ? read
          : null;
      if (kind === modified && creates(toolUse, path)) created.add(file);
      if (kind === null || kind.has(file) || kind.size >= FILES_MAX) continue;
      kind.add(file);
      events.push(...toolUse.events);
    }
  }
  return {
    read: [...read].filter((file) => !modified.has(file)),
    opened: [...read],
    modified: [...modified],
    scratch: [...scratch],
    events,
  };
}

function creates({ name, input }: ToolUse, path: string): boolean {
  return toolKind(name) === 'create' || linesIn(input.added_files).includes(path);
}

/** The files that a shell command or a patch removes, as it names them. */
export function removedBy(toolUse: ToolUse): readonly string[] {
  const words = wordsAfter('rm', toolUse).flatMap((some) => some.filter(isFileName));
  return [...words, ...linesIn(toolUse.input.deleted_files)];
}

function linesIn(value: ToolUse['input'][string] | undefined): readonly string[] {
  return typeof value === 'string' ? value.split('\n') : [];
}

/** The files that a shell command moves: the old name and the new one, empty when it may be the name of a folder. */
export function movedBy(toolUse: ToolUse): readonly (readonly [from: string, to: string])[] {
  return wordsAfter('mv', toolUse).flatMap((words) => {
    const target = words.at(-1) ?? '';
    const sources = words.slice(0, -1).filter(isFileName);
    const isFolder = target.endsWith('/') || words.length > 2;
    const folder = isFolder ? `${target.replace(/\/+$/, '')}/` : null;
    return sources.map((from): readonly [string, string] => {
      if (folder !== null) return [from, `${folder}${baseName(from)}`];
      return [from, isFileName(target) ? target : ''];
    });
  });
}

/** The words after each `rm` or `mv`, without options. */
function wordsAfter(program: 'rm' | 'mv', { command }: ToolUse): readonly (readonly string[])[] {
  if (command === null || !command.whole.includes(program)) return [];
  return parseShell(command.whole).links.flatMap(({ stages: [stage = ''] }) => {
    const [first, ...words] = stage.replace(/^git /, '').split(/\s+/);
    return first === program && !words.includes('--cached')
      ? [words.filter((word) => !word.startsWith('-'))]
      : [];
  });
}

/** Only names that a shell leaves as they are. */
function isFileName(word: string): boolean {
  return /^[\w./-]+\.\w+$/.test(word);
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
    if (!isWriter(toolUse)) continue;
    for (const path of toolUsePaths(toolUse)) {
      if (toolUse.outcome === 'ok') written.add(baseName(path));
      // A failed edit is often repeated in another way; a new file that was not written does not exist.
      else if (toolUse.outcome !== null && toolKind(toolUse.name) === 'create') refused.add(baseName(path));
    }
  }
  return { refused: [...refused].filter((file) => !written.has(file)), written: [...written] };
}

/** The order of the last use that changed a file, except documents; empty when there is none. */
export function lastChangeOf(toolUses: readonly ToolUse[]): string {
  const changes = (toolUse: ToolUse) =>
    isWriter(toolUse) &&
    toolUse.outcome === 'ok' &&
    (toolUsePaths(toolUse).length === 0 || toolUsePaths(toolUse).some((path) => !isDocument(path)));
  return toolUses.findLast(changes)?.order ?? '';
}

/** The same of any state: also of a command that moves, removes, restores or installs something. */
export function lastStateChangeOf(toolUses: readonly ToolUse[]): string {
  const command = toolUses.findLast(
    ({ command, outcome }) =>
      outcome === 'ok' &&
      command !== null &&
      (command.purpose === 'mutation' || CHANGES_STATE.test(command.short)),
  );
  const [file, other] = [lastChangeOf(toolUses), command?.order ?? ''];
  return file > other ? file : other;
}

const CHANGES_STATE = /\b(?:git (?:checkout|stash)|(?:npm|pnpm|bun|yarn) (?:i|install|ci|add))\b/;

export function isDocument(path: string): boolean {
  return DOCUMENT.test(path);
}

const DOCUMENT = /\.(?:md|mdx|rst|txt|adoc)$/i;

/** Also a shell that is given a patch. */
export function isWriter({ name, input }: ToolUse): boolean {
  return writesFiles(name) || typeof input.patched_files === 'string';
}

/** The file that it names; a patch names several. */
export function toolUsePaths({ input }: ToolUse): readonly string[] {
  if (typeof input.patched_files === 'string') return linesIn(input.patched_files);
  const path = PATH_FIELDS.map((field) => input[field]).find((value) => typeof value === 'string');
  return typeof path === 'string' && path !== '' ? [path] : [];
}

function readsFile({ name }: ToolUse, path: string): boolean {
  const kind = toolKind(name);
  return kind === 'read' || (kind === 'search' && /\.[A-Za-z0-9]{1,8}$/.test(path));
}

export function isScratch(file: string): boolean {
  return (
    /^(?:\/|[a-z]:\/).*\b(?:te?mp|scratchpad|T)\//i.test(file) || /^\/tmp\/|^\/var\/folders\//.test(file)
  );
}
