// Makes the brief of a project: reads a few rows of the `context` view, composes them and renders the result. The cost of
// the work is read from the turns that the lines are based on.
import {
  type ContextRow,
  failingCalls,
  lastingRows,
  mostFrequentTests,
  newestRows,
  receiptKeys,
  type SessionRow,
  sessionKeys,
  sessionRows,
  type TurnRow,
  waitingProposals,
} from '../../projections/index.ts';
import type { ContextAnswer, ContextOptions } from '../api.ts';
import { type ChosenProject, projectByName, projectOfFolder } from '../home/folder-project.ts';
import type { ReadHome } from '../home/home.ts';
import { injectedItems } from '../home/injected-items.ts';
import { namedSession } from '../home/named-session.ts';
import {
  type Brief,
  type BriefMaterial,
  type Cost,
  compose,
  fitAgentBrief,
  fitPersonBrief,
  renderAgentBrief,
  renderPersonBrief,
  tokensOf,
  turnsOf,
} from './index.ts';
import { leftOutOf } from './left-out.ts';
import { askedIn, recentPromptsOf, unansweredOf } from './recent-prompts.ts';
import { withRewrittenCommits } from './rewritten-commits.ts';
import { recapOf } from './session-recap.ts';

const SUMMARIES = 120;
const OBSERVATIONS = 120;
/** Repeated rules are searched in this many prompts. */
const PROMPTS = 300;
const RECENT_READ = 10;
const LASTING = 30;
const NOTES = 20;
const FREQUENT = 40;
const FAILURES = 200;
const SESSION_ROWS = 200;
const SESSIONS = 40;
const WIDTH_DEFAULT = 100;

/** @throws AnnalsError NOT_FOUND (no project has this name, no session this id), AMBIGUOUS_ID, USAGE */
export async function contextOf(options: ContextOptions, home: ReadHome): Promise<ContextAnswer> {
  const { views } = home;
  const chosen =
    options.project === undefined
      ? await projectOfFolder(options.cwd ?? process.cwd(), home)
      : await projectByName(options.project, home);
  const brief = compose(await materialOf(chosen, options, home));
  const { notice } = home.state();
  const agents = fitAgentBrief(brief, notice);
  const text = renderAgentBrief(agents, notice);
  const items = await injectedItems(
    agents.sections.flatMap(({ lines }) => lines),
    views,
  );
  const degraded = home.state().problems;
  const { pausedBecause } = home;
  const answer = { text, tokens: tokensOf(text), project: chosen.name, items, degraded, pausedBecause };
  if (options.form === undefined || options.form === 'agent') return answer;
  const shown = fitPersonBrief(agents);
  const briefText = renderPersonBrief(shown, await costOf(shown, views.turns), tokensOf(text), {
    width: options.width ?? WIDTH_DEFAULT,
    color: options.color ?? true,
  });
  const noticeText = notice === null ? '' : `\n${notice}`;
  const personText = `${briefText}${await waitingText(views.turns)}${noticeText}`;
  if (options.form === 'person') return { ...answer, text: personText };
  return { ...answer, personText, leftOut: leftOutOf(brief, agents) };
}

/** For the person only: an agent would answer its own proposals. */
async function waitingText(turns: ReadHome['views']['turns']): Promise<string> {
  const { length } = await waitingProposals(turns);
  if (length === 0) return '';
  return `\n${length === 1 ? 'A proposal of an agent waits' : `${length} proposals of agents wait`} for you: annals proposals`;
}

