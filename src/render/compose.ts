// Chooses what each occasion is told. A new session gets everything; one that goes on gets where it was and what
// others did since; one that was compacted gets what it did so far and the decisions that stand.
import type { ContextRow, ObservationLine } from '../../projections/index.ts';
import { bare, type Folded, folded, rowNames } from './alike.ts';
import type { Brief, BriefLine, Section, SectionName } from './brief.ts';
import { outcomes, stopped } from './last-session.ts';
import { clipped, headed, joined, lineOf, plainLine } from './lines.ts';
import type { Material } from './material.ts';
import { isSlip, isVague, openProblems } from './problems.ts';
import { essence, runningLines } from './running.ts';

const LINE_CHARS_MAX = 420;
const PERSONS_DECISIONS_MAX = 6;
const AGENTS_DECISIONS_MAX = 4;
const DECISIONS_OF_ONE_MAX = 2;
/** A shorter title says nothing of what came of a rule. */
const TITLE_WORDS_MIN = 5;
const PROBLEMS_MAX = 6;
const GOTCHAS_MAX = 6;
/** One struggle is not the whole story, unless there are few. */
const GOTCHAS_OF_ONE_MAX = 2;
const GOTCHAS_OF_FEW_MAX = 5;
const FEW = 4;
const WARNINGS_MAX = 4;
const SAVED_MAX = 8;
const RECENT_MAX = 16;
const EARLIER_MAX = 10;
const FILES_MAX = 14;
const SINCE_MAX = 10;
const FILES_OF_ONE_MAX = 8;
const SESSION_MAX = 12;

