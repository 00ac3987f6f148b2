import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText } from '../../../src/capture/redact/index.ts';
import { accountKey, familyOfKey } from '../../../src/capture/redact/key-names.ts';
import { PLANTED_SECRETS } from '../../helpers/secrets.ts';

describe('secrets are removed from a text', () => {
  it.each(PLANTED_SECRETS)('$kind: $text', ({ kind, text, needle }) => {
    const kinds: string[] = [];
    const redacted = redactText(`before ${text}\nafter it.`, (found) => kinds.push(found));
    expect(redacted).not.toContain(needle);
    expect(redacted).toContain(`[redacted:${kind}]`);
    expect(redacted.startsWith('before ')).toBe(true);
    expect(redacted.endsWith('after it.')).toBe(true);
    expect(kinds).toEqual([kind]);
  });

  it.each(PLANTED_SECRETS.filter(({ text }) => !/[\s"\\/]/.test(text)))(
    'also in a file name, after an escaped line break and alone: $kind',
    ({ text, needle }) => {
      for (const around of [
        `/home/u/${text}`,
        `C:\\keys\\${text}`,
        `line\\n${text}\\nline`,
        text,
        `"${text}"`,
      ])
        expect(redactText(around)).not.toContain(needle);
    },
  );

  it.each([
    [
      'the scheme and the host of a URL stay',
      'git clone https://u:p4ss@host.example/x.git',
      'git clone https://[redacted:url-credentials]@host.example/x.git',
    ],
    [
      'a password in a URL may contain an @',
      'redis://:p@ss@h:6379',
      'redis://[redacted:url-credentials]@h:6379',
    ],
    [
      'the scheme of an authorization stays',
      'Authorization: Bearer abc123def456',
      'Authorization: Bearer [redacted:authorization]',
    ],
    [
      'a key keeps its name and quotes',
      `{"db_password":"s3cret!","port":1}`,
      `{"db_password":"[redacted:password]","port":1}`,
    ],
    [
      'an environment assignment is redacted even when it is a word',
      'DB_PASSWORD=swordfish npm start',
      'DB_PASSWORD=[redacted:password] npm start',
    ],
    [
      'the default of an unset variable is redacted when it is a token',
      'A=${API_TOKEN:-q7Rk2vXw9LmT4bZc8NpD} B=${DB_PASSWORD:=correct4horse7battery} ${GH_TOKEN:+q7Rk2vXw9LmT4bZc8NpD}',
      'A=${API_TOKEN:-[redacted:token]} B=${DB_PASSWORD:=[redacted:password]} ${GH_TOKEN:+[redacted:token]}',
    ],
    [
      'a parameter of a query is redacted',
      'GET /x?a=1&password=swordfish&b=2',
      'GET /x?a=1&password=[redacted:password]&b=2',
    ],
    ['the user of curl stays', 'curl -u bob:hunter22 https://x', 'curl -u bob:[redacted:password] https://x'],
    [
      'an account e-mail is redacted',
      '{"user_email":"me@example.org"}',
      '{"user_email":"[redacted:account]"}',
    ],
    [
      'the more specific kind is named',
      `token = "gh${'p_'}${'a1'.repeat(18)}"`,
      'token = "[redacted:github-token]"',
    ],
  ])('%s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it.each([
    ['JWT_SECRET=correcthorsebattery9', 'JWT_SECRET=[redacted:secret]'],
    ['CLIENT_SECRET=abcdefgh12', 'CLIENT_SECRET=[redacted:secret]'],
    ['export STRIPE_WEBHOOK_SECRET=wombatwombat42', 'export STRIPE_WEBHOOK_SECRET=[redacted:secret]'],
    ['API_TOKEN=correcthorsebattery9', 'API_TOKEN=[redacted:token]'],
    ['API_KEY="correct-horse-battery-9"', 'API_KEY="[redacted:api-key]"'],
    ['"clientSecret": "correcthorsebattery9"', '"clientSecret": "[redacted:secret]"'],
    ['{\\"access_token\\":\\"correcthorsebattery9\\"}', '{\\"access_token\\":\\"[redacted:token]\\"}'],
  ])(
    'a word with a number is redacted in an environment assignment and in a quoted field: %s',
    (text, expected) => {
      expect(redactText(text)).toBe(expected);
    },
  );

  it('a token is redacted anywhere in a long text', () => {
    const needle = `gh${'p_'}${'a1'.repeat(18)}`;
    // Long texts are read in windows of this many characters.
    for (let at = 32_768 - needle.length - 4; at < 32_768 + 4; at++) {
      const text = `${' '.repeat(at)}${needle} ${'x '.repeat(600)}`;
      expect(redactText(text), `at ${at}`).not.toContain(needle);
    }
  });

  it('a token that may contain a dash is redacted in a path', () => {
    const needle = `dnkey-${'a1'.repeat(13)}-${'b2'.repeat(26)}`;
    expect(redactText(`/srv/${needle}/notes`)).toBe('/srv/[redacted:defined-key]/notes');
  });

  it('two lines of a key without its header are redacted', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
    expect(redactText(`x\n${line}\n${line}\nAnd this is prose.`)).not.toContain(line);
    expect(redactText(`x\n${line}\nAnd this is prose.`)).toContain(line);
  });

  it('a private key that was cut off is redacted as far as it looks like one', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
    const text = `x\n-----BEGIN ${'PRIVATE KEY'}-----\n${line}\n${line}\nAnd this is prose.`;
    expect(redactText(text)).toBe('x\n[redacted:private-key]\nAnd this is prose.');
  });

  it('a private key shown with line numbers is redacted', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
    const text = `     1→-----BEGIN ${'PRIVATE KEY'}-----\n     2→${line}\n     3→-----END ${'PRIVATE KEY'}-----\n`;
    expect(redactText(text)).toBe('     1→[redacted:private-key]\n');
  });
});

