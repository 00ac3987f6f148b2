import { describe, expect, test } from 'vitest';
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

  test.each<[string, 'tags' | 'schema']>([
    [tags('nothing to hide'), 'tags'],
    ['{ "observations": [ ], "n": 1e3 }', 'schema'],
  ])('without a secret stays as it came: %s', (text, form) => {
    expect(redactReply({ text, form })).toBe(text);
  });
});
