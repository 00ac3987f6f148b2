// Where the forgettings of this machine have been applied: by which machines of the team, and by which not yet.
import { type ExportedEvent, isOwnEvent, type LogEvent } from '../../log/index.ts';
import type { ForgettingMachine, SharedForgetting } from '../api/share/sharing.ts';
import { hasAccess, type Member } from './keys/membership.ts';
import type { Team } from './keys/team.ts';
import { Rows, syncKeys } from './rows/sync-rows.ts';
import type { ShareState } from './share-state.ts';
import { partsOfForgetting } from './sync/forgetting-parts.ts';
import { Placement } from './sync/placement.ts';

/** Newest first. Only those that this machine wrote, of projects that it shares or shared. */
export async function sharedForgettings(state: ShareState): Promise<readonly SharedForgetting[]> {
  const { home, team, projects, lookAt } = state;
  if (team === null) return [];
  const { log } = home;
  // Looking for a project changes rows, and these are not to be written.
  const rows = new Rows(state.rows.startingWith(syncKeys.all).map(([key, value]) => ({ key, value })));
  const placement = new Placement({ log, rows, projects, lookAt });
  const own = (await log.forgettings()).filter((event) => isOwnEvent(event, log));
  const found: SharedForgetting[] = [];
  for (const forgetting of own.reverse())
    for (const { project, event, ids } of partsOfForgetting(exportedOf(forgetting), placement)) {
      const { id } = event.header;
      const at = forgetting.occurredAt ?? forgetting.recordedAt;
      found.push({
        ...{ id: forgetting.id, project, at, events: ids.length },
        sent: rows.get(syncKeys.forgetting(project, id)) !== null,
        machines: machinesFor(project, id, at, team, rows),
      });
    }
  return found;
}

/** The machines that had the project when it was forgotten, and those that confirmed it. */
function machinesFor(
  project: string,
  id: string,
  at: number,
  team: Team,
  rows: Rows,
): readonly ForgettingMachine[] {
  const name = team.nameOf(project);
  return [...team.members().values()]
    .sort((a, b) => ((a.name === b.name ? a.id < b.id : a.name < b.name) ? -1 : 1))
    .filter((member) => member.id !== team.machine && hasAccess(member, name))
    .map((member) => ({ member, confirmed: rows.get<number>(syncKeys.confirmed(id, member.id)) }))
    .filter(({ member, confirmed }) => confirmed !== null || member.admittedAt <= at)
    .map(({ member, confirmed }) => ({
      ...{
        machine: member.id,
        name: member.name,
        confirmed,
        seen: rows.get<number>(syncKeys.seen(member.id)),
      },
      silent: confirmed === null ? silenceOf(member) : null,
    }));
}

/** Why a machine will not confirm anything; null if it will when it is connected. */
function silenceOf({ role, removedAt }: Member): ForgettingMachine['silent'] {
  if (removedAt !== null) return 'removed';
  return role === 'reader' ? 'reader' : null;
}

function exportedOf({ body, ...header }: LogEvent<'memory.forgotten'>): ExportedEvent {
  // Only its id, its names and its body are looked at.
  return { header, body: { salt: Buffer.alloc(0), json: JSON.stringify(body) } } as unknown as ExportedEvent;
}
