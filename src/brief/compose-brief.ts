// Chooses the sections of a brief for each occasion. A new session gets everything; a resumed one gets where it stopped
// and what other sessions did since; a compacted one gets what it did so far and the current decisions.
import { type SummaryLine, stepText } from '../../projections/index.ts';
import { withoutOutdated } from '../overtaken/outdated.ts';
import { withoutUndone } from '../overtaken/undone.ts';
import { type Brief, type BriefLine, lineWithin, type Section, type SectionName } from './lines/brief.ts';
import { briefLine, countsLine, joinParts, savedText, savedVoice } from './lines/brief-lines.ts';
import { fileNames } from './lines/file-names.ts';
import type { BriefMaterial, RecentPrompt } from './lines/material.ts';
import { foldNearDuplicates, normalize } from './lines/near-duplicate-lines.ts';
import { unusedLast, withUnusedLast } from './lines/unused-last.ts';
import { noteLines, pinnedLines } from './sections/chosen-lines.ts';
import { decisionLines } from './sections/decision-lines.ts';
import { endLines, lastSessionLines, outcomeLines } from './sections/last-session.ts';
import { leftOpenEarlier } from './sections/left-open.ts';
import { lessonLines } from './sections/lesson-lines.ts';
import { openProblems } from './sections/open-problems.ts';
import { runningLines } from './sections/run-commands.ts';
import { remainingIn } from './sections/shared-work.ts';
import { workLines } from './sections/work-lines.ts';

const PROBLEMS_MAX = 4;
const SAVED_MAX = 8;
const MODIFIED_MAX = 28;
const SINCE_MAX = 10;
const SESSION_MAX = 12;
const MANY = 20;

/** Characters of a line, with much room and with little. */
const CHARS: Readonly<Record<SectionName, readonly [most: number, least: number]>> = {
  notes: [420, 300],
  pinned: [600, 220],
  last: [900, 600],
  session: [420, 220],
  asked: [420, 150],
  open: [420, 280],
  since: [420, 220],
  problems: [400, 150],
  decisions: [420, 205],
  gotchas: [480, 205],
  running: [320, 155],
  saved: [420, 220],
  work: [2_400, 192],
  files: [700, 230],
};

export function compose(material: BriefMaterial): Brief {
  const { project, occasion } = material;
  const sections = chosenFirst(
    material,
    occasion === 'compact'
      ? [...soFar(material), decisions(material)]
      : occasion === 'resume' || occasion === 'fork'
        ? resumedSections(material)
        : allSections(material),
  );
  const shown = sections.filter(({ lines }) => lines.length > 0);
  return { project, sections: shown.map((one) => withUnusedLast(one, material.unused)) };
}

/** Notes and pinned items go first, but nothing begins with the words of an agent or a tool. */
function chosenFirst(material: BriefMaterial, [first, ...others]: readonly Section[]): Section[] {
  const notes = section('notes', 'Notes from the person', noteLines(material));
  const pinned = section('pinned', 'Pinned by the person', pinnedLines(material));
  const isTrusted = notes.lines.length > 0 || ['person', 'mixed'].includes(pinned.lines[0]?.voice ?? '');
  return isTrusted ? [notes, pinned, first!, ...others] : [first!, pinned, ...others];
}

function allSections(material: BriefMaterial): Section[] {
  const { summaries, observations, tests, failing } = material;
  const last = summaries[0];
  const running = runningLines(tests, observations, failing);
  const decided = decisions(material);
  const ending = lastSessionLines(last, material, false);
  const stated = statedAtEnd(ending, material);
  const lessons = lessonLines(material, stated);
  const isOrdered = isOrderKnown(material);
  const current = withoutOutdated(withoutUndone(observations, material), summaries);
  return [
    section('last', endingTitle(isOrdered), ending),
    section('problems', 'Open problems', openProblems(observations).slice(0, PROBLEMS_MAX)),
    section('open', 'Left open earlier, perhaps done since', leftOpenEarlier(material)),
    decided,
    section('gotchas', 'What went wrong and what helped', lessons),
    section('running', 'How things are run and tested here', running),
    saved(material),
    section(
      'work',
      isOrdered ? 'Work by session, newest first' : 'Work by session',
      workLines({ ...material, observations: current }, last?.turn ?? null, {
        decisions: decided.lines,
        lessons,
        stated,
      }),
    ),
  ];
}

function endingTitle(isOrdered: boolean): string {
  return isOrdered
    ? 'Where the last session stopped'
    : 'Where a session stopped; which was the last is unknown';
}

