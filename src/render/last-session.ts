// Where a session stopped: what was asked last and what came of it, whether that was committed and tested, what was
// to come next; then what was asked after it and left no summary; and what summaries come to in one line each.
import type { ObservationLine, SummaryLine } from '../../projections/index.ts';
import { bare, folded, rowNames } from './alike.ts';
import type { BriefLine } from './brief.ts';
import { clipped, headed, joined, lineOf, plainLine, shortSession, withoutErrors } from './lines.ts';
import type { Material } from './material.ts';
import { essence } from './running.ts';
import { pieceOf, sentencesIn, telling, weightOf } from './telling.ts';
import { turnsText } from './work.ts';

const BEFORE_MAX = 3;
const LATELY_MAX = 3;
const COMMITS_MAX = 3;
const FILES_MAX = 6;
const FACTS_MAX = 14;
/** The same where many other things are to be told. */
const FACTS_OF_MANY_MAX = 3;
const MANY = 20;
/** What each further fact beside the summary adds to what can be spared. */
const ALSO_SPARE = 0.3;
/** So many equal letters make two statements one. */
const FACT_CHARS_ALIKE = 40;
/** A longer request stands by itself. */
const ANSWER_WORDS_MAX = 4;

/**
 * The newest summary, field by field, and what was asked after it.
 * @param withBefore and what came before it in its session
 */
export function stopped(last: SummaryLine | undefined, material: Material, withBefore: boolean): BriefLine[] {
  const { summaries, observations, lately, lastSession } = material;
  const lines: BriefLine[] = [];
  const id = lately[0]?.prompt.session ?? last?.session ?? null;
  if (lastSession !== null && id !== null && lastSession.id === id)
    lines.push({
      ...plainLine('Session', sessionText(lastSession)),
      id: shortSession(id),
      at: lately[0]?.prompt.at ?? last?.at ?? null,
    });
  lines.push(...asked(material));
  if (last === undefined) return lines;
  const said = (label: string, text: string | null, voice: BriefLine['voice']) => {
    if (text === null || text.trim() === '') return;
    const line = lineOf(last, { label, text, voice });
    lines.push(voice === 'agent' ? { ...line, within: answerWithin(text) } : line);
  };
  said(lately.length === 0 ? 'Asked' : 'Asked before that', requestText(last, summaries), 'person');
  said('Done', last.completed, 'agent');
  const learned = last.learned === null ? '' : withBefore ? last.learned : withoutErrors(last.learned);
  said('Learned', learned, 'agent');
  for (const step of last.nextSteps) said('Next', step, 'agent');
  // A remark is a sentence of the closing words: it stands there already, or was cut off.
  const saidBefore = bare([last.completed, learned, ...last.nextSteps].join(' '));
  const notes = sentencesIn(last.notes ?? '').filter(
    (one) => !saidBefore.includes(bare(one).slice(0, FACT_CHARS_ALIKE)),
  );
  said('Note', notes.join(' '), 'agent');
  const own = observations.filter(({ turn }) => turn === last.turn);
  const told = bare([last.completed, last.learned, last.notes, ...last.nextSteps].join(' '));
  const most = observations.length > MANY ? FACTS_OF_MANY_MAX : FACTS_MAX;
  const also = own
    .flatMap(({ facts }) => facts)
    .slice(0, most)
    .filter((fact) => !told.includes(bare(withoutLead(fact)).slice(0, FACT_CHARS_ALIKE)));
  for (const [index, text] of also.entries())
    lines.push({ ...lineOf(last, { label: 'Also', text, voice: 'agent' }), spare: ALSO_SPARE * (index + 2) });
  if (last.completed === null) said('Looked into', last.investigated, 'record');
  lines.push(...state(observations.filter(({ session }) => session === last.session)));
  if (!withBefore) return lines;
  return [...lines, ...outcomes(before(last, summaries)).map((line) => ({ ...line, label: 'Before that' }))];
}

/** In less room the first sentence, which answers, and then what tells most. */
function answerWithin(text: string): (charsMax: number) => string {
  const [first = '', ...rest] = sentencesIn(text);
  const pieces = rest.map((one, at) => pieceOf(one, weightOf(one, at)));
  return (charsMax) => (text.length <= charsMax ? text : telling(first, pieces, charsMax));
}

/** "NOT shown when: the hatch is locked" → "the hatch is locked". */
function withoutLead(fact: string): string {
  return fact.replace(/^[^:]{1,64}: (?=\S)/, '');
}

