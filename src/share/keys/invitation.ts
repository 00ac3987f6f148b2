// The texts that are given to somebody: an invitation, and a credential for a machine that only reads, as in CI. Both are
// secrets. Each is one word, so that it survives mail and chat, and is redacted wherever an agent sees it.
import * as z from 'zod';
import { AnnalsError, parseJson } from '../../../log/index.ts';
import { identitySchema } from './identity.ts';

const FORMS = {
  invitation: 'ANNALS-INVITE-',
  credential: 'ANNALS-READER-',
} as const;
const TEXT_CHARS_MAX = 50_000;

const { team, teamKey, seed, age, name, server } = identitySchema.shape;
const invitationSchema = z.strictObject({ team, teamKey, name, server, seed });
const credentialSchema = z.strictObject({ team, teamKey, name, server, seed, age });

/** What somebody needs to ask for admission. `seed`: of the key that proves that they were invited. */
export type InvitationText = z.infer<typeof invitationSchema>;
/** A machine that was admitted when its credential was made. `seed`: of its signing key. */
export type CredentialText = z.infer<typeof credentialSchema>;

export type GivenText =
  | { readonly kind: 'invitation'; readonly value: InvitationText }
  | { readonly kind: 'credential'; readonly value: CredentialText };

export function givenText({ kind, value }: GivenText): string {
  return FORMS[kind] + Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** @throws AnnalsError INVITATION_INVALID */
export function readGivenText(text: string): GivenText {
  const trimmed = text.trim();
  const value = (form: string) => {
    const parsed = parseJson(Buffer.from(trimmed.slice(form.length), 'base64url').toString());
    return 'value' in parsed ? parsed.value : null;
  };
  if (trimmed.length <= TEXT_CHARS_MAX && trimmed.startsWith(FORMS.invitation)) {
    const read = invitationSchema.safeParse(value(FORMS.invitation));
    if (read.success) return { kind: 'invitation', value: read.data };
  }
  if (trimmed.length <= TEXT_CHARS_MAX && trimmed.startsWith(FORMS.credential)) {
    const read = credentialSchema.safeParse(value(FORMS.credential));
    if (read.success) return { kind: 'credential', value: read.data };
  }
  throw new AnnalsError('INVITATION_INVALID', 'This is not an invitation or a credential of a team.', {
    hint: `It is one word that begins with ${FORMS.invitation} or ${FORMS.credential}. Copy all of it, or ask for another one.`,
  });
}
