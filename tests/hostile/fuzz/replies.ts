// Replies of a model. What is read from one stands in it, word for word, and one that says nothing is refused with a reason.
import { parseAnswer } from '../../../projections/observer/reply/parse-answer.ts';
import { parseReply } from '../../../projections/observer/reply/parse-reply.ts';
import { DEFAULT_TYPE, type Reply } from '../../../projections/observer/reply/reply.ts';
import { parseJsonReply } from '../../../projections/observer/reply/reply-schema.ts';
import { citedIn } from '../../../src/corpus/citations.ts';
import type { Found, MakeCase } from './found.ts';
import { type Chance, hostileBytes, oneIn, pick, spoiled } from './hostile-json.ts';

const TEXTS = [
  'The chute jammed',
  ' ',
  'if (a < b && c > d) return `<div>`;',
  '</narrative> as code',
  '<title>',
  '<observation>',
  '</observation>',
  '<summary>More</summary>',
  '```xml',
  'gotcha: frost',
  ':',
  '\u0000\u202e\ud800',
  '<skip_summary reason="none"/>',
  '&lt;title&gt;',
  'a'.repeat(300),
];
const FIELDS = [
  'type',
  'title',
  'subtitle',
  'narrative',
  'facts',
  'concepts',
  'files_read',
  'request',
  'learned',
  'notes',
];
const ITEMS = ['fact', 'concept', 'file'];

const JSON_REPLY = {
  observations: [
    {
      type: 'bugfix',
      title: 'The chute jammed',
      subtitle: null,
      narrative: 'Frost narrowed it.',
      facts: ['9 cm is enough'],
      concepts: [],
      files_read: [],
      files_modified: ['a.ts'],
    },
  ],
  summary: null,
  skip_summary: 'nothing more',
};

const REPLIES = 20;

export const replyCase: MakeCase = async (luck) => {
  const fates = { taken: 0, refused: 0 };
  const wrong: string[] = [];
  for (let left = REPLIES; left > 0; left--) {
    const found = oneIn(4, luck) ? ofJson(luck) : oneIn(4, luck) ? ofAnswer(luck) : ofTags(luck);
    fates.taken += found.fates.taken ?? 0;
    fates.refused += found.fates.refused ?? 0;
    wrong.push(...found.wrong);
  }
  return { fates, wrong };
};

function ofJson(luck: Chance): Found {
  const bytes = oneIn(2, luck)
    ? hostileBytes(JSON_REPLY, luck)
    : Buffer.from(JSON.stringify({ ...JSON_REPLY, observations: [changed(luck)] }));
  const text = bytes.toString('utf8');
  return checked(parseJsonReply(text), (part) => text.includes(JSON.stringify(part).slice(1, -1)));
}

/** Of a question to a corpus: what is cited as known is in the corpus, whatever the model names. */
function ofAnswer(luck: Chance): Found {
  const ids = ['o-aaaaaaaaaaaa', 'm-bbbbbbbbbbbb', 'o-cccc', '[', ', ', '] '];
  const words = Array.from({ length: luck.below(9) }, () => pick([...ids, ...TEXTS], luck)).join('');
  const form = pick(['tags', 'schema'] as const, luck);
  const whole =
    form === 'tags'
      ? `<answer>${words}</answer>`
      : JSON.stringify({ answer: words, citations: [pick(TEXTS, luck)] });
  const text = oneIn(2, luck) ? whole : spoiled(whole, luck).toString('utf8');
  const parsed = parseAnswer(text, form);
  if (!parsed.valid) return { fates: { refused: 1 }, wrong: parsed.reason === '' ? ['no reason'] : [] };
  const isKnown = new Set(['o-aaaaaaaaaaaa']);
  const { known, refused } = citedIn(parsed.answer ?? '', parsed.citations, isKnown);
  const wrong = [...known.filter((id) => !isKnown.has(id)), ...refused.filter((id) => isKnown.has(id))];
  return { fates: { taken: 1 }, wrong: wrong.map((id) => `cited wrongly: ${id}`) };
}

function changed(luck: Chance): object {
  const [first] = JSON_REPLY.observations;
  const value = pick([null, 7, [], 'text', {}, ['a', 7]], luck);
  return { ...first, [pick([...Object.keys(first!), 'more'], luck)]: value };
}

function ofTags(luck: Chance): Found {
  const pieces = Array.from({ length: 1 + luck.below(5) }, () => blockText(luck));
  const text = spoiled(pieces.join(pick(['', '\n', ' and ', '```'], luck)), luck).toString('utf8');
  return checked(parseReply(text), (part) => text.includes(part));
}

/** Mostly in order; now and then a tag is missing, doubled or another one. */
function blockText(luck: Chance): string {
  const root = pick(['observation', 'observation', 'summary', 'SUMMARY'], luck);
  const fields = Array.from({ length: luck.below(6) }, () => {
    const name = pick(FIELDS, luck);
    const item = pick(ITEMS, luck);
    const inner = oneIn(3, luck)
      ? Array.from({ length: luck.below(4) }, () => tagged(item, pick(TEXTS, luck), luck)).join('')
      : pick(TEXTS, luck);
    return tagged(name, inner, luck);
  });
  return tagged(root, fields.join(pick(['', '\n', ' then '], luck)), luck);
}

function tagged(name: string, inner: string, luck: Chance): string {
  const open = oneIn(15, luck) ? '' : `<${name}${oneIn(10, luck) ? ' id="1"' : ''}>`;
  const close = oneIn(15, luck) ? '' : `</${oneIn(20, luck) ? pick(FIELDS, luck) : name}>`;
  return `${open}${inner}${close}`;
}

/** @param stands whether the reply holds this text */
function checked(reply: Reply, stands: (text: string) => boolean): Found {
  if (!reply.valid)
    return {
      fates: { refused: 1 },
      wrong: /^[^\n]{10,}\.$/.test(reply.reason) ? [] : [`no sentence says why: ${reply.reason}`],
    };
  const { observations, summary, skipped } = reply;
  const wrong: string[] = [];
  if (observations.length === 0 && summary === null && skipped === null) wrong.push('nothing was taken');
  for (const { type, title, narrative, facts, concepts, ...rest } of observations) {
    if (type !== DEFAULT_TYPE && !stands(type)) wrong.push('a type was invented');
    if (title === null && narrative === null && facts.length + concepts.length === 0)
      wrong.push('an observation says nothing');
    wrong.push(...invented({ title, narrative, facts, concepts, ...rest }, stands));
  }
  if (summary !== null) wrong.push(...invented(summary, stands));
  return { fates: { taken: 1 }, wrong };
}

function invented(fields: object, stands: (text: string) => boolean): string[] {
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().flatMap((text) => {
      if (text === null) return [];
      if (typeof text !== 'string' || text === '' || text !== text.trim())
        return [`${name} is no trimmed text`];
      return stands(text) ? [] : [`${name} does not stand in the reply`];
    }),
  );
}
