// Parses the agent's final answer: outcome, list items, next steps and notes. A turn's last reply is often no final answer
// ("Now let me also filter …:", "That was the notification of the test run"); then the last substantial reply counts.
import { type MarkdownBlock, markdownBlocks } from '../text/markdown.ts';
import { isDense, sentencesOf, wordCount } from '../text/sentences.ts';
import {
  asksBack,
  isAboutBackground,
  isAnnouncement,
  isHollow,
  isMeta,
  isPleasantry,
  withoutOpening,
} from '../text/wording.ts';
import { lastChangeOf } from '../transcript/touched-files.ts';
import type { Message, ToolUse } from '../transcript/turn-transcript.ts';

export interface FinalAnswer {
  readonly message: Message;
  /** Events of the quoted replies: the final answer, and later replies that only state what is next. */
  readonly events: readonly string[];
  /** Made of interim replies, because there is no final answer. */
  readonly interim: boolean;
  readonly blocks: readonly MarkdownBlock[];
  /** Headings that name a subject: not "Summary", not "Changes". */
  readonly headings: readonly string[];
  /** Sentences of its paragraphs, without pleasantries and talk about the answer itself. */
  readonly sentences: readonly string[];
  /** List items, except next steps. */
  readonly items: readonly string[];
  /** The same items with their headings, and the first sentence below each heading without a list. */
  readonly points: readonly AnswerPoint[];
  /** Maps a sentence that introduces a list to the first item. */
  readonly opens: ReadonlyMap<string, string>;
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
  readonly text: string;
  /** A list item, not a sentence of a paragraph. */
  readonly item: boolean;
}

/** A reply with fewer words is no final answer if an earlier, longer one exists. */
const WORDS_MIN = 14;
const ANSWER_WORDS_MIN = 6;
/** Number of last replies to search for the final answer. */
const REPLIES_READ = 6;
const NEXT_STEPS_MAX = 6;
const SENTENCE_WORDS_MIN = 4;
const INTERIM_SENTENCES_MAX = 14;
const NOTES_MAX = 4;

