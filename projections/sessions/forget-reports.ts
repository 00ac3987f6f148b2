// Forgetting in the `turns` view: removes the reports of forgotten events from their sessions. A replay never sees those
// events and ends with the same rows. A forgotten prompt leaves where it was, if something of its turn stays.
import type { EventData } from '../../log/index.ts';
import type { ViewWriter } from '../engine/contract/projector.ts';
import { forgottenPromptReport } from './reports.ts';
import {
  type ImportedRow,
  type InjectedRow,
  type PromptReport,
  type SavedRow,
  sessionKeys,
} from './session-rows.ts';

/** What the `memory.forgotten` events of a page name. */
export interface ForgottenInPage {
  readonly events: ReadonlySet<string>;
  /** Sessions that have some of them, by agent. */
  readonly sessions: ReadonlyMap<string, ReadonlySet<string>>;
  /** Prompts among them whose turns stay. */
  readonly prompts: readonly {
    readonly agent: string;
    readonly session: string;
    readonly report: PromptReport;
  }[];
  /** Sessions whose saved or imported memories may be among them. */
  readonly savedAt: readonly (readonly [agent: string, session: string | null])[];
}

export function forgottenIn(page: readonly EventData[]): ForgottenInPage {
  const events = new Set<string>();
  const sessions = new Map<string, Set<string>>();
  const prompts: ForgottenInPage['prompts'][number][] = [];
  const savedAt: [string, string | null][] = [];
  for (const event of page) {
    if (event.type !== 'memory.forgotten') continue;
    for (const { agent, session, ids, prompts: left = [] } of event.body.events) {
      for (const id of ids) events.add(id);
      savedAt.push([agent, session]);
      if (session === null) continue;
      const known = sessions.get(agent) ?? new Set();
      sessions.set(agent, known.add(session));
      for (const one of left)
        if (ids.includes(one.event)) prompts.push({ agent, session, report: forgottenPromptReport(one) });
    }
  }
  return { events, sessions, prompts, savedAt };
}

/** Removes the rows of saved and imported memories, and of injections. */
export async function dropRows({ events, savedAt }: ForgottenInPage, view: ViewWriter): Promise<void> {
  for (const [agent, session] of savedAt)
    for (const rows of [sessionKeys.savedOf, sessionKeys.importedOf, sessionKeys.injectedInto])
      for (const [key, row] of await view.range<SavedRow | ImportedRow | InjectedRow>(rows(agent, session)))
        if (events.has(row.event)) view.del(key);
}
