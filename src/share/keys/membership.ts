// Who is in the team: a pure function of the set of records. The recovery key admits the first admins; an admin admits
// others. The rank of an admin is its distance from the recovery key, which has rank 0.
//
// - A removal wins over every admission, for ever. A machine that comes back has new keys, so another id.
// - Only somebody of a lower rank can remove an admin; any admin can remove the others; a machine can remove itself
//   unless it is an admin.
// - Of the records of a removed admin only those count that a removal keeps: those which existed then. So nobody can use
//   its keys later and put an earlier date on a record.
// - Of several admissions of a machine, the one of the lowest rank counts, then the smallest id of a record.
//
// So no two records contradict each other, and the order of arrival decides nothing.
import type { BodyOf, Role, SignedRecord } from './record.ts';
import type { Refusal } from './sealer.ts';
import { idOfKey } from './signing.ts';

export interface Member {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly recipient: string;
  readonly name: string;
  readonly role: Role;
  /** Ids; null for all. */
  readonly projects: readonly string[] | null;
  readonly until: number | null;
  readonly admittedAt: number;
  /** Id of the admin, or of the team for its recovery key. */
  readonly admittedBy: string;
  readonly rank: number;
  readonly removedAt: number | null;
}

/** By machine id, those who were removed too. */
export type Membership = ReadonlyMap<string, Member>;

type Admission = SignedRecord<BodyOf<'member'>>;
type Removal = SignedRecord<BodyOf<'removal'>>;

/** @param team its id, which is the id of its recovery key */
export function membershipOf(team: string, records: Iterable<SignedRecord>): Membership {
  const signed = bySigner(records);
  const members = new Map<string, Member>();
  const removals: Removal[] = [];
  let admins: readonly string[] = [team];
  for (let rank = 0; admins.length > 0; rank++) {
    const counted = admins.flatMap((admin) => signed.get(admin)?.filter(keptOf(admin, removals)) ?? []);
    const added: Member[] = [];
    for (const { id, by, body } of counted.sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const member = body.kind === 'member' ? memberOf({ id, by, body }, rank + 1) : null;
      if (member === null || member.id === team || members.has(member.id)) continue;
      members.set(member.id, member);
      added.push(member);
    }
    // Only now: admins of one rank cannot remove each other.
    removals.push(
      ...counted.flatMap(({ id, by, body }) => (body.kind === 'removal' ? { id, by, body } : [])),
    );
    admins = added.filter(({ role }) => role === 'admin').map(({ id }) => id);
  }
  return withRemovals(members, [...removals, ...departures(members, signed)], team);
}

function bySigner(records: Iterable<SignedRecord>): ReadonlyMap<string, readonly SignedRecord[]> {
  const signed = new Map<string, SignedRecord[]>();
  for (const record of records) {
    if (record.body.kind !== 'member' && record.body.kind !== 'removal') continue;
    const known = signed.get(record.by);
    if (known === undefined) signed.set(record.by, [record]);
    else known.push(record);
  }
  return signed;
}

/** Which records of an admin count, given the removals by everybody of a lower rank. */
function keptOf(admin: string, removals: readonly Removal[]): (record: SignedRecord) => boolean {
  const those = removals.filter(({ body }) => body.machine === admin);
  if (those.length === 0) return () => true;
  const kept = new Set(those.flatMap(({ body }) => body.keeps));
  return ({ id }) => kept.has(id);
}

/** Null for an admission that gives an admin less than everything: its records would count or not by the clock. */
function memberOf({ by, body }: Admission, rank: number): Member | null {
  const { machine, name, role, projects, until, at } = body;
  if (role === 'admin' && (projects !== null || until !== null)) return null;
  const publicKey = Buffer.from(machine.publicKey, 'base64');
  return {
    ...{ id: idOfKey(publicKey), publicKey, recipient: machine.recipient, name, role, projects, until, rank },
    ...{ admittedAt: at, admittedBy: by, removedAt: null },
  };
}

/** Removals of machines by themselves. */
function departures(members: Membership, signed: ReadonlyMap<string, readonly SignedRecord[]>): Removal[] {
  return [...members.values()]
    .filter(({ role }) => role !== 'admin')
    .flatMap(({ id }) => signed.get(id) ?? [])
    .flatMap(({ id, by, body }) => (body.kind === 'removal' && body.machine === by ? { id, by, body } : []));
}

/** The earliest removal of a machine counts. */
function withRemovals(members: Map<string, Member>, removals: readonly Removal[], team: string): Membership {
  for (const { by, body } of removals) {
    const member = members.get(body.machine);
    if (member === undefined || !mayRemove(by, member, members, team)) continue;
    const removedAt = Math.min(body.at, member.removedAt ?? body.at);
    members.set(member.id, { ...member, removedAt });
  }
  return members;
}

/** Whether a signer, whose record counts, has the rank to remove a member. */
export function mayRemove(signer: string, member: Member, members: Membership, team: string): boolean {
  if (signer === team) return true;
  const by = members.get(signer);
  if (by === undefined) return false;
  if (member.role === 'admin') return by.role === 'admin' && by.rank < member.rank;
  return by.role === 'admin' || by.id === member.id;
}

/** Whether a member no longer takes part: its keys must not open what is sealed from now on. */
export function hasLeft({ removedAt, until }: Member, now: number): boolean {
  return removedAt !== null || (until !== null && now > until);
}

export function hasAccess({ projects }: Member, project: string): boolean {
  return projects?.includes(project) ?? true;
}

/** Why an event of this author, sealed at a time, is refused. Null when it is not. */
export function refusalOf(author: Member, project: string, at: number): Refusal | null {
  if (author.role === 'reader') return 'reader';
  if (author.removedAt !== null && at >= author.removedAt) return 'removed';
  if (author.until !== null && at > author.until) return 'expired';
  return hasAccess(author, project) ? null : 'project';
}
