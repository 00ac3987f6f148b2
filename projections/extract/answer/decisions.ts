// Extracts decisions: choices with their reason. The person's own rules and corrections come first. A sentence of the agent
// counts when it states a choice and its reason or alternative; recommendations, descriptions and measurements are no
// choices. The same holds for commit messages.
// A sentence that depends on the one before it ("That keeps …") is kept together with it, or dropped.

import { cutAtWord, sentencesOf, wordCount } from '../text/sentences.ts';
import type { FinalAnswer } from './final-answer.ts';

const PERSON_CHARS_MAX = 420;
const AGENT_CHARS_MAX = 300;
const PERSON_MAX = 3;
const DECISIONS_MAX = 5;
const AGENT_WORDS_MIN = 7;
const PERSON_WORDS_MIN = 5;
/** A longer sentence of a person is a description. */
const PERSON_SENTENCE_CHARS_MAX = 420;

/** "no, it should be …", "don't …", "always …", "use x, not y": a rule or a correction. */
const CORRECTS =
  /^(?:no|nope|nah|wrong|stop|wait|actually|not (?:like )?that)\b[,.!:;—– -]+\S|^(?:please )?(?:don(?:'|’)?t|do not|never|always|only (?:use|ever|do|keep|run)|no need to|avoid|keep|leave|stick (?:to|with)|revert|undo|drop|skip)\b(?! me\b| going)|,\s*(?:keep|drop|leave|but keep|but not|not) (?:the|it|them|that|those|every|all)\b|\b(?:use|make it|call it|name it) [^,.?]{2,60}(?:,? (?:not|instead of|rather than)\b|instead\b)|\b(?:do not|don(?:'|’)t|never) (?:run|use|add|commit|push|touch|change|create|write|make|include|give|put|need)\b/i;
/** Words by which a person decides. */
const PERSON_DECIDES =
  /\b(?:I(?:'|’)?d (?:go with|rather|prefer\w*|call|like to (?:keep|modify|avoid|do|use|go))|I (?:would (?:call|prefer|go|rather)|prefer\w*|want to (?:keep|avoid)|only want|don(?:'|’)?t (?:want|think|need|like)|decided|agree with)|I think (?:we should|it(?:'|’)?s (?:better|correct|fine)|it should|that should)|we (?:removed|decided|only|always|never|keep|should(?:n(?:'|’)t| not| still not| always| never)?|don(?:'|’)t (?:want|need)|must|agreed|still should|no longer)|let(?:'|’)?s (?:keep|use|go with|not|stick|do it)|(?:this|it|that) is (?:done )?(?:deliberate\w*|on purpose|intentional\w*|allowed)|it(?:'|’)?s (?:allowed|deliberate|intentional|on purpose)|the (?:issue|problem|trouble) with (?:the|this|that|your)\b.{3,}|(?:that|it|this)(?: just| only| also)? adds? (?:too much |unneeded |unnecessary )?complexity|(?:it|that|this)(?:(?:'|’)s| is) (?:correct|fine|right) (?:if|that|when|as)\b|on purpose|go with option|instead of (?:that|this|the)\b)/i;
/** A question decides nothing, except in a parenthesis. */
const ASKS = /[?:]\s*$/;
/** "We don't need the zones here, right?": a statement with a tag question. */
const TAG = /,? (?:right|correct|ok(?:ay)?|no)\?\s*$/i;
/** A rule in the form of a question: "can we not commit the drafts?" */
const ASKS_NOT =
  /^(?:(?:ok|and|but|also|so),? )?(?:can|could) (?:we|you) (?:please )?not\b(?!.*\b(?:just|simply|in a way)\b)/i;
