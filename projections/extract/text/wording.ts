// Decides which sentences of an agent are worth quoting, and removes openings: pleasantries and announcements of what it
// is going to say or do.
import { capital } from './sentences.ts';

const PLEASANTRY =
  /^(?:(?:ah|oh),? )?(?:perfect|great|excellent|awesome|nice|wonderful|done|all done|all set|sure|certainly|of course|absolutely|exactly|correct|right|got it|found it|thanks|thank you|gone|fixed|sorted|ok|okay|alright|yes|no|yep|nope|clear now|much (?:cleaner|better|simpler)|(?:good|great|nice) (?:catch|question|point|idea|call|news|progress|work)|perfect approach|(?:ah,? )?(?:right|yes|i see)|i see(?: the (?:problem|issue))?|that makes sense|makes sense|there(?:'|’)?s the (?:issue|problem|bug)|(?:it(?:'|’)?s|that(?:'|’)?s) (?:actually )?(?:quite |very |really )?(?:simple|easy|clear)|yes,? there(?:'|’)?s an easy fix|review complete|you(?:'|’)?re (?:absolutely |totally |completely )?(?:right|correct)|you were (?:absolutely )?right|you are (?:absolutely )?right|sorry.*|sounds good|understood|hello|hi)(?:[\s,!.—–-]+(?:done|perfect|approach|indeed|then|now|all|here|it is|again|about that|you(?:'|’)?re (?:absolutely |totally )?right|to .{1,40}))*[\s!.,:—–-]*$/i;