/** Several sessions without a time have no order. */
function isOrderKnown({ summaries, recentPrompts }: BriefMaterial): boolean {
  const rows = [...summaries, ...recentPrompts.map(({ prompt }) => prompt)];
  return rows.some(({ at }) => at !== null) || new Set(rows.map(({ session }) => session)).size < 2;
}

/** What the end of the last session says however little room there is. With much material its further facts may be dropped. */
function statedAtEnd(ending: readonly BriefLine[], { observations }: BriefMaterial): string {
  const staying = observations.length > MANY ? ending.filter(({ spare }) => spare === undefined) : ending;
  const [, least] = CHARS.last;
  return normalize(staying.map((line) => lineWithin(line, least)).join(' '));
}

function resumedSections(material: BriefMaterial): Section[] {
  const { session, summaries } = material;
  const id = session?.id ?? summaries[0]?.session ?? null;
  const own = session?.rows ?? material.summaries.filter((row) => row.session === id);
  const until = own[0]?.at ?? null;
  // At the start of a fork it is not known which session it continues.
  if (own.length === 0)
    return [
      section('last', endingTitle(isOrderKnown(material)), lastSessionLines(summaries[0], material, true)),
    ];
  const last = own.find((row) => row.kind === 'summary');
  const others = summaries.filter((row) => row.session !== id && (until === null || (row.at ?? 0) > until));
  return [
    section('last', 'Where this session was', lastSessionLines(last, material, true)),
    section('since', 'Since then, in other sessions', outcomeLines(others).slice(0, SINCE_MAX)),
  ];
}

function soFar({ session, asked }: BriefMaterial): Section[] {
  const rows = session?.rows ?? [];
  const summaries = rows.filter((row) => row.kind === 'summary');
  const observations = rows.filter((row) => row.kind === 'observation');
  const modified = [...new Set(observations.flatMap(({ files }) => files))];
  const commits = observations
    .flatMap((row) => remainingIn(row).map((commit) => ({ row, commit })))
    .map(({ row, commit }) =>
      briefLine(row, {
        label: 'Committed',
        text: joinParts([commit.hash, commit.subject], ' '),
        voice: 'record',
      }),
    );
  return [
    section(
      'session',
      'What this session did so far',
      outcomeLines(summaries).slice(0, SESSION_MAX).reverse(),
    ),
    section('asked', 'What was asked in this session, newest first', askedLines(asked)),
    section('open', 'Left open', leftOpen(summaries)),
    section('last', 'Its commits', commits.slice(0, SESSION_MAX)),
    section('problems', 'Open problems', openProblems(observations).slice(0, PROBLEMS_MAX)),
    section(
      'files',
      'Files it modified',
      modified.length === 0 ? [] : [countsLine('', fileNames(modified, MODIFIED_MAX))],
    ),
  ];
}

/** What compaction removed from the model's context: every prompt, with the answer where no summary covers it. */
function askedLines(asked: readonly RecentPrompt[]): BriefLine[] {
  return asked.flatMap((one) => {
    const { prompt, cut, answer } = one;
    const voice = prompt.plan ? 'agent' : 'person';
    const ask = briefLine(prompt, { label: prompt.plan ? 'Accepted plan' : '', text: prompt.text, voice });
    if (cut === null && answer === null) return [ask];
    return [ask, ...endLines(one).map((line) => ({ ...line, below: true }))];
  });
}

/** What the newest piece of work left open. */
function leftOpen(summaries: readonly SummaryLine[]): BriefLine[] {
  const [last] = summaries;
  return (last?.nextSteps ?? []).map((step) => briefLine(last!, { text: stepText(step), voice: 'agent' }));
}

function decisions(material: BriefMaterial): Section {
  return section('decisions', 'Decisions made', decisionLines(material));
}

function saved({ saved: rows, unused }: BriefMaterial): Section {
  const lines = unusedLast(rows, ({ id }) => unused.has(id))
    .filter(({ type }) => type !== 'decision' && type !== 'gotcha')
    .map((row) => briefLine(row, { label: row.type ?? '', text: savedText(row), voice: savedVoice(row) }));
  // A person's own come first, and stand for an agent's that say the same.
  const persons = lines.filter(({ voice }) => voice !== 'agent');
  const agents = lines.filter(({ voice }) => voice === 'agent');
  const once = foldNearDuplicates([...persons, ...agents], ({ text }) => [normalize(text)]).map(
    ({ one, nearDuplicates }) => ({
      ...one,
      nearDuplicates,
    }),
  );
  return section('saved', 'Saved on purpose', once.slice(0, SAVED_MAX));
}

function section(name: SectionName, title: string, lines: readonly BriefLine[]): Section {
  return { name, title, lines, chars: CHARS[name] };
}
