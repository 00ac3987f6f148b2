// Whom a query names: agents and projects are known by name, and a question about one of them means what is theirs.
// The names themselves say nothing about the matter, so they do not go into the query's vector.

const ASCII = /^[\x00-\x7f]*$/;

/** Those of the names that stand in the query as whole words, whatever their case. */
export function namedIn(query: string, names: Iterable<string>): readonly string[] {
  const lower = query.toLowerCase();
  return [...new Set(names)].filter(
    (name) => name !== '' && mayStandIn(lower, name.toLowerCase()) && pattern(name).test(query),
  );
}

/** The query without these names; as it was when nothing else is left. */
export function withoutNames(query: string, names: readonly string[]): string {
  const rest = names.reduce((text, name) => text.replace(pattern(name), ' '), query);
  return /[\p{L}\p{N}]/u.test(rest) ? rest : query;
}

/** Compiling a pattern takes a millisecond and most names are nowhere near. Beyond ASCII a letter may have other cases. */
function mayStandIn(lowerQuery: string, lowerName: string): boolean {
  return lowerQuery.includes(lowerName) || !ASCII.test(lowerQuery) || !ASCII.test(lowerName);
}

function pattern(name: string): RegExp {
  const literal = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'giu');
}
