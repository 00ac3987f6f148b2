// What a session is told: a few rows of the `context` view are read, composed and drawn. What finding it out cost
// is read from the turns that the lines stand on.
import {
  type ContextRow,
  lastingRows,
  mostFrequent,
  newestRows,
  rowKeys,
  type SessionRow,
  sessionRows,
  type TurnRow,
} from '../../projections/index.ts';
import type { ContextAnswer, ContextOptions } from '../api.ts';
import {
  type Brief,
  type Cost,
  compose,
  drawAgent,
  drawPerson,
  fitAgent,
  fitPerson,
  type Material,
  tokensOf,
  turnsOf,
} from '../render/index.ts';
import { type ChosenProject, projectByName, projectOfFolder } from './folder-project.ts';
import { askedIn, latelyOf } from './lately.ts';
import type { Opened } from './opened.ts';
import { problemsOf } from './problems.ts';
import { recapOf } from './recap.ts';

const SUMMARIES = 120;
const OBSERVATIONS = 120;
/** What a person repeats is found among so many. */
const PROMPTS = 300;
const LATELY_READ = 10;
const LASTING = 30;
const FREQUENT = 40;
const SESSION_ROWS = 200;
const SESSIONS = 40;
const WIDTH_DEFAULT = 100;

/** @throws AnnalsError NOT_FOUND for a project by a name that nobody has */
export async function contextOf(options: ContextOptions, opened: Opened): Promise<ContextAnswer> {
  const { views } = opened;
  const now = options.now ?? opened.now();
  const chosen =
    options.project === undefined
      ? await projectOfFolder(options.cwd ?? process.cwd(), opened)
      : await projectByName(options.project, opened);
  const brief = compose(await materialOf(chosen, options, opened));
  const agents = fitAgent(brief, now);
  const text = drawAgent(agents, await costOf(agents, views.turns), now);
  const degraded = problemsOf(opened);
  const { pausedBecause } = opened;
  const answer = { text, tokens: tokensOf(text), project: chosen.name, degraded, pausedBecause };
  if (options.form === undefined || options.form === 'agent') return answer;
  const shown = fitPerson(agents);
  const drawn = drawPerson(shown, await costOf(shown, views.turns), tokensOf(text), {
    width: options.width ?? WIDTH_DEFAULT,
    color: options.color ?? true,
    now,
  });
  return options.form === 'both' ? { ...answer, personText: drawn } : { ...answer, text: drawn };
}

async function materialOf(
  { name, places }: ChosenProject,
  { kind = 'startup', session }: ContextOptions,
  { views }: Opened,
): Promise<Material> {
  const view = views.context;
  const summaries = await newestRows(view, places, 'summary', SUMMARIES);
  const prompts = await newestRows(view, places, 'prompt', PROMPTS);
  const lately =
    kind === 'startup' || kind === 'clear'
      ? await latelyOf(prompts.slice(0, LATELY_READ), summaries, views)
      : [];
  const own = session === undefined ? [] : inProject(await sessionRows(view, session, SESSION_ROWS), places);
  const observations = await newestRows(view, places, 'observation', OBSERVATIONS);
  const lastSession = await sessionOf(own[0] ?? lately[0]?.prompt ?? summaries[0], views.turns);
  return {
    project: name,
    occasion: kind,
    summaries,
    observations,
    prompts,
    lately,
    asked: kind === 'compact' ? await askedIn(own, views) : [],
    saved: await newestRows(view, places, 'saved', LASTING),
    decisions: await lastingRows(view, places, 'decision', LASTING),
    gotchas: await lastingRows(view, places, 'gotcha', LASTING),
    tests: await mostFrequent(view, places, 'test', FREQUENT),
    commands: await mostFrequent(view, places, 'command', FREQUENT),
    files: await mostFrequent(view, places, 'file', FREQUENT),
    session: session === undefined ? null : { id: session, rows: own },
    sessions:
      kind === 'startup' || kind === 'clear' ? await sessionsOf(observations, views.turns) : new Map(),
    lastSession,
    recap: await recapOf(lastSession?.id ?? null, prompts, places, views.memory),
  };
}

/** What is known of the newest sessions, by id. */
async function sessionsOf(
  rows: readonly ContextRow[],
  turns: Opened['views']['turns'],
): Promise<Material['sessions']> {
  const keys = new Map<string, string>();
  for (const { agent, session } of rows) {
    if (keys.size === SESSIONS) break;
    if (session !== null) keys.set(session, rowKeys.session(agent, session));
  }
  const found = await turns.getMany<SessionRow>([...keys.values()]);
  const ids = [...keys.keys()];
  return new Map(found.flatMap((row, index) => (row === undefined ? [] : [[ids[index]!, row] as const])));
}

async function sessionOf(
  row: ContextRow | undefined,
  turns: Opened['views']['turns'],
): Promise<Material['lastSession']> {
  if (row === undefined || row.session === null) return null;
  const found = await turns.get<SessionRow>(rowKeys.session(row.agent, row.session));
  if (found === undefined) return null;
  return { id: row.session, title: found.title, branch: found.branch, turns: found.turns };
}

/** A session that moved on to another project is not told to this one. */
function inProject(rows: readonly ContextRow[], places: readonly string[]): ContextRow[] {
  const known = new Set(places);
  return rows.filter(({ place }) => known.has(place));
}

/** All tokens of the turns that a brief stands on: input, output and cache. */
async function costOf(brief: Brief, turns: Opened['views']['turns']): Promise<Cost> {
  const keys = turnsOf(brief).map(({ agent, session, turn }) => rowKeys.turn(agent, session, turn));
  const rows = (await turns.getMany<TurnRow>(keys)).filter((row) => row !== undefined);
  const found = rows.reduce(
    (sum, { usage }) => sum + usage.input + usage.output + usage.cacheRead + usage.cacheCreation,
    0,
  );
  return { found: found === 0 ? null : found };
}
