// Rows that belong to no turn. Saved memories: what a person or an agent saved on purpose. Those of one session are in the order
// in which they were saved. Imported memories: what another tool remembered. Each version that was read is a row. Injections: what a
// session was given.
import { type EventData, originInKey } from '../../log/index.ts';
import { itemId } from '../ids/item-id.ts';
import { importedWorkdir, savedWorkdir } from '../ids/named-projects.ts';
import { type ImportedRow, type InjectedRow, NO_WORKDIR, type SavedRow } from './session-rows.ts';
import { pad } from './thread.ts';

export function savedRow(event: EventData<'memory.saved'>): SavedRow {
  const { body } = event;
  const id = savedId(event);
  return {
    id,
    event: event.id,
    agent: event.agent,
    session: event.session,
    at: event.occurredAt,
    order: `${pad(event.occurredAt ?? 0)} ${pad(body.index)} ${id}`,
    title: body.title,
    text: body.text,
    type: body.type,
    workdir: savedWorkdir(body) ?? NO_WORKDIR,
    files: body.files,
    concepts: body.concepts,
    ...(body.author === 'agent' ? { author: body.author } : {}),
  };
}

/** The id that `save` answers with, before any view has seen the event. */
export function savedId(event: Pick<EventData, 'agent' | 'session' | 'dedupeKey'>): string {
  return itemId('m', event.agent, event.session, event.dedupeKey);
}

export function importedRow(event: EventData<'import.memory'>): ImportedRow {
  const { id, agent, session, occurredAt: at, dedupeKey, body } = event;
  return {
    id: importedId(agent, session, originInKey(dedupeKey)),
    event: id,
    agent,
    session,
    at,
    workdir: importedWorkdir(body) ?? NO_WORKDIR,
    body,
  };
}

export function injectedRow(event: EventData<'context.injected'>): InjectedRow {
  const { id, agent, session, occurredAt: at, body } = event;
  return { event: id, agent, session, at, body };
}

/** The same for all versions. */
export function importedId(agent: string, session: string | null, origin: string): string {
  return itemId('i', agent, session, origin);
}

/** The version that counts; undefined for none. */
export function newestVersion(rows: readonly ImportedRow[]): ImportedRow | undefined {
  return rows.reduce<ImportedRow | undefined>(
    (newest, row) => (newest === undefined || isNewer(row, newest) ? row : newest),
    undefined,
  );
}

/** Two channels may report the same version. */
function isNewer(one: ImportedRow, other: ImportedRow): boolean {
  const [version, otherVersion] = [one.body.version, other.body.version];
  return version === otherVersion ? one.event < other.event : version > otherVersion;
}
