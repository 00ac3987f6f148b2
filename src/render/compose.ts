// Chooses what each occasion is told. A new session gets everything; one that goes on gets where it was and what
// others did since; one that was compacted gets what it did so far and the decisions that stand.
import type { ContextRow, ObservationLine, SummaryLine } from '../../projections/index.ts';
import { bare, folded, rowNames } from './alike.ts';
import type { Brief, BriefLine, Section, SectionName } from './brief.ts';
import { before, outcomes, stopped } from './last-session.ts';
import { clipped, headed, joined, lineOf, plainLine } from './lines.ts';
import type { Material } from './material.ts';
import { isSlip, isVague, openProblems } from './problems.ts';
import { essence, runningLines } from './running.ts';

const LINE_CHARS_MAX = 300;
const DECISIONS_MAX = 8;
const PROBLEMS_MAX = 6;
const GOTCHAS_MAX = 7;
/** One struggle is not the whole story. */
const GOTCHAS_OF_ONE_MAX = 2;
const DECISIONS_OF_ONE_MAX = 2;
const SAVED_MAX = 8;
const RECENT_MAX = 16;
const EARLIER_MAX = 8;
const FILES_MAX = 12;
const SINCE_MAX = 10;
const SESSION_MAX = 12;
const RECENT_CHARS_MAX = 260;

export function compose(material: Material): Brief {
  const { project, occasion } = material;
  const sections =
    occasion === 'compact'
      ? [...soFar(material), decisions(material)]
      : occasion === 'resume' || occasion === 'fork'
        ? goingOn(material)
        : whole(material);
  return { project, sections: sections.filter(({ lines }) => lines.length > 0) };
}

function whole(material: Material): Section[] {
  const { summaries, observations } = material;
  const last = summaries[0];
  const stops = [last, ...before(last, summaries)].map((row) => bare(row?.title ?? ''));
  const told = new Set([...stops, ...observations.slice(0, RECENT_MAX).map(({ title }) => bare(title))]);
  return [
    section('last', 'Where the last session stopped', stopped(last, material), 4),
    section('problems', 'Open problems', openProblems(material.observations).slice(0, PROBLEMS_MAX), 2),
    decisions(material),
    gotchas(material),
    section(
      'running',
      'How things are run and tested here',
      runningLines(material.tests, material.commands, material.observations),
      4,
    ),
    saved(material),
    recent(material, new Set(stops)),
    earlier(material, last, told),
    files(material),
  ];
}

function goingOn(material: Material): Section[] {
  const { session, summaries } = material;
  const id = session?.id ?? summaries[0]?.session ?? null;
  const own = session?.rows ?? material.summaries.filter((row) => row.session === id);
  const until = own[0]?.at ?? null;
  const last = own.find((row) => row.kind === 'summary') ?? (own.length === 0 ? summaries[0] : undefined);
  const others = summaries.filter(
    (row) => row.session !== (last?.session ?? id) && (until === null || (row.at ?? 0) > until),
  );
  return [
    section('last', 'Where this session was', stopped(last, material), 4),
    section('since', 'Since then, in other sessions', outcomes(others).slice(0, SINCE_MAX), 4),
  ];
}

function soFar({ session }: Material): Section[] {
  const rows = session?.rows ?? [];
  const summaries = rows.filter((row) => row.kind === 'summary');
  const observations = rows.filter((row) => row.kind === 'observation');
  const modified = [...new Set(observations.flatMap(({ files }) => files))];
  const commits = observations
    .flatMap((row) => row.commits.map((commit) => ({ row, commit })))
    .map(({ row, commit }) =>
      lineOf(row, { label: 'Committed', text: joined([commit.hash, commit.subject], ' '), voice: 'record' }),
    );
  return [
    section(
      'session',
      'What this session did so far',
      outcomes(summaries).slice(0, SESSION_MAX).reverse(),
      4,
    ),
    section('last', 'Its commits', commits.slice(0, SESSION_MAX), 2),
    section('problems', 'Open problems', openProblems(observations).slice(0, PROBLEMS_MAX), 2),
    section(
      'files',
      'Files it modified',
      modified.length === 0 ? [] : [plainLine('', modified.slice(0, 2 * FILES_MAX).join(', '))],
      1,
    ),
  ];
}

