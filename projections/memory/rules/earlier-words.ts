// A turn's last words are not all of its words, and not all of them are true: a short closing follows an answer that
// says more, and an agent speaks of a file that it was not allowed to write.
import { type Closing, takenApart } from './closing.ts';
import { lastChangeOf } from './files.ts';
import { sentencesOf, wordCount } from './sentences.ts';
import type { Said, Story } from './story.ts';
import { isAboutBackground } from './wording.ts';

const CLOSING_WORDS_SHORT = 70;
const ANSWER_CHARS_MIN = 400;
const CLAIMS =
  /\b(?:creat\w+|updat\w+|add(?:ed|s)?|wr(?:ote|itten|ites?)|sav(?:ed|es)|generat\w+|includes?|contains?|provides?|documented)\b/i;

/**
 * The longest reply before short closing words: "Plan saved." says less than the answer that came before the plan.
 * @param afterChanges only what was said after the last change of a file: before it stands what was planned. A document
 *   changes nothing of that: what was answered is what it says at length.
 */
export function answerBefore(
  { said, uses }: Story,
  closing: Closing | null,
  afterChanges: boolean,
): Closing | null {
  if (closing === null || closing.onTheWay || wordCount(closing.said.text) > CLOSING_WORDS_SHORT) return null;
  const written = afterChanges ? lastChangeOf(uses) : '';
  const longest = said
    .filter(
      (one) =>
        one !== closing.said &&
        one.order > written &&
        one.text.length > ANSWER_CHARS_MIN &&
        !isAboutBackground(one.text),
    )
    .reduce<Said | null>(
      (most, one) => (most === null || one.text.length > most.text.length ? one : most),
      null,
    );
  return longest === null ? null : takenApart(longest);
}

/** The closing words first, then what was answered before them. */
export function joinedTo(closing: Closing | null, before: Closing | null): Closing | null {
  if (closing === null || before === null) return closing;
  const groups = 1 + Math.max(0, ...closing.points.map(({ group }) => group));
  return {
    ...closing,
    events: [...closing.events, ...before.events],
    blocks: [...closing.blocks, ...before.blocks],
    headings: [...closing.headings, ...before.headings],
    sentences: [...closing.sentences, ...before.sentences],
    items: [...closing.items, ...before.items],
    points: [...closing.points, ...before.points.map((point) => ({ ...point, group: point.group + groups }))],
    opens: new Map([...closing.opens, ...before.opens]),
  };
}

/** Without what is said of files that were not written, and what tools contradict. */
export function withoutClaims(
  closing: Closing | null,
  refused: readonly string[],
  isContradicted: (text: string) => boolean,
): Closing | null {
  if (closing === null) return closing;
  const names = (text: string) => CLAIMS.test(text) && refused.some((file) => text.includes(file));
  const stands = (text: string) =>
    !isContradicted(text) && (refused.length === 0 || (!names(text) && !/\bthe file\b/i.test(text)));
  return {
    ...closing,
    blocks: closing.blocks.flatMap((block) => {
      if (block.kind !== 'text') return stands(block.text) ? [block] : [];
      const sentences = sentencesOf(block.text);
      const kept = sentences.filter(stands);
      if (kept.length === sentences.length) return [block];
      return kept.length === 0 ? [] : [{ ...block, text: kept.join(' ') }];
    }),
    headings: closing.headings.filter(stands),
    sentences: closing.sentences.filter(stands),
    items: closing.items.filter(stands),
    points: closing.points.filter(({ text }) => stands(text)),
    notes: closing.notes.filter(stands),
  };
}
