// Shows where a session stopped: the last request and its outcome, commits and tests, next steps; then prompts after it
// without a summary; and one line per summary of earlier work.
import {
  isAnnouncement,
  isForPerson,
  isNotWritten,
  isOfThen,
  type ObservationLine,
  rewrittenNote,
  type SummaryLine,
  stepText,
} from '../../../projections/index.ts';
import { isCommand } from '../lines/asked-part.ts';
import type { BriefLine } from '../lines/brief.ts';
import {
  briefLine,
  clipSentence,
  countsLine,
  headed,
  shortSession,
  withoutErrors,
} from '../lines/brief-lines.ts';
import {
  antecedentsIn,
  leadOf,
  mostInformative,
  pieceOf,
  sentencesIn,
  weightOf,
  withCutsMarked,
  withLeadsOnce,
} from '../lines/informative-text.ts';
import type { BriefMaterial, RecentPrompt, TurnCut } from '../lines/material.ts';
import { foldNearDuplicates, normalize, rowNames } from '../lines/near-duplicate-lines.ts';
import { sessionText } from './work-lines.ts';
import { stateLines } from './work-state.ts';

const BEFORE_MAX = 3;
const RECENT_PROMPTS_MAX = 3;
const FACTS_MAX = 16;
const FACT_WEIGHT_MIN = 1;
/** The same limit if there is much else to show. */
const FACTS_OF_MANY_MAX = 3;
const MANY = 20;
/** What each further fact adds to its `spare` value. */
const ALSO_SPARE = 0.3;
/** Two statements with this many equal letters count as one. */
const FACT_CHARS_ALIKE = 40;
/** This much of a commit's line identifies it. */
const COMMIT_CHARS_ALIKE = 40;
/** Also true if the answer was forgotten. */
export const NO_ANSWER = 'no answer is on record; it may not have been done';
export const STOPPED = 'the person stopped this turn before its end; it may not have been done';
export const NO_OUTCOME = 'no outcome is on record; it may not have been done';
const NO_LAST_ANSWER = 'no answer at the end of this turn is on record; it may not be complete';
const NO_END = 'no end of this turn was recorded; it may not be complete';
/** Label and text, by what cut the turn off. */
export const CUT: Readonly<Record<TurnCut, readonly [label: string, text: string]>> = {
  stopped: ['Stopped', STOPPED],
  failed: ['Failed', 'this turn ended in an error; it may not have been done'],
  unfinished: ['Unfinished', NO_END],
};
/** A longer request is understandable by itself. */
const ANSWER_WORDS_MAX = 4;

/**
 * The newest summary, field by field, and what was asked after it.
 * @param withBefore whether to add what came before it in its session
 */
