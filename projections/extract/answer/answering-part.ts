// Where an answer answers: what is said before that led to it. For turns that changed nothing.
import type { MarkdownBlock } from '../text/markdown.ts';
import { concludes, judges } from '../text/wording.ts';

/** "Here's my review of the plan:" */
const OPENER = /\bhere(?:['’]?s| is| are)\b.*[:：]$/i;
const ASKS_ADVICE =
  /\b(?:suggest\w*|recommend\w*|advice|advise|opinion|effort|options?|worth|what (?:do|would) you (?:think|do)|which (?:one|option|approach|way)|should (?:we|I)|(?:best|better) (?:way|option|approach)|would it (?:not )?make sense|how (?:would|should|could|can) (?:we|you|I))\b/i;
const ADVISES =
  /^(?:(?:my|our|the|final|overall) )*(?:recommend(?:ed|ations?)?|suggestions?|conclusions?|verdict|bottom line)\b(?! next\b)/i;

/**
 * The number of the block with which the answer begins: 0 unless the agent talks to itself before it says "Here's my
 * review:", or the person asked for advice and a section before the advice only leads to it.
 */
export function answerBegins(blocks: readonly MarkdownBlock[], request: string): number {
  const isHeading = ({ kind }: MarkdownBlock) => kind === 'heading' || kind === 'label';
  if (ASKS_ADVICE.test(request)) {
    const first = blocks.findIndex(isHeading);
    const advice = blocks.findLastIndex(
      (one, at) => at > first && one.kind !== 'item' && one.kind !== 'code' && ADVISES.test(one.text),
    );
    if (first >= 0 && advice > 0) return advice;
  }
  const opener = blocks.findIndex(({ text }) => OPENER.test(text));
  const next = blocks[opener + 1];
  const isFirst = blocks.slice(0, Math.max(0, opener)).every(({ kind }) => kind === 'text');
  return isFirst && next?.kind === 'heading' ? Math.max(0, opener) : 0;
}

/** The paragraph at the end that sums the answer up: "Overall, …", or what judges the findings before it; null for none. */
export function conclusionOf(blocks: readonly MarkdownBlock[]): string | null {
  const [judged, another] = blocks.filter(({ text }) => judges(text));
  const isOne = another === undefined && (judged?.kind === 'item' || judged?.kind === 'text');
  if (isOne && judged !== blocks[0]) return judged!.text;
  const last = blocks.findLast(({ kind }) => kind === 'text');
  return last !== undefined && last !== blocks[0] && concludes(last.text) ? last.text : null;
}
