import { describe, expect, test } from 'vitest';
import { parseReply } from '../../projections/observer/reply/parse-reply.ts';
import {
  REPLY_CHARS_MAX,
  type ReplyObservation,
  type ValidReply,
} from '../../projections/observer/reply/reply.ts';

const WHOLE = `<observation>
  <type>bugfix</type>
  <title> The chute jammed </title>
  <subtitle>Frost</subtitle>
  <narrative>Frost narrowed the chute.</narrative>
  <facts><fact>9 cm is enough</fact><fact> measured twice </fact></facts>
  <concepts><concept>gotcha: frost</concept><concept>bugfix</concept><concept>: text</concept></concepts>
  <files_read><file>a.ts</file><file>b.ts</file></files_read>
  <files_modified><file>a.ts</file></files_modified>
</observation>`;
const READ: ReplyObservation = {
  type: 'bugfix',
  title: 'The chute jammed',
  subtitle: 'Frost',
  narrative: 'Frost narrowed the chute.',
  facts: ['9 cm is enough', 'measured twice'],
  concepts: ['gotcha'],
  filesRead: ['a.ts', 'b.ts'],
  filesModified: ['a.ts'],
};
const NOTHING = {
  title: null,
  subtitle: null,
  narrative: null,
  facts: [],
  concepts: [],
  filesRead: [],
  filesModified: [],
};
const SUMMARY = {
  request: null,
  investigated: null,
  learned: null,
  completed: null,
  nextSteps: null,
  notes: null,
};

function valid(text: string): ValidReply {
  const reply = parseReply(text);
  if (!reply.valid) throw new Error(reply.reason);
  return reply;
}

const observation = (inner: string) => `<observation>${inner}</observation>`;
const summary = (inner: string) => `<summary>${inner}</summary>`;

describe('an observation', () => {
  test.each([
    ['as it should be', WHOLE],
    ['in a fence', `\`\`\`xml\n${WHOLE}\n\`\`\``],
    ['with prose around it', `I write an <observation> block:\n\n${WHOLE}\nThat is all.`],
    [
      'with tags in capitals',
      WHOLE.replace(/<(\/?)(\w+)>/g, (_, slash, name) => `<${slash}${name.toUpperCase()}>`),
    ],
    ['with attributes', WHOLE.replace('<observation>', '<observation id="1">')],
  ])('%s is read whole', (_, text) => {
    expect(valid(text)).toEqual({
      valid: true,
      observations: [READ],
      summary: null,
      skipped: null,
      problems: [],
    });
  });

  test.each<[string, string, Partial<ReplyObservation>]>([
    ['only a narrative', '<narrative>N</narrative>', { type: 'change', narrative: 'N' }],
    ['only facts', '<type>x</type><facts><fact>F</fact></facts>', { type: 'x', facts: ['F'] }],
    ['only concepts', '<concepts><concept>C</concept></concepts>', { type: 'change', concepts: ['C'] }],
    ['a type that no mode has', '<type>code</type><title>T</title>', { type: 'code', title: 'T' }],
    ['a blank title', '<title> </title><narrative>N</narrative>', { type: 'change', narrative: 'N' }],
  ])('with %s is kept as it is', (_, inner, fields) => {
    expect(valid(observation(inner)).observations).toEqual([{ ...NOTHING, ...fields }]);
  });

  test.each([
    ['code', 'if (a < b && c > d) return `<div>`;'],
    ['the name of its own tag', 'The <narrative> tag ends at </narrative> as always.'],
    ['the end of the block', 'It wrote </observation> too early.'],
    ['tags of a page', '<details><summary>More</summary>text</details>'],
    ['the name of another field', 'A <title> of HTML.'],
  ])('may hold %s in its text', (_, text) => {
    const reply = valid(
      observation(`<title>T</title><narrative>${text}</narrative><facts><fact>F</fact></facts>`),
    );
    expect(reply.observations).toEqual([
      { ...NOTHING, type: 'change', title: 'T', narrative: text, facts: ['F'] },
    ]);
  });

  test('ends a field at its first closing tag where text stands between fields', () => {
    const reply = valid(observation('<title>A</title> and <title>B</title><narrative>N</narrative>.'));
    expect(reply.observations).toMatchObject([{ title: 'A', narrative: 'N' }]);
    expect(reply.problems).toEqual(['<title> occurs twice in one <observation>; the first counts.']);
  });

  test('says which list holds no items', () => {
    const reply = valid(observation('<title>T</title><facts>- one\n- two</facts>'));
    expect(reply.observations).toEqual([{ ...NOTHING, type: 'change', title: 'T' }]);
    expect(reply.problems).toEqual(['<facts> holds no <fact>.']);
  });

  test.each([
    ['', 'empty'],
    ['  \n', 'empty'],
    ['Nothing to report.', 'no observation'],
    [observation('<type>bugfix</type>'), '1 of 1 observations say nothing'],
    [observation('<subtitle>S</subtitle>'), 'say nothing'],
    [observation('<title> </title><facts><fact> </fact></facts>'), 'say nothing'],
    ['<observation><title>T</title><narrative>cut of', 'cut off'],
    ['<observation><title>T</title>', 'cut off'],
    ['x'.repeat(REPLY_CHARS_MAX + 1), 'more than'],
    [null as never, 'no text'],
  ])('that is missing makes the reply invalid: %j', (text, reason) => {
    const reply = parseReply(text);
    expect(reply).toEqual({ valid: false, reason: expect.stringContaining(reason) });
  });
});

