// The queue: turns that rules find worth an observation, have ended, and that nobody has read. It is no list that could be
// lost; it follows from the views.
import { isOwnEvent } from '../../../log/index.ts';
import {
  keyParts,
  memoryKeys,
  newestDocuments,
  type ObservationRow,
  resolveProject,
  rowPages,
  type SummaryRow,
  sessionKeys,
  sessionRows,
  type TurnRow,
} from '../../../projections/index.ts';
import type { ObserveOptions } from '../../api/observe.ts';
import { projectByName } from '../../home/folder-project.ts';
import type { Home } from '../../home/home.ts';
import { namedSession } from '../../home/named-session.ts';
import { parseTime } from '../../search/index.ts';
import { isGivenUp } from '../policy/next-step.ts';
import type { TurnMaterial } from '../request/turn-content.ts';
import { isAway, outcomesOf, type Request, requestsIn, requestsNamed } from './spending.ts';
import { materialOf, type PartRequest, requestsAbout } from './turn-requests.ts';

const TITLES_MAX = 30;
/** Of all kinds. */
const TITLE_ROWS_MAX = 120;

export interface Waiting extends PartRequest {
  /** Counted from 1. */
  readonly attempt: number;
  /** Of the turn, Unix ms; null when unknown. */
  readonly at: number | null;
}

export interface QueueOptions {
  readonly recipe: string;
  /** When a person last had everything tried again, Unix ms. */
  readonly retriedAt: number;
  /** Also what another recipe has read. */
  readonly again: boolean;
}

/** What the worker asks about by itself: nothing that another machine recorded, where somebody else decides and pays. */
export async function waitingHere(
  summary: SummaryRow,
  options: Omit<QueueOptions, 'again'>,
  home: Home,
): Promise<Waiting[]> {
  const waiting = await waitingAbout(summary, { ...options, again: false }, home);
  const [first] = await home.log.getMany(waiting.slice(0, 1).map(({ covers }) => covers[0]!));
  return first !== undefined && isOwnEvent(first, home.log) ? waiting : [];
}

/** The requests about the turn of a summary, by part. */
export async function waitingAbout(
  { agent, session, turn: id, at }: SummaryRow,
  { recipe, retriedAt, again }: QueueOptions,
  home: Home,
): Promise<Waiting[]> {
  const turn = await home.views.turns.get<TurnRow>(sessionKeys.turn(agent, session, id));
  if (turn === undefined || turn.unfinished) return [];
  const requests = await requestsAbout(turn, home);
  const before = await requestsNamed(agent, session, requests[0]?.names ?? [], home.views.turns);
  return requests.flatMap((request) => {
    const about = before.filter(({ asked }) => isAbout(request, asked.body.covers));
    const own = about.filter(({ asked }) => asked.body.recipe === recipe);
    const outcomes = outcomesOf(own, retriedAt);
    if (about.some((one) => isAway(one, recipe, home.now()))) return [];
    if ((again ? own : about).some(isRead) || isGivenUp(outcomes)) return [];
    return [{ ...request, attempt: own.length + 1, at }];
  });
}

export interface MaterialNow {
  readonly material: TurnMaterial;
  /** The events that all of it comes from; those of the part first. */
  readonly covers: readonly string[];
}

/** What the model reads. Null if the part is another one by now: then it waits for the next run. */
export async function materialNow(one: Waiting, home: Home): Promise<MaterialNow | null> {
  const { name: project } = await resolveProject(one.turn.workdir, home.views.projects);
  const { titles, events } = await titlesBefore(one, home);
  const material = await materialOf(one, { project, titles }, home);
  return material === null ? null : { material, covers: [...new Set([...one.covers, ...events])] };
}

/** As a reading is found for a part (projections/memory/with-readings.ts): what came later must not be more than it read. */
function isAbout({ things }: Pick<PartRequest, 'things'>, asked: readonly string[]): boolean {
  const known = new Set(asked);
  return 2 * things.filter((events) => events.some((event) => known.has(event))).length >= things.length;
}

function isRead({ answer }: Request): boolean {
  return answer?.kind === 'replied' && answer.reply.valid;
}

/** The summaries of the turns that the options name, oldest first. */
export async function summariesOf(options: ObserveOptions, home: Home): Promise<SummaryRow[]> {
  const { project, since } = options;
  const session =
    options.session === undefined ? undefined : (await namedSession(options.session, home.views.turns)).id;
  const workdirs = project === undefined ? null : new Set((await projectByName(project, home)).workdirs);
  const from = since === undefined ? Number.NEGATIVE_INFINITY : parseTime(since, home.now(), 'since');
  const found: SummaryRow[] = [];
  for await (const page of rowPages<SummaryRow>(home.views.memory, memoryKeys.summaries()))
    for (const [, row] of page)
      if (
        (session === undefined || row.session === session) &&
        (workdirs === null || workdirs.has(row.workdir)) &&
        (row.at ?? 0) >= from
      )
        found.push(row);
  return found.sort(byTime);
}

/** The summaries after a time (Unix ms), oldest first. Reads only these. */
export async function summariesSince(since: number, { views }: Home): Promise<SummaryRow[]> {
  const workdirs = (await views.memory.range(memoryKeys.workdirs())).map(([rowKey]) => keyParts(rowKey)[1]!);
  const ids: string[] = [];
  const span = { since, mayPass: (kind: string) => kind === 'summary' };
  for await (const page of newestDocuments(views.memory, workdirs, span))
    ids.push(...page.map(({ id }) => id));
  const rows = await views.memory.getMany<SummaryRow>(ids.map(memoryKeys.summary));
  return rows.filter((row) => row !== undefined).sort(byTime);
}

function byTime(a: SummaryRow, b: SummaryRow): number {
  return (a.at ?? 0) - (b.at ?? 0) || (a.id < b.id ? -1 : 1);
}

/** Titles of the session's observations before this part of a turn, oldest first, and the events that they come from. */
async function titlesBefore(
  { turn, part, at }: Waiting,
  { views }: Home,
): Promise<{ readonly titles: readonly string[]; readonly events: readonly string[] }> {
  if (at === null) return { titles: [], events: [] };
  const rows = await sessionRows(views.context, turn.session, TITLE_ROWS_MAX, at);
  const lines = rows.filter((row) => row.kind === 'observation');
  const own = lines.filter((line) => line.turn === turn.id).map(({ id }) => memoryKeys.observation(id));
  const parts = new Map(
    (await views.memory.getMany<ObservationRow>(own)).map((row) => [row?.id, row?.part ?? part]),
  );
  const shown = lines.filter(({ id }) => (parts.get(id) ?? 0) < part).slice(0, TITLES_MAX);
  const observations = await views.memory.getMany<ObservationRow>(
    shown.map(({ id }) => memoryKeys.observation(id)),
  );
  const answers = new Set(
    (await requestsIn(turn.agent, turn.session, views.turns)).map(({ answer }) => answer?.event),
  );
  const events = observations.flatMap((row) => {
    const sources = row?.evidence.events ?? [];
    // What a model wrote is forgotten with each event that it read.
    const answer = sources.find((event) => answers.has(event));
    if (answer !== undefined) return [answer];
    // Those of another part would make this request one about that part.
    return row?.turn === turn.id ? [] : sources;
  });
  return { titles: shown.map(({ title }) => title).reverse(), events };
}