/** "1" and "yes" say nothing without what they answer. */
function requestText(last: SummaryLine, summaries: readonly SummaryLine[]): string {
  if (last.request.split(/\s+/).length > ANSWER_WORDS_MAX) return last.request;
  const asked = before(last, summaries)[0]?.nextSteps.findLast((step) =>
    /^(?:Open question|Offered): /.test(step),
  );
  return asked === undefined
    ? last.request
    : `${last.request} (in answer to “${asked.replace(/^[^:]+: /, '')}”)`;
}

/** The summaries before the last one of its session. */
export function before(last: SummaryLine | undefined, summaries: readonly SummaryLine[]): SummaryLine[] {
  if (last === undefined || last.session === null) return [];
  const rows = summaries.filter((row) => row.session === last.session && row.id !== last.id);
  return rows.slice(0, BEFORE_MAX);
}

/** Prompts after the last summary, newest first: each with the last words of its answer, or that there was none. */
function asked({ lately }: Material): BriefLine[] {
  return lately.slice(0, LATELY_MAX).flatMap(({ prompt, answer }, index) => {
    const ask = lineOf(prompt, {
      label: index === 0 ? 'Asked last' : 'Asked',
      text: prompt.text,
      voice: 'person',
    });
    const text = answer ?? 'no answer was recorded; it may not have been done';
    return [ask, lineOf(prompt, { label: 'Answer', text, voice: answer === null ? 'record' : 'agent' })];
  });
}

/** What was committed, pushed and tested last, and what was modified after the last commit. */
function state(rows: readonly ObservationLine[]): BriefLine[] {
  const lines: BriefLine[] = [];
  const committed = rows.filter(({ commits }) => commits.length > 0);
  const [newest] = committed;
  if (newest !== undefined) {
    const commits = committed.flatMap((row) => [...row.commits].reverse()).slice(0, COMMITS_MAX);
    const text = commits.map(({ hash, subject }) => joined([hash, clipped(subject, 90)], ' ')).join('; ');
    const since = rows.slice(0, rows.indexOf(newest) + 1);
    const pushed = since.some(({ commands }) =>
      commands.some(({ command, outcome }) => outcome === 'ok' && /\bgit\b.*\bpush\b/.test(command)),
    );
    lines.push(
      lineOf(newest, { label: 'Committed', text: `${text}; ${shared(pushed, rows)}`, voice: 'record' }),
    );
  }
  const claimed = newest === undefined ? toldOfCommit(rows) : null;
  if (claimed !== null)
    lines.push(lineOf(claimed.row, { label: 'Committed', text: claimed.text, voice: 'agent' }));
  const after = newest === undefined ? rows : rows.slice(0, rows.indexOf(newest));
  const files = [...new Set(after.flatMap((row) => row.files))];
  const [changed] = after.filter((row) => row.files.length > 0);
  if (changed !== undefined) {
    const names =
      files.slice(0, FILES_MAX).join(', ') +
      (files.length > FILES_MAX ? ` and ${files.length - FILES_MAX} more` : '');
    const label =
      newest === undefined
        ? claimed === null
          ? 'No commit was seen; modified'
          : 'Modified'
        : 'Modified after the last commit seen';
    lines.push(lineOf(changed, { label, text: names, voice: 'record' }));
  }
  const tested = rows.find(({ tests }) => tests.length > 0);
  const test = tested?.tests.at(-1);
  if (tested !== undefined && test !== undefined) {
    const words = test.said === null ? '' : ` (${clipped(test.said, 100)})`;
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

/** Sub-agents and scripts commit too: where no tool's output shows it, the agent's own words with a hash or a count. */
function toldOfCommit(
  rows: readonly ObservationLine[],
): { readonly row: ObservationLine; readonly text: string } | null {
  for (const row of rows)
    for (const text of [row.title, ...row.facts, ...row.narrative.split(/(?<=[.!?])\s+/)])
      if (TELLS_OF_COMMIT.test(text)) return { row, text };
  return null;
}

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

function sessionText({ title, branch, turns }: NonNullable<Material['lastSession']>): string {
  return joined([title, turnsText(turns), branch === null ? null : `branch ${branch}`], ', ');
}

/** One line a summary: what was asked, and what came of it. Near-duplicates folded. */
export function outcomes(summaries: readonly SummaryLine[]): BriefLine[] {
  return folded(summaries, rowNames).map(({ one, alike }) => {
    const outcome = one.completed ?? one.learned ?? one.notes;
    const more = one.completed === null || one.learned === null ? '' : ` ${one.learned}`;
    return lineOf(one, { text: headed(one.title, `${outcome ?? ''}${more}`), voice: 'mixed', alike });
  });
}
