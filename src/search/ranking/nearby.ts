// What the found documents say about each other: those next to a document, or two places away in its session, often speak
// of the same thing in more of the query's words, and an answer follows its question. A document lists the texts of its
// neighbours, so two documents are two places apart if they list the same neighbour.
import { pushTo } from '../../../log/index.ts';
import type { MemoryDocument } from '../../../projections/index.ts';
import type { FoundDocument } from './found-documents.ts';
import { QUESTION_LENGTH_MAX } from './weights.ts';

export interface Nearby {
  /** Indexes of the found documents at most two places away. */
  readonly around: readonly number[];
  /** Index of the question that the document follows, if it was found; else -1. */
  readonly question: number;
}

/** For each document, those near it, among the documents given. */
export function nearbyIn(found: readonly FoundDocument[]): readonly Nearby[] {
  const own = new Map<string, number>();
  const listing = new Map<string, number[]>();
  for (const [index, { document }] of found.entries()) {
    if (!isSaid(document)) continue;
    own.set(keyOf(document, document.title || document.body), index);
    for (const text of document.neighbours) pushTo(listing, keyOf(document, text), index);
  }
  return found.map(({ document }, index) => {
    if (!isSaid(document)) return NONE;
    const around = document.neighbours.flatMap((text) => {
      const key = keyOf(document, text);
      return [...(listing.get(key) ?? []), own.get(key) ?? index];
    });
    const [before = ''] = document.neighbours;
    return {
      around: around.filter((other) => other !== index),
      question: isShortQuestion(before) ? (own.get(keyOf(document, before)) ?? -1) : -1,
    };
  });
}

export function isShortQuestion(text: string): boolean {
  return text.length <= QUESTION_LENGTH_MAX && text.includes('?');
}

const NONE: Nearby = { around: [], question: -1 };

/** Tool uses are left out: many have the same title. */
function isSaid({ kind, session }: MemoryDocument): boolean {
  return kind !== 'tool' && session !== null;
}

function keyOf({ session }: MemoryDocument, text: string): string {
  return `${session}\n${text}`;
}
