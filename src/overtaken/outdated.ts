// What later work made outdated: a state that held until the next change, and what was said of a commit that was rewritten
// with other changes. What the agent said last in a turn without an answer at its end is no outcome.
import { keptSentences, type ObservationLine, type SummaryLine } from '../../projections/index.ts';
import { sentencesIn } from '../brief/lines/informative-text.ts';

/** @param rows newest first */
export function withoutOutdated(
  rows: readonly ObservationLine[],
  summaries: readonly SummaryLine[],
): ObservationLine[] {
  const ends = new Map(summaries.map(({ turn, end }) => [turn, end]));
  const ended = new Set<string | null>();
  let changed = false;
  return rows.map((row, at) => {
    const isLastPart = !ended.has(row.turn);
    ended.add(row.turn);
    const said =
      isLastPart && ends.has(row.turn) && ends.get(row.turn) !== 'answered' ? withoutWords(row) : row;
    const isReplaced = rows.slice(0, at).some((later) => isRewrittenBy(row, later));
    const shown = isReplaced ? { ...withoutWords(said), facts: [], commits: withoutBodies(said) } : said;
    const holding = changed ? withoutStates(shown) : shown;
    changed ||= row.files.length + row.commits.length > 0;
    return holding;
  });
}

function withoutWords(row: ObservationLine): ObservationLine {
  return { ...row, narrative: '' };
}

function withoutBodies({ commits }: ObservationLine): ObservationLine['commits'] {
  return commits.map((commit) => ({ ...commit, body: '' }));
}

/** Whether all its commits were rewritten, and files of it changed with them. */
function isRewrittenBy(row: ObservationLine, later: ObservationLine): boolean {
  return (
    row.session === later.session &&
    row.turn !== later.turn &&
    row.commits.length > 0 &&
    row.commits.every(({ rewritten }) => rewritten !== undefined) &&
    later.commits.length > 0 &&
    later.files.some((file) => row.files.includes(file))
  );
}

/** "It currently fails", "not lit yet", "2 tests fail"; not what a check or a build of the product does in some case. */
const STATES = [
  /\bcurrently\b|(?:\bnot|n['’]t)(?: \w+){0,3} yet\b|\bstill (?:fails?|failing|red|broken|missing|pending)\b/i,
  /\b\d+ (?:\w+ )?(?:tests?|specs?|suites?)\b.{0,20}\bfail/i,
  /\b(?:tests?|specs?|suites?|builds?|runs?)\b (?:now )?(?:fails?|failed|(?:is|are) (?:now )?(?:failing|red|broken))(?=\s*(?:[.,;:!]|$))/i,
];

/** A commit message says what the commit is for: it stays. */
function withoutStates(row: ObservationLine): ObservationLine {
  const isKept = (text: string) => !STATES.some((one) => one.test(text));
  const narrative = isKept(row.narrative)
    ? row.narrative
    : keptSentences(sentencesIn(row.narrative), isKept).join(' ');
  const facts = row.facts.filter(isKept);
  const isTitled = row.commits.length > 0 || isKept(row.title);
  return {
    ...row,
    title: isTitled ? row.title : (sentencesIn(narrative)[0] ?? facts[0] ?? ''),
    narrative,
    facts,
  };
}
