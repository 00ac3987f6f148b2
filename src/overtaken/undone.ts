// What later work undid: edits that were thrown away, files that were removed, symbols that were moved, branches that were
// deleted, commits that got other names, and an outcome to which the person objected. It is no result.
import { type Ended, isAmong, type ObservationLine, type PromptLine } from '../../projections/index.ts';
import { sentencesIn } from '../brief/lines/informative-text.ts';
import { mentions } from '../terminal-text/letters-and-words.ts';
import type { Work } from './work.ts';

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
const HASH = /\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}\b/;

/** @param rows newest first */
export function withoutUndone(rows: readonly ObservationLine[], work: Work): ObservationLine[] {
  const { summaries, prompts } = work;
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
    const ofRow = row.edits.removed.filter((file) => file.includes('/') && row.files.includes(file));
    const own = [...ofRow, ...later.removed.filter((file) => isAmong(file, row.files))];
    const files = own.length === 0 ? row.files : row.files.filter((file) => !isAmong(file, own));
    // A name without a folder may be that of another file.
    const removed = later.removed.filter((file) => own.includes(file) || file.includes('/'));
    const names = [...later.branches, ...removed, ...(row.commits.length > 0 ? [] : later.files)].filter(
      (name) => MORE_THAN_LETTERS.test(name),
    );
    const isRenamed = row.session !== null && later.rewrote.includes(row.session);
    const isGone = (text: string) =>
      names.some((name) => mentions(text, name)) ||
      later.ended.some((one) => isEnded(text, one)) ||
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
  readonly ended: readonly Ended[];
  readonly branches: readonly string[];
  /** Sessions in which the history was rewritten. */
  readonly rewrote: readonly string[];
}

const NOTHING: Undone = {
  files: [],
  written: [],
  removed: [],
  ended: [],
  branches: [],
  rewrote: [],
};

/** Without a name that later work uses as before: it may have come back. */
function endedBy({ ended = [] }: ObservationLine, laterRows: readonly ObservationLine[]): Ended[] {
  return ended.filter((one) => !laterRows.flatMap(textsOf).some((later) => isEnded(later, one)));
}

function textsOf({ title, narrative, facts }: ObservationLine): string[] {
  return [title, narrative, ...facts];
}

function isEnded(text: string, { name, from }: Ended): boolean {
  if (!text.includes(name)) return false;
  const words = text.split(/\W+/);
  const holds = (one: string) => (/^\w+$/.test(one) ? words.includes(one) : text.includes(one));
  return holds(name) && (from === null || holds(from));
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
    ended: [...endedBy(row, laterRows), ...later.ended],
    branches: [...deletedBranches.filter(isName), ...later.branches],
    rewrote: row.rewroteHistory && session !== null ? [...later.rewrote, session] : later.rewrote,
  };
}

function isName(word: string): boolean {
  return NAME.test(word);
}
