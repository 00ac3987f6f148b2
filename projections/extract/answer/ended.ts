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
/** An identifier, or a word of code. */
const NAME = String.raw`(?:\x60[\w$./-]{2,60}(?:\(\))?\x60|[\w$./-]*(?:[a-z][A-Z]|\w_\w)[\w$./-]*(?:\(\))?)`;
/** What no longer does something, and the names in what it no longer does. */
const NO_LONGER = new RegExp(String.raw`(${NAME}) no longer ([^.;:!?\n—–]{3,80})`, 'g');
const NAMES = new RegExp(NAME, 'g');
/** Of files the tools tell it. */
const NAMES_FILE = /\.\w/;

/** @param text the final answer and the messages of commits, in Markdown */
export function endedIn(text: string): Ended[] {
  const plain = text.replaceAll('`', '');
  const found: Ended[] = [
    ...[...plain.matchAll(MOVED)].map(([, name = '', from = '']) => ({ name, from })),
    ...[...plain.matchAll(RENAMED)].map(([, name = '']) => ({ name, from: null })),
  ];
  const moved = found
    .filter(({ name, from }) => namesIn(name).length > 0 && !NAMES_FILE.test(from ?? ''))
    .map(({ name, from }) => ({ name, from: from === null ? null : lastOf(from) }));
  const withdrawn = [...text.matchAll(NO_LONGER)].flatMap(([, subject = '', rest = '']) =>
    (rest.match(NAMES) ?? []).map((name) => ({
      name: bare(name),
      from: bare(subject),
      withdrawn: true as const,
    })),
  );
  return [...moved, ...withdrawn].slice(0, ENDED_MAX);
}

function bare(name: string): string {
  return name.replace(/[`()]/g, '');
}

/** `lamp/plan/` → `plan`, and without a full stop. */
function lastOf(place: string): string {
  return place.split(/[./]/).findLast((part) => part !== '') ?? place;
}
