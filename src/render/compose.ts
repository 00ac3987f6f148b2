// Chooses what each occasion is told. A new session gets everything; one that goes on gets where it was and what
// others did since; one that was compacted gets what it did so far and the decisions that stand.
import type { SummaryLine } from '../../projections/index.ts';
import { bare, folded } from './alike.ts';
import type { Brief, BriefLine, Section, SectionName } from './brief.ts';
import { decisionLines } from './decisions.ts';
import { fileNames } from './file-names.ts';
import { outcomes, stopped } from './last-session.ts';
import { lessonLines } from './lessons.ts';
import { joined, lineOf, plainLine, savedText } from './lines.ts';
import type { Lately, Material } from './material.ts';
import { mendedLines } from './mended.ts';
import { openProblems } from './problems.ts';
import { runningLines } from './running.ts';
import { bySession, workLines } from './work.ts';

const PROBLEMS_MAX = 4;
const SAVED_MAX = 8;
const FILES_MAX = 16;
const FILES_TITLE = 'Files modified most (in how many pieces of work)';
const FILES_CHARS_MAX = 700;
const MODIFIED_MAX = 28;
const SINCE_MAX = 10;
const SESSION_MAX = 12;
/** Beyond these a session is told where all else leaves room. */
const SESSIONS_MIN = 12;

/** Characters of a line, where there is room and where there is little. */
const CHARS: Readonly<Record<SectionName, readonly [most: number, least: number]>> = {
  last: [900, 270],
  session: [420, 220],
  asked: [420, 150],
  open: [300, 150],
  since: [420, 220],
  problems: [400, 150],
  decisions: [420, 205],
  gotchas: [480, 205],
  running: [320, 155],
  saved: [420, 220],
  work: [2_400, 192],
  files: [700, 230],
};

export function compose(material: Material): Brief {
  const { project, occasion } = material;
  const sections =
    occasion === 'compact'
      ? [...soFar(material), decisions(material)]
      : occasion === 'resume' || occasion === 'fork'
        ? goingOn(material)
        : whole(material);
  const told = sections.filter(({ lines }) => lines.length > 0);
  const work = told.find(({ name }) => name === 'work');
  if (work === undefined) return { project, sections: told };
  const { first, older } = bySession(work.lines, SESSIONS_MIN);
  return { project, sections: told.map((one) => (one === work ? { ...one, lines: first } : one)), older };
}

function whole(material: Material): Section[] {
  const { summaries, observations, tests, commands } = material;
  const last = summaries[0];
  const running = runningLines(tests, commands, observations);
  const decided = decisions(material);
  const found = lessonLines(material);
  const lessons = [...found, ...mendedLines(material, last?.turn ?? null, found)];
  return [
    section('last', 'Where the last session stopped', stopped(last, material, false)),
    section('problems', 'Open problems', openProblems(observations).slice(0, PROBLEMS_MAX)),
    decided,
    section('gotchas', 'What went wrong and what helped, what to mind', lessons),
    section('running', 'How things are run and tested here', running),
    saved(material),
    section(
      'work',
      'Work by session, newest first',
      workLines(material, last?.turn ?? null, { decisions: decided.lines, lessons }),
    ),
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
    section('last', 'Where this session was', stopped(last, material, true)),
    section('since', 'Since then, in other sessions', outcomes(others).slice(0, SINCE_MAX)),
  ];
}

function soFar({ session, asked }: Material): Section[] {
  const rows = session?.rows ?? [];
  const summaries = rows.filter((row) => row.kind === 'summary');
  const observations = rows.filter((row) => row.kind === 'observation');
  const modified = [...new Set(observations.flatMap(({ files }) => files))];
  // What was rewritten later may be gone.
  const rewritten = observations.findIndex(({ rewroteHistory }) => rewroteHistory);
  const commits = observations
    .slice(0, rewritten < 0 ? undefined : rewritten + 1)
    .flatMap((row) => row.commits.map((commit) => ({ row, commit })))
    .map(({ row, commit }) =>
      lineOf(row, { label: 'Committed', text: joined([commit.hash, commit.subject], ' '), voice: 'record' }),
    );
  return [
    section('session', 'What this session did so far', outcomes(summaries).slice(0, SESSION_MAX).reverse()),
    section('asked', 'What was asked in this session, newest first', askedLines(asked)),
    section('open', 'Left open', leftOpen(summaries)),
    section('last', 'Its commits', commits.slice(0, SESSION_MAX)),
    section('problems', 'Open problems', openProblems(observations).slice(0, PROBLEMS_MAX)),
    section(
      'files',
      'Files it modified',
      modified.length === 0 ? [] : [plainLine('', fileNames(modified, MODIFIED_MAX))],
    ),
  ];
}

/** What the model no longer knows: every prompt, and how those were answered that left no summary. */
function askedLines(asked: readonly Lately[]): BriefLine[] {
  return asked.flatMap(({ prompt, answer, unfinished }) => {
    const voice = prompt.plan ? 'agent' : 'person';
    const ask = lineOf(prompt, { label: prompt.plan ? 'Accepted plan' : '', text: prompt.text, voice });
    if (answer === null) return [ask];
    const label = unfinished ? 'Said on the way' : 'Answer';
    return [ask, { ...lineOf(prompt, { label, text: answer, voice: 'agent' }), below: true }];
  });
}

/** Of the newest piece of work that left something open. */
function leftOpen(summaries: readonly SummaryLine[]): BriefLine[] {
  const [last] = summaries;
  return (last?.nextSteps ?? []).map((text) => lineOf(last!, { text, voice: 'agent' }));
}

function decisions(material: Material): Section {
  return section('decisions', 'Decisions standing', decisionLines(material));
}

function saved({ saved: rows }: Material): Section {
  const lines = rows
    .filter(({ type }) => type !== 'decision' && type !== 'gotcha')
    .map((row) => lineOf(row, { label: row.type ?? '', text: savedText(row), voice: 'mixed' }));
  const once = folded(lines, ({ text }) => [bare(text)]).map(({ one, alike }) => ({ ...one, alike }));
  return section('saved', 'Saved on purpose', once.slice(0, SAVED_MAX));
}

function files({ files: tallies }: Material): Section {
  const counts = new Map(tallies.slice(0, FILES_MAX).map(({ name, count }) => [name, count]));
  const names = [...counts.keys()];
  if (names.length === 0) return section('files', FILES_TITLE, []);
  const within = (charsMax: number) => {
    let most = names.length;
    while (most > 1 && fileNames(names.slice(0, most), most, counts).length > charsMax) most--;
    return fileNames(names.slice(0, most), most, counts);
  };
  const lines = [{ ...plainLine('', within(FILES_CHARS_MAX)), within }];
  return section('files', FILES_TITLE, lines);
}

function section(name: SectionName, title: string, lines: readonly BriefLine[]): Section {
  return { name, title, lines, chars: CHARS[name] };
}
