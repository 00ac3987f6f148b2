// Chooses the sentence of the final answer that becomes the title. Sentences score for stating a fact and lose points for
// depending on their context ("This …", "Both …").
import type { FinalAnswer } from './answer/final-answer.ts';
import { isDense, wordCount } from './text/sentences.ts';
import { formatTitle, TITLE_CHARS_MAX } from './text/title-form.ts';
import { impersonal, isHollow, isMeta, withoutYesOrNo } from './text/wording.ts';

const CANDIDATES_MAX = 8;
const ITEM_CHARS_READ = 150;
/** A state must be near the subject of the sentence, not at its end. */
const STATE_CHARS_READ = 90;

const PAST =
  /^(?:(?:both|all|\d+|two|three|four) )?(?:fixed|added|removed|updated|created|moved|renamed|replaced|implemented|refactored|extracted|changed|rewrote|rewritten|wrote|switched|converted|merged|committed|pushed|deleted|dropped|simplified|migrated|documented|reverted|bumped|upgraded|built|reduced|restored|cleaned|corrected|split|introduced|enabled|disabled|aligned|adjusted|rebased|released|published|made|set up|opened|closed|resolved|tightened|unified|consolidated|cut|squash|applied|improved|integrated|configured|installed|completed|wired|folded)\b/i;
/** States a method; a result is a better title. */
const METHOD =
  /^(?:(?:mutation-)?(?:verified|confirmed|reproduced|checked|tested|reviewed|bisected|measured|diffed|compared|looked|searched|traced|ran|explored|examined|proven?))\b/i;
const ALSO_DONE = /\b(?:fixed|added|removed|changed|declined|replaced|merged|closed)\b/i;
/** States the new state: "The build now needs no network", "Both renderers are gone". */
const STATE_NOW =
  /\b(?:now \p{L}{3,}|(?:resolve|fixe|solve|eliminate)[sd]|(?:is|are|was|were) (?:now |all |fully |completely |already )*(?:gone|fixed|removed|done|complete|completed|in place|implemented|finished|replaced|restored|resolved|working|merged|deleted)|no longer|works? (?:now|again))\b/iu;
const CONTEXT_DEPENDENT =
  /^(?:this|that|it|these|those|all|verification|quality gates?|status|everything|nothing|they|then|also|and|but|so|which|here|based on|given|numerically|according to|looking at|the (?:same|latter|former|following|above|test|tests|build|plan|analysis|script|change|changes|approach|code)|all (?:tests|checks|done|good)|tests? pass|no\b|yes\b|not|if|when|since|because|for example|e\.g|note|however|you|i|we|your|my|option|approach|step|phase|batch|part \d|task \d)\b/i;
