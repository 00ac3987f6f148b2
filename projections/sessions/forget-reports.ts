// Forgetting in the `turns` view: removes the reports of forgotten events from their sessions. A replay never sees those
// events and ends with the same rows.
import type { EventData } from '../../log/index.ts';
import type { ViewWriter } from '../engine/contract/projector.ts';
import { type ImportedRow, type InjectedRow, type SavedRow, sessionKeys } from './session-rows.ts';

/** What the `memory.forgotten` events of a page name. */
export interface ForgottenInPage {
  readonly events: ReadonlySet<string>;
  /** Sessions that have some of them, by agent. */
  readonly sessions: ReadonlyMap<string, ReadonlySet<string>>;
  /** Sessions whose saved or imported memories may be among them. */
  readonly savedAt: readonly (readonly [agent: string, session: string | null])[];
}

export function forgottenIn(page: readonly EventData[]): ForgottenInPage {
  const events = new Set<string>();
  const sessions = new Map<string, Set<string>>();
  const savedAt: [string, string | null][] = [];
  for (const event of page) {
    if (event.type !== 'memory.forgotten') continue;
    for (const { agent, session, ids } of event.body.events) {
      for (const id of ids) events.add(id);
      savedAt.push([agent, session]);
      if (session === null) continue;
      const known = sessions.get(agent) ?? new Set();
      sessions.set(agent, known.add(session));
    }
  }
  return { events, sessions, savedAt };
}

/** Removes the rows of saved and imported memories, and of injections. */
export async function dropRows({ events, savedAt }: ForgottenInPage, view: ViewWriter): Promise<void> {
  for (const [agent, session] of savedAt)
    for (const rows of [sessionKeys.savedOf, sessionKeys.importedOf, sessionKeys.injectedInto])
      for (const [key, row] of await view.range<SavedRow | ImportedRow | InjectedRow>(rows(agent, session)))
        if (events.has(row.event)) view.del(key);
}
