// Parses the agent's final answer: outcome, list items, next steps and notes. A turn's last reply is often no final answer
// ("Now let me also filter …:", "That was the notification of the test run"); then the last substantial reply counts.
import { anyOf } from '../text/any-of.ts';
import { type MarkdownBlock, markdownBlocks } from '../text/markdown.ts';
import { capital, isDense, sentencesOf, wordCount } from '../text/sentences.ts';
import {
  answersBefore,
  asksBack,
  foretells,
  isAboutBackground,
  isAnnouncement,
  isHollow,
  isLeaningLead,
  isMeta,
  isPleasantry,
  namesThing,
  opensBlock,
  reacts,
  refersBack,
  statesDone,
  topicLeft,
  withoutOpening,
} from '../text/wording.ts';
import { memoized } from '../transcript/memoized.ts';
import type { Message } from '../transcript/turn-transcript.ts';

export interface FinalAnswer {
  readonly message: Message;
  /** Events of the quoted replies. */
  readonly events: readonly string[];
  /** Made of interim replies, because there is no final answer. */
  readonly interim: boolean;
  readonly blocks: readonly MarkdownBlock[];
  /** Sentences of its paragraphs, without pleasantries and talk about the answer itself. */
  readonly sentences: readonly string[];
  /** Those of them that refer to something left out: "This saves a second", below a list; also what "Option 2" or "Keep" says. */
  readonly loose: readonly string[];
  /** List items, except next steps. */
  readonly items: readonly string[];
  /** The same items with their headings, and the first sentence below each heading without a list. */
  readonly points: readonly AnswerPoint[];
  /** Questions to the person at the end. */
  readonly questions: readonly string[];
  readonly nextSteps: readonly string[];
  readonly notes: readonly string[];
}

export interface AnswerPoint {
  /** The heading or sentence above the item, when it changes the item's meaning: "NOT shown when"; else empty. */
  readonly lead: string;
  /** Number of the heading, label or sentence above it. */
  readonly group: number;
  /** Number of the heading above it. */
  readonly section: number;
  /** It stands directly below a heading such as "Solution". */
  readonly isOfHeading: boolean;
  readonly text: string;
}

/** A reply with fewer words is no final answer if an earlier, longer one exists. */
const WORDS_MIN = 14;
/** Number of last replies to search for the final answer. */
const REPLIES_READ = 6;
const NEXT_STEPS_MAX = 6;
const SENTENCE_WORDS_MIN = 4;
const INTERIM_SENTENCES_MAX = 14;
/** A step of the moment. */
const STEP = /^(?:now|next|first|then|still)\b/i;
const NOTES_MAX = 4;

/** Text below such a heading is one of several options, an old state, something to keep, or an example. */
const OF_MODE =
  /\b(?:keep|kept|stays?|unchanged|examples?|drafts?|sketch|vocabulary|options?|alternatives?|approach(?:es)?|recommend\w*|suggest\w*|propos\w*|problems?|before|benefits?|edge cases?|pros|cons|trade-?offs?)\b/i;
