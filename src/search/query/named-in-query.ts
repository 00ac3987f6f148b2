// Finds the agents and projects that a query names. A question that names one of them is about its documents. The
// names say nothing about the topic, so they are left out of the query's vector.

const ASCII = /^[\x00-\x7f]*$/;

/** The names that occur in the query as whole words, in any case. */
export function namedIn(query: string, names: Iterable<string>): readonly string[] {
  const lower = query.toLowerCase();
  return [...new Set(names)].filter(
    (name) => name !== '' && mayOccurIn(lower, name.toLowerCase()) && pattern(name).test(query),
  );
}

/** The query without these names; unchanged if nothing else would remain. */
export function withoutNames(query: string, names: readonly string[]): string {
  const rest = names.reduce((text, name) => text.replace(pattern(name), ' '), query);
  return /[\p{L}\p{N}]/u.test(rest) ? rest : query;
}

/** A cheap test first: compiling a pattern takes a millisecond, and most names do not occur. Non-ASCII letters may fold differently. */
function mayOccurIn(lowerQuery: string, lowerName: string): boolean {
  return lowerQuery.includes(lowerName) || !ASCII.test(lowerQuery) || !ASCII.test(lowerName);
}

function pattern(name: string): RegExp {
  const literal = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'giu');
}
