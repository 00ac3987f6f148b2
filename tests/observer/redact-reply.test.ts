import { describe, expect, test } from 'vitest';
import { parseReply, REPLY_CHARS_MAX } from '../../projections/index.ts';
import { redactReply } from '../../src/observer/run/redact-reply.ts';
import { COMMON_FORMS, PROMISED_FORMS } from '../helpers/secret-forms.ts';
import { NAMED_SECRETS, VENDOR_SECRETS } from '../helpers/vendor-secrets.ts';

const FORMS = [...PROMISED_FORMS, ...COMMON_FORMS, ...VENDOR_SECRETS, ...NAMED_SECRETS];

const tags = (text: string) => `<observation><title>T</title><narrative>${text}</narrative></observation>`;
const json = (text: string) => JSON.stringify({ observations: [{ title: 'T', facts: ['F', text] }] });

describe('a reply', () => {
  test('holds no secret afterwards, and its JSON can still be read', () => {
    const left = FORMS.filter(({ text, needle }) => {
      const inTags = redactReply({ text: tags(`Run:\n${text}\n`), form: 'tags' });
      const inJson = redactReply({ text: json(`Run:\n${text}\n`), form: 'schema' });
      const [{ facts }] = JSON.parse(inJson).observations;
      return (
        inTags.includes(needle) || inJson.includes(JSON.stringify(needle).slice(1, -1)) || facts[0] !== 'F'
      );
    });
    expect(left.map(({ text }) => text)).toEqual([]);
  });

  test.each(['tags', 'schema'] as const)('of the form %s that is no JSON is redacted as text', (form) => {
    const [{ text, needle }] = PROMISED_FORMS as [(typeof PROMISED_FORMS)[0]];
    expect(redactReply({ text: `{"title": "cut off ${text}\n`, form })).not.toContain(needle);
  });

  test('that is too long to be read is stored up to where this can be seen, without half of a secret', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const text = `${'x '.repeat(REPLY_CHARS_MAX / 2 - 5)}${key} ${'y'.repeat(9e6)}`;
    const stored = redactReply({ text, form: 'tags' });
    expect(stored).toHaveLength(REPLY_CHARS_MAX + 1);
    expect(stored).not.toContain(key.slice(0, 8));
    expect(parseReply(stored)).toEqual({ valid: false, reason: expect.stringContaining('more than') });
  });

  test.each<[string, 'tags' | 'schema']>([
    [tags('nothing to hide'), 'tags'],
    ['{ "observations": [ ], "n": 1e3 }', 'schema'],
  ])('without a secret stays as it came: %s', (text, form) => {
    expect(redactReply({ text, form })).toBe(text);
  });
});
