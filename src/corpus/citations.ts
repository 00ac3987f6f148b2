// Finds what an answer cites. An id that is not in the corpus is marked in the answer: it is never passed on as a source.

export interface Cited {
  readonly answer: string;
  /** In the order of the answer, then those that it only lists. */
  readonly known: readonly string[];
  readonly refused: readonly string[];
}

/** What may be ids: in brackets, also shortened or made-up ones; anywhere, whole ones. */
const CITATION = /\[\s*[a-z]-[a-z0-9]{4,20}(?:\s*[,;]\s*[a-z]-[a-z0-9]{4,20})*\s*\]|\b[a-z]-[a-z0-9]{12}\b/g;
/** Of these, no words such as `t-distribution`: with a digit, or as long as an id and with the letter of a kind. */
const ID = /\b(?:[a-z]-(?=[a-z]*\d)[a-z0-9]{4,20}|[aimopsuy]-[a-z]{12})\b/g;

/** @param listed ids that the answer names apart from its text */
export function citedIn(answer: string, listed: readonly string[], ids: ReadonlySet<string>): Cited {
  const known = new Set<string>();
  const refused = new Set<string>();
  const note = (id: string): boolean => {
    (ids.has(id) ? known : refused).add(id);
    return ids.has(id);
  };
  const marked = answer.replace(CITATION, (citation) =>
    citation.replace(ID, (id) => (note(id) ? id : `${id}: not in this corpus`)),
  );
  for (const one of listed) {
    const id = one.trim().replace(/^\[|\]$/g, '');
    if (id !== '') note(id);
  }
  return { answer: marked, known: [...known], refused: [...refused] };
}
