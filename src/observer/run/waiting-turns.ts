// The queue: turns that rules find worth an observation, have ended, and that the recipe has not read. It is no list that
// could be lost; it follows from the views.
import {
  memoryKeys,
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
import { coversDigest } from './recipe.ts';
import { outcomesOf, type Request, requestsIn } from './spending.ts';
import { type PartRequest, requestsAbout } from './turn-requests.ts';

const ROWS_PER_READ = 500;
const TITLES_MAX = 30;

export interface Waiting extends PartRequest {
  /** Counted from 1. */
  readonly attempt: number;
}

export interface QueueOptions {
  readonly recipe: string;
  /** When a person last had everything tried again, Unix ms. */
  readonly retriedAt: number;
}

/** Oldest first. */
export async function* waitingTurns(
  options: ObserveOptions,
  { recipe, retriedAt }: QueueOptions,
  home: Home,
): AsyncGenerator<Waiting> {
  const known = new Map<string, readonly Request[]>();
  for (const summary of await summariesOf(options, home)) {
    const { agent, session } = summary;
    const turn = await home.views.turns.get<TurnRow>(sessionKeys.turn(agent, session, summary.turn));
    if (turn === undefined || turn.unfinished) continue;
    const { name: project } = await resolveProject(turn.workdir, home.views.projects);
    const titles = await titlesBefore(summary, home);
    const name = JSON.stringify([agent, session]);
    const before = known.get(name) ?? (await requestsIn(agent, session, home.views.turns));
    known.set(name, before);
    for (const request of await requestsAbout(turn, { project, titles }, home)) {
      const wanted = coversDigest(recipe, request.covers);
      const same = before.filter(({ asked: { body } }) => coversDigest(body.recipe, body.covers) === wanted);
      const outcomes = outcomesOf(same, retriedAt);
      if (outcomes.some(({ result }) => result === 'replied') || isGivenUp(outcomes)) continue;
      yield { ...request, attempt: same.length + 1 };
    }
  }
}

async function summariesOf(options: ObserveOptions, home: Home): Promise<SummaryRow[]> {
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
  return found.sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.id < b.id ? -1 : 1));
}

/** Titles of the session's observations before this turn. */
async function titlesBefore({ session, turn, at }: SummaryRow, { views }: Home): Promise<string[]> {
  const rows = await sessionRows(views.context, session, TITLES_MAX);
  return rows
    .filter((row) => row.kind === 'observation' && row.turn !== turn && (row.at ?? 0) <= (at ?? 0))
    .map((row) => ('title' in row ? row.title : ''))
    .reverse();
}
