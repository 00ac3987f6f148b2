// Which types there are, for a query that asked for another one. Tools and agents name theirs, so there is no fixed list.
import { get } from '../api/client.ts';
import type { SearchAnswer } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';

/** The newest that are looked at. */
const READ = 1_000;
const SHOWN = 20;

export function KnownTypes({ asked }: { readonly asked: string }) {
  const newest = useData('', (signal) =>
    get<SearchAnswer>('/api/search', { since: '9999d', limit: READ, soFar: true }, signal),
  );
  const counts = new Map<string, number>();
  const tools = new Set<string>();
  for (const { kind, type } of newest.data?.results ?? []) {
    // The tools of MCP servers are many, and have long names.
    if (type === null || type.startsWith('mcp__')) continue;
    counts.set(type, (counts.get(type) ?? 0) + 1);
    if (kind === 'tool') tools.add(type);
  }
  // First what is remembered, then tools.
  const rank = (type: string) => (tools.has(type) ? 1 : 0);
  const types = [...counts].sort((a, b) => rank(a[0]) - rank(b[0]) || b[1] - a[1]).slice(0, SHOWN);
  if (types.length === 0 || counts.has(asked)) return null;
  return (
    <p>
      Nothing recent has the type “{plainLine(asked)}”. Types are{' '}
      {types.map(([type], index) => (
        <>
          {index > 0 && ', '}
          <a key={type} href={href('search', '', { q: `type:${type}` })}>
            {plainLine(type)}
          </a>
        </>
      ))}
      .
    </p>
  );
}
