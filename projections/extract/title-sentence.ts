// Chooses the sentence of the final answer that becomes the title. Sentences score for stating a fact.

import type { FinalAnswer } from './answer/final-answer.ts';
import { anyOf } from './text/any-of.ts';
import { isDense, wordCount } from './text/sentences.ts';
import { formatTitle } from './text/title-form.ts';
import {
  dangles,
  givesReason,
  impersonal,
  isHollow,
  isMeta,
  isOrder,
  lacksEnd,
  leans,
  namesThing,
  opensBlock,
  statesDone,
} from './text/wording.ts';

const CANDIDATES_MAX = 8;
const ITEMS_MAX = 3;
const LONG_CHARS = 220;

/** States the new state: "The build now needs no network", "Both renderers are gone". */
const STATE_NOW =
  /\b(?:now \p{L}{3,}|(?:is|are) now \S|(?:is|are) (?:now |all )*(?:gone|fixed|removed|done|complete|in place|replaced|restored|resolved|merged)|no longer|works now)\b/iu;
/** Addresses somebody, asks, concedes, guesses, begins with a label, or only says that it went well: never a title. */
const NO_TITLE = anyOf(
  { flags: 'iu' },
  /^(?:i|you|we|my|your|let|there|here|what|why|how|when|if|since|given|while|although|before|after|previously|something|one|two|three|four|some|a few|either|for example|based on|with|in|within|even|only|meanwhile|not|note|final|handed|lint|looking|confirmed|verified|reproduced|missed|still|done|left|fixed and verified|expected|need|numerically|(?:the )?(?:reason|key|answer|result|point|user|implementation|work|task|good news)|all\b.{0,30}\b(?:pass\w*|complete\w*|implemented|done|clean|green))\b(?![-/.])/iu,
  // A proposal, or a sentence without its subject.
  /^(?:are|is|was|were|has|have|does|do|can|will|compare|consider|try)\b/,
  // A label.
  /^\p{L}+(?: \p{L}+){0,2}: /u,
  /^[^\p{L}\p{N}`"“(]/u,
  /\?\s*$/,
  /\b(?:maybe|perhaps|probably|might|seems?|looks?|i think|i['’]ll)\b/,
);
/** Without a change, what "we" do is a proposal. */
const OF_US = /(?:^|, )we\b(?!['’]ve| have| had| saw| found)/i;
/** Understandable only with the sentence before it. */
const OF_CONTEXT =
  /^the (?:tests?|build|plan|script|changes?|code|docs?|document|check|file|approach)\b|^(?:all|each|everything|nothing)\b/i;

/** The best title sentence; null when no sentence qualifies. */
export function bestSentence(
  finalAnswer: FinalAnswer | null,
  changed: boolean,
): { text: string; score: number } | null {
  if (finalAnswer === null || finalAnswer.interim) return null;
  let best: { text: string; score: number } | null = null;
  const sentences = finalAnswer.sentences.slice(0, CANDIDATES_MAX).map(impersonal);
  // After changes, list items state what was done; in a plain answer they are details.
  const items = changed ? finalAnswer.items.slice(0, ITEMS_MAX).map(withoutLabel).filter(statesDone) : [];
  for (const [index, text] of [...sentences, ...items].entries()) {
    if (
      isThin(text) ||
      isHollow(text) ||
      isMeta(text) ||
      leans(text) ||
      dangles(text) ||
      (!changed && (isOrder(text) || OF_US.test(text))) ||
      lacksEnd(text) ||
      NO_TITLE.test(text)
    )
      continue;
    const score = scoreOf(text, changed) - (index >= sentences.length ? 2 : 0) - index * DECAY;
    if (best === null || score > best.score) best = { text, score };
  }
  return best;
}

/** The first sentence of an answer is usually the answer, and the first of several changes sums up the others. */
const DECAY = 0.6;

/** "a.ts - Added …" → "Added …"; also "Code (a.ts:12): Added …". */
function withoutLabel(item: string): string {
  const rest = item.replace(/^(?:[^:–—(]|\([^()]*\)){1,70}?(?::| [-–—])\s+/, '');
  return statesDone(rest) ? rest : item;
}

function isThin(text: string): boolean {
  return wordCount(text) < 4 && !isDense(text) && !(statesDone(text) && namesThing(text));
}

/** Scores how well a sentence describes the whole turn. */
function scoreOf(text: string, changed: boolean): number {
  return (
    (changed ? 0 : 2) +
    (!changed ? 0 : statesDone(text) ? 4 : STATE_NOW.test(text) ? 3 : 0) +
    (givesReason(text) ? 1 : 0) +
    (namesThing(text) ? 1 : 0) +
    (text.length > LONG_CHARS ? -2 : 1) -
    (formatTitle(text).endsWith('…') ? 1.5 : 0) -
    (OF_CONTEXT.test(text) ? 3 : 0) -
    (opensBlock(text) ? 2 : 0)
  );
}
