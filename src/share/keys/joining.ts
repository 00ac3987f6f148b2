// Joining by invitation: the new machine signs with the invitation's key that it was invited, and the machine that made the
// invitation admits it. Each invitation admits one machine, and only until it expires; both are decided by the machine
// that made it, with its own clock, so no order of arrival decides them for anybody else.
import { base64, type Identity, machineKeys, type RandomBytes } from './identity.ts';
import type { Membership } from './membership.ts';
import type { BodyOf, SignedRecord } from './record.ts';
import { idOfKey, signerOf, verifierOf } from './signing.ts';

const SIGNED_AS = Buffer.from('annals joining\0');

/** What a machine that has an invitation sends. */
export async function joiningOf(
  identity: Pick<Identity, 'team' | 'seed' | 'age'>,
  invitationSeed: Uint8Array,
  at: number,
): Promise<BodyOf<'joining'>> {
  const machine = await machineKeys(identity);
  const invitation = signerOf(invitationSeed);
  return {
    ...{ kind: 'joining', at, machine },
    ...{ invitation: invitation.id, invitationKey: base64(invitation.publicKey) },
    proof: base64(invitation.sign(proven(identity.team, machine))),
  };
}

/** The admissions that this machine owes to the machines that it invited. */
export function admissionsOf(
  records: readonly SignedRecord[],
  { team, invitations }: Identity,
  members: Membership,
  now: number,
): readonly BodyOf<'member'>[] {
  const open = new Map(invitations.filter(({ expiresAt }) => now < expiresAt).map((one) => [one.id, one]));
  const joinings = records.flatMap(({ body, by }) =>
    body.kind === 'joining' && isProven(body, by, team) ? body : [],
  );
  for (const { invitation, machine } of joinings) if (members.has(idOf(machine))) open.delete(invitation);
  const admitted: BodyOf<'member'>[] = [];
  for (const { invitation, machine } of joinings) {
    const found = open.get(invitation);
    if (found === undefined) continue;
    open.delete(invitation);
    const { name, role, projects, until } = found;
    admitted.push({ kind: 'member', at: now, machine, name, role, projects, until });
  }
  return admitted;
}

export function newInvitation(randomBytes: RandomBytes): { readonly id: string; readonly seed: string } {
  const seed = randomBytes(32);
  return { id: signerOf(seed).id, seed: base64(seed) };
}

/** Signed by the new machine, for the keys in it, and by the invitation. */
function isProven(
  { machine, invitation, invitationKey, proof }: BodyOf<'joining'>,
  by: string,
  team: string,
): boolean {
  const publicKey = Buffer.from(invitationKey, 'base64');
  if (idOf(machine) !== by || idOfKey(publicKey) !== invitation) return false;
  return verifierOf(publicKey)(proven(team, machine), Buffer.from(proof, 'base64'));
}

function proven(team: string, machine: BodyOf<'joining'>['machine']): Buffer {
  return Buffer.concat([
    SIGNED_AS,
    Buffer.from(team, 'hex'),
    Buffer.from(JSON.stringify([machine.publicKey, machine.recipient])),
  ]);
}

function idOf({ publicKey }: BodyOf<'joining'>['machine']): string {
  return idOfKey(Buffer.from(publicKey, 'base64'));
}
