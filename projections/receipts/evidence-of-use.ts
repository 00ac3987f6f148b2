// What shows that a session used an item. Strict: what may have another cause is no use.
import { inputFiles } from '../memory/tool-titles.ts';
import { withSlashes } from '../projects/project-paths.ts';
import { readPrompt, readReply, readStop, readTool } from '../sessions/merge-reports.ts';
import type { InjectedRow, ItemRow } from '../sessions/session-rows.ts';
import { toolKind } from '../tools/known-tools.ts';
import type { StartRow } from './receipt-rows.ts';

/** Item ids, or their beginnings, as a brief shows them. */
const ID = /(?<![\w-])[a-z]-[0-9a-hjkmnp-tv-z]{6,12}(?![\w-])/g;

/** The ids that a tool use or an answer names. */
export function citedIn(item: ItemRow): readonly string[] {
  return [...new Set(textOf(item).match(ID))];
}

function textOf(item: ItemRow): string {
  switch (item.kind) {
    case 'tool':
      return Object.values(readTool(item).input).join('\n');
    case 'reply':
      return readReply(item).text ?? '';
    case 'stop':
      return readStop(item).text ?? '';
    case 'prompt':
      return '';
  }
}

/** The command that a tool use ran with success; null for anything else. */
export function commandRun(item: ItemRow): string | null {
  if (item.kind !== 'tool') return null;
  const { name, input, outcome } = readTool(item);
  if (toolKind(name) !== 'shell' || outcome !== 'ok' || typeof input.command !== 'string') return null;
  return normalizedCommand(input.command);
}

export function normalizedCommand(command: string): string {
  return command.trim().replace(/\s+/g, ' ');
}

/** Files that an agent opens in any repository. */
const COMMON =
  /^(?:readme|changelog|contributing|claude|agents|gemini|license|todo)\b|^(?:package|tsconfig|pyproject|cargo|go|index|main|mod|lib|__init__)\.|^\./i;

/**
 * The files that a session opened before it did anything else, each named by exactly one item and by nobody in the session. A
 * search or a command may have shown any file, so nothing counts after the first of them.
 * @param items of the session's first turn, in order
 */
export function openedFirst(
  items: readonly ItemRow[],
  injected: readonly InjectedRow[],
): Pick<StartRow, 'end' | 'opened'> {
  const opened = new Map<string, number>();
  let said = '';
  for (const item of items) {
    if (item.kind === 'prompt') {
      const { text = '', feedback = '' } = readPrompt(item);
      said += `\n${text}\n${feedback}`;
    }
    if (item.kind !== 'tool') continue;
    const files = openedBy(item);
    const at = item.at;
    if (files.length === 0 || at === null) return ended(item.order, opened);
    for (const file of files) {
      const ids = namedBy(file, injected, at);
      if (ids.size === 0) return ended(item.order, opened);
      const name = file.slice(file.lastIndexOf('/') + 1);
      const [id] = ids;
      if (ids.size === 1 && !COMMON.test(name) && !said.includes(name) && !opened.has(id!))
        opened.set(id!, at);
    }
  }
  return ended(null, opened);
}

function ended(end: string | null, opened: ReadonlyMap<string, number>): Pick<StartRow, 'end' | 'opened'> {
  return { end, opened: [...opened].map(([id, at]) => ({ id, at })) };
}

function openedBy(item: ItemRow & { readonly kind: 'tool' }): readonly string[] {
  const { name, input, outcome, agentId, sidechain } = readTool(item);
  const kind = toolKind(name);
  const opens = kind === 'read' || kind === 'edit' || kind === 'create';
  return opens && outcome === 'ok' && agentId === undefined && sidechain !== true
    ? inputFiles(input).map(withSlashes)
    : [];
}

/** The items that name a file, of those that the session had been given by then. */
function namedBy(file: string, injected: readonly InjectedRow[], at: number): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const row of injected)
    if (row.at !== null && row.at <= at)
      for (const { id, files } of row.body.items ?? [])
        if (files.some((name) => isNamed(file, withSlashes(name)))) ids.add(id);
  return ids;
}

function isNamed(file: string, name: string): boolean {
  return file === name || file.endsWith(`/${name}`);
}
