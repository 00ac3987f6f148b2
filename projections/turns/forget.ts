// Forgetting in the `turns` view: tellings of events that were forgotten leave their sessions. A replay never sees
// those events, so it comes to the same rows.
import type { Fact } from '../../log/index.ts';
import type { ViewWriter } from '../projector.ts';
import { rowKeys, type SavedRow } from './rows.ts';

/** What the `memory.forgotten` among these facts name. */
export interface ForgottenHere {
  readonly events: ReadonlySet<string>;
  /** Sessions that hold some of them, by agent. */
  readonly sessions: ReadonlyMap<string, ReadonlySet<string>>;
  /** Where saved memories may stand among them. */
  readonly places: readonly (readonly [agent: string, session: string | null])[];
}

export function forgottenIn(facts: readonly Fact[]): ForgottenHere {
  const events = new Set<string>();
  const sessions = new Map<string, Set<string>>();
  const places: [string, string | null][] = [];
  for (const fact of facts) {
    if (fact.type !== 'memory.forgotten') continue;
    for (const { agent, session, ids } of fact.body.events) {
      for (const id of ids) events.add(id);
      places.push([agent, session]);
      if (session === null) continue;
      const known = sessions.get(agent) ?? new Set();
      sessions.set(agent, known.add(session));
    }
  }
  return { events, sessions, places };
}

/** Removes the rows of saved memories. */
export async function dropSaved({ events, places }: ForgottenHere, view: ViewWriter): Promise<void> {
  for (const [agent, session] of places)
    for (const [key, row] of await view.range<SavedRow>(rowKeys.savedOf(agent, session)))
      if (events.has(row.event)) view.del(key);
}
