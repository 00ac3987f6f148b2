// Extracts decisions: the person's rules and corrections first, then sentences and commit messages of the agent that state a
// choice and its reason. Recommendations and questions are no choices.

import { anyOf } from '../text/any-of.ts';
import { cutAtWord, sentencesOf, wordCount } from '../text/sentences.ts';
import { asksBack, leans } from '../text/wording.ts';
import type { FinalAnswer } from './final-answer.ts';

/** A longer sentence of a person is a description. */
const PERSON_CHARS_MAX = 420;
/** Fewer words only decide when they name what to do: "Use tabs, never spaces". */
const PERSON_WORDS_MIN = 5;
const AGENT_CHARS_MAX = 300;
const AGENT_WORDS_MIN = 7;
const PERSON_MAX = 3;
const DECISIONS_MAX = 5;

/** "no, it should be …", "don't …", "always …", "use x, not y": a rule or a correction. */
const CORRECTS = anyOf(
  { flags: 'i' },
  /^(?:(?:no|nope|wrong|stop(?! (?:after|when|if|before|once|and|at)\b)|actually)\b[,.!:;—– -]+\S|(?:please |also |and |but )?(?:don['’]?t|do not|only|no need to|avoid|keep|leave|stick (?:to|with)|drop)\b(?! me\b| going))/,
  /^(?:please |also |and |but )?(?:always|never)\b(?! mind\b| ever\b| \w+(?:(?<!s)s|(?<!e)ed|(?<!br)ing)\b)/,
  /,\s*(?:keep|drop|leave|but not|not) (?:the|it|them|that|those|every|all)\b/,
  /\b(?:use|make it|call it) [^,.?]{2,60}(?:,? (?:not|never|instead|rather than)\b)/,
  /\b(?:do not|don['’]?t|never) (?:run|use|add|commit|push|touch|change|create|write|make|include|need)\b/,
);
/** A rule that is clear in a few words: not "Never mind", "Always fails", "Use that instead". */
const CLEAR_RULE = anyOf(
  { flags: 'i', before: /^(?:(?:please|no|and|but),? )?/ },
  /(?:always|never) (?!mind\b|ever\b|(?:do|be|say|try) (?:it|this|that|so)\b|\w+(?:(?<!s)s|(?<!e)ed|(?<!br)ing)\b)[\w-]+ (?!(?:it|this|that|them|me|again)\W*$)\S/,
  /(?:only )?use (?!(?:it|this|that|these|those|them|the other)\b)[^,.?]{2,60},? (?:not|never|instead of|rather than) (?!(?:it|this|that|these|those|them)\W*$)\S/,
  /I prefer (?!(?:it|this|that|these|those|the (?:first|second|last|other|latter|former)|option)\b)\S/,
);
/** How a decision of a person begins. */
export const OF_PERSON = 'The person: ';
/** "So we decide: …" */
const ANNOUNCES = /^(?:(?:so|ok(?:ay)?|and),? )?(?:we|I) decide\b/i;
/** Words by which a person decides. */
const PERSON_DECIDES = anyOf(
  { flags: 'i', before: /\b/ },
  /I(?:['’]?d| would) (?:go with|rather|prefer\w*|call|like to (?:keep|do|avoid))/,
  /I (?:prefer\w*|only want|want to (?:keep|avoid)|don['’]?t (?:want|think|need|like)|decided)/,
  /I think (?:it['’]?s (?:better|correct|fine)|it should|that should|we (?:can|could|must) (?:remove|drop|skip|keep|use|adopt|replace|move)\b)/,
  /(?:I|we) want (?!you\b|us\b|to\b|an?\b|some)\w/,
  /(?:we['’]re|we are|I['’]m|I am) (?:going to (?:adopt|use|keep|drop|remove|replace|switch|move)\b|(?:going with|moving to|switching to|dropping)\b)/,
  /we (?:still |also )?(?:removed|decided|only|always|never|keep|should(?:n['’]t| not)?|don['’]t (?:want|need)|must|agreed|no longer)/,
  /let['’]?s (?:keep|use|go with|not|stick)/,
  /(?:deliberate\w*|intentional\w*|on purpose)/,
  /(?:it['’]?s|this is|that is) allowed/,
  /the (?:issue|problem|trouble) with (?:the|this|that|your)\b/,
  /go with option/,
  /from now on\b/,
  /should (?:be|appear as|use|go|stay|live) [^,.?]{1,60},? (?:and )?(?:not|instead of|rather than) \w/,
  /(?:I|we) no longer (?:use|need|want|support)\b/,
  /instead of (?:that|this|the)\b/,
);
/** A question, the beginning of something else, or only a thought. */
const LEFT_OPEN = anyOf(
  { flags: 'i' },
  /[?:]\s*$/,
  /\b(?<!\b(?:the|on|to|is|are|was|be|top|bottom|not|all) )right\W*$/,
  /(?:^\W*|,? )(?:perhaps|maybe),? (?:we|I|you|it)\b/,
  /\bI (?:thought|thougth)\b/,
);
/** The sentence after it says what would be, or what somebody else should be told. */
const SUPPOSES = /\b(?:imagine|suppose|what if|I wonder (?:if|whether))\b/i;
/** Says that it is agreed on later: what is said before only proposes. */
const AGREES_LATER =
  /\b(?:let me know (?:what you think|first|your (?:plan|thoughts))|(?:once|when|after|until) (?:we(?:['’]ve| have)? )?agreed?|come up with (?:a|an|another) (?:new |better )?(?:plan|proposal)|what do you think|does (?:that|this|it) make sense)\b/i;
/** An instruction for the next step, or what leaves the matter to somebody. */
const NOTHING_DECIDED = anyOf(
  { flags: 'i' },
  /^\W*(?:what|why|how|who)(?:['’]s|s)?\b/,
  /^(?:now|then|next),? (?:we|you|I)\b/,
  /\bdecide\b/,
  /\bshould be (?:a (?:bit|little) )?(?:clearer|better|simpler|cleaner|nicer|shorter|more \w+)\b/,
  /^(?:no,? )?(?:undo|revert)\b/,
  /^(?:the|this|these|when|missing|lines?|in|while|consider|without|duplicated?)\b(?!.*\b(?:I|we|you|let['’]?s)\b)/,
);

const CHOSE =
  /\b(?:I|we)(?:['’]ve| have)? (?:deliberately |intentionally )?(?:chose|went with|kept|left|picked|decided|opted|keep|rejected)\b|\b(?:deliberately|intentionally|on purpose)\b/i;
const GIVES_REASON =
  /\b(?:because|since|so that|so (?:it|a|an|the)\b|instead of|rather than|otherwise|would|still|due to|in order to)\b/i;
/** About a single run, not about the product; only recommended; or what something does, which may have been chosen before. */
const NO_CHOICE =
  /\b(?:re-?ran|re-?launched|this (?:session|turn|run)|recommend\w*|suggest\w*|if you want|(?:deliberately|intentionally) \w+s)\b/i;

export interface DecisionSources {
  /** Sentences of the prompts; for the first part of a turn only. */
  readonly asked: readonly string[];
  readonly finalAnswer: FinalAnswer | null;
  /** Messages of commits. */
  readonly commits: readonly string[];
  readonly changed: boolean;
}

/** The decisions; those of the person begin with "The person: ". */
export function decisionsOf({ asked, finalAnswer, commits, changed }: DecisionSources): string[] {
  const agreedLater = asked.findLastIndex((one) => AGREES_LATER.test(one));
  const persons = asked
    .filter((one, index) => index > agreedLater && isRule(one) && !SUPPOSES.test(asked[index - 1] ?? ''))
    .slice(0, PERSON_MAX);
  // Advice without a change is no choice: the person may still reject it.
  const texts = changed
    ? (finalAnswer?.blocks ?? []).filter(({ kind }) => kind === 'text' || kind === 'item')
    : [];
  const chosen = texts.flatMap(({ text }) => sentencesOf(text).filter(isChoice));
  const stated = commits.flatMap((message) => {
    const [subject = '', ...body] = message.split('\n');
    return sentencesOf(body.join(' ').trim())
      .filter(isChoice)
      .slice(0, 1)
      .map((choice) => cutAtWord(`${subject}: ${choice}`, AGENT_CHARS_MAX));
  });
  return [...new Set([...persons.map((one) => `${OF_PERSON}${one}`), ...chosen, ...stated])].slice(
    0,
    DECISIONS_MAX,
  );
}

/** A person's sentence that states a rule or a correction. */
export function isRule(sentence: string): boolean {
  return (
    sentence.length <= PERSON_CHARS_MAX &&
    !LEFT_OPEN.test(sentence) &&
    (wordCount(sentence) < PERSON_WORDS_MIN
      ? CLEAR_RULE.test(sentence)
      : ANNOUNCES.test(sentence) ||
        (!NOTHING_DECIDED.test(sentence) && (CORRECTS.test(sentence) || PERSON_DECIDES.test(sentence))))
  );
}

function isChoice(sentence: string): boolean {
  return (
    sentence.length <= AGENT_CHARS_MAX &&
    wordCount(sentence) >= AGENT_WORDS_MIN &&
    CHOSE.test(sentence) &&
    GIVES_REASON.test(sentence) &&
    !NO_CHOICE.test(sentence) &&
    !leans(sentence) &&
    !asksBack(sentence)
  );
}