const OPENING =
  /^(?:(?:perfect|great(?: progress)?|excellent|awesome|done|all done|sure|ok|okay|alright|absolutely|exactly|good|nice|fixed|got it|found it|gone|folded in|short answer|tl;?dr)\s*(?:[!.,:]|—|–| - )\s*|(?:good|great|nice) (?:catch|question|point|idea|call|progress)\s*(?:[!.,:]|—|–| - )\s*|(?:ah,? )?(?:yes,? )?you(?:'|’)?(?:re| are| were) (?:absolutely |largely |totally )?(?:right|correct)\s*(?:[!.,:]|—|–| - )\s*|(?:ah|oh),?\s+)+/i;
/** "Yes — it is …": answers a question that a reader of the title does not see. */
const YES_OR_NO =
  /^(?:numerically |technically )?(?:yes|no|yep|nope|correct)(?:\s*[,.:;]|\s+[—–-])\s+(?:(?:and|but|so)\s+)?/i;
/** Talk about the answer or the next step, not about the subject. */
const META =
  /^(?:here(?:'|’)?s|here (?:is|are)|let me|let(?:'|’)?s|now let me|now,? i(?:'|’)?ll|i(?:'|’)?ll|i will|i(?:'|’)?m going to|i (?:now )?need to|now i (?:need|have|can|understand|see)|now (?:let|add|update|fix|run|i|the script)\b|next,? i|i have (?:a|the) (?:clear|full|complete|good)|i understand|what (?:changed|i did|was done)\b|to summari[sz]e|in summary|summary|let me know|hope this|sources?\b|looking (?:at|back)|for (?:clarity|context)|as requested|feel free|please (?:rebuild|try|run|let)|try (?:it|running)|you can (?:now )?(?:run|test|try|use|verify)|run (?:it|the test)|when you run|this will|this time|i can see|the (?:script|code) looks|great,? (?:now|i)|good,? (?:now|i)|that(?:'|’)s just|this was just|just the|the (?:background|notification)|something like|a few (?:things|notes|issues)|(?:two|three|four|some) (?:things|notes|findings|issues)\b.{0,30}:)\b/i;
const META_DENSE = /^(?:讓我|让我|我來|我来|現在|现在|首先)/;
/** Replies to the host's notification that background work ended, not to the person. */
const ABOUT_BACKGROUND =
  /^(?:that(?:'|’)?s|that was|that is|this (?:is|was)|just)\s+(?:just |only |simply )?(?:an? |the )?(?:stale |old |earlier |late |leftover |delayed )*(?:background|notification|output|leftover|task notification)/i;
/** Says only that it went well; the evidence is more specific. */
const HOLLOW =
  /^(?:(?:and )?all (?:\d+ )?(?:unit |integration |contract |new )*(?:tests|checks|the tests)?(?: and (?:linting|lint|checks))?(?: now)? (?:pass|passed|passing|are passing|green|clean|complete|done|good)(?: (?:now|successfully|again|and .{1,40}(?:clean|compliant)))?|tests? pass(?:ed)?|everything (?:works|passes|is green|pushed|committed)|(?:the )?(?:build|lint|linting|tests?) (?:is |are )?(?:passes|pass|clean|green)|(?:that(?:'|’)?s|this is) (?:a )?(?:big|large|small) change|all (?:done|good|pushed|set)|the (?:code|test|script) is now (?:cleaner|simpler|better)|nothing (?:was )?committed|pushed|committed)[\s!.]*$/i;
/** A question back to the person. */
const ASKS_BACK =
  /^(?:(?:so,? )?which (?:one|approach|option|way|do you)|what do you (?:think|prefer|want)|what would you (?:like|prefer)|how (?:do|would) you (?:like|want)|do you (?:want|prefer|have)|would you (?:like|prefer|rather)|want me to|should (?:I|we)|shall (?:I|we)|is that|does that|(?:any|are there) (?:other|preferences?)|ready\b)[^.]*\?$/i;

export function isPleasantry(sentence: string): boolean {
  return PLEASANTRY.test(sentence.trim());
}

/** "Let me …", "Here's …:", "Now I'll …". */
export function isMeta(sentence: string): boolean {
  return META.test(sentence) || META_DENSE.test(sentence);
}

/** "All tests pass.": does not distinguish a turn. */
export function isHollow(sentence: string): boolean {
  return HOLLOW.test(sentence.trim());
}

/** "Which approach do you prefer?" */
export function asksBack(sentence: string): boolean {
  return ASKS_BACK.test(sentence.trim());
}

export function isAboutBackground(text: string): boolean {
  return ABOUT_BACKGROUND.test(text.trimStart());
}

/** Whether a sentence announces what comes next; a text that ends so is no final answer. */
export function isAnnouncement(sentence: string): boolean {
  return /[:：…]\s*$/.test(sentence) || isMeta(sentence);
}

/** "Perfect! You're right: moved it" → "Moved it". */
export function withoutOpening(sentence: string): string {
  const rest = sentence.replace(OPENING, '').trim();
  return rest === '' ? sentence : capital(rest);
}

/** "Yes — the check is too narrow." → "The check is too narrow." Unchanged when fewer than three words would remain. */
export function withoutYesOrNo(sentence: string): string {
  const rest = sentence.replace(YES_OR_NO, '').trim();
  return rest.split(/\s+/).length < 3 ? sentence : capital(rest);
}

/** "I've successfully fixed the bug." → "Fixed the bug." */
export function impersonal(sentence: string): string {
  const rest = withoutOpening(sentence)
    .replace(/^(?:and|but|so|also|now|then|finally|additionally|next),?\s+/i, '')
    .replace(
      /^(?:I|we)(?:(?:'|’)ve| have)?\s+(?:now |just |also |already |fully )*(?:successfully )?(?=\w+(?:ed|lt|ote|ade|ept|ran|nt|de|und|ove)\b)/i,
      '',
    )
    .replace(
      /^(?:successfully |however,? |meanwhile,? |overall,? |in short,? |the (?:good|bad|short) (?:news|answer|version)(?: is)?(?: that)?[,:]? )/i,
      '',
    )
    .replace(/^(?:I think|I believe|it (?:seems|looks like))(?: that)?\s+/i, '')
    .replace(
      /^(?:so )?(?:I(?:(?:'|’)d| would)?|my)(?: strongly)? recommend(?:ation)?(?: is)?:?\s+(?:to |that )?/i,
      'Recommended: ',
    )
    .replace(/^based on (?:my|the|this) [^,]{1,40},\s+/i, '')
    .replace(/^looking at [^,]{1,60},\s+/i, '')
    .replace(/^(?:it turns out|turns out)(?: that)?[,:]?\s+/i, '')
    .replace(
      /^(?:the )?(?:issue|problem|bug|root cause|cause|key insight|key|catch)\s*(?:here |there )?(?:was|is|:)\s*(?:that |in |on )?/i,
      (match) => (/\b(?:in|on)\s*$/.test(match) ? match : ''),
    );
  return capital(rest.trim());
}

/** "Now let me update the reader to skip it:" → "update the reader to skip it"; null when nothing is announced. */
export function announced(sentence: string): string | null {
  const found = ANNOUNCED.exec(sentence);
  return found === null ? null : found[1]!.replace(/[\s:：.…]+$/, '');
}

const ANNOUNCED =
  /^(?:(?:ok|good|great|perfect|excellent|alright|now|next|then|first|finally)[,.!]?\s+)*(?:let me|I(?:'|’)ll|I will|I need to|I(?:'|’)m going to|we need to|let(?:'|’)s)\s+(?:also |now |first |then |just |quickly )*((?:add|update|remove|delete|drop|move|rename|create|implement|fix|write|rewrite|replace|wire|convert|extract|refactor|change|switch|make|use|split|merge|handle|support|migrate|clean|install|configure|set up|revert|adjust|simplify|document|put|set|pass|include|restore|wrap|return|call|skip|exclude|copy|force|rebuild|regenerate|guard|return)\b.+)$/i;
