import { expect, it } from 'vitest';
import { sanitizeValue } from '../../../src/capture/redact/index.ts';
import { PLANTED_SECRETS } from '../../helpers/secrets.ts';

const options = { author: 'tool', clipBytes: 8_192 } as const;

it.each(PLANTED_SECRETS)(
  '$kind leaves no trace in prompt, input, output and file names: $text',
  ({ text, needle }) => {
    const newEvent = {
      prompt: `use this: ${text}\nplease`,
      input: { command: text, edits: [{ old_string: `a\n${text}\nb` }] },
      output: JSON.stringify({ stdout: text }),
      [`/home/u/${text}`]: 'a file name as a key',
    };
    const kept = JSON.stringify(sanitizeValue(newEvent, options));
    expect(kept).not.toContain(needle);
    expect(kept).not.toContain(JSON.stringify(needle).slice(1, -1));
    expect(Object.keys(JSON.parse(kept))).toHaveLength(4);
  },
);

it('finds a secret that is coloured, and keeps no terminal sequences', () => {
  const key = PLANTED_SECRETS.find(({ kind }) => kind === 'github-token')!.text;
  const coloured = `\u001b]0;title\u0007\u001b[2K.env: \u001b[01;31m\u001b[K${key.slice(0, 9)}\u001b[m\u001b[K${key.slice(9)}\u001b[0m\n`;
  expect(sanitizeValue({ stdout: coloured }, options)).toEqual({ stdout: '.env: [redacted:github-token]\n' });
});

it('redacts before clipping, so that no half of a secret is left', () => {
  const secret = PLANTED_SECRETS.find(({ kind }) => kind === 'anthropic-key')!.text;
  for (let shift = 0; shift < secret.length; shift += 7) {
    const kept = sanitizeValue(
      `${'x '.repeat(2_015 + shift)}${secret}${' y'.repeat(4_000)}`,
      options,
    ) as string;
    expect(kept).not.toContain(secret.slice(0, 20));
    expect(kept).not.toContain(secret.slice(-20));
  }
});

it('removes tags from each string separately and loses no key', () => {
  expect(sanitizeValue({ a: '<private>x', b: 'y</private> z' }, options)).toEqual({
    a: '<private>x',
    b: 'y</private> z',
  });
  expect(sanitizeValue({ p: '/f', content: '<private>k</private> pub' }, options)).toEqual({
    p: '/f',
    content: ' pub',
  });
  expect(sanitizeValue({ o: { i: '<private>k</private>' } }, options)).toEqual({ o: { i: '' } });
  expect(sanitizeValue({}, options)).toEqual({});
});

it('redacts a field by its key, and drops account names', () => {
  expect(
    sanitizeValue(
      {
        password: 'hunter2',
        pin: 1234,
        user_email: 'me@x.org',
        ownerAccountUuid: 'u-1',
        mail: 'me@x.org',
        token: 'string',
        clientSecret: 'correcthorsebattery9',
      },
      options,
    ),
  ).toEqual({
    password: '[redacted:password]',
    pin: 1234,
    user_email: '[redacted:account]',
    ownerAccountUuid: '[redacted:account]',
    mail: 'me@x.org',
    token: 'string',
    clientSecret: '[redacted:secret]',
  });
});

it('keeps a note instead of a picture', () => {
  const data = 'iVBORw0KGgo'.repeat(40);
  expect(
    sanitizeValue([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }], options),
  ).toEqual([{ type: 'image', mediaType: 'image/png', bytes: 330 }]);
  expect(sanitizeValue(`<img src="data:image/png;base64,${data}">`, options)).toBe(
    '<img src="data:image/png;[annals: 330 bytes]">',
  );
});

it('accepts endlessly nested values and unusual keys', () => {
  let deep: unknown = 'end';
  for (let depth = 0; depth < 50_000; depth++) deep = [deep];
  expect(JSON.stringify(sanitizeValue(deep, options))).toContain('nested too deep');
  const kept = sanitizeValue(JSON.parse('{"__proto__":{"x":1},"a":2}'), options);
  expect(JSON.stringify(kept)).toBe('{"__proto__":{"x":1},"a":2}');
});

it('recognises a vendor’s value by the name of its field', () => {
  const id = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';
  expect(sanitizeValue({ snyk_auth: id, snyk_url: id, auth: id }, options)).toEqual({
    ...{ snyk_auth: '[redacted:vendor-key]', snyk_url: id, auth: id },
  });
});

it.each([
  ['a word after a flag', { command: ['mysql', '--password', 'hunter2x'] }],
  ['an item of a list', { password: ['hunter2x'] }],
  ['a variable of a container', { env: [{ name: 'DB_PASSWORD', value: 'hunter2x' }] }],
  ['a field of a form', { fields: [{ name: 'Password', type: 'textbox', value: 'hunter2x' }] }],
  ['what is typed into an element', { element: 'Password field', ref: 'e3', text: 'hunter2x' }],
  ['what is typed by a selector', { selector: 'input[name="password"]', value: 'hunter2x' }],
  ['escapes of JSON', 'jdbc:mysql://h/db?user\\u003dsa\\u0026password\\u003dhunter2x'],
  ['quotes as escapes of JSON', '{\\u0022password\\u0022:\\u0022hunter2x\\u0022}'],
  ['a URL in a URL', 'https://h/cb?next=https%3A%2F%2Fh%2F%3Fpassword%3Dhunter2x'],
  ['escapes of HTML', '&lt;add key=&quot;password&quot; value=&quot;hunter2x&quot; /&gt;'],
  ['a private block with escapes', '\\u003cprivate\\u003ehunter2x\\u003c/private\\u003e'],
  ['a private block with an escaped slash', '<private>hunter2x<\\/private>'],
])('removes a secret from %s', (_, value) => {
  expect(JSON.stringify(sanitizeValue(value, options))).not.toContain('hunter2x');
});

it('removes a secret from base64, and keeps other base64', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const manifest = (url: string) => `kind: Secret\ndata:\n  DATABASE_URL: ${encoded(url)}\n`;
  expect(sanitizeValue(manifest('postgres://u:hunter2x@host/db'), options)).toBe(
    'kind: Secret\ndata:\n  DATABASE_URL: [redacted:base64]\n',
  );
  for (const text of [
    manifest('postgres://host/database'),
    `sha256-${encoded('\u0001'.repeat(32))} src/capture/redact/sanitize`,
  ])
    expect(sanitizeValue(text, options)).toBe(text);
});

it('keeps labels, texts and escapes that hide nothing', () => {
  for (const value of [
    { name: 'Submit', text: 'Save 3 files' },
    { name: 'token', value: 'string' },
    { name: 'Password', text: 'Password' },
    { args: ['--token', '$TOKEN', '--verbose', 'run2'] },
    'a \\u003cdiv\\u003e, 100%25 and &lt;b&gt; of C:\\\\/x',
    "t('password', 'Passwort'); getItem('token', 'json'); echo done | grep x",
    '{"name": "password", "value": "text"}, {"key": "token", "value": "string"}',
  ])
    expect(sanitizeValue(value, options)).toEqual(value);
});
