// Completes and corrects a final answer: adds the longer answer before a short closing message, and removes claims that
// tools contradict or that are about files the agent was not allowed to write.
import { type FinalAnswer, parsedAnswer } from './answer/final-answer.ts';
import { sentencesOf, wordCount } from './text/sentences.ts';
import { isAboutBackground } from './text/wording.ts';
import type { Message } from './transcript/turn-transcript.ts';

const CLOSING_WORDS_SHORT = 70;
const ANSWER_CHARS_MIN = 400;

/**
 * The longest reply before a short final answer: "Plan saved." says less than the answer before the plan.
 * @param changed only replies after this order: before the last change of a file they state plans
 */
export function answerBefore(
  messages: readonly Message[],
  finalAnswer: FinalAnswer | null,
  changed: string,
): FinalAnswer | null {
  if (
    finalAnswer === null ||
    finalAnswer.interim ||
    wordCount(finalAnswer.message.text) > CLOSING_WORDS_SHORT
  )
    return null;
  const longest = messages
    .filter(
      (one) =>
        one !== finalAnswer.message &&
        one.order > changed &&
        one.text.length > ANSWER_CHARS_MIN &&
        !isAboutBackground(one.text),
    )
    .reduce<Message | null>(
      (most, one) => (most === null || one.text.length > most.text.length ? one : most),
      null,
    );
  return longest === null ? null : parsedAnswer(longest);
}

/** The final answer, followed by an earlier answer. */
export function joinedTo(finalAnswer: FinalAnswer | null, before: FinalAnswer | null): FinalAnswer | null {
  if (finalAnswer === null || before === null) return finalAnswer;
  const groups = 1 + Math.max(0, ...finalAnswer.points.map(({ group }) => group));
  return {
    ...finalAnswer,
    events: [...finalAnswer.events, ...before.events],
    blocks: [...finalAnswer.blocks, ...before.blocks],
    sentences: [...finalAnswer.sentences, ...before.sentences],
    items: [...finalAnswer.items, ...before.items],
    points: [
      ...finalAnswer.points,
      ...before.points.map((point) => ({ ...point, group: point.group + groups })),
    ],
    opens: new Map([...finalAnswer.opens, ...before.opens]),
  };
}

/** Removes statements about files that were not written, and statements that tools contradict. */
export function withoutClaims(
  finalAnswer: FinalAnswer | null,
  refused: readonly string[],
  isContradicted: (text: string) => boolean,
): FinalAnswer | null {
  if (finalAnswer === null) return finalAnswer;
  const isKept = (text: string) =>
    !isContradicted(text) &&
    (refused.length === 0 || !(refused.some((file) => text.includes(file)) || /\bthe file\b/i.test(text)));
  return {
    ...finalAnswer,
    blocks: finalAnswer.blocks.flatMap((block) => {
      if (block.kind !== 'text') return isKept(block.text) ? [block] : [];
      const sentences = sentencesOf(block.text);
      const kept = sentences.filter(isKept);
      if (kept.length === sentences.length) return [block];
      return kept.length === 0 ? [] : [{ ...block, text: kept.join(' ') }];
    }),
    sentences: finalAnswer.sentences.filter(isKept),
    items: finalAnswer.items.filter(isKept),
    points: finalAnswer.points.filter(({ text }) => isKept(text)),
    notes: finalAnswer.notes.filter(isKept),
  };
}