/** Ends in the middle of a sentence, or with a condition or an example. */
const INTERRUPTED = /[\p{L}\p{N}`]$|(?:\bif\b|for example)[^.!?]*:$/iu;
const NEXT_HEADING =
  /^(?:(?:recommended |suggested |possible )?next\b|to-?dos?\b|remaining\b|follow-?ups?\b|what['’]?s (?:left|next)|still\b|open\b|outstanding\b|left to do)/i;
/** "I assumed …", below "Open questions and assumptions". */
const REPORTS = /^(?:I|we) (?:assumed|reviewed|checked|verified|kept|left|used|did(?:n['’]t| not))\b/i;
/** An offer, a task for the person, or an unfinished state. */
const NEXT_SENTENCE = anyOf(
  { flags: 'i' },
  /\bTO-?DO:/,
  anyOf(
    { flags: 'i', before: /\b/, after: /\b/ },
    /(?:still (?:needs?|to do|missing|open)|remain(?:s|ing) (?:to|is|issue|work|step))/,
    /(?:would|do) you (?:like|want) me to|want me to|shall I|should I|let me know/,
    /you (?:may|might|should|will|need to|['’]ll) (?:want|need|have) to/,
    /next (?:step|up|task)/,
    /waiting (?:on|for) (?:your|you)|ready (?:for you )?to (?:commit|merge|implement|push|review)/,
    /(?:is|are|sits?|left|still|all|remain\w*|changes?|files?|modified),? uncommitted|uncommitted[,:] .{4}|nothing (?:is |was )?(?:committed|pushed)|not (?:yet )?(?:committed|pushed|implemented)/,
    /worth (?:fixing|doing|addressing|a (?:separate|follow-?up))/,
    /(?:in|as|for) a (?:separate|follow-?up|later|future) (?:PR|commit|change|issue|task|pass)/,
    /(?:can(?:['’]t|not)|could(?:n['’]t| not)) [^.]{3,60} yet/,
    /still on (?:your|my|the) (?:plate|list)/,
  ),
);
/** About what is not part of this work, or says that nothing is open. */
const NOT_OURS =
  /\b(?:unrelated|pre-?existing|untouched|as expected|not (?:part of|from) (?:this|my)|(?:no|nothing|none)\b[^.]{0,30}\b(?:left|remain\w*|uncommitted|open))\b/i;
const NOTE_SENTENCE = anyOf(
  { flags: 'i' },
  /^(?:note\b|important\b|caveat|one (?:thing|caveat|note)|however\b|be (?:aware|careful)|keep in mind|heads[- ]up|warning|limitation|the (?:catch|downside|only))/,
  anyOf(
    { flags: 'i', before: /\b/, after: /\b/ },
    /could(?:n['’]t| not) (?:verify|test|run|reproduce)/,
    /not (?:been )?(?:tested|verified)|untested|unverified/,
    /pre-?existing|unrelated|out of scope/,
    /known (?:issue|limitation)|does(?:n['’]t| not) (?:cover|handle)/,
  ),
);

const LAUNCHES = /\b(?:dispatch|launch|spawn|start|sub-?agents?|reviewers?)\b/i;
/** Leaves the next step to the person. */
const LEAVES_TO_PERSON = /^let me know\b/i;

/**
 * The final answer; null when the turn ends without text. What was said before the person answered a question is none; nor
 * is, when a later reply exists, what was said before the last change of a file.
 * @param lastWork order of the last change of any state, if the turn ends with work: null when nothing was said after it
 */
export function finalAnswerOf(
  messages: readonly Message[],
  { lastChange, lastAsked }: Pick<Lasts, 'lastChange' | 'lastAsked'>,
  lastWork: string,
): FinalAnswer | null {
  if (messages.length === 0 || messages.at(-1)!.order < lastWork) return null;
  let thin: FinalAnswer | null = null;
  for (let index = messages.length - 1; index >= 0 && index >= messages.length - REPLIES_READ; index--) {
    const message = messages[index]!;
    if (message.order < lastAsked || (thin !== null && message.order < lastChange)) break;
    const one = parsedAnswer(message);
    const background = isAboutBackground(message.text) && index > 0;
    if (isSubstantial(one) && !background) return one;
    if (thin === null && !endsOpen(one)) thin = one;
  }
  return thin;
}

/** Orders of the last things of their kind in a turn; see TurnWork. */
export interface Lasts {
  readonly lastChange: string;
  readonly lastSuccess: string;
  readonly lastOfSubagent: string;
  readonly lastEffect: string;
  readonly lastAsked: string;
}

/**
 * Interim replies, newest last, for a turn without final answer; null when there are none. What was said before the last
 * change, or before the person answered a question, may hold no longer: it is none of its sentences.
 * A tool use that succeeded after the last reply means that the announced step was done; of a sub-agent, that it was launched.
 */
export function interimAnswerOf(
  messages: readonly Message[],
  { lastSuccess, lastOfSubagent, lastEffect, lastAsked }: Lasts,
): FinalAnswer | null {
  const after = lastEffect > lastAsked ? lastEffect : lastAsked;
  const kept: { sentence: string; message: Message }[] = [];
  for (let index = messages.length - 1; index >= 0 && kept.length < INTERIM_SENTENCES_MAX; index--)
    for (const sentence of parsedAnswer(messages[index]!).sentences.toReversed())
      if (!isAnnouncement(sentence) && !STEP.test(sentence) && wordCount(sentence) >= SENTENCE_WORDS_MIN)
        kept.push({ sentence, message: messages[index]! });
  const last = kept.slice(0, INTERIM_SENTENCES_MAX).reverse();
  const end = messages.at(-1);
  if (end === undefined) return null;
  const next =
    sentencesOf(end.text)
      .at(-1)
      ?.replace(/[\s:：]+$/, '') ?? '';
  if (last.length === 0 && !isMeta(next)) return null;
  const isDone = lastSuccess > end.order || (LAUNCHES.test(next) && lastOfSubagent > end.order);
  const isOpen = isMeta(next) && !LEAVES_TO_PERSON.test(next) && !isDone;
  return {
    message: end,
    events: [...new Set([...last.map((one) => one.message), end].flatMap(({ events }) => events))],
    interim: true,
    blocks: last.map(({ sentence }) => ({ kind: 'text', text: sentence })),
    sentences: last.filter(({ message }) => message.order > after).map(({ sentence }) => sentence),
    loose: [],
    items: [],
    points: [],
    questions: [],
    nextSteps: isOpen ? [next] : [],
    notes: [],
  };
}

/** Each new event of a turn reads the same last replies again. */
export const parsedAnswer = memoized((message: Message): FinalAnswer => {
  const blocks = markdownBlocks(message.text);
  const sentences: string[] = [];
  const loose: string[] = [];
  const items: string[] = [];
  const nextSteps: string[] = [];
  const notes: string[] = [];
  const remarks: string[] = [];
  const questions: string[] = [];
  const points: AnswerPoint[] = [];
  let underNext = false;
  let nextHeading = false;
  let group = 0;
  let section = 0;
  let heading = '';
  let lead = '';
  /** The heading has no list item or sentence yet. */
  let headingIsEmpty = false;
  /** What a sentence that begins with "this" would be about is there. */
  let isLed = true;
  /** The block before, and whether code interrupted it: what follows is no sentence, or holds only under its condition. */
  let said = '';
  let isTail = false;
  /** The heading, or the label before this block. */
  let above = '';
  /** The table that the heading announced is left out. */
  let isBodiless = false;
  /** What follows is not about what was asked. */
  let isOtherTopic = false;
  /** The sentence above the items names nothing, or says what is only expected. */
  let isUnled = false;
  /** A sentence of this section is understood alone. */
  let isStated = false;
  const pointOf = (text: string): AnswerPoint => {
    const isOfHeading = heading !== '' && lead === heading;
    return { lead, group, section, isOfHeading, text };
  };
  /** "Fix: …" below the sentence that states the problem is its next sentence. */
  const continuesSentence = (text: string) =>
    answersBefore(text) && isStated && points.at(-1)?.section !== section;
  for (const [index, block] of blocks.entries()) {
    const { kind, text } = block;
    const before = blocks[index - 1]?.kind;
    if (kind === 'code') {
      // What the heading announced is not there, so it says nothing of what comes after.
      if (before === 'heading') {
        isBodiless = heading !== '' && block.line === undefined;
        heading = '';
        headingIsEmpty = false;
      }
      if (before === 'heading' || before === 'label') lead = heading;
      isLed = false;
      isTail = text !== '' || INTERRUPTED.test(said);
      continue;
    }
    const isContinued = isTail || (before === 'code' && /^(?:\p{Ll}|With |Where )/u.test(text));
    isTail = false;
    said = text;
    if (kind === 'heading' || kind === 'label') {
      const isNext = NEXT_HEADING.test(text);
      if (kind === 'heading') nextHeading = isNext;
      // A label divides the section; it does not end it.
      underNext = isNext || nextHeading;
      group += 1;
      if (kind === 'heading') {
        heading = leadOf(text);
        section += 1;
        isStated = false;
        isBodiless = false;
      }
      isOtherTopic = sentences.length + items.length > 0 && topicLeft(text) === 'rest';
      lead = kind === 'heading' ? heading : leadOf(text) || heading;
      headingIsEmpty = kind === 'heading';
      isUnled = isLeaningLead(lead) || foretells(text);
      above = leadOf(text) || heading;
      isLed = false;
      continue;
    }
    if (kind === 'item') {
      if (underNext && !REPORTS.test(text)) nextSteps.push(lead === heading ? text : `${lead}: ${text}`);
      else if (NEXT_SENTENCE.test(text) && text.length < NEXT_CHARS_MAX) nextSteps.push(text);
      else {
        items.push(text);
        if (continuesSentence(text)) {
          if (!isOtherTopic) sentences.push(text);
          if (isBodiless || OF_MODE.test(above)) loose.push(text);
        } else if (!isOtherTopic && !isUnled) points.push(pointOf(text));
      }
      headingIsEmpty = false;
      above = heading;
      isLed = false;
      continue;
    }
    const isReaction = index === 0 && reacts(text) && opensAnswer(blocks[1]);
    isUnled = false;
    let isRemark = isOtherTopic;
    for (const [at, sentence] of sentencesOf(text).map(withoutOpening).entries()) {
      const apart = sentences.length + items.length === 0 ? null : topicLeft(sentence);
      isOtherTopic ||= apart === 'rest';
      isRemark ||= apart !== null;
      if (isPleasantry(sentence)) continue;
      if (isReaction && at === 0 && !namesThing(sentence)) {
        isLed = false;
        continue;
      }
      if (wordCount(sentence) < 2 && !isDense(sentence) && !statesDone(sentence)) continue;
      const opensList = opensBlock(sentence);
      if (opensList) {
        group += 1;
        lead = leadOf(sentence) || heading;
        isUnled = isLeaningLead(lead) || foretells(sentence);
      } else if (headingIsEmpty && heading !== '') {
        if (!isRemark) points.push({ ...pointOf(sentence), lead: heading });
        headingIsEmpty = false;
      }
      if (asksBack(sentence) && !NEXT_SENTENCE.test(sentence)) questions.push(sentence);
      else if (NEXT_SENTENCE.test(sentence)) nextSteps.push(openPartOf(sentence));
      else if (isRemark || (NOTE_SENTENCE.test(sentence) && !opensList))
        (isRemark ? remarks : notes).push(sentence);
      const isKept = !isRemark && !asksBack(sentence) && !isMeta(sentence);
      if (isKept) sentences.push(sentence);
      isStated ||= isKept && !opensList && !refersBack(sentence) && !isHollow(sentence);
      if (
        isKept &&
        ((!isLed && refersBack(sentence)) || isBodiless || OF_MODE.test(above) || (isContinued && at === 0))
      )
        loose.push(sentence);
      else isLed = isKept;
    }
    underNext = underNext && opensBlock(text);
    above = heading;
  }
  const hasWord = (text: string) => /\p{L}{3}/u.test(text);
  return {
    message,
    events: message.events,
    interim: false,
    blocks,
    sentences,
    loose,
    items: items.filter(hasWord),
    points: points.filter(({ text }) => hasWord(text)),
    questions: questions.slice(-2),
    nextSteps: nextSteps.filter((step) => !opensBlock(step) && !NOT_OURS.test(step)).slice(0, NEXT_STEPS_MAX),
    notes: [...notes, ...remarks.filter((one) => !opensBlock(one))].slice(0, NOTES_MAX),
  };
});

/** A heading, or "Here's my review:". */
function opensAnswer(block: MarkdownBlock | undefined): boolean {
  return block !== undefined && (block.kind === 'heading' || isMeta(block.text));
}

/** "Nothing else is blocked; five files sit uncommitted": what comes before the open part says that nothing is open. */
function openPartOf(sentence: string): string {
  const clauses = sentence.split(/(?<=;) | [—–] /);
  const from = clauses.findIndex((clause) => NEXT_SENTENCE.test(clause));
  return from > 0 && NOTHING_IS.test(clauses[0]!) ? clauses.slice(from).join(' ') : sentence;
}

const NOTHING_IS = /^(?:nothing|none|no )\b/i;
const CODE_FENCE = '```';
const NEXT_CHARS_MAX = 200;
const LEAD_CHARS_MAX = 64;

/** Says nothing about the items below it. */
const NEUTRAL_LEAD =
  /^(?:(?:the|key|main|my|code|files?) )*(?:summary(?: of (?:the |my |all )*(?:changes?|work|fix(?:es)?|updates?))?|changes?|fix(?:es)?|results?|details?|overview|findings|features?|files?|analysis|points|updates?|implementation|what (?:was|i|changed).*)(?: (?:made|summary|changed|modified|created|added))?$/i;

const HERE =
  /^here(?:['’]?s| is| are) (?!.*\b(?:summary|overview|breakdown|recap|review|report|rundown|explanation|analysis|findings|what|full|complete)\b)/i;
/** Folders of a path. */
const FOLDERS = /(?:[\w.@-]+\/)+(?=[\w.-]+\.\w)/g;

/** What follows explains: "Still open — they were there before". */
const EXPLAINS = / [—–] |; /;

/** "NOT shown when:" → "NOT shown when"; "Here's the new layout:" → "The new layout"; empty when it says nothing about its items. */
function leadOf(text: string): string {
  const words = text.replace(/[\s:：]+$/, '');
  const whole = HERE.test(words) ? capital(words.replace(HERE, '')) : words;
  const lead = whole.length > LEAD_CHARS_MAX ? whole.replace(FOLDERS, '').split(EXPLAINS)[0]! : whole;
  if (lead.length > LEAD_CHARS_MAX || NEUTRAL_LEAD.test(lead)) return '';
  return isMeta(lead) && !/^summary of\b/i.test(lead) ? '' : lead;
}

function isSubstantial(finalAnswer: FinalAnswer): boolean {
  if (endsOpen(finalAnswer) && finalAnswer.items.length < 3) return false;
  const words = [...finalAnswer.sentences, ...finalAnswer.items].join(' ');
  return wordCount(words) >= WORDS_MIN || (isDense(words) && words.length >= 30);
}

/** Whether it ends by announcing what the agent does next. */
function endsOpen({ message, ...answer }: FinalAnswer): boolean {
  const blocks = answer.blocks.filter(({ kind }) => kind !== 'code');
  const last = blocks.at(-1);
  if (last === undefined) return true;
  // "Delete the old one first:" and the command.
  if (message.text.trimEnd().endsWith(CODE_FENCE)) return false;
  const sentence = sentencesOf(last.text).at(-1) ?? '';
  return last.kind !== 'item' && (last.kind === 'label' || isAnnouncement(sentence)) && blocks.length <= 3;
}
