// The agent's closing words, taken apart: what it says came of the turn, its list, what is left to do, what to
// mind. A turn's last reply is often no closing at all ("Now let me also filter …:", "That was the notification of
// the test run"): then the last one that says something counts.
import { lastChangeOf } from '../evidence/touched-files.ts';
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
import type { Message, ToolUse } from '../transcript/turn-transcript.ts';

export interface FinalAnswer {
  readonly message: Message;
  /** Everything that is quoted: the closing words, and later ones that only say what is next. */
  readonly events: readonly string[];
  /** Not closing words, but what was said on the way. */
  readonly interim: boolean;
  readonly blocks: readonly MarkdownBlock[];
  /** Headings that name the subject: not "Summary", not "Changes". */
  readonly headings: readonly string[];
  /** Sentences of its paragraphs, without pleasantries and talk about talk. */
  readonly sentences: readonly string[];
  /** List items, without those under next steps. */
  readonly items: readonly string[];
  /** The same items, each with what it stands under, and the first sentence below each heading that has no list. */
  readonly points: readonly AnswerPoint[];
  /** Of a sentence that opens a list: its first item. */
  readonly opens: ReadonlyMap<string, string>;
  /** What the agent asks the person in the end. */
  readonly questions: readonly string[];
  readonly nextSteps: readonly string[];
  readonly notes: readonly string[];
}

export interface AnswerPoint {
  /** The heading or sentence above it, where it changes what the item says: "NOT shown when"; else empty. */
  readonly lead: string;
  /** The heading, label or sentence it stands under, counted. */
  readonly group: number;
  readonly text: string;
  /** A list's item, not a paragraph's sentence. */
  readonly item: boolean;
}

/** A reply with fewer words than this says less than an earlier, longer one. */
const WORDS_MIN = 14;
const ANSWER_WORDS_MIN = 6;
/** So many last replies are looked at for one that closes the turn. */
const REPLIES_READ = 6;
const NEXT_STEPS_MAX = 6;
const SENTENCE_WORDS_MIN = 4;
const SENTENCES_ON_THE_WAY_MAX = 14;
const NOTES_MAX = 4;

