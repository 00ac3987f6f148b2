// For a result that only asks or announces ("I'll search for …"): the part of its turn that says most about the query.
import { isAnnouncement, isPleasantry, type MemoryDocument } from '../../projections/index.ts';
import { termsOf } from '../../projections/text/index.ts';
import type { SearchStatement } from '../api.ts';
import { sentenceStarts } from '../terminal-text/letters-and-words.ts';
import type { FoundDocument } from './ranking/found-documents.ts';
import { snippet } from './snippet.ts';

const STATING: ReadonlySet<MemoryDocument['kind']> = new Set(['observation', 'summary', 'memory', 'answer']);

/** A long turn has many; the best are enough. */
const PARTS_MAX = 5;

/** @param parts the other parts of its turn, best first */
export function statementOf(
  result: MemoryDocument,
  parts: readonly FoundDocument[],
  query: string,
): SearchStatement | null {
  if (states(result)) return null;
  const wanted = new Set(termsOf(query));
  let best: SearchStatement | null = null;
  let most = -1;
  const stating = parts.filter(({ document }) => STATING.has(document.kind) && states(document));
  for (const { document } of stating.slice(0, PARTS_MAX)) {
    const text = snippet(document, query);
    const held = new Set(termsOf(text).filter((term) => wanted.has(term))).size;
    if (text === '' || held <= most) continue;
    best = { id: document.id, kind: document.kind, type: document.type, text };
    most = held;
  }
  return best;
}

/** Whether it does more than ask or announce. */
export function states({ kind, title, body }: MemoryDocument): boolean {
  if (kind === 'prompt') return false;
  return kind !== 'answer' || !announces(body === '' ? title : body);
}

/** Whether its first sentence, but for "Got it.", announces something. */
function announces(text: string): boolean {
  const starts = [...sentenceStarts(text), text.length];
  const sentences = starts.slice(1).map((end, index) => text.slice(starts[index], end).trim());
  const first = sentences.find((one) => one !== '' && !isPleasantry(one));
  return first !== undefined && isAnnouncement(first);
}