export function lastSessionLines(
  last: SummaryLine | undefined,
  material: BriefMaterial,
  withBefore: boolean,
): BriefLine[] {
  const { summaries, observations, prompts, recentPrompts, lastSession } = material;
  const lines: BriefLine[] = [];
  const id = recentPrompts[0]?.prompt.session ?? last?.session ?? null;
  if (lastSession !== null && id !== null && lastSession.id === id)
    lines.push({
      ...countsLine('Session', sessionText(lastSession)),
      id: shortSession(id),
      at: recentPrompts[0]?.prompt.at ?? last?.at ?? null,
    });
  // The agent's own recap of where the session was.
  if (material.recap !== null)
    lines.push({
      ...countsLine('Recap', material.recap.text),
      voice: 'agent',
      id: material.recap.id,
      at: material.recap.at,
    });
  lines.push(...asked(material));
  if (last === undefined) return lines;
  const add = (label: string, text: string | null, voice: BriefLine['voice'], row = last) => {
    if (text === null || text.trim() === '') return;
    const line = briefLine(row, { label, text, voice });
    lines.push(voice === 'agent' ? { ...line, within: answerWithin(text) } : line);
  };
  const isNext = isNextBefore(last, material);
  const before = last.session === null ? undefined : material.sessions.get(last.session);
  if (id !== null && last.session !== id && before !== undefined)
    lines.push({
      ...countsLine(isNext ? 'Session before that' : 'Earlier session', sessionText(before)),
      id: shortSession(last.session!),
      at: last.at,
    });
  const plan = last.requestBy === 'agent';
  const when = recentPrompts.length === 0 ? '' : isNext ? ' before that' : ' earlier';
  const option = optionChosen(last, material);
  add(
    `${plan ? 'Accepted plan' : 'Asked'}${when}`,
    requestText(last, summaries, option),
    plan ? 'agent' : option === '' ? 'person' : 'mixed',
    { ...last, at: prompts.findLast(({ turn }) => turn === last.turn)?.at ?? last.at },
  );
  openBefore(last, summaries).forEach((one, index) => {
    const label = `Asked before it, ${one.end ?? 'no answer at its end'}`;
    const line = briefLine(one, { label, text: one.request, voice: one.requestBy });
    lines.push(index === 0 ? line : { ...line, spare: ALSO_SPARE * index });
  });
  const own = observations.filter(({ turn }) => turn === last.turn);
  const completed = withoutCommits(last.completed, own);
  const isOpenEnded = last.end !== 'answered';
  if (last.end === 'stopped') add('Stopped', STOPPED, 'record');
  else if (last.unfinished) add('Unfinished', NO_END, 'record');
  else if (isOpenEnded && completed !== null) add('Answer', NO_LAST_ANSWER, 'record');
  add(isOpenEnded ? 'Done so far' : 'Done', completed, last.onlyShown ? 'record' : 'agent');
  const learned = last.learned === null ? '' : withBefore ? last.learned : withoutErrors(last.learned);
  add(last.unfinished ? 'Said on the way' : 'Learned', learned, 'agent');
  const steps = isAnswered(last, recentPrompts)
    ? last.nextSteps.filter((step) => !isForPerson(step))
    : last.nextSteps;
  for (const step of steps) add('Left open', stepText(step), 'agent');
  if (!last.unfinished && last.end !== 'stopped' && isWithoutOutcome(last, observations))
    add('Left open', NO_OUTCOME, 'record');
  const shown = normalize([completed, last.learned, last.notes, ...last.nextSteps.map(stepText)].join(' '));
  const most = observations.length > MANY ? FACTS_OF_MANY_MAX : FACTS_MAX;
  const facts = factsInTime(own);
  const further = facts
    .filter((fact) => !isShown(fact, shown))
    .map((text, at) => ({ text, at, weight: weightOf(text, at) }))
    .filter(({ weight }) => weight >= FACT_WEIGHT_MIN);
  // In their original order; the least informative one is dropped first.
  const also = [...further].sort((one, other) => other.weight - one.weight).slice(0, most);
  const inOrder = [...also].sort((one, other) => one.at - other.at);
  for (const { lead, items } of byLead(inOrder)) {
    const texts = withCutsMarked(
      items.map((one) => one.text),
      facts.filter((one) => lead !== '' && leadOf(one) === lead),
    );
    const text = lead === '' ? items[0]!.text : listed(texts);
    lines.push({
      ...briefLine(last, { label: 'Also', text, voice: isNotWritten(text) ? 'record' : 'agent' }),
      spare: ALSO_SPARE * (Math.min(...items.map((one) => also.indexOf(one))) + 2),
    });
  }
  if (last.completed === null) add('Looked into', last.investigated, 'record');
  lines.push(
    ...stateLines(
      observations.filter(({ session }) => session === last.session),
      summaries.filter(({ session }) => session === last.session),
      withBefore ? [] : observations,
    ),
  );
  if (!withBefore) return lines;
  return [
    ...lines,
    ...outcomeLines(earlierSummaries(last, summaries)).map((line) => ({ ...line, label: 'Before that' })),
  ];
}

/** The facts of a turn, those of its first part first, without states that a later part may have ended. @param rows newest first */
function factsInTime(rows: readonly ObservationLine[]): string[] {
  const parts = rows.map(({ facts }, at) =>
    rows.slice(0, at).some(({ files, commits, tests }) => files.length + commits.length + tests.length > 0)
      ? facts.filter((fact) => !isOfThen(fact))
      : facts,
  );
  return parts.reverse().flat();
}

/** "New tests: two for the hatch; one for the clock" */
function listed(texts: readonly string[]): string {
  return withLeadsOnce(texts)
    .map((text, at) => (at < texts.length - 1 ? text.replace(/\.$/, '') : text))
    .join('; ');
}

/** With or without the heading that it stood under. */
function isShown(fact: string, shown: string): boolean {
  return [fact, fact.slice(leadOf(fact).length)].some((text) =>
    shown.includes(normalize(text).slice(0, FACT_CHARS_ALIKE)),
  );
}

