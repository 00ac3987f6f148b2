// Extracts lessons: why something failed or cannot work, and what the agent did about it. Interim replies state them on the
// way; of a final answer only what it names as the cause counts, because the rest of it is the outcome.
import { plainMarkdown } from '../text/markdown.ts';
import { capital, cutAtWord, sentencesOf, wordCount } from '../text/sentences.ts';
import {
  announced,
  givesReason,
  guesses,
  impersonal,
  isHollow,
  isMeta,
  leans,
  namesThing,
  statesDone,
} from '../text/wording.ts';
import type { Message } from '../transcript/turn-transcript.ts';

/** How a cause that the final answer names begins. */
export const NAMED_CAUSE = 'Cause: ';
/** How a finding begins that the agent then acted on; what is after the arrow may be a part of the remedy. */
export const ACTED_ON = 'Acted on: ';

const LESSONS_MAX = 8;
const CAUSES_MAX = 2;
const CAUSE_CHARS_MAX = 200;
const FIX_CHARS_MAX = 110;
const CAUSE_CHARS_MIN = 36;
const SENTENCE_CHARS_MAX = 300;
const CAUSE_WORDS_MIN = 6;
const FIX_WORDS_MIN = 5;
const CAUSE_WORDS_MAX = 60;
/** A longer text is an answer. */
const TEXT_CHARS_MAX = 900;

