// What later work undid: edits that were thrown away, branches that were deleted, and an outcome to which the person
// objected. It is no result.
import { isAmong, type ObservationLine, parseShell, type SummaryLine } from '../../../projections/index.ts';
import { mentions } from '../../terminal-text/letters-and-words.ts';
import { sentencesIn } from '../lines/informative-text.ts';

const DISCARDS = /^git (?:checkout (?:\S+ )?-- |restore (?!.*--staged))(.+)/;
const DELETES = /^git branch (?:-[dD]|--delete) (.+)/;
/** No option, and of some length. */
const NAME = /^[\w.][\w./-]{3,}$/;
/** A branch that is called “test” cannot be told from the word. */
const MORE_THAN_LETTERS = /[^a-z]/i;
const OBJECTS = /\bshould(?:n['’]t| not)\b|^(?:(?:no|nope|wrong)[,.!]|(?:no,? )?(?:revert|undo)\b)/i;

/** @param rows newest first */
export function withoutUndone(
  rows: readonly ObservationLine[],
  summaries: readonly SummaryLine[],
): ObservationLine[] {
  const requests = new Map(summaries.map(({ turn, request }) => [turn, request]));
  const undone = new Map<string, Undone>();
  const next = new Map<string | null, ObservationLine>();
  return rows.flatMap((row) => {
    const later = undone.get(row.workdir) ?? { files: [], branches: [] };
    undone.set(row.workdir, joined(row, later));
    const after = next.get(row.session);
    next.set(row.session, row);
    const isReplaced =
      after !== undefined &&
      after.turn !== row.turn &&
      OBJECTS.test(requests.get(after.turn) ?? '') &&
      row.files.some((file) => after.files.includes(file));
    if (isReplaced || isDiscarded(row, later.files)) return [];
    const names = [...later.branches, ...(row.commits.length > 0 ? [] : later.files)].filter((name) =>
      MORE_THAN_LETTERS.test(name),
    );
    const isGone = (text: string) => names.some((name) => mentions(text, name));
    if (![row.narrative, ...row.facts].some(isGone)) return [row];
    const narrative = sentencesIn(row.narrative).filter((one) => !isGone(one));
    return [{ ...row, narrative: narrative.join(' '), facts: row.facts.filter((one) => !isGone(one)) }];
  });
}

interface Undone {
  readonly files: readonly string[];
  readonly branches: readonly string[];
}

function isDiscarded({ files, commits }: ObservationLine, discarded: readonly string[]): boolean {
  return commits.length === 0 && files.length > 0 && files.every((file) => isAmong(file, discarded));
}

/** What a row and the work after it undid. The last edit of a file before it was discarded is the one that is gone. */
function joined({ commands, files }: ObservationLine, later: Undone): Undone {
  const stages = commands
    .filter(({ outcome }) => outcome === 'ok')
    .flatMap(({ command }) => parseShell(command).links.map(({ stages: [stage = ''] }) => stage));
  const named = (pattern: RegExp) =>
    stages.flatMap((stage) =>
      (pattern.exec(stage)?.[1] ?? '').split(/\s+/).filter((word) => NAME.test(word)),
    );
  return {
    files: [...named(DISCARDS), ...later.files.filter((file) => !isAmong(file, files))],
    branches: [...named(DELETES), ...later.branches],
  };
}