/** Neighbours that begin alike, with their common beginning. */
function byLead<T extends { readonly text: string }>(facts: readonly T[]): { lead: string; items: T[] }[] {
  const groups: { lead: string; items: T[] }[] = [];
  for (const fact of facts) {
    const lead = leadOf(fact.text);
    const group = groups.at(-1);
    if (group !== undefined && lead !== '' && group.lead === lead) group.items.push(fact);
    else groups.push({ lead, items: [fact] });
  }
  return groups;
}

/** Commits have their own line, so they are removed here; the agent's own words about them stay. */
function withoutCommits(completed: string | null, rows: readonly ObservationLine[]): string | null {
  if (completed === null) return null;
  const shown = rows.flatMap(({ commits }) =>
    commits.map(
      ({ hash, subject, rewritten }) =>
        `Committed${hash === null ? '' : ` ${hash}`}${rewrittenNote(rewritten)}: ${subject}.`,
    ),
  );
  const starts = shown
    .map((one) => completed.indexOf(one.slice(0, COMMIT_CHARS_ALIKE)))
    .filter((at) => at >= 0);
  if (starts.length === 0) return completed;
  const from = Math.min(...starts);
  const rest = shown.reduce((text, one) => text.replace(one, ''), completed.slice(from)).trim();
  // The last one may have been cut off.
  const isAll = shown.some((one) => one.startsWith(rest.endsWith('…') ? rest.slice(0, -1) : rest));
  return isAll ? completed.slice(0, from).trimEnd() : completed;
}

/** With less room: the first sentence, which answers, and then the most informative ones. */
function answerWithin(text: string): (charsMax: number) => string {
  const [first = '', ...rest] = sentencesIn(text);
  const antecedents = antecedentsIn([first, ...rest]);
  const pieces = rest.map((one, at) => pieceOf(one, weightOf(one, at), antecedents.get(one)));
  return (charsMax) => (text.length <= charsMax ? text : mostInformative(first, pieces, charsMax));
}

/** Whether the turn ended while the agent still said what it would do. */
export function isWithoutOutcome(
  { turn, completed, learned, investigated, notes, nextSteps }: SummaryLine,
  observations: readonly ObservationLine[],
): boolean {
  const said = [completed, learned, investigated, notes].some((text) => text !== null);
  const own = observations.filter((row) => row.turn === turn);
  // A fact may say that a file was not written.
  const isMade = own.some(
    ({ files, commits, tests, facts }) => files.length + commits.length + tests.length + facts.length > 0,
  );
  return !said && nextSteps.length === 0 && !isMade;
}

/** Whether the person answered the question at the end of the last summary: that prompt is shown above. */
function isAnswered({ session }: SummaryLine, recentPrompts: BriefMaterial['recentPrompts']): boolean {
  return recentPrompts.some(({ prompt }) => prompt.session === session && ANSWERS.test(prompt.text));
}

