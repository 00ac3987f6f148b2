// What a sentence does: it opens, announces, asks back, names something, gives a reason. The rules share these few tests,
// so that each knows the same words. They know English.
import { anyOf } from './any-of.ts';
import { capital } from './sentences.ts';

const INTERJECTION =
  "(?:perfect|great|excellent|awesome|nice|wonderful|(?:all )?(?:done|set|good)|sure|ok(?:ay)?|alright|absolutely|exactly|(?:ah,? |oh,? )?(?:yes|no|yep|nope|right|i see)|correct|(?:got|found) it|fixed|thanks|thank you|understood|hello|hi|(?:good|great|nice) (?:catch|question|point|idea|call|progress)|(?:that )?makes sense|(?:yes,? )?you(?:['’]?re| are| were) (?:absolutely |totally )?(?:right|correct)|short answer|tl;?dr)";
const OPENING = new RegExp(`^(?:${INTERJECTION}\\s*(?:[!.,:;]|[—–]| - |$)\\s*)+`, 'i');
/** Announces the next step, or talks about the answer instead of the subject. */
const META = anyOf(
  { flags: 'i', before: /^/, after: /\b/ },
  /here(?:['’]?s| is| are)/,
  /(?:now |next,? |first,? )?(?:let me|let['’]?s|i(?:['’]ll|['’]m going to| will| (?:now |also |still )*need to))/,
  /now (?:i|let|add|update|fix|run)/,
  /i (?:have (?:a|the)|understand|can see)/,
  /i(?:['’]m| am) (?:(?:a (?:bit|little)|still|now) )?confused/,
  /to summari[sz]e|in summary|summary|hope this|sources?\b|as requested|feel free/,
  /please (?:rebuild|try|run|let)|try (?:it|running)|you can (?:now )?(?:run|test|try|use|verify)|run (?:it|the test)|when you run/,
  /(?:a few|two|three|four|some) (?:things|notes|findings|issues)/,
);
/** Replies to the host's notification that background work ended, not to the person. */
const ABOUT_BACKGROUND =
  /^(?:that(?:['’]s| was| is)|this (?:is|was)|just)\b.{0,40}?\b(?:background|notification|output|leftover)/i;
/** What could be done, or is about to be. */
const PROPOSES =
  /^(?:if (?:useful|helpful|needed|(?:you (?:want|like|prefer|['’]d like)))\b|(?:I|we|you) (?:can|could|would|might)\b)|\bcould either\b|\b(?:I|we)['’]ll\b|\b(?:I['’]m|we['’]re) (?:(?:now|also|still|just) )?(?:going to|\w+ing)\b|^(?:reading|checking|searching|exploring|investigating|looking (?!at))\b/i;
/** Says only that it went well; the evidence is more specific. */
const HOLLOW =
  /^(?:and )?(?:(?:all|everything|the)\b[\w ]{0,40}|(?:tests?|lint|linting|build)(?: are| is)?) (?:pass|passed|passes|passing|green|clean|works|done|good|set)(?: (?:now|again|successfully))?[\s!.]*$|^(?:fixed and verified|pushed|committed)(?:[,;:]|[\s!.]*$)/i;
const GUESSES =
  /\b(?:maybe|perhaps|probably|(?:most )?likely|might|may (?:be|have|not)|could be|seems?|not sure|looks? (?:correct|good|right|fine)|i (?:think|believe|suspect|guess))\b/i;
/** A question back to the person. */
const ASKS_BACK =
  /^(?:so,? )?(?:which|what (?:do|would) you|how (?:do|would) you|do you|would you|want me|should (?:i|we)|shall (?:i|we)|is that|does that|any|are there|ready)\b[^.]*\?$/i;
const LEANS =
  /^(?:this|that|it|they|these|those|both|such|so|and|but|because|however|therefore|also|then|which|either|neither|the (?:same|latter|former|first|second|other|above))\b/i;
const REFERS_BACK =
  /^(?:for example|same\b|(?:aligns|allows|avoids|handles|keeps|makes|matches|means|saves|supports)\b(?! sure)|its|their|there(?! (?:is|are|was|were)\b)|if (?:that|this|it)|everything else|the rest)\b|\b(?:this|these) (?:approach|case|fields?|flags?|functions?|lines?|lists?|methods?|ones?|values?|way)\b/i;
/** "Rewriting that out would …", "If any of them …", "I'll delete them", "Worth fixing": what it is about stands in the sentence before. */
const DANGLES = anyOf(
  { flags: 'i', before: /^/ },
  /(?![^:.]{0,40}:\s|.*:$)(?:also )?(?:worth|should (?:be|have|also|not|only|probably|really)|needs?|still(?!,)|remains?|can be|could be|to be(?! \w+,))\b(?! on (?:your|my|the) )/,
  /(?:(?:if|when|once|unless|since|as) )?(?:any|some|one|both|all|none|each|either|neither|most) of (?:them|these|those)\b/,
  /[a-z]+ing (?:them|(?:it|that|this|those|these|both)(?= (?:out|in|away|back|down|up|off|over|now|then|again|first|later|would|will|could|can|is|was|should|might|may|to|from|for|with|by|at|on)\b))/,
  /(?:say the word|(?:I|we)(?:['’](?:ll|ve|d))?)(?: (?:and|I['’]ll|I|we['’]ll|we|can|could|will|would|should|have|had|did|do|just|now|also|then|only|still))* [a-z]+ (?:them|those|these)(?=[.,;:!?]|$| (?:all|too|now|then|later|again|away|out)\b)/,
);
/** Says what is about what the text before it says: "Fix: …", below "Problem: …". */
const ANSWERS =
  /^(?:solution|fix|resolution|reason|impact|effect|workaround|mitigation|remedy|lösung|behebung|auswirkung|correctif|correction|solución|arreglo|impacto|(?:解決|解决)(?:方案|方法)?|影響|影响) ?[:：]/i;
/** "Meanwhile, …": what follows is not about what was asked. */
const OTHER_TOPIC =
  /^(?:(?:meanwhile|separately|unrelated(?:ly)?)(?: to this\b|\s*(?:[,:：]|$))|(?:on (?:an?other|an unrelated|a (?:different|separate)) (?:note|topic|matter)|in other news)\b)/i;
/** "One side note: …": a remark of one paragraph. */
const SIDE_REMARK =
  /^(?:(?:one|a|another|just a?|small|minor|quick) ){0,2}(?:side[- ]?(?:note|remark)|aside\b(?! from)|by the way|btw|fyi|incidentally|(?:also,? )?for (?:future )?reference)\b/i;
/** "Overall, …", "This is a medium effort": sums up what is before it. */
const CONCLUDES =
  /^(?:overall|in short|in summary|to sum up|all in all|bottom line|conclusion)\b|^(?:this|that|it) (?:is|would be) an? (?:\w+ )?(?:small|medium|large|low|high|minor|major|moderate|trivial)[ -](?:\w+ )?(?:effort|change|task|fix)\b/i;
/** "Triage of those findings: …": says what findings are worth. */
const JUDGES =
  /^(?:(?:my|the) )?(?:triage|assessment|judge?ment|verdict)(?: (?:of|on|against)\b[^:：.]*)?[:：]/i;
/** "Good - the type is an alias": a reaction to what was seen last. */
const REACTS = /^(?:good|great|nice|ok(?:ay)?|right|interesting|i see) ?(?: [-–]|—) /i;
/** Its end is in the list or the code below it: "It now describes:". */
const LACKS_END =
  /\b(?:now|only|is|are|was|were|be|to|with|by|for|of|on|as|and|or|the|an?|that|which|where|because|from|into|than|via|like|describes?|includes?|has|have|does|shows?|contains?|supports?|covers?|says?|said|reads?|prints?|returns?|gives?|means?|lists?|becomes?|requires?|(?:these|those|the following)(?: \w+){0,3})\s*[:：]\s*$/i;
/** The list below it holds only as a whole: "It is shown when all of these are true:". */
const HOLDS_TOGETHER =
  /^(?=.*\b(?:when|if|unless|only|must|requires?|conditions?|criteria are$)\b).*(?:\b(?:all|any|both|each|either|one|none) of (?:the(?:se|m)?|those|following)\b|\b(?:when|if|unless) (?:all|both|any)\s*[:：]?$|\b(?:all|both|any|these|following|two|three|four|five) (?:\w+ )?(?:conditions?|criteria|requirements?|prerequisites?)\b)/i;
/** "Now the method:", "It now:": its items are about what the text before it names. */
const LEANING_LEAD =
  /^(?:(?:now,? )?(?:it|they|this|that|these|those)(?: (?:now|also|then))?|now,? the \w+|the \w+ now)$/i;
/** "This time we should see:", "Look for:": what the person may check, and nobody has seen. */
const FORETELLS =
  /(?<!\bto )\b(?:look|watch) (?:out )?for$|\b(?:you|we|it|this|that|there)(?:['’]ll| will| would| should|['’]d)(?: then| also)* (?:see|expect|find|get|notice|show|print|look like)(?: this| these| the following)?$|^(?:the )?expected (?:output|results?|behaviou?r)\b|^(?:how|what|things|please|steps)? ?to (?:check|verify|test|confirm|try)\b(?!.*\b(?:I|we|now|\w+ed|ran|wrote|made|built)\b)/i;
/** "The tests pass", not "The tests pass a clock". */
const PASS = /pass(?:es|ed|ing)?\b(?! (?:an?\b|the\b(?! (?:\w+ )?tests?\b)|`?\w+\())/;
/** A state that the next change may end: "The test fails", "Not implemented yet". */
const OF_THEN = new RegExp(
  `\\b(?:tests?|specs?|suites?|builds?|checks?|lint\\w*|type-?check\\w*)\\b.{0,80}\\b(?:fail\\w*|${PASS.source}|green|red|broken)\\b|\\b(?:fail\\w*|${PASS.source})\\b.{0,40}\\btests?\\b|\\bnot (?:yet|implemented)\\b|\\b(?:currently|for now|uncommitted)\\b|\\bpending(?=\\s*(?:[.,;:!?)]|$))`,
  'i',
);
/** Function words of languages other than English; the rules know only English. */
const FOREIGN =
  /(?<![\p{L}'’])(?:le|la|les|des|une?|du|et|est|sont|pour|dans|sur|avec|qui|der|das|und|ist|nicht|eine?[rsmn]?|wird|mit|el|los|las|una|por|para|del|och|att|het|een|niet|não|uma)(?![\p{L}'’])/giu;
const ENGLISH = /\b(?:the|is|are|was|were|of|and|for|with|it|not|that|this|by|from|to|now)\b/i;

const THING = /[a-z][A-Z]\w|\w_\w|\w\(\)|\w\.(?=[a-z])\w{1,5}\b|\s--\w|\w\/\w|\b[A-Z]{2,}/g;
const REASON =
  /\b(?:because|since|so that|root cause|caused by|due to|turns? out|the (?:issue|problem|bug|reason) (?:is|was)|instead of|rather than|otherwise|in order to|to avoid|only (?:when|if|works|supports|checks)|never|no longer|cannot|can['’]t|(?:is|are|was|do|does|did|could|would)(?:n['’]t| not)|missing|lacks?|requires?|expects?|needs? (?:to|a|the)|must|stale|wrong|ignored|hard-?coded|conflicts?)\b/i;

const CHANGES =
  'add|bump|change|clean|commit|convert|create|delete|drop|fix|implement|install|make(?! sense)|merge|migrate|move|push|refactor|remove|rename|replace|revert|rewrite|update|upgrade|write';
/** These are verbs only at the beginning of an order. */
const ORDERS =
  'adjust|apply|build|configure|consolidate|copy|design|disable|enable|extend|extract|handle|hide|include|open|prepare|put|rebuild|regenerate|restore|return|set|setup|show|simplify|skip|split|support|switch|test|tidy|unify|use|wire|work|wrap';
const ASKS_TO_CHANGE = new RegExp(`\\b(?:${CHANGES})\\b`, 'i');
const BEGINS_WITH_CHANGE = new RegExp(`^(?:${CHANGES}|${ORDERS})\\b`, 'i');
const ANNOUNCED = new RegExp(
  `^(?:(?:${INTERJECTION}|now|next|then|first|finally)[,.!]?\\s+)*(?:let me|let['’]s|(?:I|we)(?:['’]ll|['’]m going to| will| need to))\\s+(?:also |now |first |then |just )*((?:${CHANGES}|${ORDERS})\\b.+)$`,
  'i',
);
/** States what was done: "Fixed …", "Both renamed …". What was only checked is a method. */
const DID =
  /^(?:(?:both|all|two|three|four|\d+) )?(?!(?:verified|confirmed|checked|tested|reviewed|looked|searched|traced|explored|examined|measured|compared|based|expected|needed|used|left|claimed|alleged|suspected|reported|proposed|suggested|recommended|planned|required|related|unrelated|failed)\b)(?:\p{L}{2,}ed|wrote|rewrote|built|made|set up|split|cut)\b/iu;

/** "Great question!", "Done." */
export function isPleasantry(sentence: string): boolean {
  return sentence.trim().replace(OPENING, '') === '';
}

/** "Let me …", "Here's …:", "Now I'll …". */
export function isMeta(sentence: string): boolean {
  return META.test(sentence);
}

/** "The cache is probably stale", "It might be the clock". */
export function guesses(sentence: string): boolean {
  return GUESSES.test(sentence);
}

/** Those that are kept, without a sentence that refers to one that is not. */
export function keptSentences(sentences: readonly string[], isKept: (one: string) => boolean): string[] {
  let isLed = true;
  return sentences.filter((one) => {
    isLed = isKept(one) && (isLed || !refersBack(one));
    return isLed;
  });
}

/** "All tests pass.": does not distinguish a turn. */
export function isHollow(sentence: string): boolean {
  return HOLLOW.test(sentence.trim());
}

/** "Which approach do you prefer?" */
export function asksBack(sentence: string): boolean {
  return ASKS_BACK.test(sentence.trim());
}

/** "I could move it to paths", "For the reader, I'll look at its tests". */
export function proposes(sentence: string): boolean {
  return PROPOSES.test(sentence.trim());
}

/** Depends on the sentence before it. */
export function leans(sentence: string): boolean {
  return LEANS.test(sentence);
}

/** Says nothing without the sentence before it: also "The old one had this field." */
export function refersBack(sentence: string): boolean {
  return leans(sentence) || REFERS_BACK.test(sentence) || dangles(sentence) || answersBefore(sentence);
}

/** "Rewriting that out would lose the tags": what it speaks of is in the sentence before. */
export function dangles(sentence: string): boolean {
  return DANGLES.test(sentence);
}

/** "Fix: it reads the clock": says nothing without the problem before it. */
export function answersBefore(text: string): boolean {
  return ANSWERS.test(text);
}

/** Whether the text from here on, or only this paragraph, is about something else than what was asked; null for neither. */
export function topicLeft(sentence: string): 'rest' | 'paragraph' | null {
  return OTHER_TOPIC.test(sentence) ? 'rest' : SIDE_REMARK.test(sentence) ? 'paragraph' : null;
}

/** "Overall, the plan holds": sums the answer up. */
export function concludes(sentence: string): boolean {
  return CONCLUDES.test(sentence);
}

/** "Triage of those findings: the first is by design". */
export function judges(sentence: string): boolean {
  return JUDGES.test(sentence);
}

/** "Good - the type is an alias": a remark to itself, before the answer begins. */
export function reacts(sentence: string): boolean {
  return REACTS.test(sentence);
}

/** "It now describes:": no sentence without the list below it. */
export function lacksEnd(sentence: string): boolean {
  return LACKS_END.test(sentence);
}

/** "It is shown when all of these are true": the items below it hold only together. */
export function holdsTogether(lead: string): boolean {
  return HOLDS_TOGETHER.test(lead);
}

/** "It now": items below it are not understood. */
export function isLeaningLead(lead: string): boolean {
  return LEANING_LEAD.test(lead) && !namesThing(lead);
}

/** Whether what it introduces is only expected: "This time we should see:". */
export function foretells(lead: string): boolean {
  return FORETELLS.test(lead.replace(/[\s:：]+$/, ''));
}

/** "The test fails for the right reason": may hold no longer after the next change. */
export function isOfThen(text: string): boolean {
  return OF_THEN.test(text);
}

/** Written in another language with Latin letters: whether it depends on the sentence before it cannot be known. */
export function isForeign(text: string): boolean {
  return !ENGLISH.test(text) && (text.match(FOREIGN)?.length ?? 0) >= 2;
}

/** Identifiers, paths, flags and files; not complete. */
export function namesIn(text: string): readonly string[] {
  return text.match(THING) ?? [];
}

export function namesThing(text: string): boolean {
  return text.search(THING) >= 0;
}

/** Gives a cause or a reason, or says what is missing or impossible. */
export function givesReason(text: string): boolean {
  return REASON.test(text);
}

/** Begins with what was done. */
export function statesDone(text: string): boolean {
  return DID.test(text);
}

/** "rename the button": contains a verb that asks for a change. */
export function asksToChange(text: string): boolean {
  return ASKS_TO_CHANGE.test(text);
}

/** "Rename the button": begins with such a verb. */
export function isOrder(text: string): boolean {
  return BEGINS_WITH_CHANGE.test(text);
}

export function isAboutBackground(text: string): boolean {
  return ABOUT_BACKGROUND.test(text.trimStart());
}

/** Introduces a list or a block. */
export function opensBlock(text: string): boolean {
  return /[:：]\s*$/.test(text);
}

/** Whether a sentence announces what comes next; a text that ends so is no final answer. */
export function isAnnouncement(sentence: string): boolean {
  return opensBlock(sentence) || isMeta(sentence);
}

/** "Perfect! You're right: moved it" → "Moved it". */
export function withoutOpening(sentence: string): string {
  const rest = sentence.replace(OPENING, '').trim();
  return rest === '' ? sentence : capital(rest);
}

/** "I've successfully fixed the bug." → "Fixed the bug." */
export function impersonal(sentence: string): string {
  const rest = withoutOpening(sentence)
    .replace(/^(?:and|but|so|also|now|then|finally|next),?\s+/i, '')
    .replace(
      /^(?:I|we)(?:['’]ve| have)?\s+(?:now |just |also |already |successfully )*(?!(?:accept|except|need|feed)\b)(?=\w+(?:ed|lt|ote|ade|ept|ran|nt|de|und|ove)\b)/i,
      '',
    )
    .replace(
      /^(?:the )?(?:issue|problem|bug|(?:root )?cause|catch)\s*(?:here )?(?:was|is|:)\s*(?:that )?(?!\s*(?:at|by|from|in|not|now|on|only|with)\b)/i,
      '',
    );
  return capital(rest.trim());
}

/** "Now let me update the reader to skip it:" → "update the reader to skip it"; null when nothing is announced. */
export function announced(sentence: string): string | null {
  const found = ANNOUNCED.exec(sentence);
  return found === null ? null : found[1]!.replace(/[\s:：.…]+$/, '');
}