describe('several blocks', () => {
  test('are all kept, but for those that say nothing', () => {
    const reply = valid(`${WHOLE}${observation('<type>x</type>')}${summary('<learned>L</learned>')}${WHOLE}`);
    expect(reply.observations).toEqual([READ, READ]);
    expect(reply.summary).toEqual({ ...SUMMARY, learned: 'L' });
    expect(reply.problems).toEqual(['1 of 3 observations say nothing.']);
  });

  test('are read when the last one was cut off, or one in the middle was not closed', () => {
    expect(valid(`${WHOLE}<summary><request>cut`)).toMatchObject({
      observations: [READ],
      summary: null,
      problems: ['<summary> is not closed: the reply was cut off.'],
    });
    expect(valid(`<observation><title>A</title>${WHOLE}`)).toMatchObject({
      observations: [READ],
      problems: ['<observation> is not closed.'],
    });
  });

  test('are found behind a mention of a tag', () => {
    const reply = valid(`First the <summary>, then:\n${WHOLE}\n${summary('<completed>C</completed>')}`);
    expect(reply).toMatchObject({ observations: [READ], summary: { completed: 'C' }, problems: [] });
  });
});

describe('a summary', () => {
  test.each(['request', 'investigated', 'learned', 'completed', 'next_steps'])(
    'with %s is valid',
    (field) => {
      const name = field === 'next_steps' ? 'nextSteps' : field;
      expect(valid(summary(`<${field}> text </${field}>`)).summary).toEqual({ ...SUMMARY, [name]: 'text' });
    },
  );

  test.each([summary(''), summary('some prose'), summary('<notes>N</notes>'), observation(summary(''))])(
    'without such a field is invalid: %s',
    (text) => {
      expect(parseReply(text).valid).toBe(false);
    },
  );

  test.each([
    ['<skip_summary reason="only a greeting"/>', 'only a greeting'],
    ["<skip_summary reason='r'></skip_summary>", 'r'],
    ['<skip_summary/>', null],
    ['<skip_summary />', null],
  ])('may be skipped: %s', (text, reason) => {
    expect(parseReply(text)).toMatchObject({
      valid: true,
      observations: [],
      summary: null,
      skipped: { reason },
    });
  });

  test('counts before a skip and before a second summary', () => {
    const both = valid(
      `<skip_summary reason="r"/>${summary('<request>A</request>')}${summary('<request>B</request>')}`,
    );
    expect(both).toMatchObject({ summary: { request: 'A' }, skipped: null });
    expect(both.problems).toHaveLength(2);
  });
});
