// What the record of an injection holds of each item that was shown: no text, but what shows later whether the session used it.
import { type MemoryDocument, memoryKeys } from '../../projections/index.ts';
import type { InjectedItem } from '../api.ts';
import type { ReadHome } from './home.ts';

/** Event ids are hashes, so the first few by id are enough to recognise a set of events. */
const EVENTS_MAX = 4;
const NAMES_MAX = 12;

/** The id of an item, and the line that showed it. */
export interface ShownLine {
  readonly id: string | null;
  readonly text: string;
}

/** Ids of sessions look different: a session is where an item was, and is none itself. */
const ITEM_ID = /^[a-z]-/;

/** Each item once, in the order shown. */
export async function injectedItems(
  lines: readonly ShownLine[],
  { memory }: Pick<ReadHome['views'], 'memory'>,
): Promise<readonly InjectedItem[]> {
  const texts = new Map<string, string>();
  for (const { id, text } of lines)
    if (id !== null && ITEM_ID.test(id)) texts.set(id, texts.has(id) ? `${texts.get(id)}\n${text}` : text);
  const documents = await memory.getMany<MemoryDocument>([...texts.keys()].map(memoryKeys.document));
  return [...texts].map(([id, text], index) => ({
    id,
    events: documents[index]?.events.slice(0, EVENTS_MAX) ?? [],
    files: filesIn(text),
    commands: commandsIn(text),
  }));
}

/** A path or a file's name with its extension, as words of a text. */
const FILE = /(?<![\w./@~-])(?:[\w@.+~-]*\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}(?![\w/-])/g;

function filesIn(text: string): string[] {
  return [...new Set(text.match(FILE))].slice(0, NAMES_MAX);
}

/** Between backticks, of two words at least. */
function commandsIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]{3,300})`/g)].map(([, command = '']) => command.trim());
  return [...new Set(quoted.filter((command) => command.includes(' ')))].slice(0, NAMES_MAX);
}