function decisions({ decisions: rows }: Material): Section {
  const stated = rows.flatMap((row) =>
    row.kind === 'observation'
      ? row.decisions.slice(0, DECISIONS_OF_ONE_MAX).map((text) => decisionLine(row, text))
      : [lineOf(row, { text: savedText(row), voice: 'mixed' })],
  );
  return section('decisions', 'Decisions standing', foldedLines(stated).slice(0, DECISIONS_MAX), 3);
}

function decisionLine(row: ObservationLine, text: string): BriefLine {
  const persons = /^The person: /.exec(text);
  return lineOf(row, {
    text: clipped(persons === null ? text : text.slice(persons[0].length), LINE_CHARS_MAX),
    voice: persons === null ? 'agent' : 'person',
  });
}

interface Met {
  readonly row: ContextRow;
  readonly name: string;
  readonly text: string;
}

function gotchas({ gotchas: rows }: Material): Section {
  const met = rows.flatMap((row): readonly Met[] =>
    row.kind === 'observation'
      ? folded(
          row.errors.filter(({ error, fixedBy }) => fixedBy !== null && !isSlip(error) && !isVague(error)),
          ({ fixedBy }) => [fixedBy ?? ''],
        )
          .slice(0, GOTCHAS_OF_ONE_MAX)
          .map(({ one }) => ({ row, name: bare(one.error), text: gotchaText(one) }))
      : [{ row, name: bare(row.title), text: savedText(row) }],
  );
  const lines = folded(met, ({ name }) => [name]).map(({ one: { row, text }, alike }) =>
    lineOf(row, { text, voice: row.kind === 'saved' ? 'mixed' : 'record', alike }),
  );
  return section('gotchas', 'Errors that were met, and what helped', lines.slice(0, GOTCHAS_MAX), 3);
}

function gotchaText({ error, command, fixedBy }: ObservationLine['errors'][number]): string {
  const where = essence(command) || command;
  return `${clipped(error, 170)} (on \`${clipped(where, 60)}\`); what helped: ${clipped(fixedBy ?? '', 140)}`;
}

function saved({ saved: rows }: Material): Section {
  const lines = rows
    .filter(({ type }) => type !== 'decision' && type !== 'gotcha')
    .map((row) => lineOf(row, { label: row.type ?? '', text: savedText(row), voice: 'mixed' }));
  return section('saved', 'Saved on purpose', foldedLines(lines).slice(0, SAVED_MAX), 4);
}

function recent({ observations }: Material, told: ReadonlySet<string>): Section {
  const fresh = observations.filter((row) => !told.has(bare(row.title)));
  const lines = folded(fresh, rowNames)
    .slice(0, RECENT_MAX)
    .map(({ one, alike }) =>
      lineOf(one, {
        label: one.type,
        text: clipped(
          headed(one.title, one.narrative === '' ? one.subtitle : one.narrative),
          RECENT_CHARS_MAX,
        ),
        voice: 'mixed',
        alike,
      }),
    );
  return section('recent', 'Recent work', lines, 4);
}

/** The newest summary of each session but the last that says something new. */
function earlier({ summaries }: Material, last: SummaryLine | undefined, told: ReadonlySet<string>): Section {
  const sessions = new Set([last?.session]);
  const first = summaries.filter(
    ({ session, title }) => !told.has(bare(title)) && !sessions.has(session) && sessions.add(session),
  );
  return section('earlier', 'How earlier sessions ended', outcomes(first).slice(0, EARLIER_MAX), 4);
}

function files({ files: tallies }: Material): Section {
  const text = tallies.slice(0, FILES_MAX).map(({ name, count }) => `${name} (${count})`);
  const lines = text.length === 0 ? [] : [plainLine('', text.join(', '))];
  return section('files', 'Files modified most, with the number of pieces of work', lines, 1);
}

function savedText(row: ContextRow): string {
  const text = row.kind === 'saved' ? row.text : '';
  return clipped(headed(row.title, text), LINE_CHARS_MAX);
}

function foldedLines(lines: readonly BriefLine[]): BriefLine[] {
  return folded(lines, ({ text }) => [bare(text)]).map(({ one, alike }) => ({ ...one, alike }));
}

function section(name: SectionName, title: string, lines: readonly BriefLine[], keep: number): Section {
  return { name, title, lines, keep };
}
