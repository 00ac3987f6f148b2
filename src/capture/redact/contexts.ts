// Finds secrets by their context: a flag of a command, a line of a configuration file, a statement of SQL. A row has
// the words at which it is tried (`at`), its shape (the first group stays, the second is the secret), and what must
// come before the words (`before`, tested on the 200 characters before).
//
// Every repetition in a row has an upper bound, so that a row costs at most some hundred steps per word.
import { isPlaceholder } from './chosen-values.ts';
import type { Secret } from './secret.ts';
import type { Source } from './text-source.ts';
import { isFreeStanding } from './token-rows.ts';

export interface Context {
  readonly kind: string;
  readonly at: readonly string[];
  readonly shape: RegExp;
  readonly before?: RegExp;
  /** The words may be inside a longer word. */
  readonly within?: true;
  readonly check?: (secret: string) => boolean;
}

/** A bare word of a command line: not a variable, a flag or another command. */
const WORD = `(?![$<{%-]|\\[redacted:)[^\\s"'\`|;&<>()\\\\]{3,200}`;
const QUOTED = `\\\\?"(?![$<{]|\\[redacted:)[^"\\n\\\\]{3,200}|\\\\?'(?![$<{]|\\[redacted:)[^'\\n]{3,200}`;
const VALUE = `(?:${QUOTED}|${WORD})`;
const shape = (spelled: string, flags = ''): RegExp => new RegExp(spelled, `y${flags}`);

