// Finds results that say the same: a repeated prompt, the same command run twice, an answer that is also the turn's
// summary. The first one represents the others. A failure and a success are never near-duplicates, nor are documents of
// two projects.
import type { FoundDocument } from './found-documents.ts';
import { ALIKE_SHARE_MIN } from './weights.ts';

interface ComparedText {
  readonly found: FoundDocument;
  readonly text: string;
  readonly length: number;
  readonly terms: ReadonlySet<string>;
}

/** A function to call with each result, best first. It returns the id of the first that says the same, or null for a new one. */
export function nearDuplicateFinder(): (found: FoundDocument) => string | null {
  const firsts: ComparedText[] = [];
  return (found) => {
    const { title, body } = found.document;
    const text = `${title}\n${body}`;
    const terms = found.terms();
    const compared = { found, text, length: terms.length, terms: new Set(terms) };
    const first = firsts.find((other) => isNearDuplicate(other, compared));
    if (first === undefined) firsts.push(compared);
    return first?.found.document.id ?? null;
  };
}

function isNearDuplicate(one: ComparedText, other: ComparedText): boolean {
  // The cheapest test first; it rules out most pairs.
  if (!isSimilarLength(one.length, other.length)) return false;
  const [a, b] = [one.found.document, other.found.document];
  if (one.found.ranked.projectIndex !== other.found.ranked.projectIndex || a.outcome !== b.outcome)
    return false;
  if (a.tests !== b.tests) return false;
  // One more argument makes another command, but one more word does not make another statement.
  if (a.kind === 'tool' || b.kind === 'tool') return a.type === b.type && one.text === other.text;
  let common = 0;
  for (const term of one.terms) if (other.terms.has(term)) common += 1;
  return common >= ALIKE_SHARE_MIN * (one.terms.size + other.terms.size - common);
}

function isSimilarLength(one: number, other: number): boolean {
  return Math.min(one, other) >= ALIKE_SHARE_MIN * Math.max(one, other);
}
