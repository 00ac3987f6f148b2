// Names of keys whose value is a secret, or that name the person's account with an agent's vendor. If the last three
// letters of a new name are new, add them to the table in key-before.ts too (a test checks this).

export type SecretFamily = 'password' | 'secret' | 'token' | 'api-key' | 'authorization' | 'cookie' | 'key';

/** The kind of secret that a key's name indicates, null for an ordinary name. Case, _, - and . do not matter. */
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
  if (/(?:password|passwd|passphrase|passcode|passwort|pwd|bindpw|rootpw)$/.test(name)) return 'password';
  if (/(?:^|[_.-]|wpa)psk$/i.test(last)) return 'password';
  if (/(?:^|[_.-])pass$/i.test(last) || /[a-z]Pass$/.test(last) || /(?:store|key|db)pass$/.test(name))
    return 'password';
  if (/(?:apikey|authkey|appkey|subscriptionkey|servicekey|licensekey|adminkey|deploykey)$/.test(name))
    return 'api-key';
  if (
    /(?:secret|secretkey|secretkeybase|secretaccesskey|privatekey|accesskey|accountkey|signingkey|encryptionkey|masterkey|sharedkey|encryptedkey|seedphrase)$/.test(
      name,
    )
  )
    return 'secret';
  if (/token$/.test(name)) return NO_SECRET_TOKEN.test(name) ? null : 'token';
  if (/(?:^|[_.-])pat$/i.test(last)) return 'token';
  return /^[A-Z][A-Z0-9_]+$/.test(last) ? familyOfVariable(last) : null;
}

/** The name of an environment variable, which may have the secret's word in the middle. */
function familyOfVariable(name: string): SecretFamily | null {
  const middle = /(?:^|_)(TOKEN|SECRET|PASSWORD|PASSWD|PASS|API_?KEY|ACCESS_KEY|PRIVATE_KEY)_/.exec(
    name,
  )?.[1];
  if (middle !== undefined) return ABOUT_IT.test(name) ? null : 'key';
  return /_KEY$/.test(name) && !KNOWN_KEY.test(name) ? 'key' : null;
}

/** `TOKEN_URL`, `PASSWORD_MIN_LENGTH`: something about the secret. */
const ABOUT_IT =
  /_(?:URL|URI|FILE|PATH|DIR|NAME|IDS?|TYPE|KIND|EXPIR\w*|TTL|LENGTH|LEN|COUNT|LIMITS?|MAX|MIN|SIZE|ARN|ENDPOINT|HEADER|REGEX|PATTERN|PREFIX|SUFFIX|HOST|PORT|VERSION|ISSUER|AUDIENCE|ALG\w*|ENABLED|REQUIRED|TIMEOUT|INTERVAL|SECONDS|MINUTES|HOURS|DAYS|MS|ROUNDS|POLICY|PROMPT|MESSAGE|ERROR|LABEL|FIELD|HINT|HASH|USAGE|BUDGET|PRICE|COST|RATIO|RATE|FORMAT|MODE|STATE|STATUS|SCOPES?|INDEX|POSITION|START|END|METHOD|ACTION|EVENT|BLOCK|SIGNATURE|REQUIREMENTS|DISABLED|CODE|PER_\w+)$/;
const KNOWN_KEY =
  /(?:^|_)(?:PUBLIC|PUBLISHABLE|CACHE|SORT|PRIMARY|FOREIGN|PARTITION|HOST|INDEX|STORAGE|QUERY|ROUTE|LOOKUP|OBJECT|HASH|RANGE|GROUP|MAP|IDEMPOTENCY|REGISTRY|SITE|PUB|VAPID|REQUEST|RESPONSE|CONTEXT|CONFIG|METADATA|STATE|QUERY)_KEY$/;

/** Positions in a list, idempotency keys, the order of changes, tokens of a language model: not secrets. */
const NO_SECRET_TOKEN =
  /(?:next|page|continuation|continue|sync|starting|cancel|cancellation|cursor|resume|resumption|pagination|clientrequest|idempotency|change|lock|lifecycleaction|eos|bos|pad|unk|sep|cls|mask)token$/;

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
