// Results that say the same: a prompt asked again, the same command run twice, an answer that is also the turn's
// summary. The first stands for all of them. What failed and what went well are never the same, nor are two projects.
import type { FoundDocument } from './found-documents.ts';
import { ALIKE_SHARE_MIN } from './weights.ts';

interface Said {
  readonly found: FoundDocument;
  readonly text: string;
  readonly length: number;
  readonly terms: ReadonlySet<string>;
}

/** To be asked with one after the other, best first: the id of the first that says the same; null for a first. */
export function nearDuplicateFinder(): (found: FoundDocument) => string | null {
  const firsts: Said[] = [];
  return (found) => {
    const { title, body } = found.document;
    const text = `${title}\n${body}`;
    const terms = found.terms();
    const said = { found, text, length: terms.length, terms: new Set(terms) };
    const first = firsts.find((other) => isAlike(other, said));
    if (first === undefined) firsts.push(said);
    return first?.found.document.id ?? null;
  };
}

function isAlike(one: Said, other: Said): boolean {
  // First what tells most of them apart for nothing.
  if (!isNear(one.length, other.length)) return false;
  const [a, b] = [one.found.document, other.found.document];
  if (one.found.ranked.projectIndex !== other.found.ranked.projectIndex || a.outcome !== b.outcome)
    return false;
  // One argument more is another command, but one word more is no other sentence.
  if (a.kind === 'tool' || b.kind === 'tool') return a.type === b.type && one.text === other.text;
  let common = 0;
  for (const term of one.terms) if (other.terms.has(term)) common += 1;
  return common >= ALIKE_SHARE_MIN * (one.terms.size + other.terms.size - common);
}

function isNear(one: number, other: number): boolean {
  return Math.min(one, other) >= ALIKE_SHARE_MIN * Math.max(one, other);
}
