// What earlier sessions of a project know about what a session is doing right now. Silent unless the evidence is strong:
// a wrong memory costs more than a missing one.
import { keyParts, receiptKeys, type ShownRow } from '../../projections/index.ts';
import { RECALL_OCCASIONS, type RecallAnswer, type RecalledItem, type RecallOptions } from '../api/recall.ts';
import { sanitizeText } from '../capture/redact/index.ts';
import { HOOK_CLIP_BYTES } from '../capture/text/clip.ts';
import { type Author, stripTags } from '../capture/text/tags.ts';
import { projectByName, projectOfFolder } from '../home/folder-project.ts';
import type { ReadHome } from '../home/home.ts';
import type { NamedProjectIndex } from '../home/home-projects.ts';
import { injectedItems } from '../home/injected-items.ts';
import { givenPath } from '../platform/path-inside.ts';
import { recallForEdit } from './edit-recall.ts';
import { recallForError } from './error-recall.ts';
import { recallForPrompt } from './prompt-recall.ts';
import { recallText, type ShownItem } from './recall-text.ts';
import type { Recalled } from './recalled.ts';

const OCCASIONS: ReadonlySet<string> = new Set(RECALL_OCCASIONS);
/** Of one session: its brief shows some fifty, and few are recalled. */
const SHOWN_MAX = 300;
/** Far more than is looked up. */
const END_CHARS = 8_192;

/**
 * Reads the views as they are and waits for nothing. Looks nothing up for a folder that is excluded, or may be: a remote
 * embedder would get it.
 * @throws AnnalsError NOT_FOUND: no project has this name
 */
export async function recallOf(options: RecallOptions, home: ReadHome): Promise<RecallAnswer> {
  const { project } = options;
  const cwd = givenPath(options.cwd ?? '.');
  const isOutside = home.pausedBecause !== null || home.excluded(cwd);
  const [{ name, indexes }, recorded] = await Promise.all([
    project === undefined ? projectOfFolder(cwd, home) : projectByName(project, home),
    recordedItems(options, home),
  ]);
  const without = [...(options.without ?? []), ...recorded];
  const recalled =
    isOutside || indexes.length === 0
      ? []
      : await recalledFor({ ...sanitized(options), without }, indexes, home);
  const { text, shown } = recallText(name, recalled);
  const items = await recalledItems(shown, home);
  return { text, tokens: Math.ceil(text.length / 4), project: name, items };
}

/** As it is recorded. What is looked up is cut after that, because half a secret has no form. */
function sanitized(options: RecallOptions): RecallOptions {
  const clean = (text: string, author: Author) =>
    sanitizeText(endsOf(stripTags(text, { author }).text), { author, clipBytes: HOOK_CLIP_BYTES });
  switch (options.occasion) {
    case 'prompt':
      return { ...options, text: clean(options.text, 'person') };
    case 'error':
      return { ...options, command: clean(options.command, 'tool'), error: clean(options.error, 'tool') };
    case 'edit':
      return options;
  }
}

/** Both ends of a long text, cut at white space. An agent does not wait until a megabyte is cleaned. */
function endsOf(text: string): string {
  if (text.length <= 2 * END_CHARS) return text;
  const [head, tail] = [text.slice(0, END_CHARS), text.slice(-END_CHARS)];
  const headEnd = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n'));
  return `${head.slice(0, Math.max(0, headEnd))}\n${tail.slice(tail.search(/\s|$/))}`;
}

/** Ids of what a session was recalled. */
async function recordedItems(
  { agent, session }: RecallOptions,
  { views }: ReadHome,
): Promise<readonly string[]> {
  if (agent === undefined || session === undefined) return [];
  const rows = await views.receipts.range<ShownRow>(receiptKeys.shownIn(agent, session), {
    limit: SHOWN_MAX,
  });
  return rows
    .filter(([, { shows }]) => shows.some(({ occasion }) => OCCASIONS.has(occasion)))
    .map(([rowKey]) => keyParts(rowKey).at(-1)!);
}

async function recalledFor(
  options: RecallOptions,
  projects: readonly NamedProjectIndex[],
  home: ReadHome,
): Promise<readonly Recalled[]> {
  switch (options.occasion) {
    case 'prompt':
      return recallForPrompt(options, projects, home);
    case 'error':
      return recallForError(options, projects, home);
    case 'edit':
      return recallForEdit(options, projects, home);
  }
}

async function recalledItems(
  shown: readonly ShownItem[],
  { views }: ReadHome,
): Promise<readonly RecalledItem[]> {
  const lines = shown.map(({ recalled: { document }, line }) => ({ id: document.id, text: line }));
  const items = await injectedItems(lines, views);
  return items.map((item, index) => {
    const { kind, turn } = shown[index]!.recalled.document;
    return { ...item, kind, turn };
  });
}
