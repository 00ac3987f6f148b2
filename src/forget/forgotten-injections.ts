// Finds the injections that showed forgotten things: they hold names and a hash of the text.
import {
  documentEvents,
  type InjectedRow,
  type MemoryDocument,
  memoryKeys,
  sessionKeys,
} from '../../projections/index.ts';
import type { Home } from '../home/home.ts';

const DOCUMENTS_PER_READ = 500;

/** Ids of the `context.injected` events. `gone`: ids of the events that go; `sessions` are all their sessions. */
export async function injectionsOfForgotten(
  gone: ReadonlySet<string>,
  sessions: readonly { readonly agent: string; readonly session: string | null }[],
  { views }: Pick<Home, 'views'>,
): Promise<readonly string[]> {
  const rows = (await views.turns.range<InjectedRow>(sessionKeys.allInjected())).map(([, row]) => row);
  if (rows.length === 0) return [];
  const items = new Set<string>();
  for (const { agent, session } of sessions) {
    const groups = await views.memory.range(memoryKeys.ofSession(agent, session));
    const ids = groups.map(([rowKey]) => memoryKeys.documentIn(rowKey));
    for (let from = 0; from < ids.length; from += DOCUMENTS_PER_READ) {
      const keys = ids.slice(from, from + DOCUMENTS_PER_READ).map(memoryKeys.document);
      for (const document of await views.memory.getMany<MemoryDocument>(keys))
        if (
          document !== undefined &&
          (await documentEvents(document, views.memory)).some((id) => gone.has(id))
        )
          items.add(document.id);
    }
  }
  return rows
    .filter(({ event, body }) => !gone.has(event) && body.items?.some(({ id }) => items.has(id)))
    .map(({ event }) => event);
}
