// Hostile input for redaction rules: pieces to be repeated many times. Made from the product's own tables,
// so a new rule is tested automatically.
import { CONTEXTS } from '../../src/capture/redact/contexts.ts';
import { FLAG_STARTS } from '../../src/capture/redact/flags.ts';
import { INFIX_TOKENS, VENDOR_TOKENS } from '../../src/capture/redact/vendor-tokens.ts';

export interface Hostile {
  readonly name: string;
  readonly pieces: readonly string[];
}

/** Suffixes behind a rule's keyword: nothing, one character of each alphabet, separators, near matches. */
const around = (checkpoint: string): string[] => [
  checkpoint,
  `${checkpoint}aB3-`,
  ` ${checkpoint}"`,
  `${checkpoint}0a1b2c3d4e5f.`,
];

const KEYS = [
  'password',
  'token',
  'secret',
  'api_key',
  'Cookie',
  'authorization',
  'DB_PASSWORD',
  'X_TOKEN_Y',
];
const BETWEEN = [
  '=',
  ':',
  ': ',
  '="',
  "='",
  ':\\"',
  ':\\\\\\"',
  ' = ',
  ' [None]: ',
  '=> "',
  '="\\',
  '${',
  ';',
];

const OTHERS = [
  ...['a://a:', 'a://:', 'a:\\/\\/a:', 'a:\\/\\/', 'https://aB3', 'a://a:/', 'a://a:b/@', '://', ':'],
  ...['cookie: ab=cd ', 'Cookie: a=bc ', 'Cookie: a="bc"; ', 'cookie:a=bb{', 'set-cookie: ab=cd; '],
  ...['-----BEGIN PRIVATE KEY-----', '-----BEGIN PRIVATE KEY-----\\n', '-----BEGIN CERTIFICATE-----\n'],
  ...['-----END PRIVATE KEY-----', 'aB3/aB3/-----END PRIVATE KEY-----', '-----BEGIN ', '-----END '],
  ...[
    `${'aB3+'.repeat(16)}\n`,
    `${'aB3+'.repeat(16)}\\n`,
    `${'aB3+'.repeat(16)}\n\n`,
    `${'aB3/'.repeat(19)}\n x\n`,
  ],
  ...['Private-Lines: 9999\n', 'Private-Lines: 1\nabcd\n', 'h:5432:d:u:', '*:*:*:', ':5432:', ':1'],
  ...['eyJ', 'eyJa.', 'eyJaaaaaaaa.', 'eyJaaaaaaaa.eyJ', 'a.atlasv1.', 'aaaaQ~', 'AAAAAAAAAA', '_mmk', '-us'],
  ...[
    '\\',
    '"',
    "'",
    '`',
    '=',
    '\n',
    '\\n',
    'a',
    'aB3',
    'A',
    '0',
    ' ',
    'é',
    '<',
    '>',
    '${TOKEN:-',
    '123456789:A',
  ],
  ...[
    'curl -u a:',
    'curl -u x',
    'mysql -p',
    'docker login -p',
    'sshpass -p ',
    'redis-cli -a ',
    ' --password ',
  ],
  ...[
    'machine a login b password ',
    'machine ',
    'identified by ',
    'alter user a identified by ',
    '<password>a',
    `+EAAB${'aB3'.repeat(31)}`,
    'user identified by "a" ',
    'a_a_a_newPassword=a_',
    'token: "a.a.$',
    'password: AaaAaaAaa',
  ],
];

export const HOSTILE_PIECES: readonly Hostile[] = [
  ...VENDOR_TOKENS.map(([kind, checkpoints, body]) => ({
    name: `${kind} ${checkpoints[0]} ${body}`,
    pieces: around(checkpoints[0]!),
  })),
  ...INFIX_TOKENS.map(([kind, , checkpoint]) => ({ name: kind, pieces: around(checkpoint) })),
  ...CONTEXTS.map(({ kind, at }) => ({ name: `${kind} at ${at[0]}`, pieces: at.flatMap(around) })),
  ...FLAG_STARTS.map((flag) => ({ name: `flag -${flag}`, pieces: around(`-${flag}`) })),
  ...KEYS.map((key) => ({
    name: `key ${key}`,
    pieces: BETWEEN.flatMap((mark) => [`${key}${mark}`, `"${key}"${mark}`, ` ${key}${mark}aB3c4D `]),
  })),
  { name: 'other openings', pieces: OTHERS },
];
