// The decisions of a result that was found as one: the text and who decided.
import { type MemoryDocument, OF_PERSON } from '../../projections/index.ts';
import { termsOf } from '../../projections/text/index.ts';
import type { SearchDecision } from '../api.ts';
import { snippetLine } from './snippet.ts';

/** The one that shares most terms with the query first. A person's edit replaces them all. */
export function decisionsIn({ decisions, marks, body }: MemoryDocument, query: string): SearchDecision[] {
  if (decisions === undefined) return [];
  if (marks?.edited !== undefined) return [{ by: 'person', text: snippetLine(body) }];
  const asked = new Set(termsOf(query));
  const shared = ({ text }: SearchDecision) => new Set(termsOf(text).filter((term) => asked.has(term))).size;
  return decisions
    .map((one): SearchDecision => {
      const isPersons = one.startsWith(OF_PERSON);
      return {
        by: isPersons ? 'person' : 'agent',
        text: snippetLine(isPersons ? one.slice(OF_PERSON.length) : one),
      };
    })
    .sort((a, b) => shared(b) - shared(a));
}