const NEXT_HEADING =
  /^(?:(?:recommended |suggested |possible )?next\b.*|to-?dos?|remaining\b.*|follow-?ups?\b.*|what(?:'|’)?s (?:left|next)|still (?:to do|open|needed|missing)|open (?:points|questions|items)|outstanding\b.*|left to do)\s*:?$/i;
/** An offer, or what the person has to do: no part of what came of it. */
const NEXT_SENTENCE =
  /\bTO-?DO:|\b(?:still (?:needs?|to do|missing|open|have to)|remain(?:s|ing) (?:to|is|issue|work|step)|(?:would|do) you (?:like|want) me to|want me to|shall I|should I|let me know (?:if|when|whether) you(?:'|’)?d like|you (?:may|might|should|will|need to|'ll) (?:want to|need to|have to)|next (?:step|up|task|,)|waiting (?:on|for) (?:your|you))\b/i;
/** A state that is to go on from: both an outcome and a next step. */
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

/** Announces nothing that the agent would do. */
const LEAVES_TO_PERSON = /^let me know\b/i;

/**
 * null when the turn ends without words.
 * @param toolUses what was said before the last change of a file is no closing where something was said after it
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
 * What the agent said while it worked, newest last, where the turn ends without closing words; null for nothing.
 * @param toolUses what was used after the last words may be what they announced: then that is open no more
 */
export function interimAnswerOf(
  messages: readonly Message[],
  toolUses: readonly ToolUse[],
): FinalAnswer | null {
  const kept: { sentence: string; message: Message }[] = [];
  for (const one of messages)
    for (const sentence of parsedAnswer(one).sentences)
      if (!isAnnouncement(sentence) && wordCount(sentence) >= SENTENCE_WORDS_MIN)
        kept.push({ sentence, message: one });
  const last = kept.slice(-SENTENCES_ON_THE_WAY_MAX);
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

/** What was offered or asked after the closing words is still the turn's last word. */
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

/** Parts of a turn look at the same replies again and again: each is taken apart once. */
const taken = new WeakMap<Message, FinalAnswer>();

export function parsedAnswer(message: Message): FinalAnswer {
  const known = taken.get(message);
  if (known !== undefined) return known;
  const finalAnswer = parseAnswer(message);
  taken.set(message, finalAnswer);
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
  /** No list and no sentence was told of the heading yet. */
  let normalize = false;
  for (const { kind, text } of blocks) {
    if (kind === 'item' && opening !== null) opens.set(opening, text);
    opening = null;
    if (kind === 'heading' || kind === 'label') {
      underNext = NEXT_HEADING.test(text.replace(/[:：]$/, ''));
      group += 1;
      if (kind === 'heading') [heading, title] = [leadOf(text), text.replace(/[\s:：]+$/, '')];
      lead = kind === 'heading' ? heading : leadOf(text) || heading;
      normalize = kind === 'heading';
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
      normalize = false;
      continue;
    }
    for (const sentence of sentencesOf(text).map(withoutOpening)) {
      if (isPleasantry(sentence) || (wordCount(sentence) < 2 && !isDense(sentence))) continue;
      opening = /[:：]$/.test(sentence) ? sentence : null;
      if (opening !== null) {
        group += 1;
        lead = leadOf(sentence) || heading;
      }
      // A recommendation is told however long the list above it is.
      if (RECOMMENDS.test(sentence)) group += 1;
      if ((normalize && opening === null && heading !== '') || RECOMMENDS.test(sentence)) {
        points.push({ lead: normalize ? heading : '', group, text: sentence, item: false });
        normalize = false;
      }
      const open = !NOTHING_OPEN.test(sentence);
      const next = open && NEXT_SENTENCE.test(sentence);
      if (!next && asksBack(sentence)) {
        questions.push(sentence);
        continue;
      }
      if (next || (open && OPEN_STATE.test(sentence))) nextSteps.push(sentence);
      // Advice to do it another time says nothing without what it stands under.
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
    // A lead without its list says nothing; what was there before is nobody's next step.
    nextSteps: nextSteps
      .filter((step) => !/[:：]$/.test(step) && !NOT_OURS.test(step))
      .slice(0, NEXT_STEPS_MAX),
    notes: notes.slice(0, NOTES_MAX),
  };
}

const LEAD_CHARS_MAX = 64;
/** Says that a list follows, and nothing about what is in it. */
const neutral = () =>
  /^(?:\W*(?:(?:the |a |my |key |main |full |final |code |file |files? |brief |quick |implementation |executive )*(?:summary|changes?|fix(?:es)?|results?|details?|overview|findings|features?|implementation|files?|background|context|analysis|structure|points|updates?|highlights|notes?)(?: (?:made|summary|changed|modified|created|added|of (?:the )?\w+))*|what (?:I|was|changed|we|it)\b.*|here(?:'|’)?s\b.*|here (?:is|are)\b.*|this (?:will|means|does|now|gives|is)\b.*|it (?:now|will|does)\b.*|now\b.*|the (?:updated )?(?:script|test|doc\w*|code) (?:now |will )?\w+|looking at\b.*|based on\b.*|let me\b.*|to \p{L}+ .*|so\b.*|done|all \w+|(?:phase|step|task|part) \d+)\W*|.*\b(?:the following|as follows|are|is|includes?|added|updated|changed|created|will(?: now)?(?: show)?|now|like this))$/iu;
const RECOMMENDS =
  /^(?:I(?:(?:'|’)d| would)? (?:strongly )?(?:recommend|suggest|go with)|my (?:recommendation|vote|preference|suggestion)|recommend(?:ed|ation)?\b)/i;

/** "NOT shown when:" → "NOT shown when"; empty where it says nothing about its items. */
function leadOf(text: string): string {
  const lead = text
    .replace(/[\s:：]+$/, '')
    .replace(/^\d+[.)]\s*/, '')
    .replace(/^.*[.!?]\s+(?=\S)/, '');
  return lead.length > LEAD_CHARS_MAX || neutral().test(lead) || isMeta(lead) ? '' : lead;
}

/** Few words, and yet what came of it. */
function isAnswer({ sentences }: FinalAnswer): boolean {
  const words = sentences.filter((one) => !isHollow(one)).join(' ');
  return wordCount(words) >= ANSWER_WORDS_MIN;
}

function isSubstantial(finalAnswer: FinalAnswer): boolean {
  if (endsOpen(finalAnswer) && finalAnswer.items.length < 3) return false;
  const words = [...finalAnswer.sentences, ...finalAnswer.items].join(' ');
  return wordCount(words) >= WORDS_MIN || (isDense(words) && words.length >= 30);
}

/** Its last words announce what the agent does next. */
function endsOpen({ blocks }: FinalAnswer): boolean {
  const last = blocks.at(-1);
  if (last === undefined) return true;
  const sentence = sentencesOf(last.text).at(-1) ?? '';
  return last.kind !== 'item' && (last.kind === 'label' || isAnnouncement(sentence)) && blocks.length <= 3;
}
