// Extracts lessons from interim replies: why something failed or cannot work, and what the agent did about it. Final
// answers rarely contain them, and the next session would otherwise have to rediscover them.
import { plainMarkdown } from '../text/markdown.ts';
import { capital, cutAtWord, sentencesOf, wordCount } from '../text/sentences.ts';
import { announced, givesReason, impersonal, isHollow, isMeta, leans, namesThing } from '../text/wording.ts';
import type { Message } from '../transcript/turn-transcript.ts';

const LESSONS_MAX = 8;
const CAUSE_CHARS_MAX = 200;
const FIX_CHARS_MAX = 110;
const CAUSE_CHARS_MIN = 36;
const SENTENCE_CHARS_MAX = 300;
const CAUSE_WORDS_MIN = 6;
const FIX_WORDS_MIN = 5;
const CAUSE_WORDS_MAX = 60;
/** A longer text is an answer. */
const TEXT_CHARS_MAX = 900;

/** About the moment: announces a step, guesses, addresses somebody, or says that something is as expected. */
const OF_THE_MOMENT =
  /^(?:before|continuing|now|next|first|wait|hmm|actually,? let|looks? like|seems|good|great|expected|we|i|you|let|one test|still|only \d|one thing|needs? to|if|(?:\w+ ){0,3}tests? (?:is|are) (?:passing|failing))\b|\b(?:still|maybe|perhaps|superseded|let me|i['’]ll|i need)\b|[?:]$/i;

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
      if (line.length < CAUSE_CHARS_MIN || !givesReason(line)) return;
      const sentences = sentencesOf(plainMarkdown(line));
      sentences.forEach((sentence, index) => {
        const cause = causeIn(sentence);
        if (cause === null) return;
        const next = index + 1 < sentences.length ? sentences : [sentence, ...linesBelow(lines, at)];
        const fix = fixAfter(next, next === sentences ? index : 0);
        if (fix === null && !namesThing(sentence)) return;
        found.push({ text: fix === null ? cause : `${cause} → ${fix}`, events: one.events });
      });
    });
  }
  const distinct = [...new Map(found.map((one) => [one.text, one])).values()];
  return distinct.slice(-LESSONS_MAX);
}

/** The announced fix may be in the next paragraph. */
function linesBelow(lines: readonly string[], at: number): string[] {
  const next = lines.slice(at + 1).find((line) => line.trim() !== '');
  return next === undefined || next.length > SENTENCE_CHARS_MAX ? [] : sentencesOf(plainMarkdown(next));
}

/** The cause that a sentence states; null for none. */
function causeIn(sentence: string): string | null {
  const text = impersonal(sentence);
  const words = wordCount(text);
  if (words < CAUSE_WORDS_MIN || words > CAUSE_WORDS_MAX || !givesReason(text)) return null;
  if (leans(text) || isMeta(text) || isHollow(text) || OF_THE_MOMENT.test(text)) return null;
  return cutAtWord(text.replace(/[\s:：.]+$/, ''), CAUSE_CHARS_MAX);
}

/** The action announced within the next two sentences; null when there is none or it is only a lookup. */
function fixAfter(sentences: readonly string[], index: number): string | null {
  for (const sentence of sentences.slice(index + 1, index + 3)) {
    const doing = announced(sentence);
    if (doing !== null && wordCount(doing) >= FIX_WORDS_MIN) return cutAtWord(capital(doing), FIX_CHARS_MAX);
  }
  return null;
}
