// Tells a question from a list of words, because they are weighed differently, and what kind of answer a question asks for.

/** `question`: a sentence that asks; `keywords`: anything else. */
export type QueryForm = 'question' | 'keywords';

// One expression of all these words takes 5 ms to compile, as long as the search of 10,000 documents.
const ASKING = new Set([
  'what',
  'which',
  'where',
  'when',
  'who',
  'whose',
  'whom',
  'why',
  'how',
  'does',
  'do',
  'did',
  'is',
  'are',
  'was',
  'were',
  'has',
  'have',
  'had',
  'can',
  'could',
  'should',
  'would',
  'will',
]);
const BEFORE_ASKING = new Set(['at', 'by', 'for', 'from', 'in', 'of', 'on', 'to', 'under', 'with']);

export function queryFormOf(query: string): QueryForm {
  const [, ...words] = /^\W*(\w+)(?: (\w+))?/.exec(query) ?? [];
  const [first = '', second = ''] = words.map((word = '') => word.toLowerCase());
  const asks = ASKING.has(first) || (BEFORE_ASKING.has(first) && ASKING.has(second));
  return asks || /[?？]\s*$/.test(query) ? 'question' : 'keywords';
}

interface AnswerKind {
  /** A question that asks for it. */
  readonly asks: RegExp;
  /** A text that holds one. */
  readonly holds: RegExp;
}

const TIME: AnswerKind = {
  asks: /^when\b|\bhow long\b|\bwhat date\b|\b(?:which|what) (?:day|month|year)\b/i,
  holds:
    /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this (?:morning|weekend)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d|days?|weeks?|months?|years?|recently|soon|since)\b/i,
};
const NUMBER: AnswerKind = {
  asks: /\bhow (?:many|much|often)\b/i,
  holds: /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|once|twice|couple)\b/i,
};
const REASON: AnswerKind = {
  asks: /\bwhy\b|\breason/i,
  holds: /\b(?:because|since|so that|reason|cause|due to|in order|want(?:ed)? to|help|inspir)/i,
};
const PLACE: AnswerKind = {
  asks: /\bwhere\b|\b(?:which|what) (?:city|country|place|state)\b/i,
  holds: /\b(?:in|at|to|from|near|around|[Vv]isit\w*) (?:the |a |my )?[A-Z]\w/,
};
const PERSON: AnswerKind = {
  asks: /\b(?:who|whose)\b/i,
  holds:
    /(?<=[a-z,] )[A-Z][a-z]+|\b(?:mom|dad|mother|father|sister|brother|friend|family|grand\w+|wife|husband|partner|colleague)\b/,
};

/** Returns the number of kinds of answer that the query asks for and a text holds: a time for “when …”. */
export function answerKindsIn(query: string): (text: string) => number {
  const asked = [TIME, NUMBER, REASON, PLACE, PERSON].filter(({ asks }) => asks.test(query));
  return (text) => asked.filter(({ holds }) => holds.test(text)).length;
}
