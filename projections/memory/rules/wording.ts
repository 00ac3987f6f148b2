// Which sentences of an agent are worth quoting, and how to begin them: without pleasantries, without talk about
// what it is going to say or do.
import { capital } from './sentences.ts';

const PLEASANTRY =
  /^(?:perfect|great|excellent|awesome|nice|wonderful|done|all done|all set|sure|certainly|of course|absolutely|exactly|correct|right|got it|found it|thanks|thank you|gone|fixed|sorted|ok|okay|alright|yes|no|yep|nope|good (?:catch|question|point|idea|call|news)|great (?:catch|question|point|idea)|perfect approach|ah,? (?:right|yes|i see)|i see|you(?:'|’)?re (?:absolutely |totally |completely )?(?:right|correct)|you were (?:absolutely )?right|you are (?:absolutely )?right|sorry.*|sounds good|understood|makes sense|hello|hi)(?:[\s,!.—–-]+(?:done|perfect|approach|indeed|then|now|all|here|it is|again|about that|to .{1,40}))*[\s!.,:—–-]*$/i;
const OPENING =
  /^(?:(?:perfect|great|excellent|awesome|done|all done|sure|ok|okay|alright|absolutely|exactly|good|nice|fixed|got it|found it|gone)\s*(?:[!.,:]|—|–| - )\s*|(?:good|great|nice) (?:catch|question|point|idea|call)\s*(?:[!.,:]|—|–| - )\s*|(?:ah,? )?(?:yes,? )?you(?:'|’)?(?:re| are| were) (?:absolutely |largely |totally )?(?:right|correct)\s*(?:[!.,:]|—|–| - )\s*|(?:ah|oh),?\s+)+/i;
/** Talk about the answer or about the next step, not the thing itself. */
const META =
  /^(?:here(?:'|’)?s|here (?:is|are)|let me|let(?:'|’)?s|now let me|now,? i(?:'|’)?ll|i(?:'|’)?ll|i will|i(?:'|’)?m going to|i (?:now )?need to|now i (?:need|have|can|understand|see)|now (?:let|add|update|fix|run|i)\b|next,? i|i have (?:a|the) (?:clear|full|complete|good)|i understand|what (?:changed|i did|was done)\b|to summari[sz]e|in summary|summary|let me know|hope this|sources?\b|looking (?:at|back)|for (?:clarity|context)|as requested|feel free|please (?:rebuild|try|run|let)|try (?:it|running)|you can (?:now )?(?:run|test|try|use|verify)|run (?:it|the test)|this will|this time|i can see|the (?:script|code) looks|great,? (?:now|i)|good,? (?:now|i)|that(?:'|’)s just|this was just|just the|the (?:background|notification))\b/i;
const META_DENSE = /^(?:讓我|让我|我來|我来|現在|现在|首先)/;

export function isPleasantry(sentence: string): boolean {
  return PLEASANTRY.test(sentence.trim());
}

/** "Let me …", "Here's …:", "Now I'll …": nothing to remember. */
export function isMeta(sentence: string): boolean {
  return META.test(sentence) || META_DENSE.test(sentence);
}

/** The last sentence announces what comes next: these are not closing words. */
export function isAnnouncement(sentence: string): boolean {
  return /[:：…]\s*$/.test(sentence) || isMeta(sentence);
}

/** "Perfect! You're right: moved it" → "Moved it". */
export function withoutOpening(sentence: string): string {
  const rest = sentence.replace(OPENING, '').trim();
  return rest === '' ? sentence : capital(rest);
}

/** "I've successfully fixed the bug." → "Fixed the bug." */
export function impersonal(sentence: string): string {
  const rest = withoutOpening(sentence)
    .replace(/^(?:and|but|so|also|now|then|finally|additionally|next),?\s+/i, '')
    .replace(
      /^(?:I|we)(?:(?:'|’)ve| have)?\s+(?:now |just |also |already |fully )*(?:successfully )?(?=\w+(?:ed|lt|ote|ade|ept|ran|nt|de|und|ove)\b)/i,
      '',
    )
    .replace(/^(?:successfully )/i, '')
    .replace(/^(?:I think|I believe|it (?:seems|looks like))(?: that)?\s+/i, '')
    .replace(/^based on (?:my|the|this) [^,]{1,40},\s+/i, '')
    .replace(/^looking at [^,]{1,60},\s+/i, '')
    .replace(/^(?:it turns out|turns out)(?: that)?[,:]?\s+/i, '')
    .replace(
      /^(?:the )?(?:issue|problem|bug|root cause|cause|key insight|key|catch)\s*(?:here |there )?(?:was|is|:)\s*(?:that |in |on )?/i,
      (match) => (/\b(?:in|on)\s*$/.test(match) ? match : ''),
    );
  return capital(rest.trim());
}
