// What a part says no longer is so: "moved loadPlan() from lamp/", "renamed loadPlan() to readPlan()", "`findTool` no longer
// falls back to `PATH`". English only.

import { namesIn } from '../text/wording.ts';
import type { Ended } from '../transcript/observation.ts';

const ENDED_MAX = 12;
/** "Has not moved", "could be renamed". */
const IS_DONE = String.raw`(?<!(?:\b(?:not|never|no|cannot|could|would|should|can|may|might|will|must|if|unless|be)|n['’]t)(?: \w+){0,2} )\b`;
/** The symbol, and the place where it no longer is. */
const MOVED = new RegExp(
  String.raw`${IS_DONE}moved (\w+)(?:\(\))? (?:out of|from) (?:(?:the|its|this|our|an?) )?([\w./-]+)`,
  'gi',
);
/** The symbol. */
const RENAMED = new RegExp(String.raw`${IS_DONE}renamed (\w+)(?:\(\))? (?:to|→|->) \w`, 'gi');
const NO_LONGER = ' no longer ';
const WORDS_AFTER = 12;
const NAME_CHARS_MAX = 60;
/** Before "no longer": a cause, a condition or a wish. */
const UNSURE =
  /\b(?:cause|because|since|bug|problem|issue|error|fail\w*|make sure|ensure|should|must|would|could|may|might|if|when|unless|until|whether|once|that)\b/i;
/** Of files the tools tell it. */
const NAMES_FILE = /\.\w/;

/** @param sentences what the final answer states, and the messages of commits */
export function endedIn(sentences: readonly string[]): Ended[] {
  return sentences
    .filter((one) => !one.trimEnd().endsWith('?'))
    .flatMap(endedBy)
    .slice(0, ENDED_MAX);
}

function endedBy(sentence: string): Ended[] {
  const found: Ended[] = [
    ...[...sentence.matchAll(MOVED)].map(([, name = '', from = '']) => ({ name, from })),
    ...[...sentence.matchAll(RENAMED)].map(([, name = '']) => ({ name, from: null })),
  ];
  const moved = found
    .filter(({ name, from }) => namesIn(name).length > 0 && !NAMES_FILE.test(from ?? ''))
    .map(({ name, from }) => ({ name, from: from === null ? null : lastOf(from) }));
  return [...moved, ...withdrawnBy(sentence)];
}

/** "findTool no longer falls back to PATH": the names after it, each of what comes before it. */
function withdrawnBy(sentence: string): Ended[] {
  const at = sentence.indexOf(NO_LONGER);
  const before = sentence.slice(0, Math.max(0, at));
  if (at < 0 || UNSURE.test(before)) return [];
  const subject = unquotedName(before.split(' ').at(-1) ?? '');
  const [after = ''] = sentence.slice(at + NO_LONGER.length).split(/[.;:!](?:\s|$)|[\n—–]/, 1);
  const names = after.split(' ').slice(0, WORDS_AFTER).map(unquotedName);
  const isName = (word: string) => word.length <= NAME_CHARS_MAX && namesIn(word).length > 0;
  return isName(subject)
    ? names.filter(isName).map((name) => ({ name, from: subject, withdrawn: true as const }))
    : [];
}

/** Without what stands around it. */
function unquotedName(word: string): string {
  return word.slice(0, 2 * NAME_CHARS_MAX).replace(/^[`("'“]+|[`)("'”,]+$/g, '');
}

/** `lamp/plan/` → `plan`, and without a full stop. */
function lastOf(place: string): string {
  return place.split(/[./]/).findLast((part) => part !== '') ?? place;
}
