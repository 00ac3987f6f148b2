// What was done, session by session: a line that names the session, and below it its pieces of work, newest first.
// A session's weightiest pieces go last when there is little room, so that an old session is still told by what came
// of it and a long one by more than its end.
import type { ObservationLine, SummaryLine } from '../../projections/index.ts';
import { bare, type Folded, folded, rowNames } from './alike.ts';
import type { BriefLine } from './brief.ts';
import { sentencesOf } from './letters.ts';
import { joined, lineOf, shortSession, withoutErrors } from './lines.ts';
import type { Material, SessionFacts } from './material.ts';
import { essence } from './running.ts';

const SESSIONS_MAX = 12;
const NEWEST_MAX = 14;
const OTHERS_MAX = 9;
const FILES_OF_ONE_MAX = 6;
const NARRATIVE_SAME_CHARS = 40;
/** What each further line of a session adds to what can be spared. */
const NEWEST_STAYS = 0.24;
const OTHERS_STAY = 1.1;
const END_WEIGHT = 3;
const RECENT_WEIGHT = 5;

/** @param told the turn whose end other lines tell already; its earlier parts are told here */
export function workLines({ observations, sessions, summaries }: Material, told: string | null): BriefLine[] {
  const end = observations.find(({ turn }) => turn !== null && turn === told);
  // A turn's parts share one summary: it is told with the last of them.
  const summaryOf = new Map<ObservationLine, SummaryLine>();
  for (const summary of summaries) {
    const last = observations.find(({ turn }) => turn !== null && turn === summary.turn);
    if (last !== undefined && last !== end) summaryOf.set(last, summary);
  }
  const fresh = folded(
    observations.filter((row) => row !== end),
    rowNames,
  );
  const bySession = new Map<string, Folded<ObservationLine>[]>();
  for (const one of fresh) {
    const name = one.one.session ?? '';
    const rows = bySession.get(name);
    if (rows === undefined) bySession.set(name, [one]);
    else rows.push(one);
  }
  // The newest piece of each session, whether it is told here or not.
  const ends = new Map([...observations].reverse().map((row) => [row.session ?? '', row]));
  return [...bySession].slice(0, SESSIONS_MAX).flatMap(([session, rows], index) => {
    const most = index === 0 ? NEWEST_MAX : OTHERS_MAX;
    const ranks = ranked(
      rows.map(({ one }) => one),
      index === 0,
    );
    const lines = rows.flatMap(({ one, alike }) => {
      const rank = ranks.get(one)!;
      if (rank >= most) return [];
      const spare = rank * (index === 0 ? NEWEST_STAYS : OTHERS_STAY) + index / 100;
      const summary = summaryOf.get(one);
      const text = workText(one, summary?.learned ?? '');
      const line = { ...lineOf(one, { text, voice: 'mixed', alike }), below: true, spare };
      const left = summary === undefined ? '' : leftText(summary, text, one === ends.get(session));
      if (left === '') return [line];
      const open = lineOf(one, { label: 'Left open', text: left, voice: 'mixed' });
      return [line, { ...open, below: true, spare: index / 100 + LEFT_SPARE }];
    });
    return [headOf(session, rows[0]!.one, sessions.get(session)), ...lines];
  });
}

/** From the weightiest down. A session's end weighs most; in the newest one all that is recent does. */
function ranked(rows: readonly ObservationLine[], newest: boolean): ReadonlyMap<ObservationLine, number> {
  const recent = (row: ObservationLine) =>
    newest ? Math.max(0, RECENT_WEIGHT - rows.indexOf(row) / 2) : row === rows[0] ? END_WEIGHT : 0;
  const weight = (row: ObservationLine) =>
    recent(row) +
    (row.type === 'discovery' ? 0 : 1) +
    (row.commits.length > 0 ? 2 : 0) +
    (row.files.length > 2 ? 1 : 0) +
    (row.decisions.length > 0 ? 1 : 0) +
    (row.facts.length > 2 ? 1 : 0) -
    (/^Changes to /.test(row.title) ? 2 : 0);
  const sorted = [...rows].sort((a, b) => weight(b) - weight(a));
  return new Map(sorted.map((row, rank) => [row, rank]));
}

function headOf(session: string, newest: ObservationLine, facts: SessionFacts | undefined): BriefLine {
  const text =
    facts === undefined
      ? 'Session'
      : joined([facts.title, turnsText(facts.turns), facts.branch && `branch ${facts.branch}`], ', ');
  const line = lineOf(newest, { text, voice: 'mixed' });
  return { ...line, id: session === '' ? null : shortSession(session) };
}

export function turnsText(turns: number): string {
  return turns === 1 ? 'one turn' : `${turns} turns`;
}

