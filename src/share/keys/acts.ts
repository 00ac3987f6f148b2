// What an admin does: invites, makes credentials, removes, changes keys.
import { AnnalsError } from '../../../log/index.ts';
import { machineKeys, newMachine } from './identity.ts';
import { givenText } from './invitation.ts';
import { newInvitation } from './joining.ts';
import { type Member, mayRemove } from './membership.ts';
import { NAME_CHARS_MAX, type Role } from './record.ts';
import { membersNamed, removalOf } from './removal.ts';
import type { Team, TeamWorld } from './team.ts';

export interface Invited {
  readonly name: string;
  readonly role: Role;
  /** As this machine names them. Null for all. Not for admins. */
  readonly projects: readonly string[] | null;
  /** When the membership ends. Not for admins. */
  readonly until: number | null;
  /** How the new machine reaches the shared log: as for this one, or with other rights there. */
  readonly server: string;
}

/** The text of an invitation. @throws AnnalsError SHARE_DENIED, USAGE */
export async function invite(
  invited: Invited & { readonly expiresAt: number },
  team: Team,
  { randomBytes }: TeamWorld,
): Promise<string> {
  refuseUnlessAdmin(team);
  const { name, role, until, expiresAt, server } = invited;
  const { id, seed } = newInvitation(randomBytes);
  const projects = checkedRights(invited, team);
  await team.rememberInvitation({ id, name, role, projects, until, expiresAt });
  const { team: teamId, teamKey } = team.identity;
  return givenText({ kind: 'invitation', value: { team: teamId, teamKey, name, server, seed } });
}

/**
 * The text of a credential: a machine that is admitted at once, for example of a CI service.
 * @throws AnnalsError SHARE_DENIED, USAGE
 */
export async function makeCredential(
  invited: Invited,
  team: Team,
  { now, randomBytes }: TeamWorld,
): Promise<string> {
  refuseUnlessAdmin(team);
  const { name, role, until, server } = invited;
  const keys = await newMachine(randomBytes);
  const projects = checkedRights(invited, team);
  const machine = await machineKeys(keys);
  await team.sign([{ kind: 'member', at: now(), machine, name, role, projects, until }]);
  await team.settle();
  const { team: teamId, teamKey } = team.identity;
  return givenText({ kind: 'credential', value: { team: teamId, teamKey, name, server, ...keys } });
}

export interface Removed {
  readonly members: readonly Member[];
  /** Names of the projects that have a new key. */
  readonly rotated: readonly string[];
}

/** Removes the machines of a member and makes new keys. @throws AnnalsError SHARE_DENIED, NOT_FOUND */
export async function removeMember(name: string, team: Team, { now }: TeamWorld): Promise<Removed> {
  refuseUnlessAdmin(team);
  const members = membersNamed(name, team.members());
  for (const member of members)
    if (!mayRemove(team.machine, member, team.members(), team.id))
      throw new AnnalsError('SHARE_DENIED', `This machine cannot remove the admin “${member.name}”.`, {
        hint: 'Only an admin who was admitted earlier can, or the recovery key: annals share recover --remove.',
      });
  await team.sign(members.map((member) => removalOf(member, team.records(), now())));
  return { members, rotated: await team.rotate() };
}

/** Removes this machine from the team, so that the others make new keys. False for an admin: another one must remove it. */
export async function depart(team: Team, { now }: TeamWorld): Promise<boolean> {
  const self = team.self();
  if (self === null || self.role === 'admin') return false;
  await team.sign([removalOf(self, team.records(), now())]);
  return true;
}

export function refuseUnlessAdmin(team: Team): void {
  const self = team.self();
  if (self?.role === 'admin' && self.removedAt === null) return;
  throw new AnnalsError('SHARE_DENIED', 'Only an admin of the team can do this.', {
    hint: '`annals share members` lists the admins.',
  });
}

/** The projects as records name them. @throws AnnalsError USAGE */
function checkedRights({ name, role, projects, until }: Invited, team: Team): string[] | null {
  if (name.trim() === '' || name.length > NAME_CHARS_MAX)
    throw new AnnalsError('USAGE', `A member needs a name of at most ${NAME_CHARS_MAX} characters.`);
  if (role === 'admin' && (projects !== null || until !== null))
    throw new AnnalsError('USAGE', 'An admin has all projects, without an end.', {
      hint: 'Invite a member or a reader for some projects or for some time.',
    });
  return projects?.map((project) => team.nameOf(project)) ?? null;
}