/** About the moment: announces a step, tells what is being done, addresses somebody, or says that something is as expected. */
const OF_THE_MOMENT =
  /^(?:before|continuing|now|next|first|wait|hmm|actually,? let|looks? like|seems|good|great|expected|we|i|you|let|one test|still|only \d|one thing|needs? to|if|found|want|using|reading|checking|running|looking|searching|trying|adding|fixing|updating|keep|(?:\w+ ){0,3}tests? (?:is|are) (?:passing|failing))\b|\b(?:still|maybe|perhaps|superseded|let me|i['’](?:ll|m|d)|i am|i need|(?:is|are) now)\b|\bnow:|[?:]$/i;

/** "The root cause: …", "The problem was that …", "…, caused by a stale cache". */
const NAMES_CAUSE =
  /^(?:(?:and|but),? )?(?:the )?(?:(?:root|real|actual|underlying|main) )?(?:cause|culprit|problem|issue|bug)(?: here)?(?::|,? (?:is|was)\b)(?! (?:likely|probably|gone|fixed|solved|now|resolved)\b)|\b(?:is|was|were) caused by\b/i;
/** What is said of a state that the next change may fix. */
const DEFECT =
  /\b(?:root cause|no way|missing|lacks?|broken|wrong|stale|fail(?:s|ed|ing|ures?)?|blocked|errors?|never|needs? to (?:be|have|include)|(?:is|are|does|do|was|were)(?:n['’]t| not)|can(?:not|['’]t))\b/i;
/** What is still to do, not what is so. */
const TO_DO =
  /\bneeds? to (?:fix|add|update|remove|change|pass|import|use)\b|\bthe (?:plan|fix) should be\b/i;
/** A step that only finds out more. */
const LOOKS = /\bdebug|\bsee (?:what|why|if|whether|how|the)\b/i;
/** What a working tree or an attempt has for a moment, and what only a plan has. */
const PASSES =
  /\b(?:diff|(?:un)?staged|untracked|uncommitted|working tree|the (?:plan|fix) (?:is|should|will))\b|\b(?:commit|push|merge)\b[^,;]{0,30}\b(?:is|was|got) (?:blocked|refused|rejected)\b|\bwill (?:be|now)\b/i;
/** "not visible there", "the one above": the sentence before says where. */
const ELSEWHERE = /\bthere\b(?! (?:is|are|was|were)\b|['’]s)|\b(?:the|as) (?:\w+ )?(?:above|below)\b/i;
/** What the agent says while it wonders about something. */
const WONDERS = /^(?:wait|hmm)\b/i;
/** What could be done, and was not. */
const CONSIDERS = /\b(?:I|we|you|one) (?:could|might|may)\b/i;
/** What nobody has seen yet: ", so future commits won't be blocked". */
const FORECAST =
  /,? (?:so(?: that)?|which means|and)\b[^,;.]{0,120}\b(?:in (?:the )?future|won['’]t|will (?:no longer|not|never)|from now on)\b.*$/i;
/** Without a change, what "we" do is a proposal. */
const OF_US = /\bwe\b/i;
/** What was done about a cause, besides a sentence that begins with it. */
const NAMES_FIX = /^(?:the |my )?fix(?:ed)?\b.{20}|\bnow\b/i;

export interface Lesson {
  readonly text: string;
  readonly events: readonly string[];
}

export interface LessonSources {
  readonly messages: readonly Message[];
  readonly finalAnswer: Message | null;
  /** Whether files were changed: otherwise a named problem may be one of a proposal. */
  readonly changed: boolean;
  /** The order of the last change of a file; empty when there is none. A defect found before it may be gone. */
  readonly lastChange: string;
  /** Whether a fix announced at an order may have been replaced by another one. */
  readonly mayBeReplaced: (order: string) => boolean;
}

/** The causes that the final answer names, then the lessons of the other replies in order; without duplicates. */
export function lessonsIn({
  messages,
  finalAnswer,
  changed,
  lastChange,
  mayBeReplaced,
}: LessonSources): Lesson[] {
  const found: Lesson[] = [];
  const named = finalAnswer === null || !changed ? [] : causesNamedIn(finalAnswer);
  for (const one of messages) {
    if (one === finalAnswer || one.text.length > TEXT_CHARS_MAX || WONDERS.test(one.text)) continue;
    const lines = one.text.split('\n');
    lines.forEach((line, at) => {
      if (line.length < CAUSE_CHARS_MIN || !givesReason(line)) return;
      const sentences = sentencesOf(plainMarkdown(line));
      sentences.forEach((sentence, index) => {
        const cause = causeIn(sentence);
        if (cause === null || (!changed && OF_US.test(cause))) return;
        const next = index + 1 < sentences.length ? sentences : [sentence, ...linesBelow(lines, at)];
        const isChanged = one.order < lastChange;
        const isDone = isChanged && !mayBeReplaced(one.order);
        const fix = isDone ? fixAfter(next, next === sentences ? index : 0) : null;
        const mayBeGone = isChanged && DEFECT.test(cause);
        if (fix === null && (mayBeGone || !namesThing(sentence) || TO_DO.test(sentence))) return;
        found.push({ text: fix === null ? cause : `${ACTED_ON}${cause} → ${fix}`, events: one.events });
      });
    });
  }
  const distinct = [...new Map(found.map((one) => [one.text, one])).values()];
  return [...named, ...distinct.slice(-(LESSONS_MAX - named.length))];
}

function causesNamedIn({ text, events }: Message): Lesson[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines
    .flatMap((line, at) => {
      const sentences = sentencesOf(plainMarkdown(line));
      return sentences.flatMap((sentence, index) => {
        if (!NAMES_CAUSE.test(sentence) || guesses(sentence)) return [];
        const cause = impersonal(sentence).replace(/[\s:：.]+$/, '');
        const words = wordCount(cause);
        if (words < CAUSE_WORDS_MIN || words > CAUSE_WORDS_MAX || leans(cause)) return [];
        const after = [...sentences.slice(index + 1), ...linesBelow(lines, at)]
          .slice(0, 2)
          .map((one) => one.replace(FORECAST, ''));
        const fix = after
          .find((one) => isFix(one) || isFix(one.replace(SOLUTION, '')))
          ?.replace(SOLUTION, '');
        const shown = cutAtWord(cause, CAUSE_CHARS_MAX);
        const done =
          fix === undefined
            ? ''
            : ` → ${cutAtWord(impersonal(fix).replace(/(?:\s+(?:that|which))?\s*[:：]$/, ''), FIX_CHARS_MAX)}`;
        return [{ text: `${NAMED_CAUSE}${shown}${done}`, events }];
      });
    })
    .slice(0, CAUSES_MAX);
}

/** "Solution: Created two packages" */
const SOLUTION = /^(?:the )?(?:solution|fix|resolution)\s*[:：]\s*/i;
const TESTS_PASS = /\btests?\b.*\bpass/i;

function isFix(sentence: string): boolean {
  if (isHollow(sentence) || TESTS_PASS.test(sentence) || wordCount(sentence) < FIX_WORDS_MIN) return false;
  return statesDone(impersonal(sentence)) || NAMES_FIX.test(sentence);
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
  if (leans(text) || ELSEWHERE.test(text) || isMeta(text) || isHollow(text) || OF_THE_MOMENT.test(text))
    return null;
  if (OF_THE_MOMENT.test(sentence) || guesses(text) || CONSIDERS.test(text) || PASSES.test(text)) return null;
  return cutAtWord(text.replace(/[\s:：.]+$/, ''), CAUSE_CHARS_MAX);
}

/** The action announced within the next two sentences; null when there is none or it is only a lookup. */
function fixAfter(sentences: readonly string[], index: number): string | null {
  for (const sentence of sentences.slice(index + 1, index + 3)) {
    const doing = announced(sentence);
    if (doing !== null && wordCount(doing) >= FIX_WORDS_MIN && !LOOKS.test(doing))
      return cutAtWord(capital(doing), FIX_CHARS_MAX);
  }
  return null;
}