async function materialOf(
  { name, workdirs }: ChosenProject,
  { kind = 'startup', session: given, isStarting = false }: ContextOptions,
  { views }: ReadHome,
): Promise<BriefMaterial> {
  const view = views.context;
  const session = given === undefined || isStarting ? given : (await namedSession(given, views.turns)).id;
  const summed = await newestRows(view, workdirs, 'summary', SUMMARIES);
  const summaries = await withRewrittenCommits(holding(summed), views);
  const prompts = await newestRows(view, workdirs, 'prompt', PROMPTS);
  // Of an older prompt it is not known whether it has a summary.
  const oldest = summed.length < SUMMARIES ? Number.NEGATIVE_INFINITY : (summed.at(-1)!.at ?? 0);
  const isCovered = ({ at }: ContextRow) => (at ?? 0) >= oldest;
  const own =
    session === undefined
      ? []
      : await withRewrittenCommits(
          inProject(await sessionRows(view, session, SESSION_ROWS), workdirs),
          views,
        );
  const isNew = kind === 'startup' || kind === 'clear';
  // A fork starts without rows.
  const isLastShown = isNew || (session !== undefined && own.length === 0);
  const recentPrompts = isLastShown
    ? await recentPromptsOf(prompts.slice(0, RECENT_READ), summaries, views)
    : [];
  const found = holding(await newestRows(view, workdirs, 'observation', OBSERVATIONS));
  const observations = await withRewrittenCommits(found, views);
  const lastSession = await sessionOf(own[0] ?? recentPrompts[0]?.prompt ?? summaries[0], views.turns);
  const saved = holding(await newestRows(view, workdirs, 'saved', LASTING)).filter(isUnchosen);
  const decisions = (await lastingRows(view, workdirs, 'decision', LASTING)).filter(isUnchosen);
  const gotchas = (await lastingRows(view, workdirs, 'gotcha', LASTING)).filter(isUnchosen);
  const chosenFrom = [...saved, ...decisions, ...gotchas, ...observations.filter(isUnchosen)];
  const notes = await lastingRows(view, workdirs, 'note', NOTES);
  const pinned = await lastingRows(view, workdirs, 'pinned', 2 * NOTES);
  return {
    project: name,
    occasion: kind,
    summaries,
    observations,
    prompts,
    recentPrompts,
    unanswered: isNew ? await unansweredOf(prompts.filter(isCovered), summaries, views) : [],
    asked: kind === 'compact' ? await askedIn(own, views) : [],
    notes,
    pinned: pinned.filter(({ id }) => !notes.some((note) => note.id === id)).slice(0, NOTES),
    ...{ saved, decisions, gotchas, unused: await unusedAmong(chosenFrom, views.receipts) },
    tests: await mostFrequentTests(view, workdirs, FREQUENT),
    failing: isNew ? await failingCalls(view, workdirs, FAILURES) : [],
    session: session === undefined ? null : { id: session, rows: own },
    sessions: isNew ? await sessionsOf(observations, views.turns) : new Map(),
    lastSession,
    recap: await recapOf(lastSession?.id ?? null, prompts, workdirs, views.memory),
  };
}

/** Without rows that a person superseded. */
function holding<R extends ContextRow>(rows: readonly R[]): R[] {
  return rows.filter(({ marks }) => marks?.superseded === undefined);
}

/** Neither pinned nor a note, which have sections of their own. */
function isUnchosen(row: ContextRow): boolean {
  if (row.marks?.pinned !== undefined) return false;
  return row.kind !== 'saved' || row.type !== 'note' || row.author !== undefined;
}

/** Those that were shown often and never used. What a person pinned keeps its place. */
async function unusedAmong(
  rows: readonly ContextRow[],
  receipts: ReadHome['views']['receipts'],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const marks = await receipts.getMany<1>(ids.map(receiptKeys.unused));
  return new Set(ids.filter((_, index) => marks[index] !== undefined));
}

/** The newest sessions, by id. */
async function sessionsOf(
  rows: readonly ContextRow[],
  turns: ReadHome['views']['turns'],
): Promise<BriefMaterial['sessions']> {
  const keys = new Map<string, string>();
  for (const { agent, session } of rows) {
    if (keys.size === SESSIONS) break;
    if (session !== null) keys.set(session, sessionKeys.session(agent, session));
  }
  const found = await turns.getMany<SessionRow>([...keys.values()]);
  const ids = [...keys.keys()];
  return new Map(found.flatMap((row, index) => (row === undefined ? [] : [[ids[index]!, row] as const])));
}

async function sessionOf(
  row: ContextRow | undefined,
  turns: ReadHome['views']['turns'],
): Promise<BriefMaterial['lastSession']> {
  if (row === undefined || row.session === null) return null;
  const found = await turns.get<SessionRow>(sessionKeys.session(row.agent, row.session));
  if (found === undefined) return null;
  return { id: row.session, title: found.title, branch: found.branch, turns: found.turns };
}

/** Rows of a session in another project are left out. */
function inProject(rows: readonly ContextRow[], workdirs: readonly string[]): ContextRow[] {
  const known = new Set(workdirs);
  return rows.filter(({ workdir }) => known.has(workdir));
}

/** All tokens of the turns that a brief is based on: input, output and cache. */
async function costOf(brief: Brief, turns: ReadHome['views']['turns']): Promise<Cost> {
  const keys = turnsOf(brief).map(({ agent, session, turn }) => sessionKeys.turn(agent, session, turn));
  const rows = (await turns.getMany<TurnRow>(keys)).filter((row) => row !== undefined);
  const found = rows.reduce(
    (sum, { usage }) => sum + usage.input + usage.output + usage.cacheRead + usage.cacheCreation,
    0,
  );
  return { found: found === 0 ? null : found };
}