/** Characters of a line, where there is room and where there is little. */
const CHARS: Readonly<Record<SectionName, readonly [most: number, least: number]>> = {
  last: [900, 300],
  session: [420, 220],
  since: [420, 220],
  problems: [400, 200],
  decisions: [420, 170],
  gotchas: [480, 290],
  running: [240, 160],
  saved: [420, 220],
  recent: [1_800, 260],
  earlier: [1_400, 300],
  files: [1_200, 330],
};

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
  const { summaries } = material;
  const last = summaries[0];
  const stops = new Set([last?.turn ?? null]);
  const newest = recentRows(material, stops);
  return [
    section('last', 'Where the last session stopped', stopped(last, material, false), 4),
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
    section('recent', 'Recent work', recent(newest), 6),
    section('earlier', 'Other work, session by session', earlier(material, stops, newest), 3),
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
    section('last', 'Where this session was', stopped(last, material, true), 4),
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

/** The person's rules first: they decide. */
function decisions({ decisions: rows }: Material): Section {
  const stated = rows.flatMap((row) =>
    row.kind === 'observation'
      ? row.decisions.slice(0, DECISIONS_OF_ONE_MAX).map((text) => decisionLine(row, text))
      : [lineOf(row, { text: savedText(row), voice: 'mixed' })],
  );
  const lines = foldedLines(stated);
  const own = lines.filter(({ voice }) => voice !== 'agent').slice(0, PERSONS_DECISIONS_MAX);
  const agents = lines.filter(({ voice }) => voice === 'agent').slice(0, AGENTS_DECISIONS_MAX);
  return section('decisions', 'Decisions standing', [...own, ...agents], 6);
}

/** A person's words say little without what came of them. */
function decisionLine(row: ObservationLine, text: string): BriefLine {
  const persons = /^The person: /.exec(text);
  if (persons === null) return lineOf(row, { text, voice: 'agent' });
  const rule = text.slice(persons[0].length);
  const same = bare(row.title).startsWith(bare(rule).slice(0, 24)) || bare(rule).includes(bare(row.title));
  const says = !/^Changes to |…$/.test(row.title) && row.title.split(' ').length >= TITLE_WORDS_MIN;
  return lineOf(row, { text: same || !says ? rule : `${rule} → ${row.title}`, voice: 'person' });
}

interface Met {
  readonly row: ContextRow;
  readonly name: string;
  readonly text: string;
  readonly worth: number;
}

function gotchas({ gotchas: rows, observations }: Material): Section {
  const ofOne = rows.length > FEW ? GOTCHAS_OF_ONE_MAX : GOTCHAS_OF_FEW_MAX;
  const met = rows.flatMap((row): readonly Met[] =>
    row.kind === 'observation'
      ? folded(
          row.errors.filter(({ error, fixedBy }) => fixedBy !== null && !isSlip(error) && !isVague(error)),
          ({ fixedBy }) => [fixedBy ?? ''],
        )
          .map(({ one }) => one)
          .sort((a, b) => worthOf(b) - worthOf(a))
          .slice(0, ofOne)
          .map((one) => ({ row, name: bare(one.error), text: gotchaText(one), worth: worthOf(one) }))
      : [{ row, name: bare(row.title), text: savedText(row), worth: 2 }],
  );
  const lines = folded(met, ({ name }) => [name])
    .sort((a, b) => b.one.worth - a.one.worth)
    .map(({ one: { row, text }, alike }) =>
      lineOf(row, { text, voice: row.kind === 'saved' ? 'mixed' : 'record', alike }),
    );
  const warned = observations.flatMap((row) =>
    row.warnings.slice(0, 1).map((text) => lineOf(row, { label: 'To mind', text, voice: 'agent' })),
  );
  return section(
    'gotchas',
    'Errors that were met and what helped, and what to mind',
    [...lines.slice(0, GOTCHAS_MAX), ...foldedLines(warned).slice(0, WARNINGS_MAX)],
    4,
  );
}

/** A cure in words teaches more than the names of edited files. */
function worthOf({ fixedBy }: ObservationLine['errors'][number]): number {
  return /^edits to /.test(fixedBy ?? '') ? 0 : 1;
}

function gotchaText({ error, command, fixedBy }: ObservationLine['errors'][number]): string {
  const where = essence(command) || command;
  const said = clipped(error, 150);
  return `${said} (on \`${clipped(where, 44)}\`); what helped: ${clipped(fixedBy ?? '', 240)}`;
}

function saved({ saved: rows }: Material): Section {
  const lines = rows
    .filter(({ type }) => type !== 'decision' && type !== 'gotcha')
    .map((row) => lineOf(row, { label: row.type ?? '', text: savedText(row), voice: 'mixed' }));
  return section('saved', 'Saved on purpose', foldedLines(lines).slice(0, SAVED_MAX), 4);
}

/** The newest observations of turns that the last session's lines do not tell already, near-duplicates folded. */
function recentRows({ observations }: Material, told: ReadonlySet<string | null>): Folded<ObservationLine>[] {
  const fresh = observations.filter(({ turn }) => !told.has(turn));
  return folded(fresh, rowNames).slice(0, RECENT_MAX);
}

function recent(rows: readonly Folded<ObservationLine>[]): BriefLine[] {
  return rows.map(({ one, alike }) => {
    const facts = one.facts.filter((fact) => !one.narrative.includes(fact.slice(0, 40)));
    const words = one.narrative === '' && facts.length === 0 ? one.subtitle : one.narrative;
    const said = [words, ...facts.map(stop), ...provenOf(one)].filter((part) => part !== '').join(' ');
    const told = bare(said.slice(0, 260)).includes(bare(one.title.replace(/…$/, '')));
    return lineOf(one, {
      label: one.type,
      text: told ? said : headed(one.title, said),
      voice: 'mixed',
      alike,
    });
  });
}

/** What tools prove of it: last, so that it goes first where there is little room. */
function provenOf({ tests, commits, files }: ObservationLine): string[] {
  const last = tests.findLast(({ said }) => said !== null);
  const more = files.length > FILES_OF_ONE_MAX ? ` and ${files.length - FILES_OF_ONE_MAX} more` : '';
  return [
    ...(last === undefined
      ? []
      : [`Tests: \`${essence(last.command) || last.command}\` ${last.after} (${last.said}).`]),
    ...(commits.length === 0
      ? []
      : [`Commits: ${commits.map(({ hash, subject }) => joined([hash, subject], ' ')).join('; ')}.`]),
    ...(files.length === 0 ? [] : [`Files: ${files.slice(0, FILES_OF_ONE_MAX).join(', ')}${more}.`]),
  ];
}

function stop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** One line a session, newest first: what was asked in it first, and what came of all its turns. */
function earlier(
  { observations, summaries }: Material,
  stops: ReadonlySet<string | null>,
  newest: readonly Folded<ObservationLine>[],
): BriefLine[] {
  const told = new Set([...stops, ...newest.map(({ one }) => one.turn)]);
  const names = new Set(newest.flatMap(({ one }) => rowNames(one)));
  const sessions = new Map<string, ObservationLine[]>();
  for (const row of observations) {
    if (told.has(row.turn) || row.session === null) continue;
    const own = rowNames(row);
    if (own.some((name) => names.has(name))) continue;
    for (const name of own) names.add(name);
    sessions.set(row.session, [...(sessions.get(row.session) ?? []), row]);
  }
  return [...sessions.values()].slice(0, EARLIER_MAX).map((rows) => {
    const [last] = rows as [ObservationLine];
    const end = summaries.find(({ turn }) => turn === last.turn);
    if (rows.length <= OUTCOME_ROWS_MAX) {
      const outcome = end?.completed ?? end?.learned ?? null;
      return lineOf(last, {
        text: outcome === null ? last.title : headed(last.title, outcome),
        voice: 'mixed',
      });
    }
    const whole = rows.filter(({ title }) => !/…$|^Changes to /.test(title));
    const weight = ({ type, commits, files }: ObservationLine) =>
      (type === 'discovery' ? 0 : 2) + (commits.length > 0 ? 2 : 0) + (files.length > 2 ? 1 : 0);
    const telling = [...whole].sort((a, b) => weight(b) - weight(a)).slice(0, EARLIER_TITLES_MAX);
    const told = telling.map(({ title, facts: [fact] }) =>
      stop(fact === undefined ? title : headed(title, fact)),
    );
    return lineOf(last, { text: told.length === 0 ? last.title : told.join(' '), voice: 'mixed' });
  });
}

/** Of a session with more pieces of work than this, its weightiest are told, each with a fact. */
const OUTCOME_ROWS_MAX = 2;
const EARLIER_TITLES_MAX = 5;

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
  return { name, title, lines, keep, chars: CHARS[name] };
}
