// How the last session left the work: what was committed and pushed, what was modified since, how the tests ended.
// Tools tell it where they can; a rebase, a script or a sub-agent commits unseen, and then the agent's words count.
import type { ObservationLine, SummaryLine } from '../../projections/index.ts';
import type { BriefLine } from './brief.ts';
import { fileNames, unnamed } from './file-names.ts';
import { clipped, joined, lineOf } from './lines.ts';
import { essence, wordsFor } from './running.ts';
import { pieceOf, sentencesIn, telling, weightOf } from './telling.ts';

const COMMITS_MAX = 3;
const FILES_MAX = 6;
const BODY_CHARS_MAX = 900;
const BODY_SPARE = 0.5;

/** What was committed, pushed and tested last, and what was modified after the last commit. */
export function stateLines(rows: readonly ObservationLine[], summaries: readonly SummaryLine[]): BriefLine[] {
  const lines: BriefLine[] = [];
  const committed = rows.filter(({ commits }) => commits.length > 0);
  const [newest] = committed;
  if (newest !== undefined) {
    const commits = committed.flatMap((row) => [...row.commits].reverse()).slice(0, COMMITS_MAX);
    const since = rows.slice(0, rows.indexOf(newest) + 1);
    const pushed = since.some(({ commands }) =>
      commands.some(({ command, outcome }) => outcome === 'ok' && /\bgit\b.*\bpush\b/.test(command)),
    );
    const label = `Committed (${shared(pushed, rows)})`;
    // What the last turn committed is told by no other line.
    const told =
      newest === rows[0] && newest.turn === summaries[0]?.turn ? [...newest.commits].reverse() : [];
    const withBodies = told.filter(({ body }) => body !== '').slice(0, COMMITS_MAX);
    for (const [index, { hash, subject, body }] of withBodies.entries()) {
      const pieces = sentencesIn(body).map((one, at) => pieceOf(one, weightOf(one, at)));
      const within = (charsMax: number) => telling(joined([hash, subject], ' '), pieces, charsMax);
      const line = lineOf(newest, {
        label: index === 0 ? label : 'And',
        text: within(BODY_CHARS_MAX),
        voice: 'mixed',
      });
      lines.push({ ...line, within, spare: index * BODY_SPARE });
    }
    const others = commits.filter((one) => !withBodies.includes(one));
    const text = others.map(({ hash, subject }) => joined([hash, clipped(subject, 90)], ' ')).join('; ');
    if (text !== '')
      lines.push(lineOf(newest, { label: withBodies.length === 0 ? label : 'And', text, voice: 'record' }));
  }
  const seen = newest === undefined ? rows.length : rows.indexOf(newest);
  const claimed = toldOfCommit(rows.slice(0, seen));
  if (claimed !== null)
    lines.push(lineOf(claimed.row, { label: 'Committed', text: claimed.text, voice: 'agent' }));
  // A claim's own turn may have gone on after it, where no tool's output shows the commit.
  const last = claimed === null ? seen : rows.indexOf(claimed.row);
  const after = newest === undefined ? rows : rows.slice(0, last);
  const files = [...new Set(after.flatMap((row) => row.files))];
  const [changed] = after.filter((row) => row.files.length > 0);
  const open = uncommitted(summaries, rows[last]?.at ?? null);
  if (changed !== undefined && (open === null || unnamed(files, open.text).length > 0)) {
    const label =
      newest === undefined
        ? claimed === null
          ? 'No commit was seen; modified'
          : 'Modified'
        : 'Modified after the last commit seen';
    lines.push(lineOf(changed, { label, text: fileNames(files, FILES_MAX), voice: 'record' }));
  }
  if (open !== null) lines.push(open);
  const tested = rows.find(({ tests }) => tests.length > 0);
  const test = tested?.tests.at(-1);
  if (tested !== undefined && test !== undefined) {
    const said = wordsFor(test.after, test.said);
    const words = said === null ? '' : ` (${clipped(said, 100)})`;
    lines.push(
      lineOf(tested, {
        label: 'Tests last',
        text: `\`${clipped(essence(test.command) || test.command, 100)}\` ${test.after}${words}`,
        voice: 'record',
      }),
    );
  }
  return lines;
}

/** The agent's newest words after the last commit that name what is not committed; the last turn's stand there already. */
function uncommitted(summaries: readonly SummaryLine[], since: number | null): BriefLine | null {
  const [last, ...others] = summaries;
  const names = (text: string) => UNCOMMITTED.test(text) && NAMES_FILES.test(text);
  if (last === undefined || last.nextSteps.some(names)) return null;
  for (const summary of others.slice(0, OPEN_TURNS_MAX)) {
    if (since !== null && (summary.at ?? 0) <= since) return null;
    const text = summary.nextSteps.find(names);
    if (text !== undefined) return lineOf(summary, { label: 'Uncommitted', text, voice: 'agent' });
  }
  return null;
}

/** What an earlier turn left uncommitted may be committed since, by hand. */
const OPEN_TURNS_MAX = 6;
const UNCOMMITTED = /\b(?:uncommitted|unstaged|not (?:yet )?committed|nothing (?:is |was )?committed)\b/i;
const NAMES_FILES = /\w\.[a-z]\w{0,5}\b|\w\/\w/;

/** Sub-agents and scripts commit too: where no tool's output shows it, the agent's own words with a hash or a count. */
function toldOfCommit(
  rows: readonly ObservationLine[],
): { readonly row: ObservationLine; readonly text: string } | null {
  for (const row of rows)
    for (const text of [row.title, ...row.facts, ...row.narrative.split(/(?<=[.!?])\s+/)])
      if (TELLS_OF_COMMIT.test(text) || (text === row.title && IS_COMMITTED.test(text))) return { row, text };
  return null;
}

/** What came of a turn, in one line. */
const IS_COMMITTED =
  /^(?:all |everything )?committed\b(?!.*\b(?:not|nothing|would|will|should|if|when|only)\b)/i;
const TELLS_OF_COMMIT =
  /(?:^(?:all )?(?:committed|pushed|landed|amended|squashed|merged)\b|\b(?:is|are|was|were|has been|have been|now|commit) (?:now |all )?(?:committed|pushed|merged|landed|amended|squashed)\b)(?=.*(?:\b(?=[0-9a-f]*\d)[0-9a-f]{7,12}\b|\borigin\b|\b(?:\d+|two|three|four|five|six|seven) commits\b))(?!.*\b(?:not|nothing|would|will|should|if|when|only)\b)/i;

/** Whether others have it, as far as commands tell. */
function shared(pushed: boolean, rows: readonly ObservationLine[]): string {
  const opened = rows.some(({ commands }) =>
    commands.some(({ command, outcome }) => outcome === 'ok' && OPENS_REQUEST.test(command)),
  );
  if (opened) return pushed ? 'pushed, pull request opened' : 'pull request opened, no later push seen';
  return pushed ? 'pushed; no pull request seen' : 'no push seen';
}

const OPENS_REQUEST = /\b(?:gh pr create|glab mr create|hub pull-request)\b/;