describe('ordinary text is unchanged', () => {
  it.each([
    'const password = getPassword();',
    'password = user.password',
    'function login(user: string, password: string, token?: string) {}',
    'apiKey: process.env.API_KEY,',
    'api_key = os.environ["API_KEY"]',
    'token: ${{ secrets.GITHUB_TOKEN }}',
    'export TOKEN=$(cat /run/token)',
    'TOKEN="$GITHUB_TOKEN"',
    'password: "<your password>"',
    'password: Joi.string().min(8).required(),',
    'const token = tokens[3];',
    'max_tokens: 4096, "input_tokens": 1234567',
    'token == other.token && secret => secret.name',
    'PWD=/root/work2/annals OLDPWD=/root',
    'input Login { password: PhoneNumber! }',
    'type User { password: String! token: String! }',
    'mutation ($password: NewPassword!, $apiKey: ApiKeyInput!) { login }',
    '"NextToken": "AAMA-EFRSURBSGdHc3Rhd2l3a2x0M25wcW01", "nextPageToken": "CAoQAA9x8y7w6v5u4t3"',
    'continuationToken=1a2b3c4d5e6f7g8h9i0j&pageToken=q7Rk2vXw9LmT4bZc8NpD',
    '"SecretArn": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:app/db-AbC123"',
    'DB_PASSWORD_SECRET=arn:aws:secretsmanager:eu-west-1:123456789012:secret:app/db-AbC123',
    'DB_SECRET=projects/12/secrets/db/versions/3',
    'curl -H "X-Token: ${TOKEN:-default}" && echo ${API_KEY:-none} ${DB_PASSWORD:?is missing}',
    'VK_PASS: 0x0B96, STENCIL_PASS: 0x0B96',
    'GL_STENCIL_BACK_PASS_DEPTH_PASS = 0x0B96',
    'commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad',
    'id 550e8400-e29b-41d4-a716-446655440000',
    'sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==',
    'class="sk-folding-cube sk-circle12 sk-fading-circle-animation-delayed"',
    'task-management-system-1234567890abcdefghij',
    'http://localhost:3000/@fs/home/u/x.ts and https://npmjs.com/package/@scope/name',
    'postgres://${USER}:${PASSWORD}@host/db',
    'Authorization: Bearer ${token}',
    'headers: { Authorization: `Bearer ${await getToken()}` }',
    'Cookie: req.headers.cookie',
    'setHeader("Set-Cookie: id=" + id + "; Path=/")',
    "verdict: anyPassed ? 'pass' : 'fail',",
    'if (text.includes("-----BEGIN PRIVATE KEY-----")) return;',
    "text.startsWith('-----BEGIN PRIVATE KEY-----') && text.endsWith('-----END PRIVATE KEY-----')",
    'docker run -u 1000:1000 image',
    'login({ secret: secretName1, token: accessToken2, apiKey: "test-key-12" })',
    'const secret = otherSecret1, clientSecret = "test-secret-1";',
    'API_TOKEN=$TOKEN_NUMBER1 JWT_SECRET=${JWT_SECRET12} X_TOKEN=process.env.TOKEN12 Y_TOKEN=config.token12',
    'TOKEN_FILE=tokenfile12 JWT_SECRET=/run/secrets/jwt12 SIGNING_TOKEN=your-token-12 SORT_KEY=sortedrows12',
    'me@example.org wrote: the token is missing',
    'password: true, secret: null, token: undefined',
    'auth.password.label: "Password"',
    'the secret: never give up 2 early',
    `data:image/png;base64,${Buffer.from('not a secret at all, only a picture of one. '.repeat(20)).toString('base64')}`,
    'bypass=1 compass: 12345678',
    'https://bugs.example/T0123/B0123?page_token_count=12',
  ])('%s', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe('redaction', () => {
  it('gives the same text done twice as once, for any combination', () => {
    const pieces = [
      ...PLANTED_SECRETS.map(({ text }) => text),
      ...[
        'password',
        'token',
        'secret',
        'Cookie',
        'Authorization',
        '=',
        ': ',
        '"',
        "'",
        '\\"',
        '\\n',
        '\n',
        ' ',
        '@',
      ],
      ...[
        '://',
        '[redacted:token]',
        '[redacted:',
        ']',
        'hunter2',
        'Bearer ',
        '--token ',
        'a1b2c3d4e5f6g7h8',
        '/',
        '?',
        '&',
      ],
    ];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 12 }),
        (parts) => {
          const once = redactText(parts.join(''));
          expect(redactText(once)).toBe(once);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ...[
      'eyJ-',
      'eyJa.',
      'sk-',
      'token=',
      'password="',
      "password='",
      'password:\\"',
      'a://a:',
      'a://:',
      'Bearer ',
      'Cookie: a=bc ',
    ],
    ...[
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----\\n',
      'MTabc-',
      '\\',
      '"',
      '=',
      ':',
      '-u a:b',
      'curl -u x:',
      '--token ',
    ],
    ...[
      'xoxb-',
      'glpat-',
      'AGE-SECRET-KEY-1',
      'sig=',
      'authorization: ',
      'a',
      'SG.aaaaaaaaaaaaaaaaaaaaaa.',
      '123456789:A',
      'hf_',
    ],
  ])('terminates on 500,000 characters of %j', (piece) => {
    const hostile = piece.repeat(Math.ceil(500_000 / piece.length));
    expect(redactText(hostile).length).toBeGreaterThan(0);
  });

  it('has the last letters of every secret’s name in its table', () => {
    const names = [
      'password',
      'db_passwd',
      'PASSPHRASE',
      'passcode',
      'passwort',
      'userPwd',
      'DB_PASS',
      'userPass',
    ];
    names.push(
      'secret',
      'client_secret',
      'SECRET_KEY',
      'secretKeyBase',
      'secretAccessKey',
      'privateKey',
      'accessKey',
    );
    names.push(
      'AccountKey',
      'signing_key',
      'encryptionKey',
      'masterKey',
      'sharedKey',
      'token',
      'authToken',
      'api-key',
    );
    names.push('X-Api-Key', 'authKey', 'appKey', 'licenseKey', 'TOKEN2');
    for (const name of names) {
      expect(familyOfKey(name), name).not.toBeNull();
      expect(redactText(`"${name}": "q7Rk2vXw9LmT4bZc8NpD"`), name).not.toContain('q7Rk2');
    }
    for (const name of [
      'userEmail',
      'account_email',
      'accountUuid',
      'ownerOrganizationUuid',
      'oauthAccount',
    ]) {
      expect(accountKey(name)).toBe(true);
      expect(redactText(`{"${name}":"abc-def"}`), name).not.toContain('abc-def');
    }
  });
});
