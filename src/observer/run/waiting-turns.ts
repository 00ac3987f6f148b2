// The queue: turns that rules find worth an observation, have ended, and that nobody has read. It is no list that could be
// lost; it follows from the views.
import {
  keyParts,
  memoryKeys,
  newestDocuments,
  resolveProject,
  type SummaryRow,
  sessionKeys,
  sessionRows,
  type TurnRow,
} from '../../../projections/index.ts';
import type { ObserveOptions } from '../../api/observe.ts';
import { projectByName } from '../../home/folder-project.ts';
import type { Home } from '../../home/home.ts';
import { parseTime } from '../../search/index.ts';
import { isGivenUp } from '../policy/next-step.ts';
import type { TurnMaterial } from '../request/turn-content.ts';
import { outcomesOf, type Request, requestsNamed } from './spending.ts';
import { type PartRequest, requestsAbout } from './turn-requests.ts';

const ROWS_PER_READ = 500;
const TITLES_MAX = 30;

export interface Waiting extends Omit<PartRequest, 'material'> {
  /** Counted from 1. */
  readonly attempt: number;
  material(): Promise<TurnMaterial>;
}

export interface QueueOptions {
  readonly recipe: string;
  /** When a person last had everything tried again, Unix ms. */
  readonly retriedAt: number;
  /** Also what another recipe has read. */
  readonly again: boolean;
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
    if ((again ? own : about).some(isRead) || isGivenUp(outcomes)) return [];
    const material = async () => {
      const { name: project } = await resolveProject(turn.workdir, home.views.projects);
      return request.material({ project, titles: await titlesBefore(turn, at, home) });
    };
    return [{ ...request, attempt: own.length + 1, material }];
  });
}

/** As a reading is found for a part (projections/memory/with-readings.ts): what came later must not be more than it read. */
function isAbout({ covers }: Pick<PartRequest, 'covers'>, asked: readonly string[]): boolean {
  const known = new Set(asked);
  return 2 * covers.filter((event) => known.has(event)).length >= covers.length;
}

function isRead({ answer }: Request): boolean {
  return answer?.kind === 'replied' && answer.reply.valid;
}

/** The summaries of the turns that the options name, oldest first. */
export async function summariesOf(options: ObserveOptions, home: Home): Promise<SummaryRow[]> {
  const { session, project, since } = options;
  const workdirs = project === undefined ? null : new Set((await projectByName(project, home)).workdirs);
  const from = since === undefined ? Number.NEGATIVE_INFINITY : parseTime(since, home.now(), 'since');
  const found: SummaryRow[] = [];
  for (let after: string | undefined; ; ) {
    const page = await home.views.memory.range<SummaryRow>(memoryKeys.summaries(), {
      limit: ROWS_PER_READ,
      ...(after === undefined ? {} : { after }),
    });
    for (const [, row] of page)
      if (
        (session === undefined || row.session === session) &&
        (workdirs === null || workdirs.has(row.workdir)) &&
        (row.at ?? 0) >= from
      )
        found.push(row);
    if (page.length < ROWS_PER_READ) break;
    after = page.at(-1)![0];
  }
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

/** Titles of the session's observations before this turn. */
async function titlesBefore({ session, id }: TurnRow, at: number | null, { views }: Home): Promise<string[]> {
  const rows = await sessionRows(views.context, session, TITLES_MAX);
  return rows
    .filter((row) => row.kind === 'observation' && row.turn !== id && (row.at ?? 0) <= (at ?? 0))
    .map((row) => ('title' in row ? row.title : ''))
    .reverse();
}