const ANSWERS =
  /^\s*(?:(?:y|n|yes|yeah|yep|no|nope|ok|okay|sure|go ahead|do (?:it|that|so)|please do)\b|(?:\d{1,2}|[a-d])[.)]?(?:\s|,|$)|(?:ja|nein|gerne|klar|oui|non|d['’]accord|sí|vale|claro|[是好]的?|不|行|可以|はい|いいえ)\s*(?:[,.!，、。！]|$))/i;

/** "1" and "yes" mean nothing without the question they answer. */
function requestText(last: SummaryLine, summaries: readonly SummaryLine[], option: string): string {
  if (last.request.split(/\s+/).length > ANSWER_WORDS_MAX) return last.request;
  const asked = earlierSummaries(last, summaries)[0]?.nextSteps.findLast(isForPerson);
  return asked === undefined
    ? `${last.request}${option}`
    : `${last.request}${option} (in answer to “${asked.text}”)`;
}

/** ": Paint it green", of the options that the turn before listed; empty if the request is not the number of one. */
function optionChosen(last: SummaryLine, { summaries, observations }: BriefMaterial): string {
  const number = Number(OPTION_NUMBER.exec(last.request)?.[1] ?? 0);
  const [before] = earlierSummaries(last, summaries);
  if (number === 0 || before === undefined) return '';
  const facts = observations.filter(({ turn }) => turn === before.turn).flatMap((row) => row.facts);
  const options = facts.filter((fact) => OPTIONS.test(leadOf(fact)));
  const lead = leadOf(options[0] ?? '');
  const chosen = options.filter((fact) => leadOf(fact) === lead)[number - 1];
  return chosen === undefined ? '' : `: ${clipSentence(chosen.slice(lead.length), OPTION_CHARS_MAX)}`;
}

const OPTION_NUMBER = /^\s*(?:option|number|#)?\s*(\d)\s*[.)]?(?:\s+please)?\s*$/i;
const OPTIONS = /\b(?:options?|approach(?:es)?|choices?|ways|alternatives?)\b/i;
const OPTION_CHARS_MAX = 160;

/** The summaries before the last one of its session. */
function earlierSummaries(last: SummaryLine | undefined, summaries: readonly SummaryLine[]): SummaryLine[] {
  if (last === undefined || last.session === null) return [];
  const rows = summaries.filter((row) => row.session === last.session && row.id !== last.id);
  return rows.slice(0, BEFORE_MAX);
}

/** Whether nothing was asked between the turn of the last summary and the prompts that are shown above it. */
function isNextBefore({ turn }: SummaryLine, { prompts, recentPrompts }: BriefMaterial): boolean {
  const from = prompts.findIndex(({ id }) => id === recentPrompts.at(-1)?.prompt.id);
  const until = prompts.findIndex((prompt) => prompt.turn === turn);
  return until >= 0 && prompts.slice(from + 1, until).every(({ text }) => isCommand(text));
}

/**
 * The turns into which the person typed the last one, or after whose error; and a stopped one that the last goes on with. Its
 * answer may be to them too.
 */
function openBefore(last: SummaryLine, summaries: readonly SummaryLine[]): SummaryLine[] {
  const open: SummaryLine[] = [];
  let next = last;
  for (const one of earlierSummaries(last, summaries)) {
    if (one.end === 'answered' || (one.end === 'stopped' && !goesOn(next))) break;
    open.push(one);
    next = one;
  }
  return open;
}

function goesOn({ request }: SummaryLine): boolean {
  return GOES_ON.test(request) && request.trim().split(/\s+/).length <= GO_ON_WORDS_MAX;
}

const GO_ON_WORDS_MAX = 10;
const GOES_ON =
  /^\s*(?:(?:ok|okay|yes|now|please)\b[\s,.:;—–-]*|let['’]s\s+)*(?:(?:go ahead|continue|go on|carry on|keep going|resume|proceed|retry|weiter|(?:try|check|run|do) (?:it |that )?again)\b|继续)/i;

/** Prompts after the last summary, newest first. */
function asked({ recentPrompts }: BriefMaterial): BriefLine[] {
  return recentPrompts.slice(0, RECENT_PROMPTS_MAX).flatMap((one, index) => {
    const { prompt } = one;
    const label = prompt.plan ? 'Accepted plan' : index === 0 ? 'Asked last' : 'Asked';
    const ask = briefLine(prompt, { label, text: prompt.text, voice: prompt.plan ? 'agent' : 'person' });
    return [ask, ...endLines(one)];
  });
}

/** The end of the answer to a prompt, after a note if the turn was cut off; or a note that there is none. */
export function endLines({ prompt, cut, answer, onTheWay }: RecentPrompt): BriefLine[] {
  const noted = ([label, text]: readonly [label: string, text: string]) =>
    briefLine(prompt, { label, text, voice: 'record' });
  const note = cut === null ? [] : [noted(CUT[cut])];
  if (answer === null) return cut === null ? [noted(['Answer', NO_ANSWER])] : note;
  const label = cut !== null || onTheWay || onlyAnnounces(answer) ? 'Said on the way' : 'Answer';
  return [...note, briefLine(prompt, { label, text: answer, voice: 'agent' })];
}

/** The person went on while the agent was at work. */
function onlyAnnounces(answer: string): boolean {
  return sentencesIn(answer).every(isAnnouncement);
}

/** One line per summary: what was asked, and the outcome. Near-duplicates are folded. */
export function outcomeLines(summaries: readonly SummaryLine[]): BriefLine[] {
  return foldNearDuplicates(summaries, rowNames).map(({ one, nearDuplicates }) => {
    const outcome = one.completed ?? one.learned ?? one.notes;
    const more = one.completed === null || one.learned === null ? '' : ` ${one.learned}`;
    const title = one.unfinished
      ? `${one.title} (unfinished)`
      : one.end === 'stopped'
        ? `${one.title} (stopped)`
        : one.title;
    return briefLine(one, { text: headed(title, `${outcome ?? ''}${more}`), voice: 'mixed', nearDuplicates });
  });
}
