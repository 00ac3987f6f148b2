// What admins do to the team of a home, and who is in it, in the words of the library.
import type {
  ShareCredentialOptions,
  ShareInviteOptions,
  ShareMember,
  ShareRecoverOptions,
  ShareRemoved,
} from '../api/share/sharing.ts';
import { invite, makeCredential, removeMember } from './keys/acts.ts';
import { recoverTeam, teamOfRecoveryKey } from './keys/make-team.ts';
import type { Team, TeamWorld } from './keys/team.ts';
import type { TeamStore } from './keys/team-store.ts';
import { openSharedLog } from './log/open-shared-log.ts';
import type { SharedLog } from './log/shared-log.ts';
import { type ServerAddress, serverOf, serverText } from './share-settings.ts';

const INVITED_DAYS = 7;
const CREDENTIAL_DAYS = 90;
const DAY_MS = 86_400_000;

/** Everybody who is or was in the team, first those who came first. */
export async function membersOf(team: Team): Promise<readonly ShareMember[]> {
  const names = new Map((await team.projects()).map((project) => [team.nameOf(project), project]));
  return [...team.members().values()]
    .sort((a, b) => a.admittedAt - b.admittedAt || (a.id < b.id ? -1 : 1))
    .map(({ id, name, role, projects, until, removedAt }) => ({
      ...{ machine: id, name, role, until, removedAt, self: id === team.machine },
      projects: projects?.map((project) => names.get(project) ?? project) ?? null,
    }));
}

/** @throws AnnalsError SHARE_DENIED, NOT_FOUND */
export async function remove(
  name: string,
  team: Team,
  world: TeamWorld,
): Promise<Omit<ShareRemoved, 'sent'>> {
  const { members, rotated } = await removeMember(name, team, world);
  return { removed: members.map(({ id, name }) => ({ machine: id, name })), rotated };
}

/** @param projects keys; null for all @throws AnnalsError SHARE_DENIED, USAGE */
export async function invitation(
  { name, role = 'member', days = INVITED_DAYS, ...server }: ShareInviteOptions,
  projects: readonly string[] | null,
  team: Team,
  world: TeamWorld,
): Promise<{ readonly invitation: string }> {
  const invited = { name, role, projects, until: null, server: serverFor(server, team) };
  const expiresAt = world.now() + days * DAY_MS;
  return { invitation: await invite({ ...invited, expiresAt }, team, world) };
}

/** @param projects keys; null for all @throws AnnalsError SHARE_DENIED, USAGE */
export async function credential(
  { name, days = CREDENTIAL_DAYS, ...server }: ShareCredentialOptions,
  projects: readonly string[] | null,
  team: Team,
  world: TeamWorld,
): Promise<{ readonly credential: string }> {
  const until = world.now() + days * DAY_MS;
  const invited = { name, role: 'reader', projects, until, server: serverFor(server, team) } as const;
  return { credential: await makeCredential(invited, team, world) };
}

/** How somebody else reaches the shared log: as this machine does, unless it is to have a login of its own. */
function serverFor({ url, credentials }: Partial<ServerAddress>, team: Team): string {
  const own = serverOf(team.identity.server);
  const hasOwnLogin = url !== undefined || credentials !== undefined;
  return serverText(hasOwnLogin ? { ...own, url: url ?? own.url, credentials } : own);
}

/** @throws AnnalsError INVITATION_INVALID, INPUT_INVALID, NOT_FOUND, USAGE, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
export async function recover(
  { recoveryKey, remove = [], name, ...server }: ShareRecoverOptions,
  store: TeamStore,
  world: TeamWorld,
): Promise<Team> {
  const shared = await openSharedLog({ ...server, team: teamOfRecoveryKey(recoveryKey) });
  try {
    const records = await recordsIn(shared);
    return await recoverTeam(
      { recoveryKey, remove, name, server: serverText(server) },
      records,
      store,
      world,
    );
  } finally {
    await shared.close();
  }
}

async function recordsIn(shared: SharedLog): Promise<readonly Uint8Array[]> {
  const records: Uint8Array[] = [];
  for (let after = 0; ; ) {
    const page = await shared.page({ after });
    if (page.length === 0) return records;
    records.push(...page.filter(({ kind }) => kind === 'record').map(({ bytes }) => bytes));
    after = page.at(-1)!.position;
  }
}
