// What later work undid: edits that were thrown away, files that were removed, symbols that were moved, branches that were
// deleted, commits that got other names, and an outcome to which the person objected. It is no result.
import { isAmong, namesIn, type ObservationLine, type PromptLine } from '../../../projections/index.ts';
import { mentions } from '../../terminal-text/letters-and-words.ts';
import { sentencesIn } from '../lines/informative-text.ts';
import type { BriefMaterial } from '../lines/material.ts';

/** No option, and of some length. */
const NAME = /^[\w.][\w./-]{3,}$/;
/** A branch that is called “test” cannot be told from the word. */
const MORE_THAN_LETTERS = /[^a-z]/i;
/** In other languages only a single word counts: a longer phrase may be a question. */
const OBJECTS =
  /\bshould(?:n['’]t| not)\b|^(?:(?:no|nope|wrong|nein|falsch|non|faux|incorrecto|不[对對]|[错錯]了|いいえ) ?[,.!，、。！]|(?:no,? )?(?:revert|undo)\b)/i;
/** To an answer that changed no file. */
const OBJECTS_TO_ANSWER =
  /^(?:(?:no,? )?(?:that['’]?s|that is|this is) (?:wrong|not (?:right|true|correct))|(?:wrong|falsch|faux|incorrecto|不[对對]|[错錯]了) ?[,.!，、。！])|(?<!\bwhat )\bI meant\b|\bI(?:['’]d| would) (?:rather|prefere?)\b/i;
/** "Has not moved", "could be renamed". */
const IS_DONE = String.raw`(?<!(?:\b(?:not|never|no|could|would|should|can|may|might|will|must|if|unless|be)|n['’]t)(?: \w+){0,2} )\b`;
/** "Moved loadPlan() from lamp/ package to hatch/": the symbol, and the place where it no longer is. */
const MOVED = new RegExp(
  String.raw`${IS_DONE}moved (\w+)(?:\(\))? (?:out of|from) (?:(?:the|its|this|our|an?) )?([\w./-]+)`,
  'gi',
);
/** "Renamed loadPlan() to readPlan()": the symbol. */
const RENAMED = new RegExp(String.raw`${IS_DONE}renamed (\w+)(?:\(\))? (?:to|→|->) \w`, 'gi');
/** Of files the tools tell it. */
const NAMES_FILE = /\.\w/;
const HASH = /\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}\b/;

/** @param rows newest first */
export function withoutUndone(
  rows: readonly ObservationLine[],
  { summaries, prompts }: Pick<BriefMaterial, 'summaries' | 'prompts'>,
): ObservationLine[] {
  const requests = new Map(summaries.map(({ turn, request }) => [turn, request]));
  const undone = new Map<string, Undone>();
  const next = new Map<string | null, ObservationLine>();
  return rows.flatMap((row, index) => {
    const later = undone.get(row.workdir) ?? NOTHING;
    undone.set(row.workdir, joined(row, later, rows.slice(0, index)));
    const after = next.get(row.session);
    next.set(row.session, row);
    const isReplaced =
      after !== undefined &&
      after.turn !== row.turn &&
      !prompts.some((prompt) => isBetween(prompt, row, after)) &&
      isObjection(requests.get(after.turn) ?? '', row, after);
    if (isReplaced || isDiscarded(row, later.files)) return [];
    const own = later.removed.filter((file) => isAmong(file, row.files));
    const files = own.length === 0 ? row.files : row.files.filter((file) => !isAmong(file, own));
    // A name without a folder may be that of another file.
    const removed = later.removed.filter((file) => own.includes(file) || file.includes('/'));
    const names = [...later.branches, ...removed, ...(row.commits.length > 0 ? [] : later.files)].filter(
      (name) => MORE_THAN_LETTERS.test(name),
    );
    const isRenamed = row.session !== null && later.rewrote.includes(row.session);
    const isGone = (text: string) =>
      names.some((name) => mentions(text, name)) ||
      later.moved.some((move) => isMoved(text, move)) ||
      (isRenamed && HASH.test(text));
    if (!textsOf(row).some(isGone)) return [{ ...row, files }];
    const sentences = sentencesIn(row.narrative).filter((one) => !isGone(one));
    const facts = row.facts.filter((one) => !isGone(one));
    // What was committed under a title stays committed.
    const title = row.commits.length > 0 || !isGone(row.title) ? row.title : (sentences[0] ?? facts[0]);
    return title === undefined ? [] : [{ ...row, files, title, narrative: sentences.join(' '), facts }];
  });
}

interface Undone {
  /** Whose edits were thrown away. */
  readonly files: readonly string[];
  readonly written: readonly string[];
  /** Removed, or moved to another name, and not written again. */
  readonly removed: readonly string[];
  readonly moved: readonly Moved[];
  readonly branches: readonly string[];
  /** Sessions in which the history was rewritten. */
  readonly rewrote: readonly string[];
}

/** A symbol that is no longer in a place, or whose name is no longer in use. */
interface Moved {
  readonly symbol: string;
  /** null: it has another name everywhere. */
  readonly from: string | null;
}

const NOTHING: Undone = { files: [], written: [], removed: [], moved: [], branches: [], rewrote: [] };

/** Without a symbol that later work names as before: it may have been moved back. */
function movedBy(row: ObservationLine, laterRows: readonly ObservationLine[]): Moved[] {
  if (row.files.length === 0) return [];
  const text = textsOf(row).join('\n');
  const found = [
    ...[...text.matchAll(MOVED)].map(([, symbol = '', from = '']) => ({ symbol, from })),
    ...[...text.matchAll(RENAMED)].map(([, symbol = '']) => ({ symbol, from: null })),
  ];
  return found
    .filter(({ symbol, from }) => namesIn(symbol).length > 0 && !NAMES_FILE.test(from ?? ''))
    .map(({ symbol, from }) => ({ symbol, from: from === null ? null : lastOf(from) }))
    .filter((move) => !laterRows.flatMap(textsOf).some((later) => isMoved(later, move)));
}

function textsOf({ title, narrative, facts }: ObservationLine): string[] {
  return [title, narrative, ...facts];
}

/** `lamp/plan/` → `plan`, and without a full stop. */
function lastOf(place: string): string {
  return place.split(/[./]/).findLast((part) => part !== '') ?? place;
}

function isMoved(text: string, { symbol, from }: Moved): boolean {
  if (!text.includes(symbol)) return false;
  const words = text.split(/\W+/);
  return words.includes(symbol) && (from === null || words.includes(from));
}

/** Of a turn without an observation. */
function isBetween({ session, turn, at }: PromptLine, row: ObservationLine, after: ObservationLine): boolean {
  const isOther = session === row.session && turn !== row.turn && turn !== after.turn;
  return isOther && at !== null && at > (row.at ?? at) && at < (after.at ?? at);
}

function isObjection(request: string, row: ObservationLine, after: ObservationLine): boolean {
  return row.files.length + row.commits.length === 0
    ? OBJECTS_TO_ANSWER.test(request)
    : OBJECTS.test(request) && row.files.some((file) => after.files.includes(file));
}

function isDiscarded({ files, commits }: ObservationLine, discarded: readonly string[]): boolean {
  return commits.length === 0 && files.length > 0 && files.every((file) => isAmong(file, discarded));
}

/** What a row and the work after it undid. The last edit of a file before it was discarded is the one that is gone. */
function joined(row: ObservationLine, later: Undone, laterRows: readonly ObservationLine[]): Undone {
  const { files, edits, session, deletedBranches = [] } = row;
  const written = [...files, ...later.written];
  const removed = [...edits.removed, ...edits.moved.map(([from]) => from)].filter(
    (file) => isName(file) && !isAmong(file, written),
  );
  return {
    files: [...edits.discarded.filter(isName), ...later.files.filter((file) => !isAmong(file, files))],
    written,
    removed: [...removed, ...later.removed],
    moved: [...movedBy(row, laterRows), ...later.moved],
    branches: [...deletedBranches.filter(isName), ...later.branches],
    rewrote: row.rewroteHistory && session !== null ? [...later.rewrote, session] : later.rewrote,
  };
}

function isName(word: string): boolean {
  return NAME.test(word);
}