const NEXT_HEADING =
  /^(?:(?:recommended |suggested |possible )?next\b.*|to-?dos?|remaining\b.*|follow-?ups?\b.*|what(?:'|’)?s (?:left|next)|still (?:to do|open|needed|missing)|open (?:points|questions|items)|outstanding\b.*|left to do)\s*:?$/i;
/** An offer, or a task for the person: not part of the outcome. */
const NEXT_SENTENCE =
  /\bTO-?DO:|\b(?:still (?:needs?|to do|missing|open|have to)|remain(?:s|ing) (?:to|is|issue|work|step)|(?:would|do) you (?:like|want) me to|want me to|shall I|should I|let me know (?:if|when|whether) you(?:'|’)?d like|you (?:may|might|should|will|need to|'ll) (?:want to|need to|have to)|next (?:step|up|task|,)|waiting (?:on|for) (?:your|you))\b/i;
/** An unfinished state: both an outcome and a next step. */
const OPEN_STATE =
  /\b(?:ready for you to|ready to (?:commit|merge|implement|push|review)|(?:left|still|sits?|remains?) (?:un(?:committed|staged|pushed)|open)|uncommitted|nothing (?:is |was |has been )?(?:committed|pushed)(?: yet)?|not (?:yet )?(?:committed|pushed|implemented|done)|on your (?:plate|side))\b/i;
const LATER =
  /\bworth (?:fixing|doing|addressing|cleaning|a (?:separate|follow-?up))\b|\b(?:in|as|for) a (?:separate|follow-?up|later|future) (?:PR|commit|change|issue|task|pass)\b/i;
const NOT_OURS =
  /\b(?:unrelated|pre-?existing|untouched|as expected|were (?:there|in the tree) before|not (?:part of|from) (?:this|my))\b/i;
const NOTHING_OPEN = /\b(?:no|nothing|none)\b[^.]{0,30}\b(?:left|remain\w*|uncommitted|open)\b/i;
const NOTE_SENTENCE =
  /^(?:\(?note\b|important\b|caveat|one (?:thing|caveat|note)|however\b|but (?:note|be aware)|be (?:aware|careful)|keep in mind|for (?:future )?reference|heads[- ]up|warning|limitation|downside|the (?:catch|downside|only))|\b(?:could(?:n't| not) (?:verify|test|run|reproduce)|not (?:been )?(?:tested|verified)|untested|unverified|pre-?existing|unrelated|out of scope|known (?:issue|limitation)|doesn(?:'|’)t (?:cover|handle)|deliberately|intentionally left)\b/i;
const GENERIC_HEADING =
  /^(?:\W*(?:summary|changes?(?: made| summary)?|what (?:i|we)(?:'|’)?(?:ve)? (?:did|changed|found|done)|what was (?:done|changed|implemented|accomplished|completed)|overview|details?|results?|implementation(?: details| summary)?|files? (?:changed|modified|created)|key (?:changes|points|features|findings|insights?)|conclusion|analysis|(?:the |my |proposed )?(?:fix|solution|solutions|problem|issue|recommendation|answer|approach|bug|assessment|verdict)|verification|tests?|testing|usage|before(?:\/| and | )after|before|after|options?|example|structure|benefits|how it works|why it works|bottom line|findings|background|context|issues found|review|validation summary|short answer|tl;?dr)(?:\b\W*\S*)?|.*\b(?:complete|completed|done|summary)\W*|why this .{0,24}|\W*\d+[.)]?.*|(?:phase|step|option|approach|issue|task|part|batch) \d+.*|完成總結|總結|总结)$/i;

/** Leaves the next step to the person. */
const LEAVES_TO_PERSON = /^let me know\b/i;

/**
 * The final answer; null when the turn ends without text.
 * @param toolUses replies before the last change of a file are no final answer when a later reply exists
 */
export function finalAnswerOf(
  messages: readonly Message[],
  toolUses: readonly ToolUse[],
): FinalAnswer | null {
  let thin: FinalAnswer | null = null;
  const later: FinalAnswer[] = [];
  const changed = lastChangeOf(toolUses);
  for (let index = messages.length - 1; index >= 0 && index >= messages.length - REPLIES_READ; index--) {
    const one = parsedAnswer(messages[index]!);
    if (thin !== null && messages[index]!.order < changed && isAnswer(thin))
      return withLater(thin, later.slice(1));
    const background = isAboutBackground(messages[index]!.text) && later.length < messages.length - 1;
    if (isSubstantial(one) && !background) return withLater(one, later);
    if (thin === null && !endsOpen(one)) thin = one;
    later.unshift(one);
  }
  return thin;
}

/**
 * Interim replies, newest last, for a turn without final answer; null when there are none.
 * @param toolUses a successful use after the last reply means that the announced step was done
 */
export function interimAnswerOf(
  messages: readonly Message[],
  toolUses: readonly ToolUse[],
): FinalAnswer | null {
  const kept: { sentence: string; message: Message }[] = [];
  for (let index = messages.length - 1; index >= 0 && kept.length < INTERIM_SENTENCES_MAX; index--)
    for (const sentence of parsedAnswer(messages[index]!).sentences.toReversed())
      if (!isAnnouncement(sentence) && wordCount(sentence) >= SENTENCE_WORDS_MIN)
        kept.push({ sentence, message: messages[index]! });
  const last = kept.slice(0, INTERIM_SENTENCES_MAX).reverse();
  const end = messages.at(-1);
  if (end === undefined) return null;
  const next =
    sentencesOf(end.text)
      .at(-1)
      ?.replace(/[\s:：]+$/, '') ?? '';
  if (last.length === 0 && !isMeta(next)) return null;
  const isOpen =
    isMeta(next) &&
    !LEAVES_TO_PERSON.test(next) &&
    !toolUses.some(({ order, outcome }) => outcome === 'ok' && order > end.order);
  return {
    message: end,
    events: [...new Set([...last.map((one) => one.message), end].flatMap(({ events }) => events))],
    interim: true,
    blocks: last.map(({ sentence }) => ({ kind: 'text', text: sentence })),
    headings: [],
    sentences: last.map(({ sentence }) => sentence),
    items: [],
    points: [],
    opens: new Map(),
    questions: [],
    nextSteps: isOpen ? [`Announced last: ${next}`] : [],
    notes: [],
  };
}

/** Adds offers and questions from replies after the final answer. */
function withLater(finalAnswer: FinalAnswer, later: readonly FinalAnswer[]): FinalAnswer {
  const saying = later.filter(({ nextSteps, questions }) => nextSteps.length + questions.length > 0);
  if (saying.length === 0) return finalAnswer;
  const last = saying.at(-1)!;
  return {
    ...finalAnswer,
    events: [...finalAnswer.events, ...last.events],
    nextSteps: [...new Set([...last.nextSteps, ...finalAnswer.nextSteps])].slice(0, NEXT_STEPS_MAX),
    questions: last.questions.length > 0 ? last.questions : finalAnswer.questions,
  };
}

/** Cache: the parts of a turn parse the same replies repeatedly. */
const parsed = new WeakMap<Message, FinalAnswer>();

export function parsedAnswer(message: Message): FinalAnswer {
  const known = parsed.get(message);
  if (known !== undefined) return known;
  const finalAnswer = parseAnswer(message);
  parsed.set(message, finalAnswer);
  return finalAnswer;
}

function parseAnswer(message: Message): FinalAnswer {
  const blocks = markdownBlocks(message.text);
  const headings: string[] = [];
  const sentences: string[] = [];
  const items: string[] = [];
  const nextSteps: string[] = [];
  const notes: string[] = [];
  const questions: string[] = [];
  const opens = new Map<string, string>();
  const points: AnswerPoint[] = [];
  let opening: string | null = null;
  let underNext = false;
  let group = 0;
  let heading = '';
  let title = '';
  let lead = '';
  /** The heading has no list item or sentence yet. */
  let headingIsEmpty = false;
  for (const { kind, text } of blocks) {
    if (kind === 'item' && opening !== null) opens.set(opening, text);
    opening = null;
    if (kind === 'heading' || kind === 'label') {
      underNext = NEXT_HEADING.test(text.replace(/[:：]$/, ''));
      group += 1;
      if (kind === 'heading') [heading, title] = [leadOf(text), text.replace(/[\s:：]+$/, '')];
      lead = kind === 'heading' ? heading : leadOf(text) || heading;
      headingIsEmpty = kind === 'heading';
      const name = text.replace(/[:：]$/, '').replace(/^\d+[.)]\s*/, '');
      if (kind === 'heading' && !underNext && !GENERIC_HEADING.test(name) && wordCount(name) >= 3)
        headings.push(name);
      else if (kind === 'label' && !isMeta(text) && /^\p{Lu}?\p{L}+(?:ed|ote|ade|ept|ran)\b/u.test(text))
        sentences.push(text);
      opening = text;
      continue;
    }
    if (kind === 'item' && underNext) {
      nextSteps.push(text);
      continue;
    }
    if (kind === 'item') {
      if (NEXT_SENTENCE.test(text) && text.length < 200 && !NOTHING_OPEN.test(text)) nextSteps.push(text);
      else {
        items.push(text);
        points.push({ lead, group, text, item: true });
      }
      headingIsEmpty = false;
      continue;
    }
    for (const sentence of sentencesOf(text).map(withoutOpening)) {
      if (isPleasantry(sentence) || (wordCount(sentence) < 2 && !isDense(sentence))) continue;
      opening = /[:：]$/.test(sentence) ? sentence : null;
      if (opening !== null) {
        group += 1;
        lead = leadOf(sentence) || heading;
      }
      // A recommendation is always kept, however long the list above it is.
      if (RECOMMENDS.test(sentence)) group += 1;
      if ((headingIsEmpty && opening === null && heading !== '') || RECOMMENDS.test(sentence)) {
        points.push({ lead: headingIsEmpty ? heading : '', group, text: sentence, item: false });
        headingIsEmpty = false;
      }
      const open = !NOTHING_OPEN.test(sentence);
      const next = open && NEXT_SENTENCE.test(sentence);
      if (!next && asksBack(sentence)) {
        questions.push(sentence);
        continue;
      }
      if (next || (open && OPEN_STATE.test(sentence))) nextSteps.push(sentence);
      // Advice to do something later needs its heading to be understood.
      else if (LATER.test(sentence)) nextSteps.push(title === '' ? sentence : `${title}: ${sentence}`);
      else if (NOTE_SENTENCE.test(sentence) && !opening) notes.push(sentence);
      if (!next && !isMeta(sentence)) sentences.push(sentence);
    }
    if (kind === 'text') underNext = underNext && /[:：]$/.test(text);
  }
  return {
    message,
    events: message.events,
    interim: false,
    blocks,
    headings,
    sentences,
    items: items.filter((item) => /[\p{L}]{3}/u.test(item)),
    points: points.filter(({ text }) => /[\p{L}]{3}/u.test(text)),
    opens,
    questions: questions.slice(-2),
    // Drop leads without a list, and remarks about unrelated or older problems.
    nextSteps: nextSteps
      .filter((step) => !/[:：]$/.test(step) && !NOT_OURS.test(step))
      .slice(0, NEXT_STEPS_MAX),
    notes: notes.slice(0, NOTES_MAX),
  };
}

const LEAD_CHARS_MAX = 64;
/** Introduces a list without saying anything about its items. */
const neutral = () =>
  /^(?:\W*(?:(?:the |a |my |key |main |full |final |code |file |files? |brief |quick |implementation |executive )*(?:summary|changes?|fix(?:es)?|results?|details?|overview|findings|features?|implementation|files?|background|context|analysis|structure|points|updates?|highlights|notes?)(?: (?:made|summary|changed|modified|created|added|of (?:the )?\w+))*|what (?:I|was|changed|we|it)\b.*|here(?:'|’)?s\b.*|here (?:is|are)\b.*|this (?:will|means|does|now|gives|is)\b.*|it (?:now|will|does)\b.*|now\b.*|the (?:updated )?(?:script|test|doc\w*|code) (?:now |will )?\w+|looking at\b.*|based on\b.*|let me\b.*|to \p{L}+ .*|so\b.*|done|all \w+|(?:phase|step|task|part) \d+)\W*|.*\b(?:the following|as follows|are|is|includes?|added|updated|changed|created|will(?: now)?(?: show)?|now|like this))$/iu;
const RECOMMENDS =
  /^(?:I(?:(?:'|’)d| would)? (?:strongly )?(?:recommend|suggest|go with)|my (?:recommendation|vote|preference|suggestion)|recommend(?:ed|ation)?\b)/i;

/** "NOT shown when:" → "NOT shown when"; empty when it says nothing about its items. */
function leadOf(text: string): string {
  const lead = text
    .replace(/[\s:：]+$/, '')
    .replace(/^\d+[.)]\s*/, '')
    .replace(/^.*[.!?]\s+(?=\S)/, '');
  return lead.length > LEAD_CHARS_MAX || neutral().test(lead) || isMeta(lead) ? '' : lead;
}

/** Short, but still an outcome. */
function isAnswer({ sentences }: FinalAnswer): boolean {
  const words = sentences.filter((one) => !isHollow(one)).join(' ');
  return wordCount(words) >= ANSWER_WORDS_MIN;
}

function isSubstantial(finalAnswer: FinalAnswer): boolean {
  if (endsOpen(finalAnswer) && finalAnswer.items.length < 3) return false;
  const words = [...finalAnswer.sentences, ...finalAnswer.items].join(' ');
  return wordCount(words) >= WORDS_MIN || (isDense(words) && words.length >= 30);
}

/** Whether it ends by announcing what the agent does next. */
function endsOpen({ blocks }: FinalAnswer): boolean {
  const last = blocks.at(-1);
  if (last === undefined) return true;
  const sentence = sentencesOf(last.text).at(-1) ?? '';
  return last.kind !== 'item' && (last.kind === 'label' || isAnnouncement(sentence)) && blocks.length <= 3;
}
