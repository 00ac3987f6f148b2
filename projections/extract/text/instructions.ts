// Finds short instructions in a prompt: "no browser testing", "always run the linter". Repeated in several sessions they
// are strong rules; a single one may be meant for the moment.
import { plainMarkdown } from './markdown.ts';
import { wordCount } from './sentences.ts';

const PROMPT_CHARS_READ = 3_000;
const RULES_MAX = 8;
const WORDS_MIN = 2;
const WORDS_MAX = 16;
const INSTRUCTS =
  /^(?:please )?(?:no|don(?:'|’)?t|do not|never|always|only|without|avoid|skip|use|keep|stick to|make sure|remember to|you (?:must|should|may not|can(?:'|’)?t|cannot))\b/i;
/** Refers to the current request: no rule without it. */
const CONTEXT_DEPENDENT =
  /\b(?:this|that|it|these|those|them|here|there|above|below|now|yet|again|for now|this time)\b/i;
const NO_RULE =
  /[?:]\s*$|^no\b[,.!;—–]|^no (?:worries|problem|idea|need|rush|thanks)\b|^use (?:the|a) following\b|https?:/i;

/** The instructions as written, in order, without duplicates. */
export function instructionsIn(prompt: string): string[] {
  const text = prompt.slice(0, PROMPT_CHARS_READ).replace(/```[^`]{0,3000}```/g, '\n');
  const found = text
    .split(/\n|[.;!](?:\s|$)|,\s+(?=(?:no|don(?:'|’)?t|do not|never|always|only|without)\b)|\s[—–-]\s|[()]/i)
    .map((one) => plainMarkdown(one).trim())
    .filter((one) => INSTRUCTS.test(one) && !CONTEXT_DEPENDENT.test(one) && !NO_RULE.test(one))
    .filter((one) => wordCount(one) >= WORDS_MIN && wordCount(one) <= WORDS_MAX);
  return [...new Set(found)].slice(0, RULES_MAX);
}
