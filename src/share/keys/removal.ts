// Removing members. What was sealed before stays readable to those who had the keys; the next writer makes new ones.
import { AnnalsError } from '../../../log/index.ts';
import type { Member, Membership } from './membership.ts';
import type { BodyOf, SignedRecord } from './record.ts';

const ID_CHARS_MIN = 6;

/** Members who have not been removed, by name, or by the id of a machine or its beginning. @throws AnnalsError NOT_FOUND */
export function membersNamed(name: string, members: Membership): readonly Member[] {
  const present = [...members.values()].filter(({ removedAt }) => removedAt === null);
  const named = present.filter((member) => member.name === name);
  const found =
    named.length > 0 || name.length < ID_CHARS_MIN ? named : present.filter(({ id }) => id.startsWith(name));
  if (found.length > 0) return found;
  throw new AnnalsError('NOT_FOUND', `The team has no member “${name}”.`, {
    hint: '`annals share members` lists them.',
  });
}

/** Of an admin, it keeps the records that exist now. */
export function removalOf(
  { id, role }: Member,
  records: readonly SignedRecord[],
  now: number,
): BodyOf<'removal'> {
  const keeps =
    role === 'admin' ? records.filter(({ by, body }) => by === id && decides(body)).map((one) => one.id) : [];
  return { kind: 'removal', at: now, machine: id, keeps };
}

function decides({ kind }: SignedRecord['body']): boolean {
  return kind === 'member' || kind === 'removal';
}