const IN_ARGUMENT = /\(\s{0,8}\\{0,3}["'][\w.#[\]= -]{0,48}$/;
const NEXT_ARGUMENT = `\\\\{0,3}["']\\s{0,8},\\s{0,8}\\\\{0,3}["'])((?![$<{%]|\\[redacted:)[^"'\\s\\\\]{4,400}(?=\\\\{0,3}["']\\s{0,8}[),])`;
const quoteAfter = (name: string): readonly string[] => [`${name}"`, `${name}'`, `${name}\\`];
/** A value that is not just a word, as a label or a type is. */
const hasMoreThanLetters = (secret: string): boolean => /[^\p{L}]/u.test(secret);
const hasDigit = (secret: string): boolean => /\d/.test(secret);
const SECRETS_NAME = `(?:TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|_PAT)`;

const IDENTIFIED =
  'identified\\s{1,8}(?:with\\s{1,8}["\'`\\w]{1,48}\\s{1,8})?(?:by|as)\\s{1,8}(?:password\\s{1,8})?';
/** In small letters it may be prose. */
const STATEMENT = /\b(?:create|alter|grant|set|user|role)\b[^\n;]{0,180}$/i;

/** The secret is the `value` beside this `name`. */
const beside = (named: string): RegExp =>
  new RegExp(
    `(?:name|key|header)\\\\{0,3}["']?\\s{0,4}:\\s{0,4}\\\\{0,3}["']?[\\w./:-]{0,48}(?:${named})\\d{0,2}\\\\{0,3}["']?,?\\s{0,40}(?:\\\\{0,3}["']?type\\\\{0,3}["']?\\s{0,4}:\\s{0,4}\\\\{0,3}["']?\\w{1,24}\\\\{0,3}["']?,?\\s{0,40})?\\\\{0,3}["']?$`,
    'i',
  );
const BESIDE_NAME = {
  kind: 'secret',
  at: ['value"', "value'", 'value\\', 'value:', 'Value"', "Value'", 'Value\\', 'Value:'],
  shape: shape(`(value\\\\{0,3}["']?\\s{0,4}:\\s{0,4}(?:\\\\{2})?)(${VALUE})`, 'i'),
  within: true,
} as const;

/** The text before a flag must be the same command, and one of these. */
const of = (commands: string): RegExp =>
  new RegExp(`(?:^|[^\\w-])(?:${commands})(?=\\s|$)(?:[^\\n|;&]|\\\\\\n){0,160}$`);

export const CONTEXTS: readonly Context[] = [
  // Flags of commands. `-p` and `-a` mean something else everywhere else.
  {
    kind: 'password',
    at: [' -p'],
    before: of('mysql(?:dump|admin|import|show|check|pump|sh)?|mariadb(?:-dump|-admin)?|7z'),
    shape: shape(`( -p)(${VALUE})`),
    within: true,
  },
  {
    kind: 'password',
    at: [' -p'],
    before: of(
      '(?:docker|podman|buildah|nerdctl|helm registry|oras|skopeo|crane auth|az(?: acr)?|oc|cf) login|sshpass|mongo(?:sh|dump|restore|export|import)?|rabbitmqadmin',
    ),
    shape: shape(`( -p[ =]{0,4})(${VALUE})`),
    within: true,
  },
  {
    kind: 'password',
    at: [' -P', ' -w', ' -W'],
    before: of('mosquitto_(?:pub|sub)|sqlcmd|bcp|ldap(?:search|modify|add|delete|whoami|passwd)|zip|unzip'),
    shape: shape(`( -[PwW][ =]{0,4})(${VALUE})`),
    within: true,
  },
  {
    kind: 'password',
    at: [' -b', ' -c', ' -n', ' -m', ' -B'],
    before: of('htpasswd'),
    shape: shape(
      `( -(?:(?=\\w{0,6}n)(?=\\w{0,6}b)\\w{2,8}|(?=\\w{0,6}b)\\w{1,8} \\S{1,160}) [^\\s'"]{1,80} )(${VALUE})`,
    ),
    within: true,
  },
  // The arguments of a process, as a list.
  {
    kind: 'password',
    at: ['"-p', "'-p"],
    before:
      /["'](?:\S{0,40}\/)?(?:mysql(?:dump|admin|import|show|sh)?|mariadb(?:-dump|-admin)?|sshpass)\\{0,3}["'],[^\]\n]{0,120}$/,
    shape: /(["']-p)((?!\[redacted:)[^\s"'\\]{3,200})(?=\\{0,3}["'])/y,
    within: true,
  },
  {
    kind: 'password',
    at: [' -a', ' --pass '],
    before: of('redis-cli|keydb-cli|valkey-cli|redis-benchmark'),
    shape: shape(`( (?:-a|--pass)[ =]{1,4})(${VALUE})`),
    within: true,
  },
  {
    kind: 'password',
    at: [' -u', ' --user', ' -U', ' --proxy-user', ' -a', ' --auth'],
    before: of('curl|xh|http|https|smbclient|smbget|ab|lftp'),
    shape: shape(
      `( (?:-[uUa]|--(?:proxy-)?user|--auth)[ =]{0,4}(?:\\\\?["'])?[^\\s:%"'$\`\\\\]{0,64}[:%])(${WORD})`,
    ),
    within: true,
  },
  {
    kind: 'password',
    at: ['pass:'],
    before: /-(?:pass(?:in|out)?|passwd|k)[ =]{1,3}["']?$/,
    shape: shape(`(pass:)(${WORD})`),
  },
  // A name and its value separated only by a space, after a word such as ENV or set.
  {
    kind: 'secret',
    at: ['ENV ', 'setenv ', 'setx ', 'set -x ', 'set -gx ', 'set -Ux '],
    shape: shape(
      `((?:ENV|setenv|setx|set -[gxU]{1,3}) {1,4}\\w{0,48}${SECRETS_NAME}\\d{0,2} {1,4})(${VALUE})`,
      'i',
    ),
  },
  {
    kind: 'secret',
    at: ['re set ', 'ig set ', 'ig --global ', 'et set ', 'ts set '],
    before: /(?:^|[^\w-])(?:configu|conf|secr|secre)$/,
    within: true,
    shape: shape(
      `((?:re|ig|et|ts) (?:set|--global) [\\w./:@-]{0,80}(?:${SECRETS_NAME}|_auth)[ =]{1,4})(${VALUE})`,
      'i',
    ),
  },
  // Files of machines and passwords: netrc, pgpass, docker, npm, kubectl.
  {
    kind: 'password',
    at: ['password ', 'passwd '],
    before:
      /machine\s{1,8}\S{1,128}\s{1,32}(?:(?:login|account)\s{1,8}\S{1,128}\s{1,32})?$|default\s{1,32}(?:login|account)\s{1,8}\S{1,128}\s{1,32}$|(?:\n|\\n)[ \t]{0,16}login[ \t]{1,8}\S{1,64}\s{1,16}$/,
    shape: shape(`(passw(?:or)?d[ \\t]{1,16})((?!\\[redacted:)[^\\s"'\\\\]{3,200})`),
  },
  {
    kind: 'credentials',
    at: ['auth"', 'auth\\', '_auth', "auth'"],
    shape:
      /(_?auth\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?)([A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])/y,
    within: true,
    check: (secret) => /^[\x21-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(secret, 'base64').toString('latin1')),
  },
  {
    kind: 'private-key',
    at: ['client-key-data', 'clientKeyData'],
    shape: /(client-?[kK]ey-?[dD]ata\\{0,3}["']?\s{0,4}:\s{0,4}\\{0,3}["']?)([A-Za-z0-9+/]{16,16000}={0,2})/y,
  },
  // The secret next to its key's id, which the pass before redacted.
  {
    kind: 'secret',
    at: ['[redacted:aws-access-key]'],
    shape: /(\[redacted:aws-access-key\][\s,:;"']{1,4})([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y,
    within: true,
  },
  // Statements.
  {
    kind: 'password',
    at: ['IDENTIFIED '],
    shape: shape(`(${IDENTIFIED})(${QUOTED})`, 'i'),
  },
  {
    kind: 'password',
    at: ['identified ', 'Identified '],
    before: STATEMENT,
    shape: shape(`(${IDENTIFIED})(${QUOTED})`, 'i'),
  },
  {
    kind: 'password',
    at: ['IDENTIFIED ', 'identified ', 'Identified '],
    before: /\b(?:create|alter)\s{1,8}(?:user|role)\b[^\n;]{0,160}$/i,
    shape: shape(`(${IDENTIFIED})(${WORD})`, 'i'),
  },
  {
    kind: 'password',
    at: ['PASSWORD ', 'PASSWORD(', 'password ', 'password(', 'Password '],
    before:
      /\b(?:create|alter)\s{1,8}(?:user|role|login|group)\b[^\n;]{0,160}$|\bset\s{1,8}$|\bset password for\b[^\n;]{0,80}$/i,
    shape: shape(`(password(?:\\s{1,4}for\\s{1,4}\\S{1,80}\\s{0,4}=)?\\s{0,4}\\(?\\s{0,4})(${QUOTED})`, 'i'),
  },
  // Oracle's `thin:name/password@`.
  {
    kind: 'url-credentials',
    at: ['thin:'],
    shape: /(thin:)([^\s/:@"'`]{1,64}\/[^\s@"'`]{2,128})(?=@)/y,
    within: true,
  },
  // A name and its value in two fields: environments of containers, headers, fields of a form.
  { ...BESIDE_NAME, before: beside('pass(?:word|wd|phrase|code)?|pwd'), check: hasMoreThanLetters },
  {
    ...BESIDE_NAME,
    before: beside(
      'cookie|api[_-]?key|secret(?:[_-]?key)?|token|access[_-]?key|private[_-]?key|authorization',
    ),
    check: hasDigit,
  },
  // `"password": {"value": "hunter2"}`
  {
    ...BESIDE_NAME,
    before:
      /(?:pass(?:word|wd|phrase|code)|secret|api_?key)\d{0,2}\\{0,3}["']?\s{0,4}:\s{0,4}\{\s{0,20}\\{0,3}["']?$/i,
    check: hasMoreThanLetters,
  },
  // A name and its value in two arguments: `setenv("DB_PASSWORD", "hunter2")`, `page.fill('#password', 'hunter2')`.
  {
    kind: 'secret',
    at: ['assword', 'ASSWORD', 'asswd', 'ASSWD', 'ecret', 'ECRET', 'oken', 'OKEN'].flatMap(quoteAfter),
    before: IN_ARGUMENT,
    shape: shape(`(\\w{4,7}${NEXT_ARGUMENT})`),
    within: true,
    check: hasMoreThanLetters,
  },
  {
    kind: 'secret',
    at: [
      'pi-key',
      'pi_key',
      'piKey',
      'PI_KEY',
      'pi-Key',
      'PI-Key',
      'ccess_key',
      'CCESS_KEY',
      'ATE_KEY',
    ].flatMap(quoteAfter),
    before: IN_ARGUMENT,
    shape: shape(`([\\w-]{6,9}${NEXT_ARGUMENT})`),
    within: true,
    check: hasDigit,
  },
  {
    kind: 'secret',
    at: ['_KEY', '_SALT'].flatMap(quoteAfter),
    before: /\bdefine\(\s{0,8}\\{0,3}["']\w{0,40}$/,
    shape: /(_(?:KEY|SALT)\\{0,3}["'],\s{0,8}\\{0,3}["'])([^"'\n]{20,200})(?=\\{0,3}["'])/y,
    within: true,
    check: hasDigit,
  },
  {
    kind: 'password',
    at: ['.fill(', '.type(', '.send_keys(', '.sendKeys(', '.pressSequentially('],
    before: /pass(?:word|wd|phrase|code)[\\"'\])} ]{1,8}$/i,
    shape: shape(`(\\.\\w{4,17}\\()(${QUOTED})`),
    within: true,
  },
  // Piped into a command that reads a secret.
  {
    kind: 'password',
    at: ['echo ', 'printf '],
    shape: shape(
      `((?:echo|printf)(?: -[neE]{1,3})? {1,4})(${VALUE})(?=\\\\?["']? {0,4}\\| {0,4}(?:sudo (?:-\\w{1,12} ){0,4}-\\w{0,4}S|(?:sudo )?(?:chpasswd|cryptsetup)|[^|\\n]{0,120}(?:--password-stdin|--with-token|--passphrase-fd|--data-file=-|secrets? (?:put|set|add)|env add)))`,
    ),
  },
  // Commands that store a secret.
  {
    kind: 'secret',
    at: [' --secret-string', ' --value'],
    before: /\b(?:secretsmanager|SecureString|keyvault secret set)\b[^\n|;&]{0,160}$/,
    shape: shape(`( --(?:secret-string|value)[ =]{1,4})(${VALUE})`),
    within: true,
  },
  {
    kind: 'secret',
    at: [' --body', ' -b'],
    before: of('(?:gh|glab) (?:secret|variable) set'),
    shape: shape(`( (?:--body|-b)[ =]{1,4})(${VALUE})`),
    within: true,
  },
  {
    kind: 'secret',
    at: [' --from-literal'],
    before: of('(?:kubectl|oc|k) create secret'),
    shape: shape(`( --from-literal[ =]\\\\?["']?[\\w.-]{1,64}=)(${VALUE})`),
    within: true,
  },
  {
    kind: 'secret',
    at: ['ts set '],
    before: /\bsecre$/,
    shape: shape(`(ts set (?:--?[a-z][\\w-]{0,20}(?:[ =][\\w.-]{1,40})? ){0,3}[A-Z]\\w{0,48}=)(${VALUE})`),
    within: true,
  },
  {
    kind: 'password',
    at: [' -storepass ', ' -keypass ', ' -srcstorepass ', ' -deststorepass '],
    shape: shape(`( -\\w{3,9}pass )(${VALUE})`),
    within: true,
  },
  // A block of YAML.
  {
    kind: 'password',
    at: ['assword: |', 'assword: >', 'asswd: |', 'assphrase: |'],
    shape: /(\w{4,10}: [|>][-+]?[ \t]{0,4}(?:\r?\n|\\n)[ \t]{1,24})([^\s\\]{4,400})(?=\s{0,4}(?:\n|\\n|$))/y,
    within: true,
  },
  // Elements and attributes of XML: Maven, NuGet, Spring, property lists.
  {
    kind: 'password',
    at: [
      ...['assword>', 'ASSWORD>', 'asswd>', 'assphrase>', 'ecret>', 'ecretKey>', 'piKey>', 'pi-key>'],
      ...['pi_key>', 'rivateKey>', 'oken>', 'ccessKey>', 'ccess-key>'],
    ],
    before: /<[\w.:-]{0,48}$/,
    shape: /([\w-]{1,16}>\s{0,8})((?![$<{%]|\[redacted:)[^<>\s]{4,400})(?=\s{0,8}<\/)/y,
    within: true,
  },
  {
    kind: 'password',
    at: ['<string>'],
    before:
      /<key>[\w .-]{0,48}(?:[pP]ass(?:word|phrase|wd)?|[sS]ecret|[tT]oken|[aA][pP][iI] ?[kK]ey)<\/key>(?:\s|\\[nrt]){0,32}$/,
    shape: /(<string>)((?!\$|\[redacted:)[^<>\n]{4,400})(?=<\/string>)/y,
    within: true,
  },
  {
    kind: 'password',
    at: [' value='],
    before:
      /\b(?:key|name|property)\s{0,2}=\s{0,2}\\{0,3}["'][\w.:-]{0,48}(?:pass(?:word|wd|phrase)?|api_?key|secret(?:_?key)?|token|access_?key)\\{0,3}["'][^<>\n]{0,60}$/i,
    shape: /( value=\\{0,3}["'])((?![$<{%@#]|\[redacted:)[^"'<>\n\\]{4,400})/y,
    within: true,
  },
];

/** A line of .pgpass, `host:port:database:user:password`. Tested at the colon after the host. */
export const PGPASS: Context = {
  kind: 'password',
  at: [':'],
  before: /(?:^|[\s"'`>]|\\n)(?:localhost|\*|[\w-]{1,40}(?:\.[\w-]{1,40}){0,6})$/,
  shape:
    /(:(?:\*|\d{4,5}):(?:\*|[A-Za-z_][\w-]{0,62}):(?:\*|[A-Za-z_][\w.@-]{0,62}):)((?![$<{[])[^\s:"'`\\]{3,200})(?=\s|\\n|["'`]|$)/y,
  within: true,
};

/** Replaces spelled-out line breaks and tabs, as in JSON, by white space of the same length. */
function withBreaks(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\[nrt]/g, '\n ') : text;
}

const BEFORE_CHARS = 200;
const QUOTE = /^\\?["']/;

/** The secret of a context whose word `anchor` is at `at`, or null. */
export function contextOf(source: Source, at: number, anchor: string, context: Context): Secret | null {
  const { text } = source;
  const { before, within, kind, check } = context;
  if (!text.startsWith(anchor, at) || (!within && !isFreeStanding(text, at, true))) return null;
  source.steps += BEFORE_CHARS;
  context.shape.lastIndex = at;
  const match = context.shape.exec(text);
  if (match === null) return null;
  if (before !== undefined && !before.test(withBreaks(source.piece(at - BEFORE_CHARS, at)))) return null;
  const [, kept, value] = match as unknown as [string, string, string];
  const quote = QUOTE.exec(value)?.[0].length ?? 0;
  const secret = value.slice(quote);
  if (isPlaceholder(secret) || check?.(secret) === false) return null;
  const start = at + kept.length + quote;
  return { start, end: start + secret.length, kind };
}
