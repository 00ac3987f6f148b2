// What is asked: the facets, and what the query has besides them.

/** Query parameters of the API that the facets set. */
export const FACETS = ['kind', 'project', 'agent', 'type', 'since', 'until'] as const;

export type Chosen = Readonly<Partial<Record<(typeof FACETS)[number], string>>>;

/** `file:a.ts`, `-kind:tool`, `file:"a b.ts"`: as the API reads them. */
const OPERATOR =
  /(?<!\S)-?(?:type|kind|project|file|concept|outcome|agent|session|since|until):(?:"[^"]*"|“[^“”]*”|(?!\/\/)[^\s"“]\S*)(?!\S)/g;

/** Operators alone list the newest. */
export function hasWords(text: string): boolean {
  return text.replace(OPERATOR, '').trim() !== '';
}
