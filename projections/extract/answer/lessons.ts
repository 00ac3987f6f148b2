// Extracts lessons from interim replies: why something failed or cannot work, and what the agent did about it. Final
// answers rarely contain them, and the next session would otherwise have to rediscover them.
import { plainMarkdown } from '../text/markdown.ts';
import { capital, cutAtWord, sentencesOf, wordCount } from '../text/sentences.ts';
import { announced, impersonal, isHollow, isPleasantry } from '../text/wording.ts';
import type { Message } from '../transcript/turn-transcript.ts';

const LESSONS_MAX = 8;
const CAUSE_CHARS_MAX = 200;
const FIX_CHARS_MAX = 110;
const CAUSE_CHARS_MIN = 36;
const SENTENCE_CHARS_MAX = 300;
/** Two lessons are duplicates when they share this many leading characters. */
const SAME_CHARS = 36;
const CAUSE_WORDS_MIN = 6;
const CAUSE_WORDS_MAX = 60;
/** A longer text is an answer. */
const TEXT_CHARS_MAX = 900;

/** Every lesson contains one of these words. A cheap first test. */
const CAUSE =
  /\b(?:because|but|root cause|caused by|turns out|(?:do|does|is|are|ca)n(?:'|’)t|(?:does|is|are) not|cannot|never|no longer|only (?:when|if|works|supports|looks?|checks?)|needs? (?:to|a|the)|must|requires?|instead of|rather than|missing|already|expects?|ignored|stale|wrong|so that|conflicts?|hard-?coded|circular|lacks?|lost|failing since|known (?:\w+ ){0,3}(?:bug|issue|limitation)|gitignored)\b/i;
/** The same for a sentence without a fix. */
const CAUSE_ALONE =
  /\b(?:because|root cause|caused by|turns out|(?:do|does|is|are|ca)n(?:'|’)t|(?:does|is|are) not|cannot|never|no longer|only (?:when|if|works|supports|looks?|checks?)|needs? (?:to|a|the)|must|requires?|instead of|rather than|missing|already|expects?|ignored|stale|wrong|so that|conflicts?|hard-?coded|circular|lacks?|lost|failing since|known (?:\w+ ){0,3}(?:bug|issue|limitation)|gitignored)\b/i;
/** Names an identifier, a path, a flag or a file. */
const NAMES = /[a-z][A-Z]\w|\w_\w|\w\(\)|\w\.\w{1,5}\b|\s--?\w|\w\/\w|\b[A-Z]{2,}|\s:\w/;
/** Announces a step, or depends on its context. */
const NO_CAUSE =
  /^(?:let me|before\b|let(?:'|’)?s|now\b|next\b|I(?:'|’)ll|I will|I(?: also)? need|first\b|wait\b|hmm|actually,? let|maybe|perhaps|looks like|seems|good\b|great\b|expected\b|this (?:is expected|means)|that(?:'|’)?s\b|you(?:'|’)re\b|continuing|still\b|both\b|they\b|it\b|one test|(?:\w+ ){0,3}tests? (?:is|are) (?:passing|failing)|modify which|needs? to|instead of|if\b|I (?:see|notice)|only \d|one thing|we\b|answering|no\b|the main issue|.{1,30}\bthe (?:test|output) shows)\b|\bstill\b|\bsuperseded\b|[?:]$/i;
const ABOUT_LOOKING = /^(?:use|make) (?:sure|a different)|\b(?:check|look|see|verify|debug|print|log)\b/i;

export interface Lesson {
  readonly text: string;
  readonly events: readonly string[];
}

/** The lessons in order, without duplicates. `finalAnswer` is skipped. */
export function lessonsIn(messages: readonly Message[], finalAnswer: Message | null): Lesson[] {
  const found: Lesson[] = [];
  for (const one of messages) {
    if (one === finalAnswer || one.text.length > TEXT_CHARS_MAX) continue;
    const lines = one.text.split('\n');
    lines.forEach((line, at) => {
      if (line.length < CAUSE_CHARS_MIN || !CAUSE.test(line)) return;
      const sentences = sentencesOf(plainMarkdown(line));
      sentences.forEach((sentence, index) => {
        const cause = causeIn(sentence);
        if (cause === null) return;
        const next = index + 1 < sentences.length ? sentences : [sentence, ...linesBelow(lines, at)];
        const fix = fixAfter(next, next === sentences ? index : 0);
        // Without a fix, keep only a lesson that names something and gives a cause.
        if (fix === null && (!NAMES.test(sentence) || !CAUSE_ALONE.test(sentence))) return;
        found.push({ text: fix === null ? cause : `${cause} → ${fix}`, events: one.events });
      });
    });
  }
  return found.filter(isNotRepeated).slice(-LESSONS_MAX);
}

/** The announced fix may be in the next paragraph. */
function linesBelow(lines: readonly string[], at: number): string[] {
  const next = lines.slice(at + 1).find((line) => line.trim() !== '');
  return next === undefined || next.length > SENTENCE_CHARS_MAX ? [] : sentencesOf(plainMarkdown(next));
}

/** Of two lessons that begin alike the longer one stays; of equal ones the first. */
function isNotRepeated({ text }: Lesson, index: number, all: readonly Lesson[]): boolean {
  const head = text.slice(0, SAME_CHARS);
  return !all.some(
    (other, at) =>
      at !== index &&
      other.text.includes(head) &&
      (other.text.length > text.length || (other.text === text && at < index)),
  );
}

/** The cause that a sentence states; null for none. */
function causeIn(sentence: string): string | null {
  if (!CAUSE.test(sentence)) return null;
  const words = wordCount(sentence);
  if (words < CAUSE_WORDS_MIN || words > CAUSE_WORDS_MAX) return null;
  const text = impersonal(sentence.replace(/^(?:good|great|perfect|ok|right)\s*[-–—,.!]+\s*/i, ''));
  if (NO_CAUSE.test(text) || isPleasantry(text) || isHollow(text)) return null;
  return cutAtWord(text.replace(/[\s:：.]+$/, ''), CAUSE_CHARS_MAX);
}

/** The action announced within the next two sentences; null when there is none or it is only a lookup. */
export function fixAfter(sentences: readonly string[], index: number): string | null {
  for (const sentence of sentences.slice(index + 1, index + 3)) {
    const doing = announced(sentence);
    if (doing !== null && wordCount(doing) >= 4 && !ABOUT_LOOKING.test(doing))
      return cutAtWord(capital(doing), FIX_CHARS_MAX);
  }
  return null;
}