const PARENTHESIS = /\(([^()]*\bI(?:'|’)?d (?:go with|prefer)[^()]*)\)/i;
/** Pasted findings of a review or a tool: they describe the code and do not address the agent. */
const FINDING =
  /^(?:the|this|these|when|missing|lines?|in|while|consider|without|duplicated?)\b(?!.*\b(?:I|we|you|let(?:'|’)?s)\b)/i;

/** Instructions for the next step, which are no rules. */
const ORDERS =
  /^(?:now|then|next),? (?:we|you|I) (?:should|must|need)\b|\bwe (?:should|must) be \w+er\b|^I think we should (?:be|have|get|look|check)\b/i;

/** Leaves the matter open, or asks for a single git operation. */
const NOTHING_DECIDED =
  /(?:\b(?:not|never|no need to|without)|n(?:'|’)t)\b[^.,;]{0,24}\bdecide\b|\bdecide (?:that |it |this )?(?:later|another time|tomorrow)\b|\bundecided\b|^(?:please )?(?:undo|revert|drop|skip|keep|leave)\b[^.]*\b(?:commits?|reflog|reset|rebase|stash|cherry-pick|worktree)\b/i;

const CHOSE =
  /^(?:decision|decided|verdict|resolution|chose|chosen|choice|design decision|rationale|trade-?off)\b\s*(?:[:—–]|to\b|\w+ over\b)|\b(?:I|we)(?:(?:'|’)ve| have)? (?:deliberately |intentionally |also |then |only )*(?:chose|went with|kept|left|picked|decided|opted|settled on|declined|avoided|skipped|dropped|preferred|stuck with|ruled out|rejected|pinned|scoped)\b|\b(?:deliberately|intentionally|on purpose|by design)\b|\b(?:was|were|is|are|stays?|stayed|remains?) (?:kept|left|declined|rejected|chosen|as (?:it|they) (?:is|are|was|were))\b|^instead of\b[^,]{4,90}, (?:we|I|it|the)\b/i;
const OWN = /\b(?:I|we)\b/;
/** "Decision: keep them in `paths`": a choice by its own word, even without a reason. */
const NAMED = /^(?:decision|decided|verdict|resolution)\s*[:—–]\s*\S/i;
const REASON =
  /\b(?:because|since|so that|so (?:it|we|the|that|they|a|an|existing|old)\b|the reason|to avoid|to keep|to stay|instead of|rather than|over the\b|otherwise|which (?:means|avoids|keeps|lets|would)|due to|in order to|would (?:be wrong|break|have|add|make|bury|mean)|for the sake|as (?:it|they) (?:is|are|was|has|have|would)|needs? (?:it|a|to)|belongs?)\b/i;
/** About the way of working or a single run, not about the product. */
const OF_THE_MOMENT =
  /\b(?:sub-?agents?|this (?:session|turn|time|run)|last time|brief|re-?launched|verified|screenshot|as a follow-up message|re-?ran|first pass|my (?:earlier|first|previous))\b/i;
/** Depends on the sentence before it. */
const CONTEXT_DEPENDENT =
  /^(?:that|this|it|they|both|these|those|he|she|so|which|either|neither|such|the (?:same|former|latter|first|second|other))\b/i;
const OPEN_CHOICE =
  /^(?:would|do|should|want|if|could|can|shall|unless)\b|\b(?:you(?:'|’)d (?:rather|like)|your call|either way|would you|if you want|recommend\w*|suggest\w*|my (?:preference|advice))\b|\?\s*$|[:：]\s*$/i;

export interface DecisionSources {
  /** Sentences of the prompts; for the first part of a turn only. */
  readonly asked: readonly string[];
  readonly finalAnswer: FinalAnswer | null;
  /** Messages of commits. */
  readonly commits: readonly string[];
  /** The request in one line: the subject of "Decision: keep it". */
  readonly topic: string;
  readonly changed: boolean;
}

/** The decisions; those of the person begin with "The person: ". */
export function decisionsOf({ asked, finalAnswer, commits, topic, changed }: DecisionSources): string[] {
  const persons = asked.flatMap(ruleOf).slice(0, PERSON_MAX);
  const blocks = (finalAnswer?.blocks ?? []).filter(({ kind }) => kind !== 'label');
  const named = blocks
    .filter(({ text }) => NAMED.test(text) && text.length <= AGENT_CHARS_MAX)
    .map(({ text }) => cutAtWord(topic === '' ? text : `${topic} ${text}`, AGENT_CHARS_MAX));
  const texts = blocks.filter(({ kind, text }) => kind !== 'heading' && !NAMED.test(text));
  const chosen = [...named, ...texts.flatMap(({ text }) => choicesIn(sentencesOf(text)))];
  const stated = commits.flatMap((message) => {
    const [subject = '', ...body] = message.split('\n');
    const choices = choicesIn(sentencesOf(body.join(' ').trim()), 1);
    return choices.map((choice) => cutAtWord(`${subject}: ${choice}`, AGENT_CHARS_MAX));
  });
  // Advice without a change is no choice: the person may still reject it.
  return [...new Set([...persons, ...(changed ? [...chosen, ...stated] : [])])].slice(0, DECISIONS_MAX);
}

/** A person's sentence that states a rule or a correction. */
export function isRule(sentence: string): boolean {
  return ruleOf(sentence).length > 0;
}

function ruleOf(sentence: string): string[] {
  const remark = PARENTHESIS.exec(sentence)?.[1];
  if (remark !== undefined) return [`The person: ${cutAtWord(remark.trim(), PERSON_CHARS_MAX)}`];
  if (sentence.length > PERSON_SENTENCE_CHARS_MAX || wordCount(sentence) < PERSON_WORDS_MIN) return [];
  if ((ASKS.test(sentence) && !ASKS_NOT.test(sentence) && !TAG.test(sentence)) || FINDING.test(sentence))
    return [];
  if (ORDERS.test(sentence) || NOTHING_DECIDED.test(sentence)) return [];
  if (!CORRECTS.test(sentence) && !PERSON_DECIDES.test(sentence) && !ASKS_NOT.test(sentence)) return [];
  return [`The person: ${cutAtWord(sentence, PERSON_CHARS_MAX)}`];
}

function choicesIn(sentences: readonly string[], most = 3): string[] {
  const found: string[] = [];
  sentences.forEach((sentence, index) => {
    if (!CHOSE.test(sentence) || OPEN_CHOICE.test(sentence) || OF_THE_MOMENT.test(sentence)) return;
    if (wordCount(sentence) < AGENT_WORDS_MIN) return;
    // The reason may be the next sentence.
    const next = sentences[index + 1] ?? '';
    const reasoned = REASON.test(sentence) || /\s[—–]\s/.test(sentence);
    const follows = OWN.test(sentence) && REASON.test(next) && !OPEN_CHOICE.test(next);
    const reasonedChoice = reasoned ? sentence : follows ? `${sentence} ${next}` : null;
    if (reasonedChoice === null) return;
    const before = CONTEXT_DEPENDENT.test(reasonedChoice) ? sentences[index - 1] : '';
    if (before === undefined || (before !== '' && CONTEXT_DEPENDENT.test(before))) return;
    found.push(cutAtWord(before === '' ? reasonedChoice : `${before} ${reasonedChoice}`, AGENT_CHARS_MAX));
  });
  return found.slice(0, most);
}
