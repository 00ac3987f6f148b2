// Names of keys whose value is a secret, or that name the person's account with an agent's maker.
// A new name whose last three letters are new belongs into the table of key-before.ts too (a test says so).

export type SecretFamily = 'password' | 'secret' | 'token' | 'api-key' | 'authorization' | 'cookie';

/** What kind of secret a key's name promises, null for an ordinary name. Case, _, - and . do not matter. */
export function familyOfKey(key: string): SecretFamily | null {
  if (key.length > 64 || !/[a-z]/i.test(key)) return null;
  const last = key.slice(key.lastIndexOf('.') + 1);
  if (/^(?:old)?pwd$/i.test(last)) return /^(?:OLD)?PWD$/.test(last) ? null : 'password';
  const name = last
    .toLowerCase()
    .replace(/[_$-]/g, '')
    .replace(/\d{1,2}$/, '');
  if (name === 'cookie' || name === 'setcookie') return 'cookie';
  if (/(?:^|proxy)authorization$/.test(name)) return 'authorization';
  if (/(?:password|passwd|passphrase|passcode|passwort|pwd)$/.test(name)) return 'password';
  if (/(?:^|[_.-])pass$/i.test(last) || /[a-z]Pass$/.test(last)) return 'password';
  if (/(?:apikey|authkey|appkey|subscriptionkey|servicekey|licensekey)$/.test(name)) return 'api-key';
  if (
    /(?:secret|secretkey|secretkeybase|secretaccesskey|privatekey|accesskey|accountkey|signingkey|encryptionkey|masterkey|sharedkey|encryptedkey|seedphrase)$/.test(
      name,
    )
  )
    return 'secret';
  return /token$/.test(name) ? 'token' : null;
}

const ACCOUNT_KEYS = new Set([
  'useremail',
  'accountemail',
  'accountuuid',
  'useraccountuuid',
  'owneraccountuuid',
  'ownerorganizationuuid',
  'organizationuuid',
  'oauthaccount',
]);

/** Whether a key names the person's account (e-mail, account or organisation id): its value is never stored. */
export function accountKey(key: string): boolean {
  return key.length <= 32 && ACCOUNT_KEYS.has(key.toLowerCase().replace(/[_-]/g, ''));
}
