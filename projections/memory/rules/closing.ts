// The agent's closing words, taken apart: what it says came of the turn, its list, what is left to do, what to
// mind. A turn's last reply is often no closing at all ("Now let me also filter …:", "That was the notification of
// the test run"): then the last one that says something counts.
import { type Block, blocksOf } from './markdown.ts';
import { isDense, sentencesOf, wordCount } from './sentences.ts';
import type { Said } from './story.ts';
import { isAnnouncement, isMeta, isPleasantry, withoutOpening } from './wording.ts';

export interface Closing {
  readonly said: Said;
  readonly blocks: readonly Block[];
  /** Headings that name the subject: not "Summary", not "Changes". */
  readonly headings: readonly string[];
  /** Sentences of its paragraphs, without pleasantries and talk about talk. */
  readonly sentences: readonly string[];
  /** List items, without those under next steps. */
  readonly items: readonly string[];
  readonly nextSteps: readonly string[];
  readonly notes: readonly string[];
}

/** A reply with fewer words than this says less than an earlier, longer one. */
const WORDS_MIN = 14;
/** So many last replies are looked at for one that closes the turn. */
const REPLIES_READ = 6;
const NEXT_STEPS_MAX = 6;
const NOTES_MAX = 4;

const NEXT_HEADING =
  /^(?:(?:recommended |suggested |possible )?next\b.*|to-?dos?|remaining\b.*|follow-?ups?\b.*|what(?:'|’)?s (?:left|next)|still (?:to do|open|needed|missing)|open (?:points|questions|items)|outstanding\b.*|left to do)\s*:?$/i;
const NEXT_SENTENCE =
  /\b(?:todo|still (?:needs?|to do|missing|open|have to)|remain(?:s|ing) (?:to|is|issue|work|step)|(?:would|do) you (?:like|want) me to|want me to|shall I|should I|let me know (?:if|when|whether) you(?:'|’)?d like|you (?:may|might|should|will|need to|'ll) (?:want to|need to|have to)|next (?:step|up|,)|waiting (?:on|for) (?:your|you)|ready for you to|left uncommitted|not (?:yet )?(?:committed|pushed|implemented|done))\b/i;
const NOTE_SENTENCE =
  /^(?:\(?note\b|important\b|caveat|one (?:thing|caveat|note)|however\b|but (?:note|be aware)|be (?:aware|careful)|keep in mind|for (?:future )?reference|heads[- ]up|warning|limitation|downside|the (?:catch|downside|only))|\b(?:could(?:n't| not) (?:verify|test|run|reproduce)|not (?:been )?(?:tested|verified)|untested|unverified|pre-?existing|unrelated|out of scope|known (?:issue|limitation)|doesn(?:'|’)t (?:cover|handle)|deliberately|intentionally left)\b/i;
const GENERIC_HEADING =
  /^(?:\W*(?:summary|changes?(?: made| summary)?|what (?:i|we)(?:'|’)?(?:ve)? (?:did|changed|found|done)|what was (?:done|changed|implemented|accomplished|completed)|overview|details?|results?|implementation(?: details| summary)?|files? (?:changed|modified|created)|key (?:changes|points|features|findings|insights?)|conclusion|analysis|(?:the |my |proposed )?(?:fix|solution|solutions|problem|issue|recommendation|answer|approach|bug|assessment|verdict)|verification|tests?|testing|usage|before(?:\/| and | )after|before|after|options?|example|structure|benefits|how it works|why it works|bottom line|findings|background|context|issues found|review|validation summary|short answer|tl;?dr)(?:\b\W*\S*)?|.*\b(?:complete|completed|done|summary)\W*|why this .{0,24}|\W*\d+[.)]?.*|(?:phase|step|option|approach|issue|task|part|batch) \d+.*|完成總結|總結|总结)$/i;

/** null when the turn ends without words. */
export function closingOf(said: readonly Said[]): Closing | null {
  let thin: Closing | null = null;
  for (let index = said.length - 1; index >= 0 && index >= said.length - REPLIES_READ; index--) {
    const one = takenApart(said[index]!);
    if (isSubstantial(one)) return one;
    if (thin === null && !endsOpen(one)) thin = one;
  }
  return thin;
}

export function takenApart(said: Said): Closing {
  const blocks = blocksOf(said.text);
  const headings: string[] = [];
  const sentences: string[] = [];
  const items: string[] = [];
  const nextSteps: string[] = [];
  const notes: string[] = [];
  let underNext = false;
  for (const { kind, text } of blocks) {
    if (kind === 'heading' || kind === 'label') {
      underNext = NEXT_HEADING.test(text.replace(/[:：]$/, ''));
      const name = text.replace(/[:：]$/, '').replace(/^\d+[.)]\s*/, '');
      if (kind === 'heading' && !underNext && !GENERIC_HEADING.test(name) && wordCount(name) >= 3)
        headings.push(name);
      else if (kind === 'label' && !isMeta(text) && /^\p{Lu}?\p{L}+(?:ed|ote|ade|ept|ran)\b/u.test(text))
        sentences.push(text);
      continue;
    }
    if (kind === 'item' && underNext) {
      nextSteps.push(text);
      continue;
    }
    if (kind === 'item') {
      if (NEXT_SENTENCE.test(text) && text.length < 200) nextSteps.push(text);
      else items.push(text);
      continue;
    }
    for (const sentence of sentencesOf(text).map(withoutOpening)) {
      if (isPleasantry(sentence) || (wordCount(sentence) < 2 && !isDense(sentence))) continue;
      if (NEXT_SENTENCE.test(sentence)) nextSteps.push(sentence);
      else if (NOTE_SENTENCE.test(sentence)) notes.push(sentence);
      if (!isMeta(sentence) && !NEXT_SENTENCE.test(sentence)) sentences.push(sentence);
    }
    if (kind === 'text') underNext = underNext && /[:：]$/.test(text);
  }
  return {
    said,
    blocks,
    headings,
    sentences,
    items: items.filter((item) => /[\p{L}]{3}/u.test(item)),
    nextSteps: nextSteps.slice(0, NEXT_STEPS_MAX),
    notes: notes.slice(0, NOTES_MAX),
  };
}

function isSubstantial(closing: Closing): boolean {
  if (endsOpen(closing) && closing.items.length < 3) return false;
  const words = [...closing.sentences, ...closing.items].join(' ');
  return wordCount(words) >= WORDS_MIN || (isDense(words) && words.length >= 30);
}

/** Its last words announce what the agent does next. */
function endsOpen({ blocks }: Closing): boolean {
  const last = blocks.at(-1);
  if (last === undefined) return true;
  const sentence = sentencesOf(last.text).at(-1) ?? '';
  return last.kind !== 'item' && (last.kind === 'label' || isAnnouncement(sentence)) && blocks.length <= 3;
}