/** What the turn left to do and remarked. Offers, and what was not committed yet, are settled by the turns after it. */
function leftText({ nextSteps, notes }: SummaryLine, told: string, isEnd: boolean): string {
  const steps = nextSteps.filter((step) => isEnd || !SETTLED.test(step));
  const remarks = sentencesOf(notes ?? '');
  const known = bare(told);
  const left: string[] = [];
  for (const one of [...steps, ...remarks]) {
    const name = bare(one).slice(0, SAME_CHARS);
    if (name === '' || known.includes(name) || left.some((other) => bare(other).includes(name))) continue;
    left.push(stop(one));
  }
  return left.join(' ');
}

const SETTLED =
  /^(?:Offered|Open question|Announced last): |\b(?:uncommitted|commit|committed|push|ready)\b|[:：]$/i;
/** So many equal letters make two statements one. */
const SAME_CHARS = 40;
const LEFT_SPARE = 0.2;

/** The outcome first, then what was said of it, then what tools prove: the end goes first where there is little room. */
function workText(row: ObservationLine, learned: string): string {
  const sentences = sentencesOf(row.narrative).filter((one) => one !== '');
  const name = bare(row.title.replace(/…$/, ''));
  const own = sentences.find((one) => bare(one).includes(name));
  // A title is often a sentence's main clause: where there is room the whole sentence is told.
  const head = own !== undefined && own.length > row.title.length + CLAUSE_CHARS ? stop(own) : row.title;
  const hashes = row.commits.flatMap(({ hash }) => (hash === null ? [] : [hash.slice(0, HASH_CHARS)]));
  const commits = hashes.length === 0 ? '' : ` [${hashes.slice(0, HASHES_MAX).join(', ')}]`;
  const facts = row.facts.filter(
    (fact) => !row.narrative.includes(fact.slice(0, NARRATIVE_SAME_CHARS)) && !bare(fact).includes(name),
  );
  const said = [...toThePoint(sentences.filter((one) => one !== own)), ...facts.map(stop)];
  const known = bare([head, ...said].join(' '));
  const isNew = (text: string) => text !== '' && !known.includes(bare(text).slice(0, SAME_CHARS));
  const asked =
    isNew(row.subtitle.replace(/…$/, '')) && !row.narrative.includes(row.subtitle)
      ? [`Asked: ${stop(row.subtitle)}`]
      : [];
  const rest = [...said, ...learnedIn(learned).filter(isNew), ...provenOf(row), ...asked];
  const between = /[.!?]$/.test(`${head}${commits}`) ? ' ' : ' — ';
  return rest.length === 0 ? `${head}${commits}` : `${head}${commits}${between}${rest.join(' ')}`;
}

/** Sentences that say something without the list they opened. */
function learnedIn(learned: string): string[] {
  return sentencesOf(withoutErrors(learned)).filter(
    (one) => one.length >= LEARNED_CHARS_MIN && !/[:：]$/.test(one) && !LEANS.test(one),
  );
}

const LEARNED_CHARS_MIN = 30;
const LEANS = /^(?:this|that|it|line \d)\b/i;

/** Without the first sentences that speak to the person and not about the thing, and without steps. */
function toThePoint(sentences: readonly string[]): readonly string[] {
  const first = sentences.findIndex((sentence) => !TO_THE_PERSON.test(sentence));
  return sentences.slice(Math.max(0, first)).filter((sentence) => !STEP.test(sentence));
}

const CLAUSE_CHARS = 20;
const HASH_CHARS = 8;
const HASHES_MAX = 3;
const TO_THE_PERSON =
  /^(?:and I\b|you(?:r|(?:'|’)\w+)?|I(?:(?:'|’)\w+)?|yes|no|nope|so|here(?:'|’)?s?|good|right|well|based on|answering|numerically|everything|all (?:tests|done|good|green)|done with|the (?:user|above|analysis is))\b/i;
const STEP =
  /^(?:first,|now\b|next\b|need to|expected\b|still \w+ing|close \S+, commit|right,? I|I have (?:a|the)|the issue is clear|overall\b|this is (?:expected|the)|nothing rebuilt)|\bis (?:complete|done) and verified\b/i;

function provenOf({ tests, commits, files, title }: ObservationLine): string[] {
  const last = tests.findLast(({ said }) => said !== null);
  const more = files.length > FILES_OF_ONE_MAX ? ` and ${files.length - FILES_OF_ONE_MAX} more` : '';
  const others = commits.filter(({ subject }) => !bare(subject).includes(bare(title)));
  return [
    ...(last === undefined
      ? []
      : [`Tests: \`${essence(last.command) || last.command}\` ${last.after} (${last.said}).`]),
    ...(others.length === 0
      ? []
      : [`Commits: ${others.map(({ hash, subject }) => joined([hash, subject], ' ')).join('; ')}.`]),
    ...(files.length === 0 ? [] : [`Files: ${files.slice(0, FILES_OF_ONE_MAX).join(', ')}${more}.`]),
  ];
}

function stop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
