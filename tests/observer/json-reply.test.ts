import { describe, expect, test } from 'vitest';
import { parseReply } from '../../projections/observer/reply/parse-reply.ts';
import { parseJsonReply, replySchema } from '../../projections/observer/reply/reply-schema.ts';

const OBSERVATION = {
  type: 'bugfix',
  title: ' T ',
  subtitle: '',
  narrative: null,
  facts: ['F', ' '],
  concepts: [],
  files_read: [],
  files_modified: ['a.ts'],
};
const REPLY = { observations: [OBSERVATION], summary: null, skip_summary: 'nothing more' };

describe('a reply whose schema was enforced', () => {
  test('says the same as one of tags', () => {
    const tags =
      '<observation><type>bugfix</type><title>T</title><facts><fact>F</fact></facts><files_modified><file>a.ts</file></files_modified></observation><skip_summary reason="nothing more"/>';
    expect(parseJsonReply(JSON.stringify(REPLY))).toEqual(parseReply(tags));
  });

  test.each([
    ['', 'no JSON'],
    [JSON.stringify(REPLY).slice(0, -5), 'cut off'],
    [JSON.stringify({ ...REPLY, summary: 'text' }), 'at summary'],
    [JSON.stringify({ ...REPLY, observations: [{ ...OBSERVATION, title: 7 }] }), 'at observations.0.title'],
    [JSON.stringify({ ...REPLY, observations: [{}] }), 'at observations.0.type'],
    [JSON.stringify({ observations: [], summary: null, skip_summary: null }), 'no observation'],
    ['[]', 'at its top'],
  ])('is not corrected: %s', (text, reason) => {
    expect(parseJsonReply(text)).toEqual({ valid: false, reason: expect.stringContaining(reason) });
  });

  test('has a schema that providers accept: every field required, no others allowed', () => {
    const schema = replySchema({ types: ['finding', 'übergabe'], concepts: ['evidence'] });
    const objects = JSON.stringify(schema).match(/"type":"object"/g)!.length;
    expect(JSON.stringify(schema).match(/"additionalProperties":false/g)).toHaveLength(objects);
    expect(schema.required).toEqual(['observations', 'summary', 'skip_summary']);
    expect(schema.properties.observations).toMatchObject({
      items: {
        properties: {
          type: { type: ['string', 'null'], enum: ['finding', 'übergabe', null] },
          concepts: { type: 'array', items: { type: 'string', enum: ['evidence'] } },
          title: { type: ['string', 'null'] },
        },
      },
    });
  });

  test('keeps a type that the schema does not name as it came', () => {
    const reply = parseJsonReply(
      JSON.stringify({ ...REPLY, observations: [{ ...OBSERVATION, type: 'Finding' }] }),
    );
    expect(reply).toMatchObject({ observations: [{ type: 'Finding' }] });
  });
});
