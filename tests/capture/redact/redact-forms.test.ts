// Every form in which a secret is written, in a text, in a field of a value and in a name. The tokens and values are
// generated at run time, and listed separately from the product's tables.
import { describe, expect, it } from 'vitest';
import { redactText, sanitizeValue } from '../../../src/capture/redact/index.ts';
import { formOf, piecesOf, type TokenPiece } from '../../../src/capture/redact/token-rows.ts';
import { VENDOR_TOKENS } from '../../../src/capture/redact/vendor-tokens.ts';
import { COMMON_FORMS, PROMISED_FORMS } from '../../helpers/secret-forms.ts';
import { NAMED_SECRETS, VENDOR_SECRETS } from '../../helpers/vendor-secrets.ts';

const options = { author: 'tool', clipBytes: 8_192 } as const;

/** A text as it occurs: alone, in a line, at the start of a line, in JSON that a tool printed. */
const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `before\n${text}\nafter`,
  (text) => `{"stdout":${JSON.stringify(text)}}`,
];

describe.each([
  ['promised', PROMISED_FORMS],
  ['common', COMMON_FORMS],
  ['vendor', VENDOR_SECRETS],
  ['named', NAMED_SECRETS],
])('of the %s forms', (_, forms) => {
  it.each(forms)('nothing is left of $name', ({ text, needle }) => {
    for (const around of AROUND) expect(redactText(around(text))).not.toContain(needle);
    const kept = JSON.stringify(sanitizeValue({ prompt: text, input: { list: [text] } }, options));
    expect(kept).not.toContain(needle);
  });
});

describe('a vendor’s token', () => {
  it.each(VENDOR_SECRETS)(
    'of $name is removed from a sentence and from a file’s name',
    ({ text, needle }) => {
      for (const around of [
        `use ${text}, please`,
        `/home/u/keys/${text}`,
        `C:\\keys\\${text}`,
        `(${text})`,
        `\`${text}\``,
        `line\\n${text}\\nline`,
      ])
        expect(redactText(around), around).not.toContain(needle);
    },
  );
});

/** Letters of both cases and digits. Each alphabet has some of them. */
const DRAWN = 'a7Rc4Kf2Xb9Qe5Md3Z';

function written(piece: TokenPiece): string {
  if (typeof piece === 'string') return piece;
  const letters = [...DRAWN].filter((letter) => piece.alphabet.has[letter.charCodeAt(0)] === 1);
  return Array.from({ length: piece.least }, (_, at) => letters[at % letters.length]).join('');
}

describe('the shortest token that a row of the table describes is removed', () => {
  const tokens = VENDOR_TOKENS.map(formOf).flatMap(({ kind, anchors, body }) =>
    anchors.map((prefix) => ({ kind, prefix, secret: body.map(written).join('') })),
  );
  it.each(tokens)('$kind after $prefix', ({ prefix, secret }) => {
    expect(redactText(`use ${prefix}${secret} here`)).not.toContain(secret);
  });
});

it('a run of an unknown alphabet is refused, not taken as a literal', () => {
  expect(() => piecesOf('acme q32')).toThrow('q32');
});