const EMPTY =
  /\b(?:all (?:\d+ )?(?:tests|checks|\w+ tests) (?:now )?(?:pass|are passing|passed)|both tasks|as (?:requested|follows)|the following|these (?:changes|conditions|files)|what (?:was|I)|here|I(?:'|’)ll|when it (?:lands|finishes|is done)|(?:question|issue) is (?:now )?(?:answered|clear|settled)|lying around|stacked up|left over|say the word)\b|^fixed and verified\b|^(?:committed|pushed|done|folded)\b\s*(?:[,.;:]|$)/i;
const CAUSE =
  /\b(?:because|root cause|caused by|due to|turns out|instead of|so that|never|only when|always|missing|lacks?)\b/i;
const IDENTIFIER = /[a-z][A-Z]\w|\w_\w|\w\(\)|\w\.\w{1,4}\b|--\w/;
/** Names no subject, agrees with the person, concedes, announces or asks: never a title. */
const UNNAMED =
  /^(?:(?:this|that|it|they|them|these|those|he|she|here|there it)\b|both\s+(?:are|is|were|was|now|should|have|use|of|then)\b|(?:the )?(?:reason|key|catch|trick|idea|point|answer|result|outcome|difference|good news|bad news|short version|main (?:issue|thing|point)|user|latter|former)\s+(?:is|was|here|there|for|why|behind|being|wants?)\b|you(?:(?:'|’)re| are| were|r)?\b|your\b|I\b|I(?:'|’)\w+|we\b|my\b|let(?:'|’)?s?\b|now\b|next\b|first,|why\b|how\b|what\b|when you\b|if\b|since\b|given\b|while\b|although\b|though\b|conceptually\b|honestly\b|fair\b|agreed\b|as you\b|like you\b|something\b|one (?:more )?(?:thing|note|caveat|question|detail)\b|(?:two|three|four|some|a few|a couple(?: of)?|\d+) (?:things|notes|points|caveats|observations|questions|options|ways|choices|minor|approaches)\b|all (?:two|three|four|five|six|\d+) (?:are|is|were|of|done|fixed)\b|[-–—]\s|(?:option|approach|alternative|pros|cons|problem|bug scenario|example|scenario|(?:the )?(?:main )?trade-?offs?|caveat|limitation|downside|note)\b\s*\w{0,2}:|either\b|for (?:example|instance)\b|task #?\d+\b|expected\b|done\b|(?:the )?(?:implementation|work|task|refactor\w*|migration|change|feature) (?:is|was) (?:now )?(?:complete|done|finished|ready)|final state\b|missed\b|based on your\b|(?:\w+ ){0,3}commit\w* (?:landed|is|was)\b|\d+ [−+*/×-] \d+|still\b|the (?:claude code )?process\b|\S+\/ - |file: |\.{3}|[,;)]|\d+[.)] )|\?\s*$/i;
/** A guess is no outcome. */
const GUESS =
  /\b(?:might|may be|maybe|perhaps|most likely|probably|could be|seems?|looks? like|I think|presumably)\b/i;
/** States the result of an answer. */
const RESULT =
  /\brecommend\w*\b|^(?:verdict|conclusion|bottom line|root cause|so the|overall|in short|net (?:effect|result))\b|\b(?:is sound|is correct|is wrong|are wrong|is safe|was wrong|in summary)\b/i;

/** Whether it begins with what was done. */
export function isDone(text: string): boolean {
  return PAST.test(text);
}

/** Whether it names an identifier, a file or an option. */
export function namesThing(text: string): boolean {
  return IDENTIFIER.test(text);
}

/** The best title sentence; null when no sentence qualifies. */
export function bestSentence(
  finalAnswer: FinalAnswer | null,
  changed: boolean,
): { text: string; score: number } | null {
  if (finalAnswer === null || finalAnswer.interim) return null;
  let best: { text: string; score: number } | null = null;
  const sentences = finalAnswer.sentences.slice(0, CANDIDATES_MAX);
  // After changes, list items state what was done; in a plain answer they are details.
  const items = changed || sentences.length === 0 ? finalAnswer.items.slice(0, 3).map(headOf) : [];
  // The first sentence of an answer is usually the answer, and the first of several changes sums up the others.
  const decay = changed ? 0.5 : 0.6;
  for (const [index, sentence] of [...sentences, ...items].entries()) {
    const isItem = index >= sentences.length;
    const joined = withItem(sentence, isItem ? undefined : finalAnswer.opens.get(sentence));
    const text = impersonal(isItem ? withoutLabel(joined) : withoutYesOrNo(joined));
    if (isItem && changed && !PAST.test(text)) continue;
    if (isThin(text) || isHollow(text) || UNNAMED.test(text)) continue;
    const score = scoreOf(text, sentence, changed) - (isItem ? 2 : 0) - index * decay;
    if (best === null || score > best.score) best = { text, score };
  }
  return best;
}

function isThin(text: string): boolean {
  const words = wordCount(text);
  return words < 4 && !isDense(text) && !(words === 3 && PAST.test(text) && IDENTIFIER.test(text));
}

/** An item without its sub-items. */
function headOf(item: string): string {
  const end =
    item.length <= ITEM_CHARS_READ ? -1 : item.slice(0, ITEM_CHARS_READ).search(/[:：;] (?!.*[:：;] )/);
  return end > 30 ? item.slice(0, end) : item;
}

/** Scores how well a sentence describes the whole turn. */
function scoreOf(text: string, sentence: string, changed: boolean): number {
  let score = changed ? 0 : 2;
  if (METHOD.test(text) && !ALSO_DONE.test(text)) score -= 1;
  else if (PAST.test(text) || (METHOD.test(text) && changed)) score += 4;
  else if (/^\p{Ll}{3,}ed\b/iu.test(text)) score += 1.5;
  else if (changed && STATE_NOW.test(text.slice(0, STATE_CHARS_READ))) score += 3;
  if (CAUSE.test(text)) score += 1;
  if (!changed && RESULT.test(text)) score += 2;
  if (GUESS.test(text)) score -= 3;
  if (text.length > TITLE_CHARS_MAX && formatTitle(text).endsWith('…')) score -= 1.5;
  if (IDENTIFIER.test(text)) score += 1;
  if (/^(?:the )?(?:issue|problem|bug|root cause|cause)(?: here)?(?: was| is|: )/i.test(sentence)) score += 2;
  if (text.length >= 30 && text.length <= 140) score += 1;
  if (text.length > 220) score -= 2;
  if (/^there(?:(?:'|’)s| is| are| were)\b/i.test(text)) score -= 1;
  if (CONTEXT_DEPENDENT.test(text) || /^\S{1,40}\s[-–—]\s/.test(text)) score -= 3;
  if (EMPTY.test(text)) score -= 5;
  if (isMeta(sentence)) score -= 4;
  if (/[:：]$/.test(text)) score -= PAST.test(text) || wordCount(text) >= 7 ? 0.5 : 3;
  if (/\?$/.test(text)) score -= 4;
  return score;
}

/** Joins "It now:" with the first item of its list. */
function withItem(text: string, item: string | undefined): string {
  if (item === undefined || !/\b(?:now|will|to|that|by|because)[:：]$/.test(text)) return text;
  return `${text.slice(0, -1)} ${/^\p{Lu}\p{Ll}+\s/u.test(item) ? item.charAt(0).toLowerCase() + item.slice(1) : item}`;
}

/** "Code change (a.ts): changed from …" → "changed from …"; "a.ts - added …" → "added …". */
function withoutLabel(item: string): string {
  const rest = item.replace(/^[^:–—]{1,70}?(?::| - | – | — )\s*(?=\S)/, '');
  return PAST.test(rest) || /^\p{Ll}{3,}ed\b/iu.test(rest) ? rest : item;
}
