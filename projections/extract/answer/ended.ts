// Symbols that a part says it moved or renamed: "moved loadPlan() from lamp/", "renamed loadPlan() to readPlan()". English only.
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
  return found
    .filter(({ name, from }) => namesIn(name).length > 0 && !NAMES_FILE.test(from ?? ''))
    .map(({ name, from }) => ({ name, from: from === null ? null : lastOf(from) }));
}

/** `lamp/plan/` → `plan`, and without a full stop. */
function lastOf(place: string): string {
  return place.split(/[./]/).findLast((part) => part !== '') ?? place;
}
